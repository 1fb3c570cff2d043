package function

import "github.com/tidemark-sql/tidemark/internal/vector"

// gather is an aggregate that keeps the values of a group and makes its result of all of them. State of a group: that of its bag.
type gather struct {
	gathering
	values bag
	key    []byte
}

// gathering is what tells aggregates that gather from each other.
type gathering struct {
	// sort is counted if the order of the values does not matter, else collecting; that becomes occurring if rows are taken back.
	sort bagSort
	// write appends what is kept of row i; ok is false if that does not count.
	write func(dst []byte, args []*vector.Vector, i int) (value []byte, ok bool)
	// times is how often the value of row i counts; nil for once.
	times func(args []*vector.Vector, i int) int64
	// limit is how many values a group keeps, the first; 0 for all. Nothing is taken back from one that has a limit.
	limit int
	// valid reports whether write can have written value.
	valid func(value []byte) bool
	// finish makes the results of groups.
	finish func(a *vector.Arena, values *bag, ids []uint32) *vector.Vector
}

// accumulators is New for g.
func (g gathering) accumulators(updates bool) func() Accumulator {
	if updates && g.sort == collecting {
		g.sort = occurring
	}
	return func() Accumulator { return &gather{gathering: g, values: newBag(g.sort)} }
}

// one is a gathering's write for values of one argument that are not NULL.
func one(dst []byte, args []*vector.Vector, i int) ([]byte, bool) {
	if args[0].IsNull(i) {
		return dst, false
	}
	return appendOrdered(dst, args[0], i), true
}

func (s *gather) Grow(n int) { s.values.grow(n) }

func (s *gather) Add(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	s.change(ids, args, rows, s.values.add)
}

func (s *gather) Retract(ids []uint32, args []*vector.Vector, rows vector.Rows) {
	s.change(ids, args, rows, s.values.remove)
}

// change tells apply the value of every row that has one, and how often it counts.
func (s *gather) change(ids []uint32, args []*vector.Vector, rows vector.Rows, apply func(id uint32, value []byte, n int64) (entry uint32, changed bool)) {
	for k, id := range ids {
		i := rows.At(k)
		var ok bool
		if s.full(id) {
			continue
		}
		if s.key, ok = s.write(s.key[:0], args, i); !ok {
			continue
		}
		n := int64(1)
		if s.times != nil {
			n = s.times(args, i)
		}
		apply(id, s.key, n)
	}
}

// full reports whether a group has as many values as it keeps.
func (s *gather) full(id uint32) bool { return s.limit > 0 && s.values.len(id) >= s.limit }

func (s *gather) Merge(dst []uint32, from Accumulator, src []uint32) {
	other := from.(*gather)
	for k, id := range dst {
		group := sourceGroup(src, k)
		if s.limit == 0 || s.values.len(id)+other.values.len(group) <= s.limit {
			s.values.merge(id, &other.values, group, nil)
			continue
		}
		for entry := range other.values.all(group) {
			if s.full(id) {
				break
			}
			s.values.add(id, other.values.value(entry), other.values.count(entry))
		}
	}
}

func (s *gather) Result(a *vector.Arena, ids []uint32) *vector.Vector {
	return s.finish(a, &s.values, ids)
}

func (s *gather) Encode(dst []byte, id uint32) []byte { return s.values.encode(dst, id) }

func (s *gather) Decode(src []byte, id uint32) ([]byte, error) {
	return s.values.decode(src, id, s.valid)
}

func (s *gather) Clear(id uint32) { s.values.clear(id) }

func (s *gather) Reset() { s.values.reset() }

func (s *gather) Bytes() int { return s.values.bytes() }
