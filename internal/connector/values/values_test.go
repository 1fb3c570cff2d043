package values

import (
	"io"
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// read decodes everything that a split has left and lists the batches' values.
func read(t *testing.T, s *Source, offset int64, maxRows int) (batches [][]int64) {
	t.Helper()
	splits, err := s.Open()
	if err != nil || len(splits) != 1 {
		t.Fatal(splits, err)
	}
	if err := splits[0].Resume(offset); err != nil {
		t.Fatal(err)
	}
	d, err := s.NewDecoder()
	if err != nil {
		t.Fatal(err)
	}
	for {
		c, _, err := splits[0].Poll(0)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Decode(c, &vector.Pool{}, maxRows, func(b *vector.Batch) error {
			var values []int64
			for i := range b.N {
				values = append(values, b.Cols[0].Int(i))
			}
			batches = append(batches, values)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if at := splits[0].Offset(); at != int64(s.N) {
		t.Errorf("the split is at %d behind the last of %d rows", at, s.N)
	}
	return batches
}

func TestValues(t *testing.T) {
	col := vector.Vector{Kind: vector.Int64, Ints: []int64{1, 2, 3, 4, 5}}
	s := &Source{Columns: []*vector.Vector{&col}, N: 5}
	if !s.Bounded() {
		t.Error("unbounded")
	}
	for _, c := range []struct {
		offset  int64
		maxRows int
		want    [][]int64
	}{
		{0, 8192, [][]int64{{1, 2, 3, 4, 5}}},
		{0, 2, [][]int64{{1, 2}, {3, 4}, {5}}},
		{5, 8192, nil}, // a statement that was restored has its rows behind it
	} {
		if got := read(t, s, c.offset, c.maxRows); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("from %d, %d rows a batch: %v, want %v", c.offset, c.maxRows, got, c.want)
		}
	}
	// A VALUES of nothing has no rows.
	if got := read(t, &Source{}, 0, 8192); got != nil {
		t.Errorf("no rows: %v", got)
	}
}
