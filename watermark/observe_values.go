package watermark

import "fmt"

// ObserveValues is Observe for a source whose strategy has a Dimension: values holds for each row the number that Value gave. Rows without a candidate are rows of no value.
func (c *Core) ObserveValues(i int, times, candidates []int64, values []int32, now int64, out *Observed) {
	if c.values == nil || len(values) != len(times) {
		panic(fmt.Sprintf("watermark: %d values of %d rows, dimension %t", len(values), len(times), c.values != nil))
	}
	if c.maxAhead > 0 {
		c.observeGuarded(i, times, candidates, values, now, out)
		return
	}
	c.observe(i, times, candidates, values, now, out)
}

// byValue reads rows of split i of which every gap-th may emit, none if gap is 0.
func (r *run) byValue(i int, times, candidates []int64, values []int32, gap, now int64) {
	c, s, m := r.core, r.split, &r.core.members[i]
	holds := c.tree.holds(i)
	if holds {
		c.tree.set(i, Final)
	}
	ceiling := c.ceiling()
	toEmission := int64(len(times)) + 1
	if gap > 0 {
		toEmission = gap - s.read%gap
	}
	newest, greatest, clock := s.maxTime, NoTime, now-m.lost
	candidates, values = candidates[:len(times)], values[:len(times)]
	for k, t := range times {
		candidate := candidates[k]
		if t < int64(max(c.emitted, nullBound)) {
			if t == NoTime {
				r.null(k)
				candidate = NoTime
			} else {
				r.late(k, t)
			}
		}
		newest = max(newest, t)
		if candidate != NoTime {
			greatest = max(greatest, candidate)
			value := values[k]
			if place := m.place(value); place >= 0 {
				x := &m.list[place]
				x.quietSince = clock
				if candidate >= int64(x.frontier) {
					m.raise(place, c.promise(candidate))
				}
			} else {
				m.join(value, c.promise(candidate), clock, c.values.timeouts[value])
				if c.values.waits(value) {
					c.values.release(value)
					ceiling = c.ceiling()
				}
			}
		}
		if toEmission--; toEmission > 0 {
			continue
		}
		toEmission = gap
		if c.emitted < ceiling && c.raise(min(m.frontier(), ceiling)) {
			r.out.Marks = append(r.out.Marks, Mark{Row: r.row + int32(k) + 1, F: c.emitted})
		}
	}
	if greatest != NoTime {
		m.reach = max(m.reach, c.promise(greatest))
	}
	s.maxTime, s.frontier = newest, m.frontier()
	r.advance(len(times))
	// The tree may lag behind a frontier that rises, and not one that falls.
	if holds || s.frontier < c.tree.at(i) {
		c.tree.set(i, s.frontier)
	}
}

// ceiling is how far the splits that the tree has let the source go.
func (c *Core) ceiling() Frontier {
	if c.waits() {
		return Unset
	}
	return c.least()
}
