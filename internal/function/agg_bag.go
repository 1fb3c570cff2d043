package function

import (
	"bytes"
	"errors"
	"hash/maphash"
	"iter"
	"math"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// bag keeps the values of groups as bytes, in the order in which they came. There is one table for all groups, so that a group of few values costs little.
// Results never depend on the hash. State of a group: int64 number of entries, then for each, in order, its count as int64 unless entries are occurrences, and
// its length and bytes.
type bag struct {
	sort    bagSort
	seed    maphash.Seed
	groups  []bagGroup
	entries []bagEntry
	free    uint32   // the first free entry; their next are chained
	text    []byte   // the bytes of all values
	waste   int      // bytes of text that no entry can use
	slots   []uint32 // an entry by hash of group and value; a power of two long, at most half full
	used    int      // slots taken
}

// bagSort says what an entry of a bag is.
type bagSort uint8

const (
	counted    bagSort = iota // a value, with the number of its occurrences
	occurring                 // one occurrence of a value; values can be found and taken away
	collecting                // one occurrence of a value; nothing is ever looked for
)

// Entries are called by their number plus one; 0 is none.
type bagGroup struct {
	first, last uint32
	entries     uint32
}

type bagEntry struct {
	group          uint32
	previous, next uint32 // in the group
	// Of occurrences of one value in a group, the oldest is in the hash table, knows the newest, and each knows the one after it.
	after, newest uint32
	hash          uint32
	len, room     uint32
	off           int
	count         int64
}

// noGroup is the group of free entries.
const noGroup = math.MaxUint32

func newBag(s bagSort) bag { return bag{sort: s, seed: maphash.MakeSeed()} }

func (b *bag) grow(n int) { b.groups = grown(b.groups, n) }

// add adds n occurrences of a value to a group, one unless the entries are counted. It returns the entry and whether that is new.
func (b *bag) add(group uint32, value []byte, n int64) (entry uint32, fresh bool) {
	if b.sort == collecting {
		return b.append(group, value, 0), true
	}
	if 2*(b.used+1) > len(b.slots) {
		b.rehash(max(64, 2*len(b.slots)))
	}
	hash := b.hash(group, value)
	slot := b.find(group, value, hash)
	known := b.slots[slot]
	if known != 0 && b.sort == counted {
		e := &b.entries[known-1]
		e.count += min(n, math.MaxInt64-e.count)
		return known, false
	}
	entry = b.append(group, value, hash)
	if known == 0 {
		b.slots[slot] = entry
		b.used++
		b.entries[entry-1].count, b.entries[entry-1].newest = n, entry
		return entry, true
	}
	oldest := &b.entries[known-1]
	b.entries[oldest.newest-1].after = entry
	oldest.newest = entry
	return entry, true
}

// remove takes n occurrences of a value away, or the oldest unless the entries are counted. It returns the entry, or 0 if there is none, and whether that is gone with it. The entry's bytes
// can be read until something is added.
func (b *bag) remove(group uint32, value []byte, n int64) (entry uint32, gone bool) {
	if len(b.slots) == 0 {
		return 0, false
	}
	slot := b.find(group, value, b.hash(group, value))
	entry = b.slots[slot]
	if entry == 0 {
		return 0, false
	}
	e := &b.entries[entry-1]
	if b.sort == counted && e.count > n {
		e.count -= n
		return entry, false
	}
	if e.after != 0 {
		b.slots[slot] = e.after
		b.entries[e.after-1].newest = e.newest
	} else {
		b.vacate(slot)
	}
	b.unlink(entry)
	return entry, true
}

// append makes an entry at the end of a group.
func (b *bag) append(group uint32, value []byte, hash uint32) uint32 {
	entry := b.free
	if entry == 0 {
		b.entries = append(b.entries, bagEntry{})
		entry = uint32(len(b.entries))
	} else {
		b.free = b.entries[entry-1].next
	}
	e := &b.entries[entry-1]
	n := uint32(len(value))
	if e.room < n {
		b.waste += int(e.room)
		e.off, e.room = len(b.text), n
		b.text = append(b.text, value...)
	} else {
		copy(b.text[e.off:], value)
	}
	g := &b.groups[group]
	*e = bagEntry{group: group, previous: g.last, hash: hash, off: e.off, len: n, room: e.room}
	if g.last == 0 {
		g.first = entry
	} else {
		b.entries[g.last-1].next = entry
	}
	g.last = entry
	g.entries++
	return entry
}

// unlink takes an entry out of its group and frees it.
func (b *bag) unlink(entry uint32) {
	e := &b.entries[entry-1]
	g := &b.groups[e.group]
	if e.previous == 0 {
		g.first = e.next
	} else {
		b.entries[e.previous-1].next = e.next
	}
	if e.next == 0 {
		g.last = e.previous
	} else {
		b.entries[e.next-1].previous = e.previous
	}
	g.entries--
	b.release(entry)
}

func (b *bag) release(entry uint32) {
	e := &b.entries[entry-1]
	e.group, e.next = noGroup, b.free
	b.free = entry
	if b.waste > 1<<12 && 2*b.waste > len(b.text) {
		b.compact()
	}
}

// compact writes the bytes of all entries anew, free ones included, which keep their room.
func (b *bag) compact() {
	text := make([]byte, 0, len(b.text)-b.waste)
	for i := range b.entries {
		e := &b.entries[i]
		off := len(text)
		text = append(text, b.text[e.off:e.off+int(e.room)]...)
		e.off = off
	}
	b.text, b.waste = text, 0
}

func (b *bag) hash(group uint32, value []byte) uint32 {
	h := maphash.Bytes(b.seed, value)
	h ^= uint64(group) * 0x9e3779b97f4a7c15
	return uint32(h ^ h>>32)
}

// find is the slot of a value, or the free one where it would be.
func (b *bag) find(group uint32, value []byte, hash uint32) uint32 {
	mask := uint32(len(b.slots) - 1)
	at := hash & mask
	for ; b.slots[at] != 0; at = (at + 1) & mask {
		e := &b.entries[b.slots[at]-1]
		if e.hash == hash && e.group == group && bytes.Equal(b.text[e.off:e.off+int(e.len)], value) {
			break
		}
	}
	return at
}

// vacate empties a slot, moving up what stands behind it because it did not find its place free.
func (b *bag) vacate(slot uint32) {
	mask := uint32(len(b.slots) - 1)
	b.used--
	for at := (slot + 1) & mask; b.slots[at] != 0; at = (at + 1) & mask {
		home := b.entries[b.slots[at]-1].hash & mask
		if (at-home)&mask >= (at-slot)&mask {
			b.slots[slot] = b.slots[at]
			slot = at
		}
	}
	b.slots[slot] = 0
}

func (b *bag) rehash(n int) {
	old := b.slots
	b.slots = make([]uint32, n)
	mask := uint32(n - 1)
	for _, entry := range old {
		if entry == 0 {
			continue
		}
		at := b.entries[entry-1].hash & mask
		for b.slots[at] != 0 {
			at = (at + 1) & mask
		}
		b.slots[at] = entry
	}
}

// value is the bytes of an entry, good until something is added or removed.
func (b *bag) value(entry uint32) []byte {
	e := &b.entries[entry-1]
	return b.text[e.off : e.off+int(e.len) : e.off+int(e.len)]
}

func (b *bag) count(entry uint32) int64 { return b.entries[entry-1].count }

// all lists the entries of a group in order. Other groups may be added to meanwhile.
func (b *bag) all(group uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for entry := b.groups[group].first; entry != 0 && yield(entry); entry = b.entries[entry-1].next {
		}
	}
}

