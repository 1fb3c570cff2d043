package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/watermark"
)

// numbering turns the numbers that an intake gives to the values of a dimension into those of the core.
type numbering []int32

// translate does that in place, and tells how many rows it did it for: less than all if the core takes no more values. It is called in turn.
func (n *numbering) translate(values []int32, core *watermark.Core, by Dividing) int {
	for k, v := range values {
		for int(v) >= len(*n) {
			number, ok := core.Value(by.ValueName(int32(len(*n))))
			if !ok {
				return k
			}
			*n = append(*n, number)
		}
		values[k] = (*n)[v]
	}
	return len(values)
}

// observeValues has the core look at a batch whose rows have values, and tells how many rows it looked at: it fails at the first one whose value is one too many.
func (w *worker) observeValues(t *ticket, s *source, r *reading) (rows int, err error) {
	l := &w.lanes[t.source]
	n := l.numbers.translate(r.values, s.core, l.intake.(Dividing))
	s.core.ObserveValues(t.split.number, r.times[:n], r.candidates[:n], r.values[:n], t.now, &s.seen)
	if n == len(r.values) {
		return n, nil
	}
	return n, fault.Errorf(fault.Data, "table '%s' has more than %d values in its 'watermark.dimension': '%s' in %s is one too many; "+
		"name columns that tell kinds of rows or producers apart, not single rows", s.spec.Name, watermark.MaxValues, l.intake.(Dividing).ValueName(r.values[n]), t.split.Name())
}
