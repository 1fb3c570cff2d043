package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// groupStateVersion is that in which states without times are written; the next one has them. The two before had each group for itself: the key, its number of rows, in the second of them
// when it was written last, and each accumulator.
const groupStateVersion = 4

// Snapshot implements dataflow.Stateful. The bytes are, all numbers little-endian in eight bytes: the version (one byte), the number of groups n, and of all of them, as
// first seen: the column of the keys, n numbers of rows, of version 5 n times when they were written last, and for each accumulator the states, the keys and the accumulators in their own encodings.
// Groups without rows are left out.
func (g *GroupAggregate) Snapshot(dst []byte) []byte {
	dst = append(dst, g.life.version(groupStateVersion))
	g.listed = g.listed[:0]
	for id, n := range g.rows {
		if n > 0 {
			g.listed = append(g.listed, uint32(id))
		}
	}
	dst = appendInt64(dst, int64(len(g.listed)))
	dst = g.keys.EncodeColumn(dst, g.listed)
	dst = appendInt64s(dst, g.rows, g.listed)
	if g.life.ttl > 0 {
		dst = appendInt64s(dst, g.life.written, g.listed)
	}
	for _, a := range g.accs {
		dst = function.EncodeGroups(a, dst, g.listed)
	}
	return dst
}

// Restore implements dataflow.Stateful.
func (g *GroupAggregate) Restore(parts [][]byte, owns func(hash uint64) bool) error {
	for _, part := range parts {
		d := &decoder{src: part}
		version := d.oneOf(groupStateVersion-2, groupStateVersion-1, groupStateVersion, groupStateVersion+1)
		timed := version == groupStateVersion-1 || version == groupStateVersion+1
		if n := d.count(); version >= groupStateVersion {
			g.restoreGroups(d, int(n), timed, owns)
		} else {
			// Every group is read into a table of its own first: only its key tells whether it belongs here.
			one := NewGroupAggregate(g.spec)
			for ; n > 0 && d.err == nil; n-- {
				g.restoreGroup(d, timed, one, owns)
			}
		}
		if err := d.end(); err != nil {
			return err
		}
	}
	return nil
}

func (g *GroupAggregate) restoreGroups(d *decoder, n int, timed bool, owns func(hash uint64) bool) {
	had := g.keys.Len()
	ids, ok := d.keys(g.keys, n, owns)
	if !ok {
		return
	}
	is := ownedOf(ids)
	mine := make([]uint32, 0, is)
	d.once(g.keys.Len()-had == is)
	rows := d.int64s(n)
	var written int64s
	if timed {
		written = d.int64s(n)
	}
	if d.err != nil {
		return
	}
	g.rows = extended(g.rows, g.keys.Len())
	g.life.grow(g.keys.Len())
	for k, id := range ids {
		if rows.at(k) < 1 {
			d.fail("it counts less than it can")
			return
		}
		if id == state.Foreign {
			continue
		}
		mine = append(mine, id)
		g.rows[id] = rows.at(k)
		if at := int64(unwritten); g.life.ttl > 0 {
			if timed {
				at = written.at(k)
			}
			g.life.written[id] = at
		}
	}
	g.live += len(mine)
	for _, acc := range g.accs {
		acc.Grow(g.keys.Len())
	}
	if d.groups(g.spec.Aggregates, g.accs, ids); d.err == nil {
		g.measure(mine)
	}
}

// measure notes the sizes of the results of groups.
func (g *GroupAggregate) measure(ids []uint32) {
	g.sizes.grow(g.keys.Len())
	if len(g.sizes.texts) == 0 {
		return
	}
	results := make([]*vector.Vector, len(g.accs))
	for some := range slices.Chunk(ids, 64) {
		a := g.spec.Memory.Get()
		a.ForState() // results can have any size
		for _, i := range g.sizes.texts {
			results[i] = g.accs[i].Result(a, some)
		}
		for k, id := range some {
			g.sizes.note(id, results, k)
		}
		a.Release()
	}
}

// restoreGroup reads a group of the versions before.
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
	if d.err != nil {
		return
	}
	for _, acc := range g.accs {
		acc.Grow(g.keys.Len())
		if states, err = acc.Decode(states, into[0]); err != nil {
			d.fail(err.Error())
			return
		}
	}
	g.measure(into)
}
