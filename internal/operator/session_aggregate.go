package operator

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SessionAggregateSpec describes an aggregation per key and session. The output is that of a WindowAggregate.
type SessionAggregateSpec struct {
	Spec       window.Spec
	Time       int          // input column
	Zone       *window.Zone // for TIMESTAMP_LTZ: how window_start and window_end read; gaps are measured on instants
	Keys       []int
	KeyKinds   []vector.Kind
	Aggregates []Aggregate
	Tick       int64
	Memory     *vector.Pool
}

// SessionAggregate aggregates per key and session.
//
// A row is joined with the sessions of its key that it touches first; then the outcome is tested. Flink 2.3: a row whose own session would
// be complete still counts if it touches a session that is not. So every row needs the frontier that holds exactly there: every frontier
// matters.
//
// Sessions are numbered; the number is the accumulators' group. A number is not used again until compact renumbers what is alive.
type SessionAggregate struct {
	firings
	spec     SessionAggregateSpec
	keys     state.Keys
	index    sessionIndex
	sessions []session
	accs     []function.Accumulator
	live     int
	pending  sessionHeap // one entry per session, at its end or an earlier one
	frontier watermark.Frontier
	counts   dataflow.Counts
	cold     coldSessions

	atHand *state.Input // while rows are worked off
	ids    []uint32     // keys of the rows at hand
	groups []uint32     // sessions and rows not yet added
	rows   []int32
	firing []int32
	chunks chunks
	names  []byte

	listed, listedKeys []uint32 // sessions in a snapshot, and the key of each

	filtered filtered
}

type session struct {
	window.Window
	key  uint32
	dead bool
}

// NewSessionAggregate makes the operator.
func NewSessionAggregate(spec SessionAggregateSpec) *SessionAggregate {
	s := &SessionAggregate{spec: spec, frontier: watermark.Unset}
	s.renew()
	return s
}

func (s *SessionAggregate) renew() {
	s.keys = state.NewKeys(s.spec.KeyKinds)
	s.index, s.sessions, s.pending, s.live = sessionIndex{}, nil, nil, 0
	s.accs = nil
	for _, a := range s.spec.Aggregates {
		s.accs = append(s.accs, a.New())
	}
}

// Counts implements dataflow.Counted.
func (s *SessionAggregate) Counts() *dataflow.Counts { return &s.counts }

// Process implements dataflow.Operator.
func (s *SessionAggregate) Process(b *dataflow.Batch, out dataflow.Output) error {
	s.counts.In.Add(int64(b.Rows().Count()))
	rows := b.Rows()
	in := keyInput(b, s.spec.Keys, rows)
	s.ids = slices.Grow(s.ids[:0], rows.Count())[:rows.Count()]
	s.atHand = &in
	err := s.find()
	if err == nil {
		err = b.Segments(
			func(lo, hi int) error { return s.absorb(b, lo, hi) },
			func(f watermark.Frontier) error { return s.advance(dataflow.Progress{Frontier: f, Active: true}, out) })
	}
	s.atHand = nil
	b.Release()
	if err != nil {
		return err
	}
	return s.settle()
}

// find numbers the keys of the rows at hand.
func (s *SessionAggregate) find() error {
	known := s.keys.Len()
	s.keys.Find(s.atHand, s.ids)
	s.index.grow(s.keys.Len())
	if !s.cold.limited() {
		return nil
	}
	return s.bring(known)
}

// settle makes room behind rows or a frontier.
func (s *SessionAggregate) settle() error {
	if !s.cold.limited() {
		s.compact()
		return nil
	}
	s.cold.touch(s.ids, s.keys.Len())
	s.ids = s.ids[:0]
	s.compact()
	return s.makeRoom()
}

// Advance implements dataflow.Operator.
func (s *SessionAggregate) Advance(p dataflow.Progress, out dataflow.Output) error {
	if err := s.advance(p, out); err != nil {
		return err
	}
	return s.settle()
}

func (s *SessionAggregate) absorb(b *dataflow.Batch, lo, hi int) error {
	times, rows := b.Cols[s.spec.Time], b.Rows()
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if times.IsNull(row) {
			return errNullTime
		}
		t := times.Int(row)
		id, ok := s.place(b, s.ids[k], s.spec.Spec.SessionOf(t))
		if !ok {
			s.counts.Drop(dataflow.Dropped{Time: t, Deadline: s.spec.Spec.SessionOf(t).End, Frontier: s.frontier})
			continue
		}
		s.groups = append(s.groups, uint32(id))
		s.rows = append(s.rows, int32(row))
	}
	s.flush(b)
	return nil
}

