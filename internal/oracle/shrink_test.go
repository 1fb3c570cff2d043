package oracle

import (
	"slices"
	"strings"
)

// shrink makes a failing trial smaller as long as it fails in the same way.
func shrink(c *trial, seed uint64, failed error) (*trial, error) {
	for tries := 0; tries < 2000; {
		smaller := false
		for _, candidate := range candidates(c) {
			tries++
			err := judge(candidate, seed, &tally{})
			if err != nil && firstLine(err) == firstLine(failed) {
				c, failed, smaller = candidate, err, true
				break
			}
		}
		if !smaller {
			break
		}
	}
	return c, failed
}

// candidates are trials with one part less than c, the greatest parts first. Many make no sense and are refused.
func candidates(c *trial) []*trial {
	var list []*trial
	try := func(change func(c *trial)) {
		smaller := c.clone()
		change(smaller)
		list = append(list, smaller)
	}
	for i := range c.steps[:len(c.steps)-1] {
		try(func(c *trial) { // ends with step i
			c.steps = c.steps[:i+1]
		})
	}
	for i := range c.steps[:len(c.steps)-1] {
		try(func(c *trial) { // without step i, whose readers read what it read
			gone := c.steps[i]
			c.steps = slices.Delete(c.steps, i, i+1)
			for _, s := range c.steps {
				s.from = strings.ReplaceAll(s.from, gone.name, gone.from)
			}
		})
	}
	for i := range c.tables {
		try(func(c *trial) { c.tables = slices.Delete(c.tables, i, i+1) })
	}
	for i, t := range c.tables {
		for s, chunks := range t.splits {
			try(func(c *trial) { c.tables[i].splits = slices.Delete(c.tables[i].splits, s, s+1) })
			if half := len(chunks) / 2; half > 0 {
				try(func(c *trial) { c.tables[i].splits[s] = chunks[half:] })
				try(func(c *trial) { c.tables[i].splits[s] = chunks[:half] })
			}
		}
	}
	for i, s := range c.steps {
		if s.where != "" {
			try(func(c *trial) { c.steps[i].where = "" })
		}
		if s.having != "" {
			try(func(c *trial) { c.steps[i].having = "" })
		}
		if len(s.others) > 0 {
			try(func(c *trial) { c.steps[i].others = nil })
		}
		for k := range s.items {
			try(func(c *trial) { c.steps[i].items = slices.Delete(c.steps[i].items, k, k+1) })
		}
		for k, key := range s.groupBy {
			try(func(c *trial) {
				s := c.steps[i]
				s.groupBy = slices.Delete(s.groupBy, k, k+1)
				s.items = slices.DeleteFunc(s.items, func(item string) bool { return item == key || strings.HasPrefix(item, key+" AS ") })
			})
		}
	}
	for i := range c.settings {
		try(func(c *trial) { c.settings = slices.Delete(c.settings, i, i+1) })
	}
	if c.zone != "" {
		try(func(c *trial) { c.zone = "" })
	}
	for i, t := range c.tables {
		if len(t.options) > 0 {
			try(func(c *trial) { c.tables[i].options = nil })
		}
		if t.watermark != t.rowtime {
			try(func(c *trial) { c.tables[i].watermark = t.rowtime })
		}
		for s, chunks := range t.splits {
			for k, chunk := range chunks {
				try(func(c *trial) { c.tables[i].splits[s] = slices.Delete(c.tables[i].splits[s], k, k+1) })
				if len(chunk) > 1 {
					for r := range chunk {
						try(func(c *trial) { c.tables[i].splits[s][k] = slices.Delete(slices.Clone(chunk), r, r+1) })
					}
				}
			}
		}
		for k, column := range t.columns {
			if column.name != t.rowtime && column.computed == "" {
				try(func(c *trial) { c.tables[i].dropColumn(k) })
			}
		}
	}
	return list
}

// dropColumn takes a physical column away, with its values.
func (t *table) dropColumn(k int) {
	at := 0
	for _, c := range t.columns[:k] {
		if c.computed == "" {
			at++
		}
	}
	t.columns = slices.Delete(t.columns, k, k+1)
	for s := range t.splits {
		for i, chunk := range t.splits[s] {
			rows := make([]Row, len(chunk))
			for r, row := range chunk {
				rows[r] = slices.Delete(slices.Clone(row), at, at+1)
			}
			t.splits[s][i] = rows
		}
	}
}

// clone copies a trial down to the chunks, which are shared.
func (c *trial) clone() *trial {
	d := *c
	d.settings = slices.Clone(c.settings)
	d.tables, d.steps = nil, nil
	for _, t := range c.tables {
		u := *t
		u.columns, u.options = slices.Clone(t.columns), slices.Clone(t.options)
		u.splits = nil
		for _, chunks := range t.splits {
			u.splits = append(u.splits, slices.Clone(chunks))
		}
		d.tables = append(d.tables, &u)
	}
	for _, s := range c.steps {
		u := *s
		u.items, u.groupBy, u.others = slices.Clone(s.items), slices.Clone(s.groupBy), slices.Clone(s.others)
		d.steps = append(d.steps, &u)
	}
	return &d
}

// periodic reports whether the clock has a say in what the trial gives, so that a restart would show.
func (c *trial) periodic() bool {
	return slices.ContainsFunc(c.tables, func(t *table) bool {
		return slices.ContainsFunc(t.options, func(o string) bool { return strings.Contains(o, "on-periodic") })
	})
}
