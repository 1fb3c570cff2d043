package dataflow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// A batch is walked as stretches of selected rows and the frontiers between them, in stream order.
func TestSegments(t *testing.T) {
	mark := func(row int32, f watermark.Frontier) watermark.Mark { return watermark.Mark{Row: row, F: f} }
	for _, c := range []struct {
		n     int
		sel   []int32
		marks []watermark.Mark
		want  string
	}{
		{3, nil, nil, "0-3"},
		{3, nil, []watermark.Mark{mark(1, 10), mark(3, 20)}, "0-1 ^10 1-3 ^20"},
		{3, nil, []watermark.Mark{mark(0, 10), mark(2, 20), mark(2, 30)}, "^10 0-2 ^20 ^30 2-3"},
		{9, []int32{1, 4, 5, 8}, []watermark.Mark{mark(1, 10), mark(2, 20), mark(5, 30), mark(9, 40)}, "^10 0-1 ^20 1-2 ^30 2-4 ^40"},
		{9, []int32{8}, []watermark.Mark{mark(3, 10), mark(4, 20)}, "^10 ^20 0-1"},
		{9, []int32{}, []watermark.Mark{mark(3, 10)}, "^10"},
	} {
		b := &Batch{Batch: vector.Batch{N: c.n, Sel: c.sel}, Marks: c.marks}
		var got []string
		err := b.Segments(
			func(lo, hi int) error { got = append(got, fmt.Sprintf("%d-%d", lo, hi)); return nil },
			func(f watermark.Frontier) error { got = append(got, fmt.Sprintf("^%d", f)); return nil })
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%d rows, selected %v, marks %v: %v %v, want %s", c.n, c.sel, c.marks, got, err, c.want)
		}
	}
}

// Only frontiers that cross a line are kept, the first of those that cross the same one.
func TestKeep(t *testing.T) {
	at := func(frontiers ...watermark.Frontier) (marks []watermark.Mark) {
		for i, f := range frontiers {
			marks = append(marks, watermark.Mark{Row: int32(i), F: f})
		}
		return marks
	}
	tens, fifteens := Grain{Grids: []Grid{{Width: 10}}}, Grain{Grids: []Grid{{Width: 15, Offset: 2}}}
	for _, c := range []struct {
		grain Grain
		since watermark.Frontier
		marks []watermark.Mark
		want  []watermark.Frontier
	}{
		{Grain{Every: true}, 0, at(1, 2, 3), []watermark.Frontier{1, 2, 3}},
		{Grain{}, 0, at(1, 2, watermark.Final), nil},
		{tens, 0, at(1, 9, 10, 11, 19, 35, 39), []watermark.Frontier{10, 35}},
		{tens, 10, at(11, 20), []watermark.Frontier{20}},
		{tens, -15, at(-11, -10, -1, 0), []watermark.Frontier{-10, 0}},
		{tens, watermark.Unset, at(3, 4), []watermark.Frontier{3}},
		{tens, 3, at(4, watermark.Final), []watermark.Frontier{watermark.Final}},
		{tens.And(fifteens), 0, at(1, 2, 9, 10, 16, 17, 20), []watermark.Frontier{2, 10, 17, 20}},
		{tens.And(Grain{Every: true}), 0, at(1, 2), []watermark.Frontier{1, 2}},
		{tens.And(Grain{}), 0, at(1, 10), []watermark.Frontier{10}},
	} {
		var got []watermark.Frontier
		for _, m := range c.grain.Keep(c.marks, c.since) {
			got = append(got, m.F)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v from %d: %v, want %v", c.grain, c.since, got, c.want)
		}
	}
}

// What CheckBatch is there to catch.
func TestCheckBatch(t *testing.T) {
	ints := func(n int) []*vector.Vector { return []*vector.Vector{{Kind: vector.Int64, Ints: make([]int64, n)}} }
	for name, b := range map[string]*Batch{
		"no rows":               {Batch: vector.Batch{Cols: ints(0)}},
		"nothing selected":      {Batch: vector.Batch{N: 2, Sel: []int32{}, Cols: ints(2)}},
		"selection falls":       {Batch: vector.Batch{N: 2, Sel: []int32{1, 0}, Cols: ints(2)}},
		"selection beyond rows": {Batch: vector.Batch{N: 2, Sel: []int32{2}, Cols: ints(2)}},
		"short column":          {Batch: vector.Batch{N: 3, Cols: ints(2)}},
		"mark beyond rows":      {Batch: vector.Batch{N: 2, Cols: ints(2)}, Marks: []watermark.Mark{{Row: 3, F: 10}}},
		"marks out of order":    {Batch: vector.Batch{N: 2, Cols: ints(2)}, Marks: []watermark.Mark{{Row: 2, F: 10}, {Row: 1, F: 11}}},
		"frontier stays":        {Batch: vector.Batch{N: 2, Cols: ints(2)}, Marks: []watermark.Mark{{Row: 1, F: 10}, {Row: 2, F: 10}}},
		"frontier falls":        {Batch: vector.Batch{N: 2, Cols: ints(2)}, Marks: []watermark.Mark{{Row: 1, F: 4}}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("not noticed")
				}
			}()
			CheckBatch(b, 5)
		})
	}
	CheckBatch(&Batch{Batch: vector.Batch{N: 2, Cols: ints(2)}, Marks: []watermark.Mark{{Row: 0, F: 6}, {Row: 2, F: 7}}}, 5)
}