// flush adds the rows collected so far to their sessions.
func (s *SessionAggregate) flush(b *dataflow.Batch) {
	if len(s.rows) == 0 {
		return
	}
	for i, acc := range s.accs {
		acc.Grow(len(s.sessions))
		s.spec.Aggregates[i].add(acc, b, s.groups, vector.Rows{Sel: s.rows, N: b.N}, &s.filtered)
	}
	s.counts.Absorbed.Add(int64(len(s.rows)))
	s.groups, s.rows = s.groups[:0], s.rows[:0]
}

// place finds the session for a row of a key whose own session would be own: it grows one that it touches, joins several into
// one, or starts a new one. It reports false if the outcome is complete already.
func (s *SessionAggregate) place(b *dataflow.Batch, key uint32, own window.Window) (id int32, ok bool) {
	open := s.index.get(key)
	lo := s.search(open, own.Start)
	hi := lo
	for hi < len(open) && window.Touches(s.sessions[open[hi]].Window, own) {
		own = window.Merge(own, s.sessions[open[hi]].Window)
		hi++
	}
	if lo == hi {
		if s.frontier.Complete(own.End) {
			return none, false
		}
		return s.start(key, lo, own), true
	}
	id = open[lo]
	for _, other := range open[lo+1 : hi] {
		s.absorbed(b, id, other)
		s.sessions[other].dead = true
		s.live--
	}
	if hi > lo+1 {
		s.index.remove(key, lo+1, hi)
	}
	s.sessions[id].Window = own
	return id, true
}

// search is the place in a key's list of the first session that ends at t or later.
func (s *SessionAggregate) search(open []int32, t int64) int {
	at, _ := slices.BinarySearchFunc(open, t, func(id int32, t int64) int { return cmp.Compare(s.sessions[id].End, t) })
	return at
}

// start begins a session at a place in the list of its key.
func (s *SessionAggregate) start(key uint32, at int, x window.Window) int32 {
	id := int32(len(s.sessions))
	s.sessions = append(s.sessions, session{Window: x, key: key})
	s.index.insert(key, at, id)
	s.live++
	s.pending.push(due{x.End, id})
	return id
}

// absorbed moves what session from holds to session to.
func (s *SessionAggregate) absorbed(b *dataflow.Batch, to, from int32) {
	s.flush(b)
	for _, a := range s.accs {
		a.Grow(len(s.sessions))
		a.Merge([]uint32{uint32(to)}, a, []uint32{uint32(from)})
	}
}

func (s *SessionAggregate) advance(p dataflow.Progress, out dataflow.Output) error {
	s.frontier = max(s.frontier, p.Frontier)
	for {
		end, ok := s.firstEnd()
		if !ok || !s.frontier.Complete(end) {
			break
		}
		fired, err := s.fire(end, out)
		if err != nil {
			return err
		}
		if !fired {
			continue
		}
		if err := out.Advance(dataflow.Progress{Frontier: watermark.Frontier(end), Active: true}); err != nil {
			return err
		}
	}
	return out.Advance(dataflow.Progress{Frontier: s.frontier, Active: p.Active})
}

// firstEnd is the end at which the next session may end.
func (s *SessionAggregate) firstEnd() (end int64, ok bool) {
	if len(s.pending) > 0 {
		end, ok = s.pending[0].end, true
	}
	if s.cold.limited() {
		return s.cold.firstEnd(end, ok)
	}
	return end, ok
}

// fire emits the sessions that end at end, before which none ends, and reports whether there were some.
func (s *SessionAggregate) fire(end int64, out dataflow.Output) (fired bool, err error) {
	s.collect(end)
	if s.cold.limited() && s.cold.endsAt(end) {
		return true, s.fireCold(end, out)
	}
	if len(s.firing) == 0 {
		return false, nil
	}
	err = s.emit(end, len(s.firing), func(a *vector.Arena, lo, hi int) *dataflow.Batch { return s.result(a, s.firing[lo:hi], end) }, out)
	if err != nil {
		return true, err
	}
	for _, id := range s.firing {
		s.unlink(id)
	}
	return true, nil
}

