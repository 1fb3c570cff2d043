package operator

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// coldSlices is the groups of slices that there is no memory for. A group is hot, in the tables of its slice, or cold, a record on the disk, and never both: a row for a cold one takes it
// back first. A record is due at the end of its slice. Its key is the start of the slice, eight bytes big-endian, its width as a varint, and the key of the group; its hash that of the key, in
// which all but the group is of the slice as well. Its value is: the version (one byte), the turn of the group as a varint, and the accumulators in their own encodings.
type coldSlices struct {
	table *spill.Table
	share *spill.Share
	most  int // bytes that the slices had at most since their tables were made anew

	victims []windowVictim
	wanted  []spill.Key
	asked   []uint32 // the numbers of the keys in wanted
	ends    []int    // of the keys in buf
	buf     []byte
	names   []byte // of two keys that are compared

	// See coldFiring.
	atOnce      int // about how many groups of a window are in memory at the same time when there is not enough for all
	read        []coldGroup
	stage, part *slice
}

const windowRecordVersion = 1

// windowVictim is a group that is written out.
type windowVictim struct {
	slice *slice
	place uint64 // see placeOf
	id    uint32
}

// windowVictimBytes is about what a hot group takes besides its key and its accumulators.
const windowVictimBytes = 24 + 8 + 1

// SpillTo implements dataflow.Spilling.
func (w *WindowAggregate) SpillTo(t *spill.Table, share *spill.Share) {
	w.cold = &coldSlices{table: t, share: share, atOnce: 16 << 10}
}

// appendSliceName appends the beginning of the keys of records of a slice.
func appendSliceName(dst []byte, span window.Window) []byte {
	return binary.AppendUvarint(binary.BigEndian.AppendUint64(dst, uint64(span.Start)), uint64(span.End-span.Start))
}

// cutSliceName splits the name of a slice off the key of a record.
func cutSliceName(key []byte) (span window.Window, rest []byte, ok bool) {
	if len(key) < 8 {
		return span, nil, false
	}
	width, n := binary.Uvarint(key[8:])
	if n <= 0 {
		return span, nil, false
	}
	span.Start = int64(binary.BigEndian.Uint64(key))
	span.End = span.Start + int64(width)
	return span, key[8+n:], true
}

// sliceHash is the hash of a record: of the key group of the key, and different from slice to slice.
func sliceHash(hash uint64, span window.Window) uint64 {
	const ofGroup = (state.Groups - 1) << 52
	mixed := state.HashInt(int64(hash) ^ span.Start ^ (span.End-span.Start)<<1)
	return hash&ofGroup | mixed&^ofGroup
}

// bytes is about what the slices in memory take.
func (w *WindowAggregate) bytes() int {
	n := 0
	for _, s := range w.slices {
		n += s.bytes()
	}
	return n
}

func (s *slice) bytes() int {
	n := s.keys.Used() + windowVictimBytes*s.keys.Len()
	for _, a := range s.accs {
		n += a.Bytes()
	}
	return n
}

// meet makes those of the groups with the numbers from known on hot that are cold, and notes which groups have rows.
func (w *WindowAggregate) meet(s *slice, known int, ids []uint32) error {
	n := s.keys.Len()
	s.touched = extended(s.touched, n)
	for _, id := range ids {
		s.touched[id] = true
	}
	if s.turns == nil || n == known {
		return nil
	}
	c := w.cold
	c.wanted, c.asked, c.ends, c.buf = c.wanted[:0], c.asked[:0], c.ends[:0], c.buf[:0]
	for id := uint32(known); id < uint32(n); id++ {
		if h := sliceHash(s.keys.Hash(id), s.span); c.table.Maybe(h) {
			c.buf = s.keys.Encode(appendSliceName(c.buf, s.span), id)
			c.wanted, c.asked, c.ends = append(c.wanted, spill.Key{Hash: h}), append(c.asked, id), append(c.ends, len(c.buf))
		}
	}
	start := 0
	for i, end := range c.ends {
		c.wanted[i].Key = c.buf[start:end]
		start = end
	}
	s.turns.of = extended(s.turns.of, n)
	for _, a := range s.accs {
		a.Grow(n)
	}
	err := c.table.Take(c.wanted, func(i int, value []byte) error {
		id := c.asked[i]
		d := &decoder{src: value}
		s.turns.of[id] = d.turn() + 1
		d.accumulators(s.accs, id)
		return d.end()
	})
	if err != nil {
		return err
	}
	for id := known; id < n; id++ {
		if s.turns.of[id] > 0 {
			s.turns.of[id]-- // it was cold
		} else {
			s.turns.of[id] = s.turns.next
			s.turns.next++
		}
	}
	return nil
}

