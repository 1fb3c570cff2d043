package compile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// fork is the sinks of statements that run as one job: each is written what comes by its own inputs of the last fragment.
//
// At most one of them can fail to commit, the Transactional that others of its system have joined. It recovers, prepares and commits first, so that what it cannot commit no other has shown,
// and is sealed last.
type fork struct {
	all   []branch
	of    []int // by input
	order []int // of checkpoints, by sink
	at    []int // by input: its number among those of its sink
	now   int
	// results are how many of the sinks take results; those behind them take what is kept beside.
	results int
}

type branch struct {
	connector.Sink
	dirty     bool
	promising connector.Promising // the sink, if it passes on how far it is
	merge     *watermark.Merge    // of its inputs, if so
}

// add appends a sink that takes the rows of the next inputs.
func (f *fork) add(sink connector.Sink, inputs int) {
	for i := range inputs {
		f.of, f.at = append(f.of, len(f.all)), append(f.at, i)
	}
	b := branch{Sink: sink}
	if b.promising, _ = sink.(connector.Promising); b.promising != nil {
		b.merge = watermark.NewMerge(inputs)
	}
	f.all = append(f.all, b)
}

// sink is the only one, if there are no others.
func (f *fork) sink() connector.Sink {
	if len(f.all) == 1 {
		return f.all[0].Sink
	}
	return f
}

// From implements runtime.Forked.
func (f *fork) From(input int) { f.now = f.of[input] }

// Reached implements runtime.Forked.
func (f *fork) Reached(input int, at watermark.Frontier, active bool) error {
	b := &f.all[f.of[input]]
	if b.promising == nil {
		return nil
	}
	reached, active, _ := b.merge.Update(f.at[input], at, active)
	return b.promising.Promise(reached, active)
}

// Write implements connector.Sink.
func (f *fork) Write(b *vector.Batch) error {
	f.all[f.now].dirty = true
	return f.all[f.now].Write(b)
}

