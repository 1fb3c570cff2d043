package function

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// extremeOfMany is MIN and MAX of values that may be taken back: it keeps them all, and a heap of them for each group. State of a group: that of a bag of what
// appendOrdered writes.
type extremeOfMany struct {
	kind   vector.Kind
	max    bool
	values bag
	heaps  [][]uint32 // by group: entries of values
	at     []uint32   // by entry less one: its place in the heap
	key    []byte
}

func newExtremeOfMany(kind vector.Kind, isMax bool) *extremeOfMany {
	return &extremeOfMany{kind: kind, max: isMax, values: newBag(counted)}
}

func (s *extremeOfMany) Grow(n int) {
	s.values.grow(n)
	s.heaps = grown(s.heaps, n)
}

func (s *extremeOfMany) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.key = appendOrdered(s.key[:0], arg, i)
			if entry, fresh := s.values.add(id, s.key, 1); fresh {
				s.push(id, entry)
			}
		}
	}
}

func (s *extremeOfMany) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	arg := args[0]
	for k, id := range ids {
		if i := rows.At(k); !arg.IsNull(i) {
			s.key = appendOrdered(s.key[:0], arg, i)
			if entry, gone := s.values.remove(id, s.key, 1); gone {
				s.pull(id, entry)
			}
		}
	}
}

func (s *extremeOfMany) push(id, entry uint32) {
	s.at = grown(s.at, int(entry))
	s.heaps[id] = append(s.heaps[id], entry)
	s.up(s.heaps[id], len(s.heaps[id])-1)
}

// pull takes an entry out of the heap of its group.
func (s *extremeOfMany) pull(id, entry uint32) {
	h := s.heaps[id]
	last := len(h) - 1
	i := int(s.at[entry-1])
	if i != last {
		h[i] = h[last]
		s.at[h[i]-1] = uint32(i)
	}
	h = h[:last]
	s.heaps[id] = h
	if i < last {
		s.down(h, s.up(h, i))
	}
}

// before reports whether value a is nearer to the result than b.
func (s *extremeOfMany) before(a, b uint32) bool {
	order := bytes.Compare(s.values.value(a), s.values.value(b))
	return order != 0 && (order > 0) == s.max
}

// up moves the i-th entry of h to its place among those above it, and returns that.
func (s *extremeOfMany) up(h []uint32, i int) int {
	entry := h[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !s.before(entry, h[parent]) {
			break
		}
		h[i] = h[parent]
		s.at[h[i]-1] = uint32(i)
		i = parent
	}
	h[i] = entry
	s.at[entry-1] = uint32(i)
	return i
}

func (s *extremeOfMany) down(h []uint32, i int) {
	entry := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && s.before(h[child+1], h[child]) {
			child++
		}
		if !s.before(h[child], entry) {
			break
		}
		h[i] = h[child]
		s.at[h[i]-1] = uint32(i)
		i = child
	}
	h[i] = entry
	s.at[entry-1] = uint32(i)
}

func (s *extremeOfMany) Merge(dst []uint32, from Accumulator, src []uint32) {
	other := from.(*extremeOfMany)
	for k, id := range dst {
		s.values.merge(id, &other.values, sourceGroup(src, k), func(entry uint32) { s.push(id, entry) })
	}
}

func (s *extremeOfMany) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	out := vector.NewBuilder(a, s.kind, len(ids))
	for _, id := range ids {
		if h := s.heaps[id]; len(h) > 0 {
			appendOrderedTo(out, s.kind, s.values.value(h[0]))
		} else {
			out.AppendNull()
		}
	}
	return out.Done()
}

func (s *extremeOfMany) Encode(dst []byte, id uint32) []byte { return s.values.encode(dst, id) }

func (s *extremeOfMany) Decode(src []byte, id uint32) ([]byte, error) {
	src, err := s.values.decode(src, id, ofSize(s.kind))
	if err != nil {
		return nil, err
	}
	for entry := range s.values.all(id) {
		s.push(id, entry)
	}
	return src, nil
}

func (s *extremeOfMany) Clear(id uint32) {
	s.values.clear(id)
	s.heaps[id] = nil
}

func (s *extremeOfMany) Reset() {
	s.values.reset()
	clear(s.heaps)
	s.heaps, s.at = s.heaps[:0], s.at[:0]
}

func (s *extremeOfMany) Bytes() int {
	return s.values.bytes() + 24*len(s.heaps) + 8*len(s.at)
}
