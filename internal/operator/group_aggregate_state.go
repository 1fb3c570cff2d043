package operator

import "github.com/tidemark-sql/tidemark/internal/vector"

// groupStateVersion is that without times; the next one has them.
const groupStateVersion = 2

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of groups; for each group, as
// first seen: the key, its number of rows, of version 3 when it was written last, and each accumulator, the key and the accumulators in their own encodings. Groups without rows are left out.
func (g *GroupAggregate) Snapshot(dst []byte) []byte {
	dst = append(dst, g.life.version(groupStateVersion))
	groups := int64(0)
	for _, n := range g.rows {
		if n > 0 {
			groups++
		}
	}
	dst = appendInt64(dst, groups)
	for id, n := range g.rows {
		if n == 0 {
			continue
		}
		dst = g.life.append(appendInt64(g.keys.Encode(dst, uint32(id)), n), uint32(id))
		for _, a := range g.accs {
			dst = a.Encode(dst, uint32(id))
		}
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (g *GroupAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	// Every group is read into a table of its own first: only its key tells whether it belongs here.
	one := NewGroupAggregate(g.spec)
	for _, part := range parts {
		d := &decoder{src: part}
		timed := d.timedVersion(groupStateVersion)
		for range d.count() {
			g.restoreGroup(d, timed, one, owns)
			if d.err != nil {
				return d.err
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

func (g *GroupAggregate) restoreGroup(d *decoder, timed bool, one *GroupAggregate, owns func(hash uint64) bool) {
	one.keys.Reset()
	id, rest, err := one.keys.Decode(d.src)
	if err != nil {
		d.fail(err.Error())
		return
	}
	d.src = rest
	rows, written := d.number(1), d.written(timed)
	states := d.src
	rest = states
	for _, a := range one.accs {
		a.Reset()
		a.Grow(1)
		if rest, err = a.Decode(rest, id); err != nil {
			d.fail(err.Error())
			return
		}
	}
	d.src = rest
	if !owns(one.keys.Hash(id)) {
		return
	}
	into := make([]uint32, 1)
	g.keys.Merge(one.keys, into)
	g.rows = extended(g.rows, g.keys.Len())
	d.once(g.rows[into[0]] == 0)
	g.rows[into[0]] = rows
	g.life.restore(into[0], g.keys.Len(), written)
	g.live++
	results := make([]*vector.Vector, len(g.accs))
	if d.err != nil {
		return
	}
	a := g.spec.Memory.Get()
	defer a.Release()
	for i, acc := range g.accs {
		acc.Grow(g.keys.Len())
		if states, err = acc.Decode(states, into[0]); err != nil {
			d.fail(err.Error())
			return
		}
		results[i] = acc.Result(a, into)
	}
	g.sizes.grow(g.keys.Len())
	g.sizes.note(into[0], results, 0)
}
