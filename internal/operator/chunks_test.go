package operator

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// bounded is an Output that wants batches of a few megabytes, or one row.
type bounded struct {
	t             *testing.T
	rows, batches int
	last          watermark.Frontier
}

func (o *bounded) Emit(b *dataflow.Batch) error {
	size := 0
	for _, c := range b.Cols {
		size += len(c.Buf)
	}
	if n := b.Rows().Count(); n > emitRows || n > 1 && size > 2*emitBytes {
		o.t.Errorf("a batch of %d rows with %d bytes", n, size)
	}
	for _, m := range b.Marks {
		o.Advance(dataflow.Progress{Frontier: m.F})
	}
	o.rows, o.batches = o.rows+b.Rows().Count(), o.batches+1
	b.Release()
	return nil
}

func (o *bounded) Advance(p dataflow.Progress) error {
	if p.Frontier < o.last {
		o.t.Errorf("the frontier fell to %d", p.Frontier)
	}
	o.last = p.Frontier
	return nil
}

// longKinds are a number, a time, a window, and two long strings, of which the second is another one in each row.
var longKinds = []vector.Kind{vector.Int64, vector.Int64, vector.Int64, vector.Int64, vector.Bytes, vector.Bytes}

const longSize = 10_000

func long(pool *vector.Pool, n int, from, time int64) *dataflow.Batch {
	a := pool.Get()
	b := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: watermark.Unset}
	builders := make([]*vector.Builder, len(longKinds))
	for i, k := range longKinds {
		builders[i] = vector.NewBuilder(a, k, n)
	}
	text := bytes.Repeat([]byte("x"), longSize)
	for row := range int64(n) {
		for i, v := range []int64{from + row, time + row, 0, 10 * second} {
			builders[i].AppendInt(v)
		}
		builders[4].AppendBytes(text)
		builders[5].AppendBytes(fmt.Appendf(nil, "%d %s", from+row, text))
	}
	for _, x := range builders {
		b.Cols = append(b.Cols, x.Done())
	}
	return b
}

// TestLongRowsLeaveInManyBatches: whatever an operator holds, and however much of it leaves at once, no batch is much longer than others.
func TestLongRowsLeaveInManyBatches(t *testing.T) {
	pool := &vector.Pool{}
	spans := Attached{Start: 2, End: 3}
	last := []Aggregate{{New: aggregate("COUNT"), Filter: -1, Kind: vector.Int64}}
	first := []state.Ordering{{Column: 1, Desc: true}}
	texts := []vector.Kind{vector.Bytes, vector.Bytes}
	for name, c := range map[string]struct {
		op   dataflow.Operator
		rows int
	}{
		"first rows":          {NewTopN(TopNSpec{Partition: []int{0}, PartitionKinds: intKey, By: first, Count: 1, Kinds: longKinds, Memory: pool}), 3000},
		"numbered rows":       {NewTopN(TopNSpec{By: first, Count: 100, Numbered: true, Kinds: longKinds, Memory: pool}), 10_000 + 180_000 + 9_900 + 200},
		"first rows, windows": {NewWindowTopN(WindowTopNSpec{Windows: spans, Keys: []int{0}, KeyKinds: intKey, By: first, Count: 2, Kinds: longKinds, Tick: 1000, Memory: pool}), 2000},
		"windows":             {NewWindowAggregate(WindowAggregateSpec{Windows: &spans, Keys: []int{4, 5}, KeyKinds: texts, Aggregates: last, Tick: 1000, Memory: pool}), 1000},
		"sessions": {NewSessionAggregate(SessionAggregateSpec{Spec: window.Spec{Kind: window.Session, Gap: second}, Time: 1, Keys: []int{4, 5}, KeyKinds: texts, Aggregates: last,
			Tick: 1000, Memory: pool}), 1000},
		"over":  {NewOver(OverSpec{Time: 1, Keys: []int{0}, KeyKinds: intKey, Kinds: longKinds, Aggregates: last, Memory: pool}), 2000},
		"order": {NewSort(SortSpec{Time: 1, Kinds: longKinds, Memory: pool}), 2000},
		"keys":  {NewNormalize(NormalizeSpec{Keys: []int{0}, KeyKinds: intKey, Kinds: longKinds, Memory: pool}), 3000},
	} {
		t.Run(name, func(t *testing.T) {
			out := &bounded{t: t, last: watermark.Unset}
			for time := range int64(2) {
				if err := c.op.Process(long(pool, 1000, 0, time), out); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.op.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, out); err != nil {
				t.Fatal(err)
			}
			if out.rows != c.rows || out.batches < 3 {
				t.Errorf("%d rows in %d batches, want %d", out.rows, out.batches, c.rows)
			}
		})
	}
}

// TestLongResultsLeaveInManyBatches: results that grow with every row of a group do not leave in one batch, whichever group has them.
func TestLongResultsLeaveInManyBatches(t *testing.T) {
	pool, list := &vector.Pool{}, []Aggregate{{New: listAgg(t), Args: []int{5}, Filter: -1, Kind: vector.Bytes}}
	const n = 300
	for name, c := range map[string]struct {
		op   dataflow.Operator
		rows int
	}{
		"group": {NewGroupAggregate(GroupAggregateSpec{Keys: []int{4}, KeyKinds: []vector.Kind{vector.Bytes}, Aggregates: list, Memory: pool}), 2*n - 1},
		"over":  {NewOver(OverSpec{Time: 1, Kinds: longKinds, Aggregates: list, Memory: pool}), n},
	} {
		t.Run(name, func(t *testing.T) {
			out := &bounded{t: t, last: watermark.Unset}
			if err := c.op.Process(long(pool, n, 0, 0), out); err != nil {
				t.Fatal(err)
			}
			if err := c.op.Advance(dataflow.Progress{Frontier: watermark.Final, Active: true}, out); err != nil {
				t.Fatal(err)
			}
			if out.rows != c.rows || out.batches < n/4 {
				t.Errorf("%d rows in %d batches, want %d", out.rows, out.batches, c.rows)
			}
		})
	}
}

func listAgg(t *testing.T) func() function.Accumulator {
	f, _ := function.LookupAggregate("LISTAGG")
	o, err := f.Resolve(function.AggregateCall{Args: []types.Type{types.StringType}})
	if err != nil {
		t.Fatal(err)
	}
	return o.New
}

// TestStateIsNoBatch: rows that are held may take more than those of a batch.
func TestStateIsNoBatch(t *testing.T) {
	pool := &vector.Pool{}
	o, s := NewOver(OverSpec{Time: 1, Kinds: longKinds, Memory: pool, Aggregates: countOnly()}), NewSort(SortSpec{Time: 1, Kinds: longKinds, Memory: pool})
	for _, held := range []struct {
		op    dataflow.Operator
		arena *vector.Arena
	}{{o, o.held.arena}, {s, s.arena}} {
		held.arena.Charge(vector.MaxBatch)
		if err := held.op.Process(long(pool, 1, 0, 0), discard{}); err != nil {
			t.Error(err)
		}
	}
}

// TestLookingAtStateTakesNothing: an operator that holds rows for long and looks at them often does not grow by that.
func TestLookingAtStateTakesNothing(t *testing.T) {
	pool := &vector.Pool{}
	o, s := NewOver(OverSpec{Time: 1, Kinds: longKinds, Memory: pool, Aggregates: countOnly()}), NewSort(SortSpec{Time: 1, Kinds: longKinds, Memory: pool})
	for name, look := range map[string]func(){"over": func() { o.held.columns() }, "order": func() { s.columns() }} {
		if n := testing.AllocsPerRun(1000, look); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
