package operator

import "slices"

// sessionIndex lists the open sessions of every key, the earliest first. Open sessions of a key do not touch, so they are in the order of
// their ends too. Nearly all keys have one session or none and cost four bytes; only the others have a list.
type sessionIndex struct {
	of    []int32 // by key: none, a session, or -2-i for lists[i]
	lists [][]int32
	free  []int32 // lists that no key uses
	one   [1]int32
}

const none = -1

// grow makes n keys exist.
func (x *sessionIndex) grow(n int) {
	for len(x.of) < n {
		x.of = append(x.of, none)
	}
}

// reset forgets all keys and keeps the memory.
func (x *sessionIndex) reset() { x.of, x.lists, x.free = x.of[:0], x.lists[:0], x.free[:0] }

// get is the sessions of a key. It is valid until the next call.
func (x *sessionIndex) get(key uint32) []int32 {
	switch v := x.of[key]; {
	case v == none:
		return nil
	case v >= 0:
		x.one[0] = v
		return x.one[:]
	default:
		return x.lists[-2-v]
	}
}

// insert puts a session at a place in the list of its key.
func (x *sessionIndex) insert(key uint32, at int, id int32) {
	switch v := x.of[key]; {
	case v == none:
		x.of[key] = id
	case v >= 0:
		i := int32(len(x.lists))
		if n := len(x.free); n > 0 {
			i, x.free = x.free[n-1], x.free[:n-1]
		} else {
			x.lists = append(x.lists, nil)
		}
		x.lists[i] = slices.Insert(append(x.lists[i][:0], v), at, id)
		x.of[key] = -2 - i
	default:
		x.lists[-2-v] = slices.Insert(x.lists[-2-v], at, id)
	}
}

// remove takes the sessions lo to hi-1 out of the list of a key.
func (x *sessionIndex) remove(key uint32, lo, hi int) {
	v := x.of[key]
	if v >= 0 {
		x.of[key] = none
		return
	}
	i := -2 - v
	x.lists[i] = slices.Delete(x.lists[i], lo, hi)
	switch len(x.lists[i]) {
	case 0:
		x.of[key] = none
	case 1:
		x.of[key] = x.lists[i][0]
	default:
		return
	}
	x.free = append(x.free, i)
}
