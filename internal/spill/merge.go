package spill

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// merge moves the living records of some runs into a new one, in their order, a little at a time. Between two steps every record is in one place, and the table is as it was: what has been moved
// is dead in its old run.
type merge struct {
	sources []*run
	out     *run
	step    sequence
}

const (
	// mostRuns is the number of runs beyond which the smaller half of them is merged, and leastMerge the size of all runs below which dead bytes do not matter.
	mostRuns   = 32
	leastMerge = 4 << 20
	// stepBytes is the least that is worth a step.
	stepBytes = 64 << 10
	// crowded is the number of runs at which who wants another waits until there are fewer.
	crowded = 192
)

// work moves a merge on by about n bytes, as much as the caller moved itself or twice that, so that nobody ever waits for all of it; and begins one if it is time to.
func (t *Table) work(n int64) error {
	if t.scans > 0 {
		t.owed += n
		return nil
	}
	if t.merge == nil {
		t.owed = 0
		return t.begin(t.choose())
	}
	if t.owed += n; t.owed < stepBytes {
		return nil
	}
	n, t.owed = t.owed, 0
	return t.step(n)
}

// choose picks the runs to be merged: none, mostly.
func (t *Table) choose() []*run {
	if len(t.runs) > t.most {
		return t.smaller()
	}
	if t.size < t.least || t.size < 2*t.live {
		return nil
	}
	// What is dead at the start of a run goes away when the rest of it has been due, which is soon. What is dead elsewhere does not.
	var among int64
	for _, r := range t.runs {
		among += r.size - r.head.at - r.living
	}
	if among < t.live && t.size < 5*t.live {
		return nil
	}
	var some []*run
	var size int64
	for _, r := range t.runs {
		if dead := r.size - r.living; 2*dead >= r.living && size+r.living <= maxBytes {
			some, size = append(some, r), size+r.living
		}
	}
	return some
}

// smaller is the half of the runs in which least lives.
func (t *Table) smaller() []*run {
	some := slices.SortedFunc(slices.Values(t.runs), func(a, b *run) int {
		return cmp.Or(cmp.Compare(a.living, b.living), cmp.Compare(a.id, b.id))
	})
	some = some[:max(2, len(some)/2)]
	var size int64
	for i, r := range some {
		if size += r.living; size > maxBytes {
			return some[:i]
		}
	}
	return some
}

func (t *Table) begin(sources []*run) error {
	if len(sources) == 0 {
		return nil
	}
	out, err := t.open()
	if err != nil {
		return err
	}
	t.merge = &merge{sources: sources, out: out}
	return nil
}

// step moves about n bytes of living records.
func (t *Table) step(n int64) error {
	m := t.merge
	m.step = sequence{rest: m.step.rest[:0]}
	m.sources = slices.DeleteFunc(m.sources, func(r *run) bool { return r.count == 0 })
	for _, r := range m.sources {
		if err := r.head.load(); err != nil {
			return err
		}
		m.step.add(&r.head)
	}
	for c := m.step.first; c != nil && n > 0; c = m.step.first {
		at, err := t.append(m.out, &c.rec)
		if err != nil {
			return err
		}
		if err := t.index.move(c.rec.Hash, c.run.address(c.at), m.out.address(at)); err != nil {
			return c.run.damaged()
		}
		size := c.rec.length()
		n -= size
		if err := t.kill(c.run, c.at, size); err != nil {
			return err
		}
		more := false
		if c.run.count > 0 {
			if more, err = c.next(); err != nil {
				return err
			}
		}
		m.step.moved(more)
	}
	if m.step.first != nil {
		return nil
	}
	t.merge = nil
	err := m.out.finish()
	if err == nil && m.out.count == 0 {
		err = t.drop(m.out)
	}
	return err
}

// newRun begins a run that is not a merge's. If there are so many that numbers could run out, some are merged first.
func (t *Table) newRun() (*run, error) {
	if len(t.runs) >= crowded && t.scans == 0 {
		if t.merge == nil {
			if err := t.begin(t.smaller()); err != nil {
				return nil, err
			}
		}
		if t.merge != nil {
			if err := t.step(math.MaxInt64); err != nil {
				return nil, err
			}
		}
	}
	return t.open()
}

// open makes an empty run.
func (t *Table) open() (*run, error) {
	id := 1
	for id <= maxRuns && t.ids[id] != nil {
		id++
	}
	if id > maxRuns {
		return nil, t.space.failed("be made", fmt.Errorf("there are %d of them already", maxRuns))
	}
	f, err := t.space.create()
	if err != nil {
		return nil, err
	}
	r := &run{id: uint64(id), identity: t.space.identity(), file: f, open: true}
	r.head.run = r
	t.ids[id] = r
	t.runs = append(t.runs, r)
	return r, nil
}
