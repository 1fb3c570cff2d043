package dataflow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// walked is the rows of b, with all that goes with them, and the frontiers among them.
func walked(t *testing.T, b *Batch) string {
	t.Helper()
	var got []string
	err := b.Segments(func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			i := b.Rows().At(k)
			row := fmt.Sprint(b.Cols[0].Int(i), " ", string(b.Cols[1].Bytes(i)), " ", b.Cols[2].Int(i), " ", b.Cols[2].IsNull(i))
			if b.Ops != nil {
				row += fmt.Sprint(" ", b.Ops[i], " ", b.Order[i].Row, " ", b.Hashes[i])
			}
			got = append(got, row)
		}
		return nil
	}, func(f watermark.Frontier) error { got = append(got, fmt.Sprintf("^%d", f)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(got, ", ")
}

// Two parts are what the batch was: rows and what goes with them, and each mark between the same rows.
func TestPart(t *testing.T) {
	mark := func(row int32, f watermark.Frontier) watermark.Mark { return watermark.Mark{Row: row, F: f} }
	for _, whole := range []bool{true, false} {
		for _, sel := range [][]int32{nil, {1, 4, 5, 8}, {0, 8}} {
			for _, marks := range [][]watermark.Mark{nil, {mark(0, 1), mark(1, 2), mark(4, 3), mark(5, 4), mark(5, 5), mark(9, 6)}, {mark(3, 1)}, {mark(9, 1), mark(9, 2)}} {
				pool := &vector.Pool{}
				a := pool.Get()
				b := &Batch{Batch: vector.Batch{N: 9, Sel: sel, Arena: a}, Marks: marks, Released: 7, Rank: [2]int64{3, 4}, Input: 2}
				ids, names := vector.NewBuilder(a, vector.Int64, 9), vector.NewBuilder(a, vector.Bytes, 9)
				for i := range 9 {
					ids.AppendInt(int64(10 + i))
					names.AppendBytes(fmt.Append(nil, "n", i))
					if whole {
						b.Ops, b.Order, b.Hashes = append(b.Ops, vector.Op(i%4)), append(b.Order, Order{Row: uint64(i)}), append(b.Hashes, uint64(100+i))
					}
				}
				b.Cols = []*vector.Vector{ids.Done(), names.Done(), a.NullConstant(vector.Int64)}
				for at := 1; at < b.Rows().Count(); at++ {
					first, second := b.Part(0, at), b.Part(at, b.Rows().Count())
					if first.Released != 7 || second.Rank != b.Rank || second.Input != 2 || first.Arena == a || first.Rows().Count() != at {
						t.Errorf("%+v", first)
					}
					got := strings.Trim(walked(t, first)+", "+walked(t, second), ", ")
					if want := walked(t, b); got != want {
						t.Errorf("selected %v, marks %v, cut at %d:\n got %s\nwant %s", sel, marks, at, got, want)
					}
				}
			}
		}
	}
}
