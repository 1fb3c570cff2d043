package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// overWindow is what stands behind OVER, over the input of the query.
type overWindow struct {
	keys  []expr.Expr
	by    []overOrder
	frame plan.Frame
}

type overOrder struct {
	expr.Expr
	desc, nullsLast bool
}

func (w *overWindow) equal(v *overWindow) bool {
	return slices.EqualFunc(w.keys, v.keys, expr.Equal) && w.frame == v.frame && slices.EqualFunc(w.by, v.by, func(x, y overOrder) bool {
		return x.desc == y.desc && x.nullsLast == y.nullsLast && expr.Equal(x.Expr, y.Expr)
	})
}

// listed is the expressions of a query that may hold calls with OVER.
func listed(q *sql.Select) []sql.Expr {
	var list []sql.Expr
	for _, item := range q.Items {
		list = append(list, item.Expr)
	}
	if q.Qualify != nil {
		list = append(list, q.Qualify)
	}
	return list
}

// overs is the calls with OVER of a query. Flink 2.3: they have one window.
type overs struct {
	grouping // over the input of the query, or over its groups
	window   *overWindow
	// at is where the result of each call is among those of the grouping.
	at    map[*sql.Call]int
	first *sql.Call
}

// bindOvers binds the calls with OVER in list; the result is nil if there are none.
func (b *Binder) bindOvers(q *sql.Select, list []sql.Expr, s *scope) (*overs, error) {
	named, err := b.windows(q)
	if err != nil {
		return nil, err
	}
	calls := overCalls(list)
	if len(calls) == 0 {
		return nil, nil
	}
	o := &overs{grouping: grouping{input: s}, at: map[*sql.Call]int{}, first: calls[0]}
	for _, c := range calls {
		w, err := b.overWindow(named, c, s)
		if err != nil {
			return nil, err
		}
		if o.window == nil {
			o.window = w
			o.updates = w.frame.Bounded
		} else if !o.window.equal(w) {
			return nil, b.unsupported(c.Over.Span(), "compute the others in a query of their own: SELECT *, … OVER … FROM (SELECT *, … OVER … FROM t)"+numbersApart(calls), "a second OVER window in one query is")
		}
		if o.at[c], err = b.overCall(&o.grouping, c); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// columns are the results as columns from a number on.
func (o *overs) columns(from int) map[*sql.Call]*expr.Column {
	cols := map[*sql.Call]*expr.Column{}
	for c, at := range o.at {
		cols[c] = expr.NewColumn(from+at, o.calls[at].String(), o.calls[at].Overload.Result)
	}
	return cols
}

// over puts the results of the calls with OVER in list behind the columns of input, where scope.overs finds them.
func (b *Binder) over(q *sql.Select, list []sql.Expr, input plan.Node, s *scope) (plan.Node, *scope, error) {
	o, err := b.bindOvers(q, list, s)
	if o == nil || err != nil {
		return input, s, err
	}
	n, err := b.overNode(o, input, func(e expr.Expr) expr.Expr { return e })
	if err != nil {
		return nil, nil, err
	}
	with := *s
	with.overs = o.columns(len(n.Input.Columns()))
	with.columns = slices.Concat(s.columns, n.Cols[len(s.columns):])
	with.tables = slices.Concat(s.tables, make([]string, len(with.columns)-len(s.columns)))
	for i := len(s.columns); i < len(with.columns); i++ {
		with.columns[i].Name, with.columns[i].Hidden = "", true
	}
	return n, &with, nil
}

// overResult is the column that over has made of a call.
func (b *Binder) overResult(e *sql.Call, s *scope) (expr.Expr, error) {
	if c, ok := s.overs[e]; ok {
		return c, nil
	}
	return nil, b.unsupported(e.Span(), "a condition on it stands in QUALIFY; otherwise compute it in a subquery: FROM (SELECT *, … OVER … AS x FROM t)", "OVER %s is", s.standing())
}

// numbersApart tells why ROW_NUMBER has another window than aggregates that look as if they had the same.
func numbersApart(calls []*sql.Call) string {
	if slices.ContainsFunc(calls, func(c *sql.Call) bool { return upperASCII(c.Function.Last().Name) == "ROW_NUMBER" }) {
		return "; ROW_NUMBER counts ROWS, others have RANGE unless ROWS is written"
	}
	return ""
}

// overNode plans o over input; toPlan makes expressions over the columns of input of those that o has.
func (b *Binder) overNode(o *overs, input plan.Node, toPlan func(expr.Expr) expr.Expr) (*plan.Over, error) {
	pre := project(input)
	for i := range input.Columns() {
		pre.column(i)
	}
	copy(pre.Cols, input.Columns())
	n := &plan.Over{Input: pre.Project, Frame: o.window.frame}
	for _, k := range o.window.keys {
		if at := pre.add(toPlan(k)); !slices.Contains(n.Keys, at) {
			n.Keys = append(n.Keys, at)
		}
	}
	for _, by := range o.window.by {
		n.By = append(n.By, plan.SortKey{Column: pre.add(toPlan(by.Expr)), Desc: by.desc, NullsLast: by.nullsLast})
	}
	for i := range o.calls {
		for k, e := range o.calls[i].args {
			o.calls[i].args[k] = toPlan(e)
		}
	}
	a := &aggregation{}
	a.addCalls(pre, o.calls)
	n.Calls, n.Cols = a.aggregates, slices.Concat(pre.Cols, a.cols)
	if len(pre.Cols) == len(input.Columns()) {
		n.Input = input
	}
	return n, b.checkOver(n, o.first)
}

// overCalls are the calls with OVER in some expressions, not those within one another.
func overCalls(list []sql.Expr) []*sql.Call {
	var calls []*sql.Call
	for _, e := range list {
		sql.Walk(e, func(e sql.Expr) bool {
			c, ok := e.(*sql.Call)
			if ok && c.Over != nil {
				calls = append(calls, c)
				return false
			}
			return true
		})
	}
	return calls
}

// overCall binds a call and tells its number among those of g.
func (b *Binder) overCall(g *grouping, c *sql.Call) (int, error) {
	name := upperASCII(c.Function.Last().Name)
	f, found := function.LookupAggregate(name)
	if !found {
		f, found = function.LookupOver(name)
	}
	if hint, ok := refusedOver[name]; ok {
		return 0, b.unsupported(c.Span(), hint, "%s OVER is", name)
	}
	if !found || f.Grouping {
		if _, scalar := function.LookupScalar(name); scalar || found {
			return 0, b.errorf(source.CodeGrouping, c.Function.Span(), "leave OVER out", "%s is not an aggregate, so it takes no OVER", name)
		}
		return 0, b.noFunction(c)
	}
	if _, own := function.LookupOver(name); own && c.Star {
		return 0, b.errorf(source.CodeType, c.Span(), "write "+f.Signatures[0], "only COUNT takes *")
	}
	if c.Filter != nil {
		return 0, b.unsupported(c.Filter.Span(), "write CASE WHEN … THEN … END in the argument", "FILTER before OVER is")
	}
	for _, arg := range c.Args {
		if inner := overCalls([]sql.Expr{arg}); len(inner) > 0 {
			return 0, b.unsupported(inner[0].Span(), "compute the inner one in a subquery", "OVER within OVER is")
		}
	}
	e, err := g.aggregate(b, f, c)
	if err != nil {
		return 0, err
	}
	return e.(*expr.Column).Index, nil
}

// refusedOver are functions that SQL has before OVER and a stream has not, with what to write instead. Flink 2.3 refuses them too, but for RANK and DENSE_RANK, for which it counts
// rows of one time as if they were different.
var refusedOver = map[string]string{
	"RANK":         "number rows with ROW_NUMBER()",
	"DENSE_RANK":   "number rows with ROW_NUMBER(), or count the different values before with COUNT(DISTINCT value)",
	"PERCENT_RANK": "it needs to know how many rows are to come, and a stream has no end; number them with ROW_NUMBER()",
	"CUME_DIST":    "it needs to know how many rows are to come, and a stream has no end; number them with ROW_NUMBER()",
	"NTILE":        "it needs to know how many rows are to come, and a stream has no end; number them with ROW_NUMBER()",
	"LEAD":         "it asks for a row that is yet to come; ask from the later row for the earlier one with LAG",
	"NTH_VALUE":    "there are FIRST_VALUE, LAST_VALUE and LAG",
}

// overWindow binds the window of c.
func (b *Binder) overWindow(named *namedWindows, c *sql.Call, s *scope) (*overWindow, error) {
	spec, err := b.windowSpec(named, c.Over)
	if err != nil {
		return nil, err
	}
	w := &overWindow{}
	if w.keys, err = b.exprs(spec.PartitionBy, s.in("PARTITION BY")); err != nil {
		return nil, err
	}
	for i := range spec.OrderBy {
		item := &spec.OrderBy[i]
		e, err := b.expr(item.Expr, s.in("ORDER BY"))
		if err != nil {
			return nil, err
		}
		switch t := e.Type(); t.Kind {
		case types.Array, types.Map, types.Row:
			return nil, b.unsupported(item.Span(), "order by parts of it", "ORDER BY of type %s is", t.Nullable())
		}
		o := overOrder{Expr: e, desc: item.Desc, nullsLast: item.Desc}
		if item.Nulls != sql.NullsDefault {
			o.nullsLast = item.Nulls == sql.NullsLast
		}
		if _, constant := e.(*expr.Literal); !constant {
			w.by = append(w.by, o)
		}
	}
	if len(w.by) == 0 {
		return nil, b.errorf(source.CodeWindow, c.Over.Span(), "add ORDER BY and a column, such as the time attribute", "OVER needs an order of its rows")
	}
	if spec.Frame != nil {
		if w.frame, err = b.frame(spec.Frame); err != nil {
			return nil, err
		}
	}
	switch name := upperASCII(c.Function.Last().Name); name {
	case "ROW_NUMBER", "LAG":
		if spec.Frame != nil {
			return nil, b.errorf(source.CodeWindow, spec.Frame.Span(), "leave it out", "%s takes no frame", name)
		}
		w.frame.Rows = name == "ROW_NUMBER"
	}
	return w, nil
}

// checkOver wants an order that a stream can be put into: by event time, ascending. The numbers of rows in another order are for queries that ask for the first
// of them, which is not yet known here.
func (b *Binder) checkOver(n *plan.Over, first *sql.Call) error {
	at := catalog.Place{Text: b.text, Span: first.Span()}
	if n.Numbers() {
		b.overs[n] = at
		return nil
	}
	return b.overError(n, at)
}

// overError says why n cannot run; nil if it can.
func (b *Binder) overError(n *plan.Over, at catalog.Place) error {
	there := b.within(at.Text)
	switch {
	case plan.Updates(n.Input) && n.Numbers():
		return there.unsupported(at.Span, "keep the first rows: SELECT … FROM (…) WHERE rn <= 3", "numbering all rows of an updating input, as %s makes it, is", plan.Describe(plan.Culprit(n.Input)))
	case plan.Updates(n.Input):
		return there.unsupported(at.Span, "aggregate with GROUP BY", "OVER an updating input, as %s makes it, is", plan.Describe(plan.Culprit(n.Input)))
	case n.Timed():
		return nil
	case n.Numbers():
		return there.unsupported(at.Span, "keep the first rows: SELECT … FROM (…) WHERE rn <= 3, in a query right around this one; or order by "+timeOf(n)+" alone, ascending",
			"numbering all rows of a stream in another order than that of event time is")
	}
	return there.unsupported(at.Span, "order by "+timeOf(n)+" alone, ascending", "OVER in another order than that of event time is")
}

// timeOf names the time attribute of the input of n.
func timeOf(n *plan.Over) string {
	cols := n.Input.Columns()
	if i := slices.IndexFunc(cols, func(c plan.Column) bool { return c.Rowtime }); i >= 0 {
		return cols[i].Name
	}
	return "the column of WATERMARK FOR"
}

// leftOver finds a numbering in n that cannot run, because no query around it asks for the first rows.
func (b *Binder) leftOver(n plan.Node) error {
	if o, ok := n.(*plan.Over); ok {
		if err := b.overError(o, b.overs[o]); err != nil {
			return err
		}
	}
	for _, c := range n.Children() {
		if err := b.leftOver(c); err != nil {
			return err
		}
	}
	return nil
}
