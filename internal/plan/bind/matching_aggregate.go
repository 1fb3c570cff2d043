package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// aggregate binds the call e of f.
func (m *matching) aggregate(b *Binder, f *function.Aggregate, e *sql.Call, s *scope) (expr.Expr, error) {
	switch {
	case m.inside != "":
		return nil, b.unsupported(e.Span(), "aggregate columns, and FIRST and LAST apart", "%s in %s is", f.Name, m.inside)
	case e.Distinct:
		return nil, b.unsupported(e.Span(), "gather the values with COLLECT or ARRAY_AGG, and count the different ones behind MATCH_RECOGNIZE", "DISTINCT in %s is", s.where)
	case e.Filter != nil:
		return nil, b.unsupported(e.Filter.Span(), "write CASE WHEN … THEN … END in the argument", "FILTER in %s is", s.where)
	}
	for _, arg := range e.Args {
		if inner := navigation(arg); inner != nil {
			return nil, b.unsupported(inner.Span(), "leave it out, since an aggregate is about all rows of the variable", "%s in %s is", callName(inner), f.Name)
		}
	}
	g := &grouping{input: m.rows}
	if _, err := g.aggregate(b, f, e); err != nil {
		return nil, err
	}
	call := matchCall{g.calls[0], plan.AnyVariable}
	name := call.String()
	var of []int
	for i, arg := range call.args {
		for _, c := range expr.Columns(arg) {
			of = append(of, m.variable(c))
		}
		call.args[i] = expr.Map(arg, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return expr.NewColumn(c.Index%m.width, c.Name, c.Type())
			}
			return e
		})
	}
	if err := m.single(b, e, of); err != nil {
		return nil, err
	}
	if len(of) > 0 {
		call.variable = of[0]
	}
	if call.variable != plan.AnyVariable {
		name = call.of(m.rows.tables[(call.variable+1)*m.width])
	}
	i := slices.IndexFunc(m.calls, func(c matchCall) bool { return c.variable == call.variable && c.equal(&call.aggregateCall) })
	if i < 0 {
		i = len(m.calls)
		m.calls = append(m.calls, call)
	}
	return expr.NewColumn(firstMatchAggregate+i, name, call.Overload.Result), nil
}

// navigation is the first FIRST or LAST in e; nil if there is none.
func navigation(e sql.Expr) (found *sql.Call) {
	sql.Walk(e, func(e sql.Expr) bool {
		if c, ok := e.(*sql.Call); ok && found == nil && (callName(c) == "FIRST" || callName(c) == "LAST") {
			found = c
		}
		return found == nil
	})
	return found
}

// of is the call as a plan shows it, over rows of a variable.
func (c *matchCall) of(variable string) string {
	args := make([]string, len(c.args))
	for i, e := range c.args {
		args[i] = expr.Map(e, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return expr.NewColumn(c.Index, variable+"."+c.Name, c.Type())
			}
			return e
		}).String()
	}
	return c.Spell(args, "")
}
