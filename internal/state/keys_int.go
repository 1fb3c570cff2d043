package state

import (
	"encoding/binary"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// intKeys is the table for one whole number as the key: open addressing, linear probing, the key inside the slot so that a probe
// touches one cache line.
type intKeys struct {
	slots []intSlot // a power of two
	keys  []int64
	null  uint32 // number of the key NULL plus one; 0: not seen
}

type intSlot struct {
	key int64
	id  uint32 // plus one; 0: empty
}

const minSlots = 8

// oversized says that a table was made for far more keys than it has had since it was last reset. Such a table is made anew: otherwise one
// window of many keys would be paid for by every small one behind it, in memory and in clearing.
func oversized(slots, keys int) bool { return slots > 32*max(keys, minSlots) }

func newIntKeys() *intKeys { return &intKeys{slots: make([]intSlot, minSlots)} }

func (t *intKeys) Len() int { return len(t.keys) }

func (t *intKeys) Find(in *Input, ids []uint32) {
	v := in.Cols[0]
	mask := v.Mask()
	if in.Rows.Sel == nil && v.Valid == nil {
		for row := range in.Rows.N {
			ids[row] = t.find(v.Ints[row&mask])
		}
		return
	}
	if v.Valid == nil {
		for k, row := range in.Rows.Sel {
			ids[k] = t.find(v.Ints[int(row)&mask])
		}
		return
	}
	for k := range in.Rows.Count() {
		row := in.Rows.At(k)
		if v.IsNull(row) {
			ids[k] = t.findNull()
		} else {
			ids[k] = t.find(v.Ints[row&mask])
		}
	}
}

// find must stay small enough for the loop over it to run from registers; growing is apart.
func (t *intKeys) find(key int64) uint32 {
	m := uint64(len(t.slots) - 1)
	for i := HashInt(key) & m; ; i = (i + 1) & m {
		s := &t.slots[i]
		if s.id == 0 {
			return t.insert(i, key)
		}
		if s.key == key {
			return s.id - 1
		}
	}
}

func (t *intKeys) insert(i uint64, key int64) uint32 {
	id := uint32(len(t.keys))
	t.keys = append(t.keys, key)
	t.slots[i] = intSlot{key, id + 1}
	if len(t.keys)*2 > len(t.slots) {
		t.grow()
	}
	return id
}

func (t *intKeys) grow() { t.resize(2 * len(t.slots)) }

func (t *intKeys) resize(n int) {
	slots := make([]intSlot, n)
	m := uint64(len(slots) - 1)
	for _, s := range t.slots {
		if s.id == 0 {
			continue
		}
		i := HashInt(s.key) & m
		for slots[i].id != 0 {
			i = (i + 1) & m
		}
		slots[i] = s
	}
	t.slots = slots
}

func (t *intKeys) findNull() uint32 {
	if t.null == 0 {
		t.keys = append(t.keys, 0)
		t.null = uint32(len(t.keys))
	}
	return t.null - 1
}

func (t *intKeys) isNull(id uint32) bool { return t.null == id+1 }

func (t *intKeys) Merge(from Keys, ids []uint32) {
	f := from.(*intKeys)
	for i, key := range f.keys {
		if f.isNull(uint32(i)) {
			ids[i] = t.findNull()
		} else {
			ids[i] = t.find(key)
		}
	}
}

func (t *intKeys) Hash(id uint32) uint64 {
	if t.isNull(id) {
		return HashNull
	}
	return HashInt(t.keys[id])
}

func (t *intKeys) Columns(a *vector.Arena, ids []uint32, cols []*vector.Vector) []*vector.Vector {
	v := a.Flat(vector.Int64, len(ids))
	for k, id := range ids {
		v.Ints[k] = t.keys[id]
	}
	if t.null != 0 {
		v.Valid = a.AllValid(len(ids))
		for k, id := range ids {
			if t.isNull(id) {
				v.Valid.Clear(k)
			}
		}
	}
	return append(cols, v)
}

// The canonical encoding of a whole number as the only key is the one of byteKeys for that column.
func (t *intKeys) Encode(dst []byte, id uint32) []byte {
	if t.isNull(id) {
		return append(dst, nullKey)
	}
	return binary.LittleEndian.AppendUint64(append(dst, presentKey), uint64(t.keys[id]))
}

func (t *intKeys) Decode(src []byte) (uint32, []byte, error) {
	if len(src) == 0 {
		return 0, nil, errTruncated("a key")
	}
	if src[0] == nullKey {
		return t.findNull(), src[1:], nil
	}
	if src[0] != presentKey {
		return 0, nil, errNotCanonical
	}
	if len(src) < 9 {
		return 0, nil, errTruncated("a key")
	}
	return t.find(int64(binary.LittleEndian.Uint64(src[1:]))), src[9:], nil
}

// Used implements Keys: a key, and three slots, for between a half and three quarters of them are empty.
func (t *intKeys) Used() int { return (8 + 3*16) * len(t.keys) }

func (t *intKeys) Reset() {
	if oversized(len(t.slots), len(t.keys)) {
		t.slots, t.keys = make([]intSlot, minSlots), nil
	} else {
		clear(t.slots)
	}
	t.keys = t.keys[:0]
	t.null = 0
}
