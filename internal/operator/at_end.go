package operator

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// AtEndSpec describes an AtEnd.
type AtEndSpec struct {
	// By is the order in which rows leave; rows that it does not tell apart leave as they came first.
	By     []state.Ordering
	Kinds  []vector.Kind // of the columns
	Memory *vector.Pool
}

// AtEnd lets the rows go that are there at the end of the input, as insertions.
type AtEnd struct {
	spec   AtEndSpec
	rows   state.Keys
	times  []int64 // how often each row is there
	live   int     // rows that are there
	counts dataflow.Counts
	chunks chunks
	ids    []uint32
}

// NewAtEnd makes the operator.
func NewAtEnd(spec AtEndSpec) *AtEnd { return &AtEnd{spec: spec, rows: state.NewKeys(spec.Kinds)} }

// Counts implements dataflow.Counted.
func (e *AtEnd) Counts() *dataflow.Counts { return &e.counts }

// Process implements dataflow.Operator.
func (e *AtEnd) Process(b *dataflow.Batch, out dataflow.Output) error {
	rows := b.Rows()
	n := rows.Count()
	e.counts.In.Add(int64(n))
	e.counts.Absorbed.Add(int64(n))
	e.ids = extended(e.ids[:0], n)
	e.rows.Find(&state.Input{Cols: b.Cols, Rows: rows, Hashes: b.Hashes}, e.ids)
	e.times = extended(e.times, e.rows.Len())
	for k, id := range e.ids {
		switch times := &e.times[id]; {
		case takesBack(b.Ops, int32(rows.At(k))):
			if *times--; *times == 0 {
				e.live--
			}
		default:
			if *times++; *times == 1 {
				e.live++
			}
		}
	}
	err := b.Segments(func(int, int) error { return nil }, onward(out))
	b.Release()
	e.compact()
	return err
}

// Advance implements dataflow.Operator.
func (e *AtEnd) Advance(p dataflow.Progress, out dataflow.Output) error {
	if p.Frontier == watermark.Final && e.live > 0 {
		if err := e.emit(out); err != nil {
			return err
		}
	}
	return out.Advance(p)
}

// emit sends everything and forgets it: a job that goes on behind the end, since it has other inputs, comes to it anew after each restart.
func (e *AtEnd) emit(out dataflow.Output) error {
	leaving, rows := e.order(), e.rows
	e.rows, e.times, e.live = state.NewKeys(e.spec.Kinds), nil, 0
	return e.chunks.each(e.spec.Memory, len(leaving), func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a}, Released: watermark.Unset}
		b.Cols = rows.Columns(a, leaving[lo:hi], nil)
		return b
	}, func(b *dataflow.Batch) error {
		e.counts.Out.Add(int64(b.N))
		return out.Emit(b)
	})
}

// order lists the rows that are there, each as often as it is.
func (e *AtEnd) order() []uint32 {
	list := make([]uint32, 0, e.live)
	for id := range uint32(e.rows.Len()) {
		for range e.times[id] {
			list = append(list, id)
		}
	}
	if len(e.spec.By) == 0 {
		return list
	}
	places := make([][]byte, e.rows.Len())
	for lo := 0; lo < len(list); lo += emitRows {
		part := list[lo:min(lo+emitRows, len(list))]
		a := e.spec.Memory.Get()
		a.Unbounded(func() {
			cols := e.rows.Columns(a, part, nil)
			for k, id := range part {
				places[id] = state.AppendOrder(places[id][:0], cols, e.spec.By, k)
			}
		})
		a.Release()
	}
	slices.SortStableFunc(list, func(a, b uint32) int { return bytes.Compare(places[a], places[b]) })
	return list
}

// compact forgets the rows that are not there.
func (e *AtEnd) compact() {
	if !state.Crowded(e.rows.Len(), e.rows.Len()-e.live) {
		return
	}
	rows, old := state.Compact(e.rows, func(id uint32) bool { return e.times[id] != 0 })
	times := make([]int64, 0, rows.Len())
	for _, was := range old {
		times = append(times, e.times[was])
	}
	e.rows, e.times = rows, times
}
