package plan

import "github.com/tidemark-sql/tidemark/internal/expr"

// Unsteady is an expression whose value for a row is another one when the row is taken back, where that would go unnoticed: it chooses rows, or an operator looks rows up by
// it. It is nil if there is none. Values that only leave the statement may differ, as in Flink 2.3, which lets all of them pass unless it is told to look.
func Unsteady(root Node) expr.Expr {
	return unsteady(root, make([]bool, len(root.Columns())))
}

// unsteady looks at n, of whose columns some are watched: they must be the same when a row is taken back.
func unsteady(n Node, watched []bool) expr.Expr {
	switch n := n.(type) {
	case *Filter:
		if Updates(n.Input) && !expr.Steady(n.Condition) {
			return n.Condition
		}
		return unsteady(n.Input, watching(n.Input, watched, n.Condition))
	case *Project:
		var read []expr.Expr
		for i, e := range n.Exprs {
			if !watched[i] {
				continue
			}
			if Updates(n.Input) && !expr.Steady(e) {
				return e
			}
			read = append(read, e)
		}
		return unsteady(n.Input, watching(n.Input, nil, read...))
	case *Named:
		return unsteady(n.Input, watched)
	case *Unnest:
		if Updates(n.Input) && !expr.Steady(n.Collection) {
			return n.Collection
		}
		return unsteady(n.Input, watching(n.Input, watched[:len(n.Input.Columns())], n.Collection))
	case *CurrentWatermark:
		last := len(n.Cols) - 1
		if watched[last] && Updates(n.Input) {
			return expr.NewColumn(last, "CURRENT_WATERMARK", n.Cols[last].Type)
		}
		return unsteady(n.Input, watched[:last])
	case *Join:
		if n.Condition != nil && !expr.Steady(n.Condition) && (Updates(n.Left) || Updates(n.Right)) {
			return n.Condition
		}
	case *TemporalJoin:
		if n.Condition != nil && !expr.Steady(n.Condition) && Updates(n.Left) {
			return n.Condition
		}
	case *Shared:
		return unsteady(n.Input, watched)
	case *Union:
		for _, c := range n.Inputs {
			if e := unsteady(c, watched); e != nil {
				return e
			}
		}
		return nil
	}
	for _, c := range n.Children() {
		all := make([]bool, len(c.Columns()))
		for i := range all {
			all[i] = true
		}
		if e := unsteady(c, all); e != nil {
			return e
		}
	}
	return nil
}

// watching are the columns of n that are watched, and those that expressions read.
func watching(n Node, watched []bool, read ...expr.Expr) []bool {
	w := make([]bool, len(n.Columns()))
	copy(w, watched)
	for _, e := range read {
		for _, c := range expr.Columns(e) {
			w[c] = true
		}
	}
	return w
}
