package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// WindowJoinSpec describes a WindowJoin. Its output columns are those of the left side, then those of the right, which SemiJoin and AntiJoin leave out.
type WindowJoinSpec struct {
	Kind JoinKind
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	// Windows say where rows of either side carry their window.
	Windows [2]Attached
	// Keys are the columns of either side that must be equal, in pairs, without those of the window; a NULL is equal to nothing.
	Keys  [2][]int
	Kinds [2][]vector.Kind
	// Condition is what else must hold of a pair, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Env       *function.Env // the operator owns it
	Tick      int64         // of window_time, microseconds
	Memory    *vector.Pool
}

// WindowJoin joins the rows of two sides that are in one window, when the frontier says that it is complete. Flink 2.3: a row whose window is complete is dropped, on either side; results leave
// key by key, for each left row in the order of the right ones, then right rows without a match; of a RightJoin the other way around.
type WindowJoin struct {
	firings
	spec     WindowJoinSpec
	kinds    []vector.Kind // of the keys
	windows  map[window.Window]*joinedWindow
	pending  windowHeap
	frontier watermark.Frontier
	counts   dataflow.Counts

	ids     []uint32
	group   []uint32
	pairs   pairs
	results pairs
	chunks  chunks
}

// joinedWindow is the rows of one window.
type joinedWindow struct {
	keys  state.Keys
	sides [2]windowSide
}

// windowSide is the rows of a window that one side has, chained by key in the order in which they came. Numbers in chains are one more than that of the row, 0 is the end.
type windowSide struct {
	held        heldRows
	next        []int32
	first, last []int32 // by key
}

// NewWindowJoin makes the operator.
func NewWindowJoin(spec WindowJoinSpec) *WindowJoin {
	w := &WindowJoin{spec: spec, kinds: pick(spec.Kinds[0], spec.Keys[0]), windows: map[window.Window]*joinedWindow{}, frontier: watermark.Unset}
	return w
}

// Counts implements dataflow.Counted.
func (w *WindowJoin) Counts() *dataflow.Counts { return &w.counts }

// SetNow implements dataflow.Clocked.
func (w *WindowJoin) SetNow(now int64) { w.spec.Env.Now = now }

// Process implements dataflow.Operator.
func (w *WindowJoin) Process(b *dataflow.Batch, out dataflow.Output) error {
	w.counts.In.Add(int64(b.Rows().Count()))
	oneZero(b.Cols)
	side := w.spec.Sides[b.Input]
	err := b.Segments(
		func(lo, hi int) error { return w.absorb(b, side, lo, hi) },
		func(f watermark.Frontier) error { return w.Advance(dataflow.Progress{Frontier: f, Active: true}, out) })
	b.Release()
	return err
}

// Advance implements dataflow.Operator.
func (w *WindowJoin) Advance(p dataflow.Progress, out dataflow.Output) error {
	w.frontier = max(w.frontier, p.Frontier)
	p.Frontier = w.frontier
	return w.pending.fireDue(p, w.spec.Windows[0].deadline, func(x window.Window) error { return w.fire(x, out) }, out)
}

// absorb puts the rows lo..hi-1 of b's selection into their windows.
func (w *WindowJoin) absorb(b *dataflow.Batch, side, lo, hi int) error {
	edges, rows := &w.spec.Windows[side], b.Rows()
	starts, ends := b.Cols[edges.Start], b.Cols[edges.End]
	for from := lo; from < hi; {
		x, err := windowOf(starts, ends, rows.At(from))
		if err != nil {
			return err
		}
		to := from + 1
		for ; to < hi; to++ {
			if y, err := windowOf(starts, ends, rows.At(to)); err != nil || y != x {
				break
			}
		}
		if deadline := edges.deadline(x); w.frontier.Complete(deadline) {
			for range to - from {
				w.counts.Drop(dataflow.Dropped{Time: x.End - w.spec.Tick, Deadline: deadline, Frontier: w.frontier})
			}
		} else {
			w.add(w.window(x), b, side, from, to)
			w.counts.Absorbed.Add(int64(to - from))
		}
		from = to
	}
	return nil
}

// windowOf is the window that a row carries.
func windowOf(starts, ends *vector.Vector, row int) (window.Window, error) {
	if starts.IsNull(row) || ends.IsNull(row) {
		return window.Window{}, errNullTime
	}
	return window.Window{Start: starts.Int(row), End: ends.Int(row)}, nil
}

// window finds or makes a window.
func (w *WindowJoin) window(x window.Window) *joinedWindow {
	at := w.windows[x]
	if at == nil {
		at = &joinedWindow{keys: state.NewKeys(w.kinds)}
		for s := range at.sides {
			at.sides[s].held.reset(w.spec.Memory, w.spec.Kinds[s], 16)
		}
		w.windows[x] = at
		w.pending.push(x)
	}
	return at
}

// add holds the rows from..to-1 of b's selection.
func (w *WindowJoin) add(at *joinedWindow, b *dataflow.Batch, side, from, to int) {
	rows := stretch(b, from, to)
	w.ids = extended(w.ids[:0], rows.Count())
	in := keyInput(b, w.spec.Keys[side], rows)
	at.keys.Find(&in, w.ids)
	s := &at.sides[side]
	s.grow(at.keys.Len())
	for k, key := range w.ids {
		s.add(b.Cols, rows.At(k), key)
	}
}

// grow makes room for keys that were just numbered.
func (s *windowSide) grow(keys int) {
	s.first, s.last = extended(s.first, keys), extended(s.last, keys)
}

func (s *windowSide) add(cols []*vector.Vector, row int, key uint32) {
	number := s.held.add(cols, row) + 1
	s.next = append(s.next, 0)
	if s.last[key] == 0 {
		s.first[key] = number
	} else {
		s.next[s.last[key]-1] = number
	}
	s.last[key] = number
}

// fire joins the rows of a window and emits them.
func (w *WindowJoin) fire(x window.Window, out dataflow.Output) error {
	at := w.windows[x]
	delete(w.windows, x)
	for s := range at.sides {
		at.sides[s].grow(at.keys.Len())
	}
	f := &windowFire{WindowJoin: w, at: at, span: x, held: [2][]*vector.Vector{at.sides[0].held.columns(), at.sides[1].held.columns()}}
	if w.spec.Kind == RightJoin {
		f.main = 1
	}
	f.matched = make([]bool, at.sides[1-f.main].held.n)
	w.group = orderByGroup(at.keys, w.group)
	var err error
	for _, key := range w.group {
		if err = f.key(key, out); err != nil {
			break
		}
	}
	// What was found before a condition failed leaves too.
	if sent := f.send(out); sent != nil {
		err = sent
	}
	for s := range at.sides {
		at.sides[s].held.arena.Release()
	}
	return err
}
