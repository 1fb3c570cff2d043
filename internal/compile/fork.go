package compile

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// fork is the sinks of statements that run as one job: each is written what comes by its own inputs of the last fragment.
type fork struct {
	all []branch
	of  []int // by input
	now int
}

type branch struct {
	connector.Sink
	dirty bool
}

// add appends a sink that takes the rows of the next inputs.
func (f *fork) add(sink connector.Sink, inputs int) {
	for range inputs {
		f.of = append(f.of, len(f.all))
	}
	f.all = append(f.all, branch{Sink: sink})
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
