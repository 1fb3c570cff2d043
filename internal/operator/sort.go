package operator

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// SortSpec describes a Sort.
type SortSpec struct {
	Time int // column of event time
	// By is the order of rows of one time.
	By    []state.Ordering
	Kinds []vector.Kind // of the columns
	// Grain is the frontiers that somebody behind the sort looks at.
	Grain  dataflow.Grain
	Memory *vector.Pool
}

// Sort holds rows until the frontier has passed them, and lets them go in the order of their times. Flink 2.3: rows that the order does not tell apart keep the order in
// which they came; a late row is dropped only if a row of its time or of a later one has left, otherwise it leaves when the frontier rises next.
type Sort struct {
	spec     SortSpec
	held     []*vector.Builder // by column
	cols     []*vector.Vector  // held as they are seen
	arena    *vector.Arena     // of held
	n        int               // rows in held, gone ones too
	waiting  []waits           // a heap
	frontier watermark.Frontier
	told     watermark.Frontier // to whoever is behind
	left     int64              // time of the last row that left
	counts   dataflow.Counts

	leaving []int32 // rows of held, on their way out
	marks   []watermark.Mark
	chunks  chunks
}

// waits is a row that is held; its number says when it came.
type waits struct {
	time int64
	row  int32
}

func leavesBefore(a, b waits) bool { return a.time < b.time || a.time == b.time && a.row < b.row }

// NewSort makes the operator.
func NewSort(spec SortSpec) *Sort {
	s := &Sort{spec: spec, frontier: watermark.Unset, told: watermark.Unset, left: watermark.NoTime}
	s.hold(64)
	return s
}

// hold makes room for rows in new memory.
func (s *Sort) hold(rows int) {
	s.arena, s.n = s.spec.Memory.Get(), 0
	s.arena.ForState()
	s.held, s.cols = s.held[:0], nil
	for _, k := range s.spec.Kinds {
		s.held, s.cols = append(s.held, vector.NewBuilder(s.arena, k, rows)), append(s.cols, &vector.Vector{})
	}
}

// Counts implements dataflow.Counted.
func (s *Sort) Counts() *dataflow.Counts { return &s.counts }

// Process implements dataflow.Operator.
func (s *Sort) Process(b *dataflow.Batch, out dataflow.Output) error {
	s.counts.In.Add(int64(b.Rows().Count()))
	err := b.Segments(
		func(lo, hi int) error { return s.absorb(b, lo, hi) },
		func(f watermark.Frontier) error {
			s.rise(f)
			if len(s.leaving) >= emitRows {
				return s.emit(out, true)
			}
			return nil
		})
	b.Release()
	if first := s.emit(out, true); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	s.compact()
	return out.Advance(dataflow.Progress{Frontier: s.frontier, Active: true})
}

// Advance implements dataflow.Operator.
func (s *Sort) Advance(p dataflow.Progress, out dataflow.Output) error {
	s.rise(p.Frontier)
	if err := s.emit(out, p.Active); err != nil {
		return err
	}
	s.compact()
	return out.Advance(dataflow.Progress{Frontier: s.frontier, Active: p.Active})
}

// absorb holds the rows lo..hi-1 of b's selection.
func (s *Sort) absorb(b *dataflow.Batch, lo, hi int) error {
	rows, time := b.Rows(), b.Cols[s.spec.Time]
	absorbed := int64(0)
	for k := lo; k < hi; k++ {
		row := rows.At(k)
		if time.IsNull(row) {
			return errNoTimeToSort
		}
		t := time.Int(row)
		if s.left != watermark.NoTime && t <= s.left {
			s.counts.Drop(dataflow.Dropped{Time: t, Deadline: s.left, Frontier: s.frontier})
			continue
		}
		for i, c := range s.held {
			c.AppendFrom(b.Cols[i], row)
		}
		s.waiting = heap.Push(s.waiting, waits{t, int32(s.n)}, leavesBefore)
		s.n++
		absorbed++
	}
	s.counts.Absorbed.Add(absorbed)
	return nil
}

