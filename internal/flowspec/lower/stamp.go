package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// stamped brings the rows of a computation without code to the schema of a stream, by the names of columns, with the two times of a message behind them. Flow: event time is that of the assigner's
// column, or what the message was given, or that of its parents. System time is the parents' too, as of Flow's swift computations, and the clock's where rows are put together.
func (l *lowering) stamped(c *flowspec.Computation, n plan.Node, s *flowspec.Stream) (plan.Node, error) {
	at := s.ID.At
	if c.Query != nil {
		at = c.Query.Body.Span
	}
	n, event, err := l.eventTime(c, n, at)
	if err != nil {
		return nil, err
	}
	if err := l.allTaken(c, n.Columns(), event, s, at); err != nil {
		return nil, err
	}
	n, system := carry(n, plan.SystemTimestamp, false)
	p := &plan.Project{Input: n}
	from := n.Columns()
	for _, col := range s.Schema {
		e, err := l.column(c, from, col, s, at)
		if err != nil {
			return nil, err
		}
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, plan.Column{Name: col.Name.Text, Type: col.Type})
	}
	written := expr.Expr(nil)
	if system >= 0 {
		written = expr.NewColumn(system, from[system].Name, from[system].Type)
	} else if written, err = expr.NewCall(function.MustScalar("CURRENT_ROW_TIMESTAMP"), nil); err != nil {
		return nil, err
	}
	if written, err = instant(written); err != nil {
		return nil, l.placed(err, at)
	}
	p.Exprs = append(p.Exprs, event, written)
	p.Cols = append(p.Cols, times(event.Type(), written.Type())...)
	return p, nil
}

// times are the columns of the two times of a message.
func times(event, system types.Type) []plan.Column {
	return []plan.Column{
		{Name: plan.EventTimestamp, Type: event, Rowtime: true, Hidden: true},
		{Name: plan.SystemTimestamp, Type: system, Hidden: true},
	}
}

// column is a column of a stream, found by its name.
func (l *lowering) column(c *flowspec.Computation, from []plan.Column, col flowspec.Column, s *flowspec.Stream, at source.Span) (expr.Expr, error) {
	k := slices.IndexFunc(from, func(f plan.Column) bool { return f.Name == col.Name.Text && !f.Hidden })
	if k < 0 {
		if !col.Type.NotNull && c.Query == nil {
			return expr.Null(col.Type), nil
		}
		var names []string
		for _, f := range from {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		}
		hint := "rename a column with AS, or change the schema of '" + s.ID.Text + "'"
		if near := source.Nearest(col.Name.Text, names); near != "" {
			hint = "did you mean '" + near + "'?"
		}
		return nil, l.errorf(source.CodeUnknownColumn, col.Name.At, hint, "stream '%s' has column '%s', and computation '%s' gives none", s.ID.Text, col.Name.Text, c.ID.Text)
	}
	e := expr.Expr(expr.NewColumn(k, from[k].Name, from[k].Type))
	if !types.Assignable(from[k].Type, col.Type) {
		return nil, l.errorf(source.CodeType, col.Name.At, "CAST it in the query, or change the schema of '"+s.ID.Text+"'", "column '%s' of stream '%s' is %s, and computation '%s' gives %s", col.Name.Text, s.ID.Text,
			col.Type.Nullable(), c.ID.Text, from[k].Type.Nullable())
	}
	e, err := expr.Convert(e, col.Type)
	if err != nil {
		return nil, l.placed(err, at)
	}
	if col.Type.NotNull {
		e = expr.NewRequired(e, col.Name.Text)
	}
	return e, nil
}

// allTaken wants that every column a query gives is one of the stream, or the event time of its rows.
func (l *lowering) allTaken(c *flowspec.Computation, from []plan.Column, event expr.Expr, s *flowspec.Stream, at source.Span) error {
	if c.Query == nil {
		return nil
	}
	times := expr.Columns(event)
	for k, f := range from {
		if f.Hidden || slices.Contains(times, k) || f.Name == plan.EventTimestamp || f.Name == plan.SystemTimestamp ||
			slices.ContainsFunc(s.Schema, func(col flowspec.Column) bool { return col.Name.Text == f.Name }) {
			continue
		}
		return l.errorf(source.CodeUnknownColumn, at, "leave it out of the query, or add it to the schema of '"+s.ID.Text+"'", "computation '%s' gives column '%s', and stream '%s' has none of that name", c.ID.Text, f.Name, s.ID.Text)
	}
	return nil
}