// collect puts the sessions in memory that end at end into s.firing: by key group, and within a group by key, so that the order does not depend on how keys are spread over tasks.
func (s *SessionAggregate) collect(end int64) {
	s.firing = s.firing[:0]
	for len(s.pending) > 0 && s.pending[0].end == end {
		d := s.pending.pop()
		switch x := &s.sessions[d.id]; {
		case x.dead:
		case x.End > end:
			s.pending.push(due{x.End, d.id}) // it has grown
		default:
			x.dead = true
			s.firing = append(s.firing, d.id)
		}
	}
	slices.SortFunc(s.firing, func(a, b int32) int {
		ka, kb := s.sessions[a].key, s.sessions[b].key
		if c := cmp.Compare(state.Group(s.keys.Hash(ka)), state.Group(s.keys.Hash(kb))); c != 0 {
			return c
		}
		s.names = s.keys.Encode(s.names[:0], ka)
		cut := len(s.names)
		s.names = s.keys.Encode(s.names, kb)
		return bytes.Compare(s.names[:cut], s.names[cut:])
	})
	if len(s.firing) > 0 {
		for _, acc := range s.accs {
			acc.Grow(len(s.sessions))
		}
	}
}

// emit sends n results, which result lays out, of sessions that end at end.
func (s *SessionAggregate) emit(end int64, n int, result func(a *vector.Arena, lo, hi int) *dataflow.Batch, out dataflow.Output) error {
	s.counts.Out.Add(int64(n))
	err := s.chunks.each(s.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := result(a, lo, hi)
		b.Released = watermark.Frontier(end)
		return b
	}, out.Emit)
	s.tellSessions(end, n)
	return err
}

func (s *SessionAggregate) unlink(id int32) {
	x := &s.sessions[id]
	at := s.search(s.index.get(x.key), x.End)
	s.index.remove(x.key, at, at+1)
	s.live--
}

func (s *SessionAggregate) result(a *vector.Arena, ids []int32, end int64) *dataflow.Batch {
	keys, groups := make([]uint32, len(ids)), make([]uint32, len(ids))
	starts := a.Flat(vector.Int64, len(ids))
	for k, id := range ids {
		x := &s.sessions[id]
		keys[k], groups[k] = x.key, uint32(id)
		starts.Ints[k] = s.local(x.Start)
	}
	return s.rowsOf(a, s.keys, keys, s.accs, groups, starts, end)
}

// rowsOf lays out the results of sessions that end at end.
func (s *SessionAggregate) rowsOf(a *vector.Arena, keys state.Keys, ids []uint32, accs []function.Accumulator, groups []uint32, starts *vector.Vector, end int64) *dataflow.Batch {
	b := windowRows(a, keys, ids, accs, groups, window.Window{End: s.local(end)}, end-s.spec.Tick)
	b.Cols[len(b.Cols)-3] = starts
	return b
}

func (s *SessionAggregate) local(t int64) int64 {
	if s.spec.Zone == nil {
		return t
	}
	return s.spec.Zone.ToLocal(t)
}

// compactAt is the number of dead sessions or keys from which on it pays to renumber.
const compactAt = 1024

// compact renumbers sessions and keys when most of them are dead.
func (s *SessionAggregate) compact() {
	if dead := max(len(s.sessions), s.keys.Len()) - s.live; dead < compactAt || dead < s.live {
		return
	}
	s.renumber(func(uint32) bool { return true })
}

// renumber keeps the sessions of some keys, and numbers them anew.
func (s *SessionAggregate) renumber(keep func(key uint32) bool) {
	keys, sessions, accs := s.keys, s.sessions, s.accs
	from := make([]uint32, 0, s.live)
	s.renew()
	for id := range sessions {
		if x := &sessions[id]; !x.dead && keep(x.key) {
			s.names = keys.Encode(s.names[:0], x.key)
			s.adopt(x.Window, s.names)
			from = append(from, uint32(id))
		}
	}
	to := make([]uint32, len(from))
	for i := range to {
		to[i] = uint32(i)
	}
	for i, a := range s.accs {
		a.Grow(len(to))
		accs[i].Grow(len(sessions))
		a.Merge(to, accs[i], from)
	}
	s.cold.untouch()
}

// adopt adds a session for an encoded key, without touching accumulators.
func (s *SessionAggregate) adopt(x window.Window, key []byte) {
	k, _, err := s.keys.Decode(key)
	if err != nil {
		panic("tidemark bug: a key does not survive its encoding: " + err.Error())
	}
	s.index.grow(s.keys.Len())
	s.start(k, s.search(s.index.get(k), x.End), x)
}