// errNoTimeToSort is what a row without a time gets where rows are ordered by it.
var errNoTimeToSort = fault.Errorf(fault.Data, "a row has no event time (NULL), so it has no place in ORDER BY; filter it away with WHERE … IS NOT NULL, or drop such rows at the source with "+
	"SET 'table.exec.source.rowtime-null-handling' = 'DROP'")

// rise lets the rows go that f has passed.
func (s *Sort) rise(f watermark.Frontier) {
	if f <= s.frontier {
		return
	}
	s.frontier = f
	for len(s.waiting) > 0 && f.Late(s.waiting[0].time) {
		s.left = s.waiting[0].time
		from := len(s.leaving)
		for len(s.waiting) > 0 && s.waiting[0].time == s.left {
			var w waits
			w, s.waiting = heap.Pop(s.waiting, leavesBefore)
			s.leaving = append(s.leaving, w.row)
		}
		s.order(s.leaving[from:])
	}
	if s.spec.Grain.Crosses(s.told, f) {
		s.told = f
		s.marks = append(s.marks, watermark.Mark{Row: int32(len(s.leaving)), F: f})
	}
}

// order puts rows of one time in order.
func (s *Sort) order(rows []int32) {
	if len(rows) < 2 || len(s.spec.By) == 0 {
		return
	}
	type placed struct {
		order []byte
		row   int32
	}
	cols := s.columns()
	places := make([]placed, len(rows))
	for i, row := range rows {
		places[i] = placed{state.AppendOrder(nil, cols, s.spec.By, int(row)), row}
	}
	slices.SortStableFunc(places, func(a, b placed) int { return bytes.Compare(a.order, b.order) })
	for i, p := range places {
		rows[i] = p.row
	}
}

func (s *Sort) columns() []*vector.Vector {
	for i, c := range s.held {
		c.Look(s.cols[i])
	}
	return s.cols
}

// emit sends the rows that leave, with the frontiers among them.
func (s *Sort) emit(out dataflow.Output, active bool) error {
	if len(s.leaving) == 0 {
		for _, m := range s.marks {
			if err := out.Advance(dataflow.Progress{Frontier: m.F, Active: active}); err != nil {
				return err
			}
		}
		s.marks = s.marks[:0]
		return nil
	}
	cols, n := s.columns(), len(s.leaving)
	err := s.chunks.each(s.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a, Cols: a.Columns(len(cols))}, Released: watermark.Unset}
		for i, c := range cols {
			b.Cols[i] = c.Take(a, s.leaving[lo:hi])
		}
		for _, m := range s.marks {
			// A frontier between two batches is in front of the later one, where it is with any other division.
			if at := int(m.Row); lo <= at && at < hi || at == n && hi == n {
				b.Marks = append(b.Marks, watermark.Mark{Row: m.Row - int32(lo), F: m.F})
			}
		}
		return b
	}, out.Emit)
	s.counts.Out.Add(int64(n))
	s.leaving, s.marks = s.leaving[:0], s.marks[:0]
	return err
}

// compact forgets the rows that have left, when they are most of those that are held.
func (s *Sort) compact() {
	if s.n < 2*emitRows || 2*len(s.waiting) > s.n {
		return
	}
	old, cols := s.arena, s.columns()
	rows := make([]int32, len(s.waiting))
	for i := range s.waiting {
		rows[i] = s.waiting[i].row
	}
	slices.Sort(rows)
	s.hold(max(2*len(rows), 64))
	number := make(map[int32]int32, len(rows))
	for i, row := range rows {
		number[row] = int32(i)
		for k, c := range s.held {
			c.AppendFrom(cols[k], int(row))
		}
	}
	s.n = len(rows)
	for i := range s.waiting {
		s.waiting[i].row = number[s.waiting[i].row] // in the same order, so that the heap stays one
	}
	old.Release()
}
