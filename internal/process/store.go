package process

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// store is the keys that something is kept of, and their states. A key has any number of states, by name; one that is empty is not there.
type store struct {
	kinds []vector.Kind
	keys  state.Keys
	names []string // of states, as they were first asked for
	parts []part   // by key
	live  int      // states
	bytes int64    // of their values
}

// part is what is kept of a key.
type part struct {
	cells  []cell
	timers int32 // that wait
}

// stateBytes is about how much memory a state takes beside its value.
const stateBytes = 112

type cell struct {
	name  uint32
	value []byte
}

func newStore(kinds []vector.Kind) *store { return &store{kinds: kinds, keys: state.NewKeys(kinds)} }

// name is the number of a state.
func (s *store) name(name string) uint32 {
	for i, n := range s.names {
		if n == name {
			return uint32(i)
		}
	}
	s.names = append(s.names, name)
	return uint32(len(s.names) - 1)
}

// grow makes room for keys that were found.
func (s *store) grow() {
	if n := s.keys.Len(); n > len(s.parts) {
		s.parts = slices.Grow(s.parts, n-len(s.parts))[:n]
	}
}

// get is a state of a key, empty if it has none. It is the store's, and good until the state is set.
func (s *store) get(key, name uint32) []byte {
	cells := s.parts[key].cells
	for i := range cells {
		if cells[i].name == name {
			return cells[i].value
		}
	}
	return nil
}

// set keeps a copy of a value; an empty one removes the state.
func (s *store) set(key, name uint32, value []byte) {
	p := &s.parts[key]
	at := slices.IndexFunc(p.cells, func(c cell) bool { return c.name == name })
	switch {
	case len(value) == 0 && at < 0:
	case len(value) == 0:
		s.live--
		s.bytes -= int64(len(p.cells[at].value))
		if p.cells = slices.Delete(p.cells, at, at+1); len(p.cells) == 0 {
			p.cells = nil
		}
	case at < 0:
		s.live++
		s.bytes += int64(len(value))
		p.cells = append(p.cells, cell{name, slices.Clone(value)})
	default:
		c := &p.cells[at]
		s.bytes += int64(len(value) - len(c.value))
		c.value = append(c.value[:0], value...)
	}
}

// compact forgets the keys of which nothing is kept, and gives the number that each of the others has now by the one that it had.
func (s *store) compact() (number []uint32) {
	keys, old := state.Compact(s.keys, func(id uint32) bool { return s.parts[id].kept() })
	number, parts := make([]uint32, s.keys.Len()), make([]part, len(old))
	for id, was := range old {
		number[was], parts[id] = uint32(id), s.parts[was]
	}
	s.keys, s.parts = keys, parts
	return number
}
