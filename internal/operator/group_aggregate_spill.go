package operator

import "github.com/tidemark-sql/tidemark/internal/spill"

// The record of a group that is not in memory is due when its time to live ends. Its value is: the version (one byte), the number of rows and when it was written last, eight bytes little-endian
// each, and the accumulators in their own encodings.
const groupRecordVersion = 1

// SpillTo implements dataflow.Spilling.
func (g *GroupAggregate) SpillTo(t *spill.Table, share *spill.Share) {
	g.cold.table, g.cold.share = t, share
}

// bytes is about what the groups in memory take.
func (g *GroupAggregate) bytes() int {
	n := g.keys.Used() + (8+4+victimBytes)*g.keys.Len()
	if g.life.ttl > 0 {
		n += 8 * g.keys.Len()
	}
	if len(g.sizes.reads) > 0 {
		n += 16 * g.keys.Len()
	}
	for _, a := range g.accs {
		n += a.Bytes()
	}
	return n
}

// bring makes those of the groups with the numbers from from on hot that are cold.
func (g *GroupAggregate) bring(from int) error {
	g.revived = g.revived[:0]
	err := g.cold.bring(g.keys, from, func(id uint32, value []byte) error {
		g.revived = append(g.revived, id)
		return g.revive(id, value)
	})
	if err == nil {
		g.measure(g.revived)
	}
	return err
}

// revive gives a group that is new what was written of it.
func (g *GroupAggregate) revive(id uint32, value []byte) error {
	d := &decoder{src: value}
	d.version(groupRecordVersion)
	rows, written := d.number(1), d.int64()
	d.accumulators(g.accs, id)
	if err := d.end(); err != nil {
		return err
	}
	g.rows = extended(g.rows, g.keys.Len())
	g.rows[id] = rows
	if written == unwritten {
		written = g.life.began
	}
	g.life.restore(id, g.keys.Len(), written)
	g.live++
	return nil
}

// makeRoom lets go of cold groups whose time is over, and writes hot ones out if there is too little memory for all. The rows at hand were those of ids.
func (g *GroupAggregate) makeRoom() error {
	if g.life.ttl > 0 {
		if err := g.cold.table.TakeDue(g.life.now, g.end); err != nil {
			return err
		}
	}
	hot := g.bytes()
	if !g.cold.crowded(hot) {
		return nil
	}
	all := g.cold.choose(g.keys, func(id uint32) (int64, bool) { return g.life.ends(id), g.rows[id] > 0 })
	if err := g.cold.write(g.keys, g.appendRecord); err != nil {
		return err
	}
	switch {
	case !all:
		g.compact(func(id uint32) bool { return g.rows[id] > 0 && g.cold.touched[id] })
	case g.cold.shrunk(hot):
		g.renew()
	default:
		g.forget()
	}
	g.cold.untouch()
	g.cold.crowded(g.bytes())
	return nil
}

// end lets go of a cold group whose time is over. One that was written when the time to live was shorter becomes hot.
func (g *GroupAggregate) end(r spill.Record) error {
	d := &decoder{src: r.Value}
	d.version(groupRecordVersion)
	d.int64()
	if written := d.int64(); d.err != nil || written <= g.life.now-g.life.ttl {
		return d.err
	}
	return g.RestoreRecord(r)
}

// appendRecord appends what is written of a group.
func (g *GroupAggregate) appendRecord(dst []byte, id uint32) []byte {
	written := int64(unwritten)
	if g.life.ttl > 0 {
		written = g.life.written[id]
	}
	dst = appendInt64(appendInt64(append(dst, groupRecordVersion), g.rows[id]), written)
	for _, a := range g.accs {
		dst = a.Encode(dst, id)
	}
	return dst
}

// forget forgets all groups.
func (g *GroupAggregate) forget() {
	g.keys.Reset()
	for _, a := range g.accs {
		a.Reset()
	}
	g.rows, g.seen, g.live = g.rows[:0], g.seen[:0], 0
	g.life.compact(nil)
	g.sizes.compact(nil)
}

// RestoreRecord implements dataflow.Spilling.
func (g *GroupAggregate) RestoreRecord(r spill.Record) error {
	known := g.keys.Len()
	id, _, err := g.keys.Decode(r.Key)
	if err != nil {
		return err
	}
	if int(id) < known {
		return errKeyTwice
	}
	if err := g.revive(id, r.Value); err != nil {
		return err
	}
	g.measure([]uint32{id})
	return nil
}

// Restored implements dataflow.Spilling.
func (g *GroupAggregate) Restored() error {
	if !g.cold.limited() {
		return nil
	}
	for _, a := range g.accs {
		a.Grow(g.keys.Len())
	}
	return g.makeRoom()
}