// turn reads the start of the value of a record.
func (d *decoder) turn() uint64 {
	d.version(windowRecordVersion)
	turn, n := binary.Uvarint(d.src)
	if d.err == nil && n <= 0 {
		d.fail("it ends too early")
	}
	if d.err != nil {
		return 0
	}
	d.src = d.src[n:]
	return turn
}

// makeRoom writes groups out if there is too little memory for all: those that had no row since it was done last, which are all of old slices, or all groups if that were less than half.
func (w *WindowAggregate) makeRoom() error {
	c := w.cold
	if c == nil {
		return nil
	}
	hot := w.bytes()
	if !c.share.Hold(int64(hot), int64(c.table.Bytes())) {
		c.most = max(c.most, hot)
		return nil
	}
	alive, idle := 0, 0
	for _, s := range w.slices {
		s.touched = extended(s.touched, s.keys.Len())
		for _, touched := range s.touched {
			alive++
			if !touched {
				idle++
			}
		}
	}
	all := 2*idle < alive
	c.victims = c.victims[:0]
	for _, s := range w.slices {
		w.condemn(s, all)
	}
	c.sort()
	var key []byte
	err := c.table.Write(len(c.victims), func(i int) spill.Record {
		r := c.record(&c.victims[i], key)
		key = r.Key
		return r
	})
	if err != nil {
		return err
	}
	anew := 2*hot < c.most
	if c.most = max(c.most, hot); anew {
		c.most = hot
	}
	for _, s := range w.slices {
		w.thin(s, all, anew)
	}
	clear(c.victims) // so that they keep no slice
	c.share.Hold(int64(w.bytes()), int64(c.table.Bytes()))
	return nil
}

// condemn adds groups of s to those that are written out: all, or those without rows.
func (w *WindowAggregate) condemn(s *slice, all bool) {
	c := w.cold
	some := false
	for id := range uint32(s.keys.Len()) {
		if all || !s.touched[id] {
			c.buf = s.keys.Encode(c.buf[:0], id)
			c.victims = append(c.victims, windowVictim{s, placeOf(s.keys.Hash(id), c.buf), id})
			some = true
		}
	}
	if !some {
		return
	}
	s.number()
	for _, a := range s.accs {
		a.Grow(s.keys.Len())
	}
}

// sort puts the victims in the order of records.
func (c *coldSlices) sort() {
	slices.SortFunc(c.victims, func(a, b windowVictim) int {
		if a.slice != b.slice {
			if o := cmp.Or(cmp.Compare(a.slice.span.End, b.slice.span.End), cmp.Compare(a.place>>52, b.place>>52)); o != 0 {
				return o
			}
		} else if a.place != b.place {
			return cmp.Compare(a.place, b.place)
		}
		c.names = a.slice.keys.Encode(appendSliceName(c.names[:0], a.slice.span), a.id)
		cut := len(c.names)
		c.names = b.slice.keys.Encode(appendSliceName(c.names, b.slice.span), b.id)
		return bytes.Compare(c.names[:cut], c.names[cut:])
	})
}

// record is the record of a victim, in memory of key and of c, until the next.
func (c *coldSlices) record(v *windowVictim, key []byte) spill.Record {
	s := v.slice
	key = s.keys.Encode(appendSliceName(key[:0], s.span), v.id)
	c.buf = binary.AppendUvarint(append(c.buf[:0], windowRecordVersion), s.turns.of[v.id])
	for _, a := range s.accs {
		c.buf = a.Encode(c.buf, v.id)
	}
	return spill.Record{Hash: sliceHash(s.keys.Hash(v.id), s.span), Due: s.span.End, Key: key, Value: c.buf}
}

// thin forgets the groups of s that were written out. With anew it gives their memory back.
func (w *WindowAggregate) thin(s *slice, all, anew bool) {
	kept := 0
	for _, touched := range s.touched {
		if touched && !all {
			kept++
		}
	}
	switch {
	case kept == s.keys.Len():
	case kept == 0 && !anew:
		s.chill()
	default:
		fresh := w.emptySlice()
		var old []uint32
		fresh.keys, old = state.Compact(s.keys, func(id uint32) bool { return kept > 0 && s.touched[id] })
		for i, a := range s.accs {
			fresh.accs[i] = moved(a, fresh.accs[i], old)
		}
		fresh.turns = &turns{of: pickTurns(s.turns.of, old), next: s.turns.next}
		s.keys, s.accs, s.turns = fresh.keys, fresh.accs, fresh.turns
	}
	clear(s.touched)
	s.touched = s.touched[:0]
}

// chill says that no group of s is hot any more.
func (s *slice) chill() {
	t := s.turns
	s.reset()
	s.turns = t
	t.of = t.of[:0]
}
