package operator

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// coldFiring is a window that is made of slices without having all of it in memory: some key groups at a time, each time in a slice of their own, the stage.
type coldFiring struct {
	slices []*slice // in their order
	// onto says that the others are added to the first; else all are added to nothing, which for doubles is another sum.
	onto bool
	// takes says of a slice that what is cold of it is not needed any more.
	takes func(*slice) bool
	// then, if it is not nil, is shown the stage behind its results.
	then func(stage *slice) error
}

// allHot reports whether no group of some slices was ever cold.
func allHot(some ...*slice) bool {
	return !slices.ContainsFunc(some, func(s *slice) bool { return s != nil && s.turns != nil })
}

// tooMany reports whether a window of some slices is better not made in memory at once.
func (w *WindowAggregate) tooMany(some []*slice) bool {
	groups := 0
	for _, s := range some {
		groups += s.keys.Len()
	}
	return w.cold != nil && groups > w.cold.atOnce
}

// fireCold emits window x.
func (w *WindowAggregate) fireCold(x window.Window, f coldFiring) error {
	c := w.cold
	if c.stage == nil {
		c.stage, c.part = w.emptySlice(), w.emptySlice()
	}
	readers := make([]*coldReader, len(f.slices))
	groups := c.table.Len()
	for i, s := range f.slices {
		var err error
		if readers[i], err = w.read(s, f.takes(s)); err != nil {
			return err
		}
		groups += s.keys.Len()
	}
	width := min(max(c.atOnce*state.Groups/max(groups, 1), 1), state.Groups)
	for {
		first := state.Groups
		for _, r := range readers {
			first = min(first, r.group())
		}
		if first == state.Groups {
			break
		}
		end := first + width
		c.stage.reset()
		for i, r := range readers {
			if i == 0 && f.onto {
				if err := r.next(c, c.stage, end); err != nil {
					return err
				}
				continue
			}
			c.part.reset()
			if err := r.next(c, c.part, end); err != nil {
				return err
			}
			w.merge(c.stage, c.part)
		}
		if c.stage.keys.Len() == 0 {
			continue
		}
		if err := w.emit(x, c.stage); err != nil {
			return err
		}
		if f.then != nil {
			if err := f.then(c.stage); err != nil {
				return err
			}
		}
	}
	for _, r := range readers {
		if err := r.close(); err != nil {
			return err
		}
	}
	return nil
}

// coldReader walks through the groups of a slice, hot and cold ones, by key group, and within one as they were first seen.
type coldReader struct {
	slice *slice
	takes bool
	hot   []uint32    // by key group, without those that were read
	scan  *spill.Scan // nil if nothing is cold
	name  []byte
}

// coldGroup is a group that has been read. In the buffer are its key and, behind it, its accumulators.
type coldGroup struct {
	group    int
	turn     uint64
	from, to int
}

func (w *WindowAggregate) read(s *slice, takes bool) (*coldReader, error) {
	r := &coldReader{slice: s, takes: takes, hot: orderByGroup(s.keys, nil)}
	for _, a := range s.accs {
		a.Grow(s.keys.Len())
	}
	if s.turns == nil {
		return r, nil
	}
	r.name = appendSliceName(nil, s.span)
	var err error
	r.scan, err = w.cold.table.Scan(s.span.End, s.span.End+1)
	return r, err
}

// group is the key group of the next group; state.Groups if there is none.
func (r *coldReader) group() int {
	g := state.Groups
	if len(r.hot) > 0 {
		g = state.Group(r.slice.keys.Hash(r.hot[0]))
	}
	if r.scan != nil && r.scan.Ok() {
		g = min(g, state.Group(r.scan.Record().Hash))
	}
	return g
}

// next reads the groups of the key groups below end that have not been read yet into an empty slice.
func (r *coldReader) next(c *coldSlices, into *slice, end int) error {
	c.read, c.buf = c.read[:0], c.buf[:0]
	s := r.slice
	for len(r.hot) > 0 {
		id := r.hot[0]
		g := state.Group(s.keys.Hash(id))
		if g >= end {
			break
		}
		r.hot = r.hot[1:]
		read := coldGroup{group: g, turn: s.turnOf(id), from: len(c.buf)}
		c.buf = s.keys.Encode(c.buf, id)
		for _, a := range s.accs {
			c.buf = a.Encode(c.buf, id)
		}
		read.to = len(c.buf)
		c.read = append(c.read, read)
	}
	for r.scan != nil && r.scan.Ok() {
		rec := r.scan.Record()
		g := state.Group(rec.Hash)
		if g >= end {
			break
		}
		if key, ok := bytes.CutPrefix(rec.Key, r.name); ok {
			d := &decoder{src: rec.Value}
			read := coldGroup{group: g, turn: d.turn(), from: len(c.buf)}
			if d.err != nil {
				return d.err
			}
			c.buf = append(append(c.buf, key...), d.src...)
			read.to = len(c.buf)
			c.read = append(c.read, read)
			if r.takes {
				if err := r.scan.Take(); err != nil {
					return err
				}
			}
		}
		if err := r.scan.Next(); err != nil {
			return err
		}
	}
	slices.SortFunc(c.read, func(a, b coldGroup) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.turn, b.turn))
	})
	return into.fill(c.read, c.buf)
}

// fill adds groups that were read to a slice that is empty.
func (s *slice) fill(read []coldGroup, buf []byte) error {
	s.turns = &turns{of: make([]uint64, len(read))}
	for _, a := range s.accs {
		a.Grow(len(read))
	}
	for i, g := range read {
		id, rest, err := s.keys.Decode(buf[g.from:g.to])
		if err != nil {
			return err
		}
		d := &decoder{src: rest}
		d.once(int(id) == i)
		d.accumulators(s.accs, id)
		if err := d.end(); err != nil {
			return err
		}
		s.turns.of[i] = g.turn
	}
	return nil
}

func (r *coldReader) close() error {
	if r.scan == nil {
		return nil
	}
	return r.scan.Close()
}

// writeBack makes the groups of stages cold groups of a slice, of which those that it did not have are the last.
func (c *coldSlices) writeBack(to *slice) (then func(stage *slice) error, end func() error) {
	out := c.table.Writer()
	var key []byte
	return func(stage *slice) error {
		for len(stage.turns.of) < stage.keys.Len() {
			stage.turns.of = append(stage.turns.of, to.turns.next)
			to.turns.next++
		}
		c.victims = c.victims[:0]
		stage.span = to.span
		for id := range uint32(stage.keys.Len()) {
			c.buf = stage.keys.Encode(c.buf[:0], id)
			c.victims = append(c.victims, windowVictim{stage, placeOf(stage.keys.Hash(id), c.buf), id})
		}
		for _, a := range stage.accs {
			a.Grow(stage.keys.Len())
		}
		c.sort()
		for i := range c.victims {
			r := c.record(&c.victims[i], key)
			if err := out.Add(r); err != nil {
				return err
			}
			key = r.Key
		}
		return nil
	}, out.Close
}

// fireCumulateCold emits a step of CUMULATE that is shared and s, which may be nil, and makes both of it shared, and cold, unless it is the last.
func (w *WindowAggregate) fireCumulateCold(x window.Window, shared, s *slice, last bool) error {
	f := coldFiring{slices: []*slice{shared}, onto: true, takes: func(*slice) bool { return true }}
	if s != nil {
		f.slices = append(f.slices, s)
	}
	if last {
		return w.fireCold(x, f)
	}
	shared.number()
	then, end := w.cold.writeBack(shared)
	f.then = then
	if err := w.fireCold(x, f); err != nil {
		return err
	}
	shared.chill()
	return end()
}
