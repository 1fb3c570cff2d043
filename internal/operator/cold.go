package operator

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/spill"
	"github.com/tidemark-sql/tidemark/internal/state"
)

// coldKeys is the keys of an operator that it has no memory for. A key is hot, in the operator's tables, or cold, a record on the disk, and never both: who touches a cold one takes it
// back first. Without a limit of memory there is no table, and no key is cold.
type coldKeys struct {
	table *spill.Table
	share *spill.Share
	most  int // bytes that the operator's tables were made for

	// touched says by hot key whether it had a row since keys were written out last.
	touched []bool
	victims []victim
	wanted  []spill.Key
	asked   []uint32 // the numbers of the keys in wanted
	ends    []int    // of the keys in buf
	buf     []byte
}

// victim is a key that is written out.
type victim struct {
	due   int64
	place uint64 // its group, and behind it the beginning of its encoding: nearly always enough to put keys in their order
	id    uint32
}

// victimBytes is about what coldKeys has of a hot key.
const victimBytes = 24 + 1

// limited reports whether keys can become cold at all.
func (c *coldKeys) limited() bool { return c.table != nil }

// len is how many keys are cold.
func (c *coldKeys) len() int {
	if c.table == nil {
		return 0
	}
	return c.table.Len()
}

// shrunk reports whether tables of that many bytes were once much larger, so that their memory is better given back than kept.
func (c *coldKeys) shrunk(hot int) bool {
	if 2*hot < c.most {
		c.most = hot
		return true
	}
	c.most = max(c.most, hot)
	return false
}

// crowded tells the budget what is hot and reports whether some of it must be written out.
func (c *coldKeys) crowded(hot int) bool { return c.share.Hold(int64(hot), int64(c.table.Bytes())) }

// touch notes which keys had rows; there are n keys.
func (c *coldKeys) touch(ids []uint32, n int) {
	c.touched = extended(c.touched, n)
	for _, id := range ids {
		c.touched[id] = true
	}
}

// bring takes back those of the keys with the numbers from from on that are cold, and shows what was written of each, in any order.
func (c *coldKeys) bring(keys state.Keys, from int, revive func(id uint32, value []byte) error) error {
	if c.table.Len() == 0 {
		return nil
	}
	c.wanted, c.asked, c.ends, c.buf = c.wanted[:0], c.asked[:0], c.ends[:0], c.buf[:0]
	for id := uint32(from); id < uint32(keys.Len()); id++ {
		if h := keys.Hash(id); c.table.Maybe(h) {
			c.buf = keys.Encode(c.buf, id)
			c.wanted, c.asked, c.ends = append(c.wanted, spill.Key{Hash: h}), append(c.asked, id), append(c.ends, len(c.buf))
		}
	}
	start := 0
	for i, end := range c.ends {
		c.wanted[i].Key = c.buf[start:end]
		start = end
	}
	return c.table.Take(c.wanted, func(i int, value []byte) error { return revive(c.asked[i], value) })
}

// choose picks the keys to be written out, of those of which due tells when they are asked for at the latest: those that had no row since it was called last, or all if that were less than half.
// It reports whether it is all.
func (c *coldKeys) choose(keys state.Keys, due func(id uint32) (at int64, ok bool)) (all bool) {
	c.touched = extended(c.touched, keys.Len())
	alive, idle := 0, 0
	for id := range uint32(keys.Len()) {
		if _, ok := due(id); ok {
			alive++
			if !c.touched[id] {
				idle++
			}
		}
	}
	all = idle < alive-idle
	c.victims = c.victims[:0]
	for id := range uint32(keys.Len()) {
		if c.touched[id] && !all {
			continue
		}
		if at, ok := due(id); ok {
			c.buf = keys.Encode(c.buf[:0], id)
			c.victims = append(c.victims, victim{at, placeOf(keys.Hash(id), c.buf), id})
		}
	}
	slices.SortFunc(c.victims, func(a, b victim) int {
		if a.due != b.due {
			return cmp.Compare(a.due, b.due)
		}
		if a.place != b.place {
			return cmp.Compare(a.place, b.place)
		}
		c.buf = keys.Encode(c.buf[:0], a.id)
		cut := len(c.buf)
		c.buf = keys.Encode(c.buf, b.id)
		return bytes.Compare(c.buf[:cut], c.buf[cut:])
	})
	return all
}

// placeOf is 64 bits by which keys are in the order of their groups, then in that of their encodings as far as they go.
func placeOf(hash uint64, key []byte) uint64 {
	var head [8]byte
	copy(head[:], key)
	return uint64(state.Group(hash))<<52 | binary.BigEndian.Uint64(head[:])>>12
}

// write writes the chosen keys out; value appends what there is of one.
func (c *coldKeys) write(keys state.Keys, value func(dst []byte, id uint32) []byte) error {
	var key []byte
	return c.table.Write(len(c.victims), func(i int) spill.Record {
		v := &c.victims[i]
		key = keys.Encode(key[:0], v.id)
		c.buf = value(c.buf[:0], v.id)
		return spill.Record{Hash: keys.Hash(v.id), Due: v.due, Key: key, Value: c.buf}
	})
}

// untouch begins a new time: no key had a row in it.
func (c *coldKeys) untouch() {
	clear(c.touched)
	c.touched = c.touched[:0]
}
