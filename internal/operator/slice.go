package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// slice is the groups of one stretch of time.
type slice struct {
	span window.Window
	keys state.Keys
	accs []function.Accumulator
	rows []int32 // of the batch at hand, not yet added

	// With a limit of memory: which groups had rows since some were written out, and, if some of this slice ever were, the turns of the hot ones.
	touched []bool
	turns   *turns
}

// slice finds or makes the slice for span and notes that the segment at hand touches it.
func (w *WindowAggregate) slice(span window.Window) *slice {
	s := w.slices[span]
	if s == nil {
		s = w.newSlice()
		s.span = span
		w.slices[span] = s
		w.spec.Windows.schedule(w, s)
	}
	if len(s.rows) == 0 {
		w.touched = append(w.touched, s)
	}
	return s
}

func (w *WindowAggregate) newSlice() *slice {
	if n := len(w.free); n > 0 {
		s := w.free[n-1]
		w.free = w.free[:n-1]
		return s
	}
	return w.emptySlice()
}

func (w *WindowAggregate) emptySlice() *slice {
	s := &slice{keys: state.NewKeys(w.spec.KeyKinds)}
	for _, a := range w.spec.Aggregates {
		s.accs = append(s.accs, a.New())
	}
	return s
}

// keepFree bounds the emptied tables kept for reuse.
const keepFree = 8

// discard forgets the slice for span.
func (w *WindowAggregate) discard(span window.Window) {
	s := w.slices[span]
	if s == nil {
		return
	}
	delete(w.slices, span)
	if len(w.free) < keepFree && (w.cold == nil || s.keys.Len() <= emitRows) {
		s.reset()
		w.free = append(w.free, s)
	}
}

func (s *slice) reset() {
	s.keys.Reset()
	for _, a := range s.accs {
		a.Reset()
	}
	s.touched, s.turns = s.touched[:0], nil
}

// merge adds the groups of from to s.
func (w *WindowAggregate) merge(s, from *slice) {
	n := from.keys.Len()
	w.ids = slices.Grow(w.ids[:0], n)[:n]
	s.keys.Merge(from.keys, w.ids)
	for i, a := range s.accs {
		a.Grow(s.keys.Len())
		from.accs[i].Grow(n)
		a.Merge(w.ids, from.accs[i], nil)
	}
}

// orderByGroup lists the keys by key group, and within a group as they came. Tasks own ranges of groups, so this order is the same
// for the results of one task and for those of several, one behind the other.
func orderByGroup(keys state.Keys, order []uint32) []uint32 {
	n := keys.Len()
	order = slices.Grow(order[:0], n)[:n]
	if n < state.Groups/16 {
		for i := range order {
			order[i] = uint32(i)
		}
		slices.SortStableFunc(order, func(a, b uint32) int {
			return state.Group(keys.Hash(a)) - state.Group(keys.Hash(b))
		})
		return order
	}
	var starts [state.Groups + 1]uint32
	groups := make([]uint16, n)
	for i := range groups {
		g := state.Group(keys.Hash(uint32(i)))
		groups[i] = uint16(g)
		starts[g+1]++
	}
	for g := range state.Groups {
		starts[g+1] += starts[g]
	}
	for i, g := range groups {
		order[starts[g]] = uint32(i)
		starts[g]++
	}
	return order
}
