package compile_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Each row of a stream with a name goes by one operator that counts it, however many inputs the stream has and however many read it: what runs again for another reader counts nothing.
func TestStreamsAreCountedOnce(t *testing.T) {
	cols := []plan.Column{{Name: "x", Type: types.BigIntType}}
	values := func() plan.Node { return &plan.Values{Cols: cols} }
	for _, c := range []struct {
		name   string
		stream plan.Node
		counts int
	}{
		{"of one input", values(), 1},
		{"of two inputs", &plan.Union{Cols: cols, Inputs: []plan.Node{values(), values()}}, 2},
		{"behind one task", &plan.Limit{Input: values(), Count: 3}, 1},
	} {
		for readers := 1; readers <= 3; readers++ {
			t.Run(fmt.Sprintf("%s, readers %d", c.name, readers), func(t *testing.T) {
				shared := &plan.Shared{Name: "s", Input: &plan.Named{Name: "s", Input: c.stream}}
				var outputs []compile.Output
				for range readers {
					outputs = append(outputs, compile.Output{Root: shared, Sink: nothing{}})
				}
				g, err := compile.Graph(outputs, compile.Options{Parallelism: 4, Zone: time.UTC})
				if err != nil {
					t.Fatal(err)
				}
				var all []runtime.OperatorSpec
				for _, s := range g.Sources {
					for _, b := range s.Branches {
						all = append(all, b.Chain...)
					}
				}
				for _, f := range g.Fragments {
					all = append(all, f.Chain...)
				}
				all = slices.DeleteFunc(all, func(o runtime.OperatorSpec) bool { return o.Stream == nil })
				if len(all) != c.counts {
					t.Errorf("%d operators count it, want %d", len(all), c.counts)
				}
			})
		}
	}
}
