package operator

import (
	"bytes"
	"encoding/binary"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// coldSessions is the sessions of cold keys. The record of a key is due when the first of its sessions ends. Its value is: the version (one byte), the number of sessions as a varint, and
// for each, the earliest first: start and end, eight bytes little-endian, and the accumulators in their own encodings.
type coldSessions struct {
	coldKeys
	stage sessionStage
	grown bool // keys have become hot since room was made last
}

const sessionRecordVersion = 1

// sessionStage is sessions that are about to leave, some of which never came into the operator's tables.
type sessionStage struct {
	keys   state.Keys
	accs   []function.Accumulator
	starts []int64
	ids    []uint32 // 0, 1, 2 …
}

// SpillTo implements dataflow.Spilling.
func (s *SessionAggregate) SpillTo(t *spill.Table, share *spill.Share) {
	s.cold.table, s.cold.share = t, share
	s.cold.stage.keys = state.NewKeys(s.spec.KeyKinds)
	for _, a := range s.spec.Aggregates {
		s.cold.stage.accs = append(s.cold.stage.accs, a.New())
	}
}

// firstEnd is the earlier one of end, if there is one, and the end of the first cold session.
func (c *coldSessions) firstEnd(end int64, ok bool) (int64, bool) {
	if at, cold := c.table.Next(); cold && (!ok || at < end) {
		return at, true
	}
	return end, ok
}

// endsAt reports whether cold sessions end at end, before which none ends.
func (c *coldSessions) endsAt(end int64) bool {
	at, ok := c.table.Next()
	return ok && at == end
}

// bytes is about what the sessions in memory take.
func (s *SessionAggregate) bytes() int {
	n := s.keys.Used() + (4+victimBytes)*s.keys.Len() + (24+16)*len(s.sessions) + 32*len(s.index.lists)
	for _, a := range s.accs {
		n += a.Bytes()
	}
	return n
}

// makeRoom writes keys out if there is too little memory for all.
func (s *SessionAggregate) makeRoom() error {
	c := &s.cold
	c.grown = false
	hot := s.bytes()
	if !c.crowded(hot) {
		return nil
	}
	all := c.choose(s.keys, func(key uint32) (int64, bool) {
		open := s.index.get(key)
		if len(open) == 0 {
			return 0, false
		}
		return s.sessions[open[0]].End, true
	})
	for _, a := range s.accs {
		a.Grow(len(s.sessions))
	}
	if err := c.write(s.keys, s.appendRecord); err != nil {
		return err
	}
	switch {
	case !all:
		s.renumber(func(key uint32) bool { return c.touched[key] })
	case c.shrunk(hot):
		s.renew()
	default:
		s.forget()
	}
	c.untouch()
	c.crowded(s.bytes())
	if s.atHand != nil {
		return s.find()
	}
	return nil
}

// appendRecord appends what is written of a key.
func (s *SessionAggregate) appendRecord(dst []byte, key uint32) []byte {
	open := s.index.get(key)
	dst = binary.AppendUvarint(append(dst, sessionRecordVersion), uint64(len(open)))
	for _, id := range open {
		x := &s.sessions[id]
		dst = appendInt64(appendInt64(dst, x.Start), x.End)
		for _, a := range s.accs {
			dst = a.Encode(dst, uint32(id))
		}
	}
	return dst
}

// forget forgets all sessions.
func (s *SessionAggregate) forget() {
	s.keys.Reset()
	s.index.reset()
	for _, a := range s.accs {
		a.Reset()
	}
	s.sessions, s.pending, s.live = s.sessions[:0], s.pending[:0], 0
}

// bring makes those of the keys with the numbers from from on hot that are cold.
func (s *SessionAggregate) bring(from int) error {
	return s.cold.bring(s.keys, from, func(id uint32, value []byte) error {
		d := &decoder{src: value}
		for range d.sessionsIn() {
			s.revive(id, d)
		}
		return d.end()
	})
}

// sessionsIn reads how many sessions are in a record.
func (d *decoder) sessionsIn() int {
	d.version(sessionRecordVersion)
	n, size := binary.Uvarint(d.src)
	if d.err == nil && (size <= 0 || n == 0 || n > uint64(len(d.src))) {
		d.fail("it counts more than it holds")
	}
	if d.err != nil {
		return 0
	}
	d.src = d.src[size:]
	return int(n)
}

// revive adds the next session of a key that was cold.
func (s *SessionAggregate) revive(key uint32, d *decoder) {
	x := window.Window{Start: d.int64(), End: d.int64()}
	open := s.index.get(key)
	if n := len(open); d.err == nil && (x.Start >= x.End || n > 0 && x.End <= s.sessions[open[n-1]].End) {
		d.fail("sessions are not in their order")
	}
	if d.err != nil {
		return
	}
	d.accumulators(s.accs, uint32(s.start(key, len(open), x)))
}

// accumulators reads the state of a group that is new.
func (d *decoder) accumulators(accs []function.Accumulator, id uint32) {
	for _, a := range accs {
		a.Grow(int(id) + 1)
		rest, err := a.Decode(d.src, id)
		if err != nil {
			d.fail(err.Error())
			return
		}
		d.src = rest
	}
}

// fireCold emits the sessions that end at end, those in s.firing and cold ones, in the order in which they would leave if all were in memory. Other sessions of their keys become hot.
func (s *SessionAggregate) fireCold(end int64, out dataflow.Output) error {
	c := &s.cold
	for {
		at, more := 0, false // at in s.firing
		err := c.table.TakeDue(end, func(r spill.Record) error {
			for at < len(s.firing) && s.before(s.firing[at], r) {
				s.stageHot(s.firing[at])
				at++
			}
			if err := s.stageCold(end, r); err != nil {
				return err
			}
			if len(c.stage.starts) < emitRows {
				return nil
			}
			if err := s.emitStage(end, out); err != nil {
				return err
			}
			if more = c.grown && c.crowded(s.bytes()); more {
				return spill.ErrEnough
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, id := range s.firing[:at] {
			s.unlink(id)
		}
		rest := s.firing[at:]
		for _, id := range rest {
			if more {
				s.sessions[id].dead = false
				s.pending.push(due{end, id})
			} else {
				s.stageHot(id)
				s.unlink(id)
			}
		}
		if err := s.emitStage(end, out); err != nil {
			return err
		}
		if c.grown {
			if err := s.makeRoom(); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
		s.collect(end)
	}
}

// before reports whether a session leaves before those of a record that ends when it does.
func (s *SessionAggregate) before(id int32, r spill.Record) bool {
	key := s.sessions[id].key
	if a, b := state.Group(s.keys.Hash(key)), state.Group(r.Hash); a != b {
		return a < b
	}
	s.names = s.keys.Encode(s.names[:0], key)
	return bytes.Compare(s.names, r.Key) < 0
}

// add makes room on the stage for a session of an encoded key, and tells its number there.
func (g *sessionStage) add(start int64, key []byte) (id uint32, err error) {
	if id, _, err = g.keys.Decode(key); err != nil {
		return 0, err
	}
	g.starts, g.ids = append(g.starts, start), append(g.ids, id)
	for _, a := range g.accs {
		a.Grow(len(g.starts))
	}
	return id, nil
}

// stageHot brings a session from memory onto the stage.
func (s *SessionAggregate) stageHot(id int32) {
	g := &s.cold.stage
	s.names = s.keys.Encode(s.names[:0], s.sessions[id].key)
	to, err := g.add(s.sessions[id].Start, s.names)
	if err != nil {
		panic("tidemark bug: a key does not survive its encoding: " + err.Error())
	}
	for i, a := range g.accs {
		a.Merge([]uint32{to}, s.accs[i], []uint32{uint32(id)})
	}
}

// stageCold brings the first session of a record onto the stage, and makes the others hot.
func (s *SessionAggregate) stageCold(end int64, r spill.Record) error {
	d := &decoder{src: r.Value}
	n := d.sessionsIn()
	first := window.Window{Start: d.int64(), End: d.int64()}
	if d.err == nil && first.End != end {
		d.fail("a session does not end when it is due")
	}
	if d.err != nil {
		return d.err
	}
	g := &s.cold.stage
	id, err := g.add(first.Start, r.Key)
	if err != nil {
		return err
	}
	if d.accumulators(g.accs, id); n > 1 && d.err == nil {
		s.cold.grown = true
		key, _, err := s.keys.Decode(r.Key)
		if err != nil {
			return err
		}
		s.index.grow(s.keys.Len())
		for range n - 1 {
			s.revive(key, d)
		}
	}
	return d.end()
}

// emitStage emits what is on the stage, which ends at end, and clears it.
func (s *SessionAggregate) emitStage(end int64, out dataflow.Output) error {
	g := &s.cold.stage
	err := s.emit(end, len(g.ids), func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		starts := a.Flat(vector.Int64, hi-lo)
		for k, t := range g.starts[lo:hi] {
			starts.Ints[k] = s.local(t)
		}
		return s.rowsOf(a, g.keys, g.ids[lo:hi], g.accs, g.ids[lo:hi], starts, end)
	}, out)
	g.keys.Reset()
	g.starts, g.ids = g.starts[:0], g.ids[:0]
	for _, a := range g.accs {
		a.Reset()
	}
	return err
}

// RestoreRecord implements dataflow.Spilling.
func (s *SessionAggregate) RestoreRecord(r spill.Record) error {
	d := &decoder{src: r.Value}
	n := d.sessionsIn()
	if d.err != nil {
		return d.err
	}
	known := s.keys.Len()
	key, _, err := s.keys.Decode(r.Key)
	if err != nil {
		return err
	}
	if int(key) < known {
		return errKeyTwice
	}
	s.index.grow(s.keys.Len())
	for range n {
		s.revive(key, d)
	}
	return d.end()
}

// Restored implements dataflow.Spilling.
func (s *SessionAggregate) Restored() error {
	if !s.cold.limited() {
		return nil
	}
	return s.makeRoom()
}
