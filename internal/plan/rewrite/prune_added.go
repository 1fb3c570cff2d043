package rewrite

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowWatermark drops columns of the input.
func narrowWatermark(n *plan.CurrentWatermark, need []int) (plan.Node, columns) {
	added := len(n.Cols) - 1
	passed := []int{n.Time}
	for _, i := range need {
		if i != added {
			passed = append(passed, i)
		}
	}
	in, m := narrow(n.Input, union(passed))
	w := &plan.CurrentWatermark{Input: in, Time: m[n.Time], Cols: slices.Clone(in.Columns())}
	out := columns{added: len(w.Cols)}
	for old, new := range m {
		out[old] = new
		w.Cols[new] = n.Cols[old]
	}
	w.Cols = append(w.Cols, n.Cols[added])
	return w, out
}

// narrowLateness drops columns of the input; those that are added stay, since they are made together.
func narrowLateness(n *plan.Lateness, need []int) (plan.Node, columns) {
	width := len(n.Input.Cols)
	var passed []int
	for _, i := range need {
		if i < width {
			passed = append(passed, i)
		}
	}
	in, m := narrow(n.Input, passed)
	l := plan.NewLateness(in.(*plan.Scan))
	for i := width; i < len(n.Cols); i++ {
		m[i] = len(l.Input.Cols) + i - width
	}
	return l, m
}

// narrowUnnest drops columns of the input; those of the element stay, since they are read together.
func narrowUnnest(n *plan.Unnest, need []int) (plan.Node, columns) {
	width := len(n.Input.Columns())
	var passed []int
	for _, i := range need {
		if i < width {
			passed = append(passed, i)
		}
	}
	in, m := narrow(n.Input, union(passed, expr.Columns(n.Collection)))
	u := *n
	u.Input, u.Collection = in, m.expr(n.Collection)
	u.Cols = make([]plan.Column, len(in.Columns()))
	copy(u.Cols, in.Columns())
	out := columns{}
	for old, new := range m {
		out[old] = new
		u.Cols[new] = n.Cols[old]
	}
	for i := width; i < len(n.Cols); i++ {
		out[i] = len(u.Cols)
		u.Cols = append(u.Cols, n.Cols[i])
	}
	return &u, out
}
