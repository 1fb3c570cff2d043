package function

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// arraySetFunctions take arrays as sets: the result has every element once, in the order in which they come first.
var arraySetFunctions = []Scalar{
	{
		Name: "ARRAY_DISTINCT", Family: FamilyCollection,
		Signatures: []string{"ARRAY_DISTINCT(array)"},
		Doc:        "The array with every element once.",
		Example:    "CARDINALITY(ARRAY_DISTINCT(ARRAY[1, 2, 2, 1]))", ExampleResult: "2",
		Resolver: byTypes(setFunction(1, func(s *elementSet, b *vector.Builder, arrays []nested.Array) { s.appendNew(b, &arrays[0]) })),
	},
	{
		Name: "ARRAY_UNION", Family: FamilyCollection,
		Signatures: []string{"ARRAY_UNION(array, array)"},
		Doc:        "The elements that are in one of the arrays.",
		Example:    "CARDINALITY(ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3]))", ExampleResult: "3",
		Resolver: byTypes(setFunction(2, func(s *elementSet, b *vector.Builder, arrays []nested.Array) {
			s.appendNew(b, &arrays[0])
			s.appendNew(b, &arrays[1])
		})),
	},
	{
		Name: "ARRAY_EXCEPT", Family: FamilyCollection,
		Signatures: []string{"ARRAY_EXCEPT(array, array)"},
		Doc:        "The elements of the first array that are not in the second.",
		Example:    "ARRAY_EXCEPT(ARRAY[1, 2, 2], ARRAY[2, 3])[1]", ExampleResult: "1",
		Resolver: byTypes(setFunction(2, func(s *elementSet, b *vector.Builder, arrays []nested.Array) {
			for e := range arrays[1].Len() {
				s.add(&arrays[1], e)
			}
			s.appendNew(b, &arrays[0])
		})),
	},
	{
		Name: "ARRAY_INTERSECT", Family: FamilyCollection,
		Signatures: []string{"ARRAY_INTERSECT(array, array)"},
		Doc:        "The elements of the first array that are in the second too.",
		Example:    "ARRAY_INTERSECT(ARRAY[1, 2, 2], ARRAY[2, 3])[1]", ExampleResult: "2",
		Resolver: byTypes(setFunction(2, func(s *elementSet, b *vector.Builder, arrays []nested.Array) {
			for e := range arrays[1].Len() {
				s.add(&arrays[1], e)
			}
			for e := range arrays[0].Len() {
				if s.remove(&arrays[0], e) {
					b.AppendFrom(&arrays[0], e)
				}
			}
		})),
	},
}

func setFunction(n int, combine func(s *elementSet, b *vector.Builder, arrays []nested.Array)) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		t, ok := commonArray(args)
		if !ok || len(args) != n {
			return Overload{}, false
		}
		k := vector.KindOf(t.Elem())
		return Overload{Params: repeated(t, n), Result: t, Kernel: func(c *Call) error {
			s := elementSet{kind: k}
			return building(n, k, func(b *vector.Builder, arrays []nested.Array, _ *Call, _ int) error {
				total := 0
				for a := range arrays {
					total += arrays[a].Len()
				}
				s.reset(total)
				combine(&s, b, arrays)
				return nil
			})(c)
		}}, true
	}
}

// elementSet is a set of elements of arrays of one row: a hash table without deletion but of marks, kept from row to row.
type elementSet struct {
	kind  vector.Kind
	slots []elementSlot
}

// elementSlot is an element of an array; no array, none.
type elementSlot struct {
	array   *nested.Array
	at      int
	first   int // where the element was first put
	removed bool
}

// put makes element e of a what the slot holds; it is equal to what the slot held before.
func (s *elementSlot) put(a *nested.Array, e int) {
	if s.array == nil {
		s.first = e
	}
	s.array, s.at = a, e
}

// reset empties the set and makes room for n elements, half of the slots staying free.
func (s *elementSet) reset(n int) {
	size := 8
	for size < 2*n {
		size *= 2
	}
	if size > cap(s.slots) {
		s.slots = make([]elementSlot, size)
		return
	}
	s.slots = s.slots[:size]
	clear(s.slots)
}

// find is the slot of element e of a: its own, or the free one where it belongs.
func (s *elementSet) find(a *nested.Array, e int) *elementSlot {
	mask := uint64(len(s.slots) - 1)
	for h := hashElement(s.kind, a, e) & mask; ; h = (h + 1) & mask {
		slot := &s.slots[h]
		if slot.array == nil || sameValue(s.kind, slot.array, slot.at, a, e) {
			return slot
		}
	}
}

// add puts an element in, and reports whether it is new.
func (s *elementSet) add(a *nested.Array, e int) bool {
	slot := s.find(a, e)
	if slot.array != nil {
		return false
	}
	slot.put(a, e)
	return true
}

// remove takes an element out, and reports whether it was in.
func (s *elementSet) remove(a *nested.Array, e int) bool {
	slot := s.find(a, e)
	if slot.array == nil || slot.removed {
		return false
	}
	slot.removed = true
	return true
}

// appendNew appends the elements of a that are not in the set, and puts them in.
func (s *elementSet) appendNew(b *vector.Builder, a *nested.Array) {
	for e := range a.Len() {
		if s.add(a, e) {
			b.AppendFrom(a, e)
		}
	}
}

var elementSeed = maphash.MakeSeed()

// hashElement is the same for equal elements; it decides where they are looked for and nothing that anybody sees.
func hashElement(k vector.Kind, a *nested.Array, e int) uint64 {
	if a.IsNull(e) {
		return 0
	}
	var word [16]byte
	switch k {
	case vector.Bool:
		return uint64(bit(a.Bool(e))) + 1
	case vector.Bytes:
		return maphash.Bytes(elementSeed, a.Bytes(e))
	case vector.Int64:
		binary.LittleEndian.PutUint64(word[:], uint64(a.Int(e)))
	case vector.Int128:
		w := a.Wide(e)
		binary.LittleEndian.PutUint64(word[:], w.Lo)
		binary.LittleEndian.PutUint64(word[8:], uint64(w.Hi))
	case vector.Float64:
		// Package nested keeps one zero and one NaN.
		binary.LittleEndian.PutUint64(word[:], math.Float64bits(a.Float(e)))
	}
	return maphash.Bytes(elementSeed, word[:])
}
