package bind

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// values binds VALUES.
func (b *Binder) values(q *sql.Values) (plan.Node, error) {
	n := &plan.Values{}
	var common []types.Type
	rows := make([][]expr.Expr, len(q.Rows))
	for i, r := range q.Rows {
		row, err := b.exprs(r.Exprs, (&scope{}).in("VALUES"))
		if err != nil {
			return nil, err
		}
		if i > 0 && len(row) != len(common) {
			return nil, b.errorf(source.CodeType, r.Span(), "every row needs the same number of values", "this row has %s and the first has %d", counted(len(row), "value"), len(common))
		}
		for k, e := range row {
			if i == 0 {
				common = append(common, e.Type())
				continue
			}
			t, ok := types.Common(common[k], e.Type())
			if !ok {
				return nil, b.errorf(source.CodeType, r.Exprs[k].Span(), "CAST one of them", "a column of VALUES cannot hold %s and %s", common[k].Nullable(), e.Type().Nullable())
			}
			common[k] = t
		}
		rows[i] = row
	}
	for i, row := range rows {
		for k := range row {
			var err error
			if row[k], err = expr.Convert(row[k], common[k]); err != nil {
				return nil, b.place(err, q.Rows[i].Exprs[k].Span())
			}
		}
	}
	p := &plan.Project{Input: n}
	n.Rows = make([][]*expr.Literal, len(rows))
	for k, t := range common {
		e, err := b.valuesColumn(n, q, rows, k, t)
		if err != nil {
			return nil, err
		}
		p.Exprs, p.Cols = append(p.Exprs, e), append(p.Cols, plan.Column{Name: fmt.Sprintf("EXPR$%d", k), Type: e.Type()})
	}
	if len(n.Cols) == len(common) && !slices.ContainsFunc(p.Exprs, computed) {
		n.Cols = p.Cols
		return n, nil
	}
	return p, nil
}

func computed(e expr.Expr) bool {
	_, column := e.(*expr.Column)
	return !column
}

// valuesColumn adds what column k of VALUES is made of to n: its values, if all are constants. Of values that differ from run to run, such as NOW(), n tells which one a row has, and the
// result computes it.
func (b *Binder) valuesColumn(n *plan.Values, q *sql.Values, rows [][]expr.Expr, k int, t types.Type) (expr.Expr, error) {
	constants := make([]*expr.Literal, len(rows))
	var filler *expr.Literal // for rows without a constant
	var clocked []expr.Expr
	which := make([]*expr.Literal, len(rows)) // of clocked, from 0 on; as many as there are for a constant
	for i, row := range rows {
		l, err := b.constant(row[k], q.Rows[i].Exprs[k].Span())
		if err != nil {
			return nil, err
		}
		if constants[i] = l; l != nil {
			filler = l
			continue
		}
		at := slices.IndexFunc(clocked, func(e expr.Expr) bool { return expr.Equal(e, row[k]) })
		if at < 0 {
			at = len(clocked)
			clocked = append(clocked, row[k])
		}
		which[i] = expr.LiteralInt(bigIntNotNull, int64(at))
	}
	if filler != nil {
		for i := range rows {
			constants[i] = cmp.Or(constants[i], filler)
			which[i] = cmp.Or(which[i], expr.LiteralInt(bigIntNotNull, int64(len(clocked))))
		}
		clocked = append(clocked, addValues(n, constants, t))
	}
	last := len(clocked) - 1
	if last == 0 {
		return clocked[0], nil
	}
	number := addValues(n, which, bigIntNotNull)
	var whens []expr.When
	for i, e := range clocked[:last] {
		is, err := b.newCall("=", q.Span(), number, expr.LiteralInt(bigIntNotNull, int64(i)))
		if err != nil {
			return nil, err
		}
		whens = append(whens, expr.When{Condition: is, Result: e})
	}
	e, err := expr.NewCase(whens, clocked[last])
	return e, b.place(err, q.Span())
}

// addValues adds a column to n.
func addValues(n *plan.Values, column []*expr.Literal, t types.Type) expr.Expr {
	for i, l := range column {
		n.Rows[i] = append(n.Rows[i], l)
	}
	c := plan.Column{Name: fmt.Sprintf("EXPR$%d", len(n.Cols)), Type: t}
	n.Cols = append(n.Cols, c)
	return expr.NewColumn(len(n.Cols)-1, c.Name, t)
}

// constant computes a value of VALUES; nil says that it differs from run to run.
func (b *Binder) constant(e expr.Expr, at source.Span) (*expr.Literal, error) {
	l, err := expr.Constant(e, b.session.Zone())
	var row *expr.RowError
	if errors.As(err, &row) {
		return nil, b.errorf(source.CodeType, at, cmp.Or(row.Hint, "write another value"), "%s", row.Err)
	}
	return l, b.place(err, at)
}
