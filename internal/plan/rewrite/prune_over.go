package rewrite

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowOver drops calls that nobody reads, but not the last one.
func narrowOver(n *plan.Over, need []int) (plan.Node, columns) {
	width := len(n.Input.Columns())
	o := &plan.Over{Frame: n.Frame, TTL: n.TTL}
	var read, kept []int
	for _, i := range need {
		if i < width {
			read = append(read, i)
		} else {
			kept = append(kept, i)
		}
	}
	if len(kept) == 0 {
		kept = []int{width + len(n.Calls) - 1}
	}
	for _, i := range kept {
		read = append(read, n.Calls[i-width].Reads()...)
	}
	in, m := narrowKept(n.Input, union(read, n.Keys, ordering(n.By)))
	o.Input, o.Keys, o.By = in, m.list(n.Keys), m.keys(n.By)
	o.Cols = slices.Clone(in.Columns())
	for _, i := range kept {
		o.Calls = append(o.Calls, n.Calls[i-width].Moved(m.at))
	}
	for _, i := range kept {
		m[i] = len(o.Cols)
		o.Cols = append(o.Cols, n.Cols[i])
	}
	return o, m
}
