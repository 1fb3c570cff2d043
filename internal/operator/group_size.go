package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// groupSizes foretells how many bytes of strings and collections the results of rows take. Those of a group are written for every row of it, before it and after it, and may grow with it.
type groupSizes struct {
	texts []int // aggregates with such results
	reads []int // columns whose strings go into them, and those of keys
	last  []int // by key: bytes of its results as they are
	grown []int // by key: what the rows of the stretch at hand may add; zero between stretches
}

func newGroupSizes(spec *GroupAggregateSpec) groupSizes {
	var s groupSizes
	for i, a := range spec.Aggregates {
		if a.Kind == vector.Bytes {
			s.texts, s.reads = append(s.texts, i), append(s.reads, a.Args...)
		}
	}
	for i, k := range spec.KeyKinds {
		if k == vector.Bytes {
			s.reads = append(s.reads, spec.Keys[i])
		}
	}
	return s
}

// elementBytes is about what a value takes in a collection beside its string.
const elementBytes = 16

// fitting is how many of the first rows, at least one, have results that are not much more than emitBytes. ids are their keys, of which there are so many.
func (s *groupSizes) fitting(b *dataflow.Batch, rows vector.Rows, ids []uint32, keys int) int {
	if len(s.reads) == 0 {
		return len(ids)
	}
	s.grow(keys)
	cols := make([]*vector.Vector, len(s.reads))
	for i, c := range s.reads {
		cols[i] = b.Cols[c]
	}
	n, sum := 0, 0
	for n < len(ids) {
		id := ids[n]
		before := s.last[id] + s.grown[id]
		more := vector.StringBytes(cols, rows.At(n)) + elementBytes*len(s.texts)
		if sum += 2*before + more; sum > emitBytes && n > 0 {
			break
		}
		s.grown[id] += more
		n++
	}
	for _, id := range ids[:n] {
		s.grown[id] = 0
	}
	return n
}

func (s *groupSizes) grow(keys int) {
	if len(s.reads) == 0 {
		return
	}
	s.last, s.grown = extended(s.last, keys), extended(s.grown, keys)
}

// note remembers the results of a key, which are in row j.
func (s *groupSizes) note(id uint32, results []*vector.Vector, j int) {
	if len(s.texts) == 0 {
		return
	}
	s.last[id] = 0
	for _, i := range s.texts {
		if r := results[i]; !r.IsNull(j) {
			s.last[id] += len(r.Bytes(j))
		}
	}
}

func (s *groupSizes) forget(id uint32) {
	if len(s.texts) > 0 {
		s.last[id] = 0
	}
}

// compact keeps the keys that had the numbers in old.
func (s *groupSizes) compact(old []uint32) {
	if len(s.reads) == 0 {
		return
	}
	last := make([]int, len(old))
	for id, was := range old {
		last[id] = s.last[was]
	}
	s.last, s.grown = last, nil
}
