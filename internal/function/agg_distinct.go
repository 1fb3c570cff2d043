package function

import (
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// distinctOverload makes o an aggregate of the different values of its arguments.
func distinctOverload(o AggregateOverload, updates bool) AggregateOverload {
	kinds := make(tuple, len(o.Params))
	for i, t := range o.Params {
		kinds[i] = vector.KindOf(t)
	}
	inner := o.New
	o.New = func() Accumulator {
		return &distinct{inner: inner(), kinds: kinds, seen: newBag(counted), rows: []int32{}}
	}
	return o
}

// groupable reports whether values of all these types are compared by their bytes in one way. Flink 2.3: not those of MAP, MULTISET and ROW, and not bytes.
func groupable(list []types.Type) bool {
	for _, t := range list {
		switch t.Kind {
		case types.Map, types.Multiset, types.Row, types.Binary, types.VarBinary:
			return false
		}
	}
	return true
}

// distinct lets an aggregate see each value of a group once, and no more when it was taken back as often as it was added. State of a group: that of a bag of
// tuples, then that of the aggregate.
type distinct struct {
	inner  Accumulator
	kinds  tuple
	seen   bag
	memory vector.Pool

	key  []byte
	ids  []uint32 // groups and rows whose values are new, or gone
	rows []int32
}

func (s *distinct) Grow(n int) {
	s.seen.grow(n)
	s.inner.Grow(n)
}

func (s *distinct) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	s.ids, s.rows = s.ids[:0], s.rows[:0]
	for k, id := range ids {
		row := rows.At(k)
		s.key = s.kinds.append(s.key[:0], args, row)
		if _, fresh := s.seen.add(id, s.key, 1); fresh {
			s.ids, s.rows = append(s.ids, id), append(s.rows, int32(row))
		}
	}
	s.inner.Add(s.ids, args, vector.Rows{Sel: s.rows, N: rows.N})
}

func (s *distinct) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	s.ids, s.rows = s.ids[:0], s.rows[:0]
	for k, id := range ids {
		row := rows.At(k)
		s.key = s.kinds.append(s.key[:0], args, row)
		if _, gone := s.seen.remove(id, s.key, 1); gone {
			s.ids, s.rows = append(s.ids, id), append(s.rows, int32(row))
		}
	}
	s.inner.(Retractor).Retract(s.ids, args, vector.Rows{Sel: s.rows, N: rows.N})
}

func (s *distinct) Merge(dst []uint32, from Accumulator, src []uint32) {
	other := from.(*distinct)
	a := s.memory.Get()
	a.ForState() // a group can have any number of values
	defer a.Release()
	columns := make([]*vector.Builder, len(s.kinds))
	for i, k := range s.kinds {
		columns[i] = vector.NewBuilder(a, k, len(dst))
	}
	s.ids = s.ids[:0]
	for k, id := range dst {
		s.seen.merge(id, &other.seen, sourceGroup(src, k), func(entry uint32) {
			s.ids = append(s.ids, id)
			s.kinds.appendTo(columns, s.seen.value(entry))
		})
	}
	args := a.Columns(len(columns))
	for i, c := range columns {
		args[i] = c.Done()
	}
	s.inner.Add(s.ids, args, vector.All(len(s.ids)))
}

func (s *distinct) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	return s.inner.Result(a, ids)
}

func (s *distinct) Encode(dst []byte, id uint32) []byte {
	return s.inner.Encode(s.seen.encode(dst, id), id)
}

func (s *distinct) Decode(src []byte, id uint32) ([]byte, error) {
	src, err := s.seen.decode(src, id, s.kinds.valid)
	if err != nil {
		return nil, err
	}
	return s.inner.Decode(src, id)
}

func (s *distinct) Clear(id uint32) {
	s.seen.clear(id)
	s.inner.Clear(id)
}

func (s *distinct) Reset() {
	s.seen.reset()
	s.inner.Reset()
}

func (s *distinct) Bytes() int { return s.seen.bytes() + s.inner.Bytes() }
