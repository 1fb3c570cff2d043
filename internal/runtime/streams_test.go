package runtime

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
)

// A stream that comes from several places has the rows of all of them, and is as far as the last.
func TestStreamOfSeveralParts(t *testing.T) {
	s := &Stream{Name: "s"}
	stats := Stats{Operators: []OperatorStats{
		{Stream: s, Totals: dataflow.Totals{Out: 7}, Before: dataflow.Totals{Out: 2}, Output: Standing{Frontier: 30, Active: true}},
		{Totals: dataflow.Totals{Out: 100}},
		{Stream: s, Totals: dataflow.Totals{Out: 4}, Output: Standing{Frontier: 20, Active: true}},
	}}
	all := stats.Streams()
	if len(all) != 1 || all[0].Rows != 9 || all[0].Frontier != 20 {
		t.Errorf("got %+v", all)
	}
}
