package plan

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// WindowPair is the window that the two rows of a window join share.
type WindowPair struct {
	Windows *Windowing // of both sides
	// Start and End are the columns of the left and the right side that hold it.
	Start, End [2]int
}

// mark makes windows again of the columns of a side whose rows are never missing, where they were in the columns of that side.
func (w *WindowPair) mark(cols, side []Column) {
	for i, c := range side {
		if c.Edge != NoEdge && c.Window != nil && c.Window.same(w.Windows) {
			cols[i].Rowtime, cols[i].Edge, cols[i].Window = c.Rowtime, c.Edge, c.Window
		}
	}
}

// same reports whether w and x make windows of one kind, with the same lengths.
func (w *Windowing) same(x *Windowing) bool {
	return w == x || w.Spec == x.Spec && w.Time.Kind == x.Time.Kind && (w.Zone == x.Zone || w.Zone != nil && x.Zone != nil && w.Zone.String() == x.Zone.String())
}

// windowsOf finds among conditions those that both the start and the end of windows of the sides are equal, and returns the windows and the other conditions. Flink 2.3: both sides must have
// windows of the same kind and lengths, and only append; otherwise it is an ordinary join.
func windowsOf(left, right Node, conditions []expr.Expr) (*WindowPair, []expr.Expr) {
	if Updates(left) || Updates(right) {
		return nil, conditions
	}
	l, r := left.Columns(), right.Columns()
	// edges are the conditions that say that an edge is equal.
	edges := func(edge Edge) (found [][3]int) {
		for i, c := range conditions {
			a, b, ok := Equated(c, len(l))
			if !ok {
				continue
			}
			x, okX := a.(*expr.Column)
			y, okY := b.(*expr.Column)
			if okX && okY && l[x.Index].Edge == edge && r[y.Index].Edge == edge && l[x.Index].Window.same(r[y.Index].Window) {
				found = append(found, [3]int{i, x.Index, y.Index})
			}
		}
		return found
	}
	for _, start := range edges(StartEdge) {
		for _, end := range edges(EndEdge) {
			if l[start[1]].Window != l[end[1]].Window || r[start[2]].Window != r[end[2]].Window {
				continue
			}
			var rest []expr.Expr
			for i, c := range conditions {
				if !slices.Contains([]int{start[0], end[0]}, i) {
					rest = append(rest, c)
				}
			}
			return &WindowPair{Windows: l[start[1]].Window, Start: [2]int{start[1], start[2]}, End: [2]int{end[1], end[2]}}, rest
		}
	}
	return nil, conditions
}
