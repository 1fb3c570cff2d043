package spill

import "github.com/tidemark-sql/tidemark/internal/state"

// index tells where the record of a key may be: a small table with open addressing for each key group, so that growing is never more than a few thousand moves. A slot is, from the
// top, 24 bits of the hash, 8 bits of the number of the run, and the offset there in units. Run 0 is none, so an empty slot is 0. Two keys that share
// their 24 bits are told apart by reading both.
type index struct {
	groups []bucket
	bytes  int
}

type bucket struct {
	slots []uint64
	n     int
}

const (
	addressBits = 40
	addressMask = 1<<addressBits - 1
	printBits   = 24
	printMask   = 1<<printBits - 1
)

// fingerprint is bits of a hash below those of its group.
func fingerprint(hash uint64) uint64 { return hash >> 28 & printMask }

// home is the slot at which a key is looked for first.
func home(print uint64, slots int) int { return int(print * uint64(slots) >> printBits) }

// A table is full at load 17/20; one that has become less than a third full is made smaller.
func full(n, slots int) bool { return n*20 > slots*17 }

func (x *index) add(hash, address uint64) {
	if x.groups == nil {
		x.groups = make([]bucket, state.Groups)
		x.bytes += state.Groups * 32
	}
	g := state.Group(hash)
	b := &x.groups[g]
	if full(b.n+1, len(b.slots)) {
		// Groups have their first keys at about the same time; so that they do not grow at the same time too, they begin with different sizes.
		x.resize(b, max(len(b.slots)*5/4, 8+g%8))
	}
	b.insert(fingerprint(hash)<<addressBits | address)
	b.n++
}

func (b *bucket) insert(entry uint64) {
	i := home(entry>>addressBits, len(b.slots))
	for b.slots[i] != 0 {
		if i++; i == len(b.slots) {
			i = 0
		}
	}
	b.slots[i] = entry
}

func (x *index) resize(b *bucket, slots int) {
	old := b.slots
	b.slots = append([]uint64(nil), make([]uint64, slots)...)
	b.slots = b.slots[:cap(b.slots)] // what is allocated anyway
	x.bytes += 8 * (len(b.slots) - len(old))
	for _, entry := range old {
		if entry != 0 {
			b.insert(entry)
		}
	}
}

// maybe reports whether there may be a record for a hash.
func (x *index) maybe(hash uint64) bool {
	if x.groups == nil {
		return false
	}
	b := &x.groups[state.Group(hash)]
	if b.n == 0 {
		return false
	}
	print := fingerprint(hash)
	for i := home(print, len(b.slots)); b.slots[i] != 0; {
		if b.slots[i]>>addressBits == print {
			return true
		}
		if i++; i == len(b.slots) {
			i = 0
		}
	}
	return false
}

// probe appends to dst where the record of a hash may be, above a tag of printBits bits.
func (x *index) probe(dst []uint64, hash, tag uint64) []uint64 {
	if x.groups == nil {
		return dst
	}
	b := &x.groups[state.Group(hash)]
	if b.n == 0 {
		return dst
	}
	print := fingerprint(hash)
	for i := home(print, len(b.slots)); b.slots[i] != 0; {
		if b.slots[i]>>addressBits == print {
			dst = append(dst, b.slots[i]&addressMask<<printBits|tag)
		}
		if i++; i == len(b.slots) {
			i = 0
		}
	}
	return dst
}

// find is the table and the slot of the record at an address. There is none only if the hash was read from a file that is damaged.
func (x *index) find(hash, address uint64) (b *bucket, slot int, ok bool) {
	b = &x.groups[state.Group(hash)]
	if b.n == 0 {
		return nil, 0, false
	}
	entry := fingerprint(hash)<<addressBits | address
	i := home(entry>>addressBits, len(b.slots))
	for b.slots[i] != entry {
		if b.slots[i] == 0 {
			return nil, 0, false
		}
		if i++; i == len(b.slots) {
			i = 0
		}
	}
	return b, i, true
}

// move says that a record is somewhere else now.
func (x *index) move(hash, from, to uint64) error {
	b, i, ok := x.find(hash, from)
	if !ok {
		return errDamaged
	}
	b.slots[i] = b.slots[i]&^addressMask | to
	return nil
}

// remove forgets a record. Those behind it that would not be found any more move up.
func (x *index) remove(hash, address uint64) error {
	b, i, ok := x.find(hash, address)
	if !ok {
		return errDamaged
	}
	for j := i; ; {
		if j++; j == len(b.slots) {
			j = 0
		}
		entry := b.slots[j]
		if entry == 0 {
			break
		}
		if h := home(entry>>addressBits, len(b.slots)); i <= j && (h <= i || h > j) || i > j && h <= i && h > j {
			b.slots[i] = entry
			i = j
		}
	}
	b.slots[i] = 0
	b.n--
	switch {
	case b.n == 0:
		x.bytes -= 8 * len(b.slots)
		b.slots = nil
	case len(b.slots) > 16 && b.n*3 < len(b.slots):
		x.resize(b, b.n*3/2)
	}
	return nil
}
