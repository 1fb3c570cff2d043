package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// aggregateCall is an aggregate with its arguments and its condition over the input.
type aggregateCall struct {
	plan.Aggregate
	args   []expr.Expr // those that are columns of the aggregation's input
	filter expr.Expr   // nil: none
}

// String is the call as a plan shows it: SUM(price).
func (c *aggregateCall) String() string {
	args := make([]string, len(c.args))
	for i, e := range c.args {
		args[i] = e.String()
	}
	filter := ""
	if c.filter != nil {
		filter = c.filter.String()
	}
	return c.Spell(args, filter)
}

func (c *aggregateCall) equal(d *aggregateCall) bool {
	return c.Function == d.Function && c.Distinct == d.Distinct && slices.EqualFunc(c.args, d.args, expr.Equal) &&
		slices.EqualFunc(c.Constants, d.Constants, func(x, y *expr.Literal) bool { return expr.Equal(x, y) }) &&
		(c.filter == nil) == (d.filter == nil) && (c.filter == nil || expr.Equal(c.filter, d.filter))
}

// aggregate binds the call c of f, as a column behind the keys.
func (g *grouping) aggregate(b *Binder, f *function.Aggregate, c *sql.Call) (expr.Expr, error) {
	if c.Nulls != sql.NullsUnstated {
		return nil, b.unsupported(c.Span(), "leave it out: FIRST_VALUE and LAST_VALUE pass NULLs over, and so does every aggregate that does not say otherwise", "IGNORE NULLS or RESPECT NULLS in %s is", f.Name)
	}
	if len(c.OrderBy) > 0 {
		return nil, b.unsupported(c.Span(), "leave it out: values stand in the order in which they came", "ORDER BY in %s is", f.Name)
	}
	if len(c.Args) == 0 && !c.Star && f.Name != "ROW_NUMBER" {
		return nil, b.errorf(source.CodeType, c.Span(), "call it as "+join(f.Signatures), "%s takes an argument", f.Name)
	}
	call := aggregateCall{Aggregate: plan.Aggregate{Function: f, Distinct: c.Distinct}}
	var err error
	if c.Filter != nil {
		if call.filter, err = b.condition(c.Filter, g.input.in("FILTER")); err != nil {
			return nil, err
		}
	}
	args, err := b.aggregated(f, c, g.input.in("the argument of "+f.Name))
	if err != nil {
		return nil, err
	}
	if err := call.resolve(b, args, g.updates); err != nil {
		return nil, b.place(err, c.Span())
	}
	at := slices.IndexFunc(g.calls, func(x aggregateCall) bool { return call.equal(&x) })
	if at < 0 {
		at = len(g.calls)
		g.calls = append(g.calls, call)
	}
	return expr.NewColumn(len(g.keys)+at, call.String(), call.Overload.Result), nil
}

// aggregated binds the arguments of c, with what its clauses say behind them.
func (b *Binder) aggregated(f *function.Aggregate, c *sql.Call, s *scope) ([]expr.Expr, error) {
	switch f.Name {
	case "LAG":
		return b.lagged(c, s)
	case "JSON_ARRAYAGG":
		if len(c.Args) != 1 {
			return nil, b.errorf(source.CodeType, c.Span(), "call it as "+join(f.Signatures), "%s takes one value", f.Name)
		}
		value, err := b.asJSON(f.Name, c.Args[0], s)
		return []expr.Expr{value, onNull(c, "ABSENT")}, err
	case "JSON_OBJECTAGG":
		if len(c.Args) != 2 {
			return nil, b.errorf(source.CodeType, c.Span(), "call it as "+join(f.Signatures), "%s takes one key and its value", f.Name)
		}
		key, err := b.expr(c.Args[0], s)
		if err != nil {
			return nil, err
		}
		if !key.Type().IsText() {
			return nil, b.errorf(source.CodeType, c.Args[0].Span(), "write CAST("+b.quoted(c.Args[0])+" AS STRING)", "the key of %s is a string, and this is %s", f.Name, key.Type().Nullable())
		}
		value, err := b.asJSON(f.Name, c.Args[1], s)
		return []expr.Expr{key, value, onNull(c, "NULL")}, err
	}
	return b.exprs(c.Args, s)
}

// lagged binds the arguments of LAG, of which the third becomes of the type of the first.
func (b *Binder) lagged(c *sql.Call, s *scope) ([]expr.Expr, error) {
	args, err := b.exprs(c.Args, s)
	if err != nil || len(args) != 3 || !types.Assignable(args[2].Type(), args[0].Type()) {
		return args, err
	}
	args[2], err = expr.Convert(args[2], args[0].Type().Nullable())
	return args, b.place(err, c.Args[2].Span())
}

// asJSON binds a value of function of and writes it as JSON, NULL as NULL.
func (b *Binder) asJSON(of string, e sql.Expr, s *scope) (expr.Expr, error) {
	part, err := b.jsonPart(of, e, s)
	if err != nil {
		return nil, err
	}
	if form := part[0].(*expr.Literal); string(form.Value().Bytes(0)) == function.JSONFormJSON {
		return part[1], nil
	}
	return b.newCall("JSON_STRING", e.Span(), part[1])
}

// resolve finds the overload for args, converts those that are columns, and keeps the constants behind them.
func (c *aggregateCall) resolve(b *Binder, args []expr.Expr, updates bool) error {
	request := function.AggregateCall{Distinct: c.Distinct, Updates: updates, Args: make([]types.Type, len(args)), Constants: make([]*vector.Vector, len(args))}
	literals := make([]*expr.Literal, len(args))
	for i, e := range args {
		request.Args[i] = e.Type()
		// What cannot be computed is no constant; the error shows where rows are.
		if l, err := expr.Constant(e, b.session.Zone()); err == nil && l != nil {
			literals[i], request.Constants[i] = l, l.Value()
		}
	}
	o, err := c.Function.Resolve(request)
	if err != nil {
		return err
	}
	c.Overload = o
	for i, t := range o.Params {
		e, err := expr.Convert(args[i], t)
		if err != nil {
			return err
		}
		c.args = append(c.args, e)
	}
	c.Constants = literals[len(o.Params):]
	return nil
}
