package state

// Compact makes a table of the keys of t that are alive, in their order, and tells which number each of them had. Whoever indexes columns by number moves them
// accordingly. It is for owners whose keys die: numbers are never given away again.
func Compact(t Keys, alive func(id uint32) bool) (compacted Keys, old []uint32) {
	switch t := t.(type) {
	case *intKeys:
		c := newIntKeys()
		for id, key := range t.keys {
			switch {
			case !alive(uint32(id)):
				continue
			case t.isNull(uint32(id)):
				c.findNull()
			default:
				c.find(key)
			}
			old = append(old, uint32(id))
		}
		return c, old
	case *byteKeys:
		c := newByteKeys(t.kinds)
		for id, hash := range t.hashes {
			if alive(uint32(id)) {
				c.find(t.key(uint32(id)), hash)
				old = append(old, uint32(id))
			}
		}
		return c, old
	}
	panic("tidemark bug: a table of keys of an unknown kind")
}

// Crowded reports whether a table of n keys, of which so many are dead, is worth compacting: at least half of it is dead, and not just a few keys.
func Crowded(n, dead int) bool { return dead > 1024 && 2*dead > n }