// len is the number of entries of a group.
func (b *bag) len(group uint32) int { return int(b.groups[group].entries) }

// merge adds the entries of a group of another bag, or of another group of this one, behind those of a group; added is called for each that is new there.
func (b *bag) merge(group uint32, from *bag, source uint32, added func(entry uint32)) {
	for entry := range from.all(source) {
		if to, fresh := b.add(group, from.value(entry), from.count(entry)); fresh && added != nil {
			added(to)
		}
	}
}

func (b *bag) encode(dst []byte, group uint32) []byte {
	dst = appendInt64(dst, int64(b.groups[group].entries))
	for entry := range b.all(group) {
		if b.sort == counted {
			dst = appendInt64(dst, b.count(entry))
		}
		dst = appendString(dst, b.value(entry))
	}
	return dst
}

// decode reads what encode wrote into a group that is empty. It wants of each value that valid says so; size is that of all values, -1 for any.
func (b *bag) decode(src []byte, group uint32, valid func(value []byte) bool) (rest []byte, err error) {
	n, src, err := readInt64(src)
	if err != nil {
		return nil, err
	}
	for range n {
		count := int64(1)
		if b.sort == counted {
			if count, src, err = readInt64(src); err != nil {
				return nil, err
			}
		}
		var value []byte
		if value, src, err = readString(src); err != nil {
			return nil, err
		}
		if _, fresh := b.add(group, value, count); !fresh || count <= 0 || !valid(value) {
			return nil, errNoValue
		}
	}
	return src, nil
}

var errNoValue = errors.New("the state of an aggregate holds what is no value of it")

// clear empties a group.
func (b *bag) clear(group uint32) {
	for entry := b.groups[group].first; entry != 0; {
		next := b.entries[entry-1].next
		if b.sort != collecting {
			if slot := b.slotOf(entry); slot >= 0 {
				b.vacate(uint32(slot))
			}
		}
		b.release(entry)
		entry = next
	}
	b.groups[group] = bagGroup{}
}

// slotOf is the slot of an entry, -1 if it has none.
func (b *bag) slotOf(entry uint32) int {
	mask := uint32(len(b.slots) - 1)
	for at := b.entries[entry-1].hash & mask; b.slots[at] != 0; at = (at + 1) & mask {
		if b.slots[at] == entry {
			return int(at)
		}
	}
	return -1
}

func (b *bag) reset() {
	b.groups, b.entries, b.text = b.groups[:0], b.entries[:0], b.text[:0]
	b.free, b.waste, b.used = 0, 0, 0
	clear(b.slots)
}

func (b *bag) bytes() int {
	return 12*len(b.groups) + 48*len(b.entries) + len(b.text) + 8*b.used
}

// ofSize accepts what appendOrdered writes of a value of kind k.
func ofSize(k vector.Kind) func([]byte) bool {
	n := orderedSize(k)
	return func(b []byte) bool { return n < 0 || len(b) == n }
}
