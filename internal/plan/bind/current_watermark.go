package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

const currentWatermark = "CURRENT_WATERMARK"

// withWatermark puts the column that CURRENT_WATERMARK reads behind the input of q, if it is called there. The column has no name, so that nobody else reads it.
func (b *Binder) withWatermark(q *sql.Select, input plan.Node, s *scope) (plan.Node, *scope, error) {
	call := watermarkCall(q)
	if call == nil {
		return input, s, nil
	}
	if len(call.Args) != 1 {
		return nil, nil, b.errorf(source.CodeType, call.Span(), "call it as CURRENT_WATERMARK(rowtime)", "%s takes one argument", currentWatermark)
	}
	arg, err := b.expr(call.Args[0], s)
	if err != nil {
		return nil, nil, err
	}
	c, ok := arg.(*expr.Column)
	if !ok || !s.columns[c.Index].Rowtime {
		return nil, nil, b.errorf(source.CodeTime, call.Args[0].Span(), "name the column that WATERMARK FOR declares", "%s takes a time attribute", currentWatermark)
	}
	if !passesRows(input) {
		return nil, nil, b.unsupported(call.Span(), "call it in a query that reads the table, and pass the result on as a column", "%s behind an aggregation or a join is", currentWatermark)
	}
	n := &plan.CurrentWatermark{Input: input, Time: c.Index, Cols: append(slices.Clone(input.Columns()), plan.Column{Type: c.Type().Nullable()})}
	with := *s
	with.columns, with.tables, with.watermark = n.Cols, append(slices.Clone(s.tables), ""), len(n.Cols)-1
	return n, &with, nil
}

// passesRows reports whether the rows of n are those of tables as they were read. Behind operators of several tasks there is no one watermark at a row.
func passesRows(n plan.Node) bool {
	switch n.(type) {
	case *plan.Scan, *plan.Values, *plan.Filter, *plan.Project, *plan.Named, *plan.WindowAssign, *plan.Unnest, *plan.CurrentWatermark, *plan.Union, *plan.Shared:
		return !slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return !passesRows(c) })
	}
	return false
}

// watermarkCall finds a call of CURRENT_WATERMARK in a query, not in those within it.
func watermarkCall(q *sql.Select) (found *sql.Call) {
	visit := func(e sql.Expr) bool {
		if c, ok := e.(*sql.Call); ok && found == nil && upperASCII(c.Function.Last().Name) == currentWatermark {
			found = c
		}
		return found == nil
	}
	for _, item := range q.Items {
		sql.Walk(item.Expr, visit)
	}
	if q.Where != nil {
		sql.Walk(q.Where, visit)
	}
	for _, item := range q.GroupBy {
		if keys, ok := item.(*sql.GroupKeys); ok {
			for _, k := range keys.Keys {
				sql.Walk(k, visit)
			}
		}
	}
	return found
}

// watermarkColumn binds a call of CURRENT_WATERMARK to the column that withWatermark has put there.
func (b *Binder) watermarkColumn(e *sql.Call, s *scope) (expr.Expr, error) {
	if s.watermark == 0 {
		return nil, b.unsupported(e.Span(), "call it in SELECT or WHERE of a query that reads the table", "%s in %s is", currentWatermark, s.where)
	}
	for _, arg := range e.Args {
		bound, err := b.expr(arg, s)
		if err != nil {
			return nil, err
		}
		if c, ok := bound.(*expr.Column); !ok || !s.columns[c.Index].Rowtime || c.Type().Nullable() != s.columns[s.watermark].Type {
			return nil, b.errorf(source.CodeTime, arg.Span(), "name the column that WATERMARK FOR declares", "%s takes a time attribute", currentWatermark)
		}
	}
	return expr.NewColumn(s.watermark, e.Function.Last().Name+"("+b.text.Slice(e.Args[0].Span())+")", s.columns[s.watermark].Type), nil
}