// Flush implements connector.Sink.
func (f *fork) Flush() error {
	for i := range f.all {
		if b := &f.all[i]; b.dirty {
			b.dirty = false
			if err := b.Sink.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close implements connector.Sink. It closes all, whatever becomes of them.
func (f *fork) Close() error {
	var errs []error
	for i := range f.all {
		errs = append(errs, f.all[i].Sink.Close())
	}
	return errors.Join(errs...)
}

// SetNow implements connector.Timed.
func (f *fork) SetNow(now int64) error {
	for i := range f.all {
		if t, ok := f.all[i].Sink.(connector.Timed); ok {
			if err := t.SetNow(now); err != nil {
				return err
			}
		}
	}
	return nil
}

// Outage implements connector.Distant.
func (f *fork) Outage() error {
	for i := range f.all {
		if err := connector.OutageOf(f.all[i].Sink); err != nil {
			return err
		}
	}
	return nil
}

// Abort implements connector.Aborting. It ends all; those that know no other end are closed.
func (f *fork) Abort() error {
	var errs []error
	for i := range f.all {
		if a, ok := f.all[i].Sink.(connector.Aborting); ok {
			errs = append(errs, a.Abort())
		} else {
			errs = append(errs, f.all[i].Sink.Close())
		}
	}
	return errors.Join(errs...)
}

// Recover implements connector.Checkpointed.
func (f *fork) Recover(r connector.Recovery) error {
	states, err := f.states(r.State)
	if err != nil {
		return err
	}
	if err := f.meet(); err != nil {
		return err
	}
	for _, i := range f.order {
		if c, ok := f.all[i].Sink.(connector.Checkpointed); ok {
			if err := c.Recover(connector.Recovery{Statement: r.Statement, State: states[i], Copied: r.Copied, Shown: r.Shown}); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet has Transactional sinks join the first of them, and finds the order.
func (f *fork) meet() error {
	var first connector.Transactional
	var system string
	f.order = f.order[:0]
	for i := range f.all {
		f.order = append(f.order, i)
		t, ok := f.all[i].Sink.(connector.Transactional)
		if !ok {
			continue
		}
		s, err := t.System()
		switch {
		case err != nil:
			return err
		case s == "":
		case first == nil:
			first, system = t, s
			copy(f.order[1:], f.order[:i])
			f.order[0] = i
		case s != system:
			return fault.Errorf(fault.User, "the statement writes exactly once to two systems, '%s' and '%s', which cannot commit together; write to one of them in another statement, or at least once: 'sink.delivery-guarantee' = 'at-least-once'", system, s)
		default:
			if err := t.Join(first); err != nil {
				return err
			}
		}
	}
	return nil
}

// states takes apart what a checkpoint knows. One of a time at which nothing was kept is about the results alone; what is kept then begins.
func (f *fork) states(all []byte) ([][]byte, error) {
	if f.results == len(f.all) {
		return splitStates(all, len(f.all))
	}
	results, kept := all, []byte(nil)
	if bytes.HasPrefix(all, []byte{keptMark}) {
		parts, err := splitStates(all[1:], 2)
		if err != nil {
			return nil, err
		}
		results, kept = parts[0], parts[1]
	}
	states := [][]byte{results}
	if f.results > 1 {
		var err error
		if states, err = splitStates(results, f.results); err != nil {
			return nil, err
		}
	}
	rest, err := splitStates(kept, len(f.all)-f.results)
	return append(states, rest...), err
}

// keptMark begins the state of a fork that keeps something. No other state begins with it: the first number of the others is -1 or more.
const keptMark = 3

// Seal implements connector.Checkpointed.
func (f *fork) Seal() (connector.Epoch, error) {
	all := &epochs{order: f.order, of: make([]connector.Epoch, len(f.all)), results: f.results}
	for _, i := range slices.Backward(f.order) {
		if c, ok := f.all[i].Sink.(connector.Checkpointed); ok {
			var err error
			if all.of[i], err = c.Seal(); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// epochs are those of the sinks of a fork; nil for one that has none.
type epochs struct {
	order   []int
	of      []connector.Epoch
	results int
}

// Prepare implements connector.Epoch. The state is that of each sink behind its length, which is -1 for one that has none; see encoding/binary for the numbers. If something is
// kept it is keptMark, then the state that the results would have alone and that of the others, each behind its length.
func (e *epochs) Prepare() ([]byte, error) {
	states := make([][]byte, len(e.of))
	for _, i := range e.order {
		if x := e.of[i]; x != nil {
			var err error
			if states[i], err = x.Prepare(); err != nil {
				return nil, err
			}
		}
	}
	if e.results == len(e.of) {
		return joinStates(states), nil
	}
	results := states[0]
	if e.results > 1 {
		results = joinStates(states[:e.results])
	}
	return append([]byte{keptMark}, joinStates([][]byte{results, joinStates(states[e.results:])})...), nil
}

func joinStates(states [][]byte) []byte {
	var all []byte
	for _, state := range states {
		if state == nil {
			all = binary.AppendVarint(all, -1)
			continue
		}
		all = append(binary.AppendVarint(all, int64(len(state))), state...)
	}
	return all
}

// splitStates takes apart what joinStates put together of n states.
func splitStates(all []byte, n int) ([][]byte, error) {
	states := make([][]byte, n)
	if all == nil {
		return states, nil
	}
	for i := range states {
		length, size := binary.Varint(all)
		if size <= 0 || length < -1 || length > int64(len(all)-size) {
			return nil, errors.New("what a checkpoint says of the sinks makes no sense")
		}
		if all = all[size:]; length >= 0 {
			states[i], all = all[:length:length], all[length:]
		}
	}
	if len(all) > 0 {
		return nil, errors.New("a checkpoint is of a statement with more sinks")
	}
	return states, nil
}

// Revoke implements connector.Revocable.
func (e *epochs) Revoke() {
	for _, x := range e.of {
		if r, ok := x.(connector.Revocable); ok {
			r.Revoke()
		}
	}
}

// Commit implements connector.Epoch. If the first cannot commit no other does; all others are committed, whatever becomes of them.
func (e *epochs) Commit() error {
	var errs []error
	for k, i := range e.order {
		if x := e.of[i]; x != nil {
			err := x.Commit()
			if err != nil && k == 0 {
				return err
			}
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
