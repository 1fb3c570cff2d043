package stdio

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestMetadata: what a message tells beside its row stands wherever the table has it.
func TestMetadata(t *testing.T) {
	table := connector.Table{
		Schema:   types.Schema{{Name: "ts", Type: types.TimestampLTZType}, {Name: "id", Type: types.BigIntType}, {Name: "of", Type: types.StringType}, {Name: "n", Type: types.BigIntType}},
		Metadata: []string{"value.ingestion-timestamp", "", "value.table", ""},
	}
	for _, c := range []struct {
		needed []int
		want   []string
	}{
		{[]int{0, 1, 2, 3}, []string{"1000000 1 a 5"}},
		{[]int{3, 0}, []string{"5 1000000"}},
		{[]int{2}, []string{"a"}},
		{[]int{1}, []string{"1"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			table.Needed, table.Stdin = c.needed, connector.NewInput(strings.NewReader(`{"type":"insert","table":"a","ts":1,"data":{"id":1,"n":5}}`+"\n"))
			s, err := Stdin.NewSource(table, connector.Options{"format": "maxwell-json"})
			if err != nil {
				t.Fatal(err)
			}
			splits, err := s.Open()
			if err != nil {
				t.Fatal(err)
			}
			chunk, _, err := splits[0].Poll(0)
			for ; chunk == nil && err == nil; chunk, _, err = splits[0].Poll(0) {
				synctest.Wait()
			}
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.NewDecoder()
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			_, err = d.Decode(chunk, &vector.Pool{}, 10, func(b *vector.Batch) error {
				var cells []string
				for _, v := range b.Cols {
					if v.Kind == vector.Int64 {
						cells = append(cells, fmt.Sprint(v.Int(0)))
					} else {
						cells = append(cells, string(v.Bytes(0)))
					}
				}
				rows = append(rows, strings.Join(cells, " "))
				b.Release()
				return nil
			})
			if err != nil || !slices.Equal(rows, c.want) {
				t.Errorf("columns %v: %q, %v", c.needed, rows, err)
			}
			if err := splits[0].Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