// eventTime finds the event time of rows of n. The node may get a column for it.
func (l *lowering) eventTime(c *flowspec.Computation, n plan.Node, at source.Span) (plan.Node, expr.Expr, error) {
	cols := n.Columns()
	k := -1
	assigner := c.Strategy.Assigner
	switch {
	case !c.Class.Source && assigner.Column.Text != "":
		k = slices.IndexFunc(cols, func(f plan.Column) bool { return f.Name == assigner.Column.Text })
		if k >= 0 {
			e, err := assigned(assigner, expr.NewColumn(k, cols[k].Name, cols[k].Type))
			if err == nil && assigner.Limit {
				var system int
				if n, system = carry(n, plan.SystemTimestamp, false); system >= 0 {
					e, err = limited(e, expr.NewColumn(system, plan.SystemTimestamp, n.Columns()[system].Type))
				}
			}
			return n, e, l.placed(err, assigner.Column.At)
		}
	case has(cols, plan.EventTimestamp):
		k = slices.IndexFunc(cols, func(f plan.Column) bool { return f.Name == plan.EventTimestamp })
	default:
		k = slices.IndexFunc(cols, func(f plan.Column) bool { return f.Rowtime })
	}
	if k < 0 {
		n, k = carry(n, plan.EventTimestamp, true)
		cols = n.Columns()
	}
	if k < 0 {
		return n, nil, l.errorf(source.CodeTime, at, "select `"+plan.EventTimestamp+"`, or name a column in event_timestamp_assigner", "the rows of computation '%s' have no event time", c.ID.Text)
	}
	e, err := instant(expr.NewColumn(k, cols[k].Name, cols[k].Type))
	return n, e, l.placed(err, at)
}

func has(cols []plan.Column, name string) bool {
	return slices.ContainsFunc(cols, func(f plan.Column) bool { return f.Name == name })
}

// instant is e as the times of messages are.
func instant(e expr.Expr) (expr.Expr, error) {
	to := types.TimestampLTZType
	to.NotNull = e.Type().NotNull
	if e.Type() == to {
		return e, nil
	}
	return expr.NewCast(e, to, false)
}

// carry takes a column of the inputs along to n, behind its own columns, where rows of n have one row behind them; -1 if that is not so. Behind windows the time of a window is that of its rows, if
// ends says that it may be.
func carry(n plan.Node, name string, ends bool) (plan.Node, int) {
	cols := n.Columns()
	if k := slices.IndexFunc(cols, func(f plan.Column) bool { return f.Name == name }); k >= 0 {
		return n, k
	}
	switch n := n.(type) {
	case *plan.Filter:
		in, k := carry(n.Input, name, ends)
		if k < 0 {
			return n, -1
		}
		return n.Over(in), k
	case *plan.Project:
		in, k := carry(n.Input, name, ends)
		if k < 0 {
			return n, -1
		}
		col := in.Columns()[k]
		col.Name, col.Hidden = name, true
		return &plan.Project{Input: in, Exprs: append(slices.Clip(n.Exprs), expr.NewColumn(k, name, col.Type)), Cols: append(slices.Clip(n.Cols), col)}, len(cols)
	case *plan.Union:
		u := &plan.Union{Cols: n.Cols}
		for _, in := range n.Inputs {
			carried, k := carry(in, name, ends)
			if k != len(cols) {
				return n, -1
			}
			u.Inputs = append(u.Inputs, carried)
		}
		u.Cols = append(slices.Clip(n.Cols), u.Inputs[0].Columns()[len(cols)])
		return u, len(cols)
	}
	if ends {
		return n, slices.IndexFunc(cols, func(f plan.Column) bool { return f.Edge == plan.TimeEdge && f.Rowtime })
	}
	return n, -1
}

// assigned is the event time that a column tells. Flow: seconds, milliseconds or a text in ISO 8601.
func assigned(a flowspec.Assigner, column expr.Expr) (expr.Expr, error) {
	switch {
	case column.Type().IsTime():
		return instant(column)
	case a.Format == flowspec.ISO8601:
		return expr.NewCall(function.InstantOfText, []expr.Expr{column})
	}
	precision := int64(0)
	if a.Format == flowspec.Milliseconds {
		precision = 3
	}
	wide, err := expr.NewCast(column, types.BigIntType, false)
	if err != nil {
		return nil, err
	}
	e, err := expr.NewCall(function.MustScalar("TO_TIMESTAMP_LTZ"), []expr.Expr{wide, expr.LiteralInt(types.IntType, precision)})
	if err != nil {
		return nil, err
	}
	return instant(e)
}

// limited is a time that is no later than another one.
func limited(e, system expr.Expr) (expr.Expr, error) {
	system, err := instant(system)
	if err != nil {
		return nil, err
	}
	return expr.NewCall(function.MustScalar("LEAST"), []expr.Expr{e, system})
}
