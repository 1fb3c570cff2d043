package lower

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// grouping is what stands between a query's input and its select list: the keys and aggregates that expressions behind GROUP BY may use.
type grouping struct {
	input *scope
	keys  []groupKey
	calls []aggregateCall
	// window is that of GROUP BY.
	window *hopping
}

// groupKey is a key of GROUP BY over the input.
type groupKey struct {
	functions.Value
	// name is its alias, or the name of the column that it is; "" if it has none.
	name string
}

// aggregateCall is an aggregate over the input.
type aggregateCall struct {
	*functions.Aggregation
	text string
}

func (c *aggregateCall) equal(d *aggregateCall) bool {
	return c.Function == d.Function && c.Distinct == d.Distinct && slices.EqualFunc(c.Args, d.Args, expr.Equal) && slices.EqualFunc(c.Constants, d.Constants, func(x, y *expr.Literal) bool { return expr.Equal(x, y) }) &&
		(c.Filter == nil) == (d.Filter == nil) && (c.Filter == nil || expr.Equal(c.Filter, d.Filter))
}

// grouped lowers SELECT … GROUP BY … HAVING over the rows of s.
func (l *Lowerer) grouped(q *yql.Select, s *scope) (*relation, error) {
	g := &grouping{input: s}
	if err := l.groupBy(g, q); err != nil {
		return nil, err
	}
	if q.Distinct {
		return nil, l.unsupported(q.Items[0].Span(), "the rows of a group are one already", "SELECT DISTINCT with GROUP BY is")
	}
	behind := &scope{rows: s.rows, group: g, names: s.names, where: "SELECT"}
	type item struct {
		item *yql.NamedExpr
		functions.Value
	}
	var items []item
	for i := range q.Items {
		of := &q.Items[i]
		if star, ok := of.Expr.(*yql.Star); ok {
			return nil, l.errorf(source.CodeGrouping, star.Span(), "name the keys and aggregates", "* cannot stand in SELECT of a query with GROUP BY")
		}
		v, err := l.column(of.Expr, behind)
		if err != nil {
			return nil, err
		}
		items = append(items, item{of, v})
	}
	var having expr.Expr
	if q.Having != nil {
		var err error
		if having, err = l.condition(q.Having, behind.in("HAVING")); err != nil {
			return nil, err
		}
	}
	rows, err := l.aggregate(g)
	if err != nil {
		return nil, err
	}
	if having != nil {
		rows = rows.filtered(g.settled(having))
	}
	p := project(rows)
	for i, it := range items {
		it.Expr = g.settled(it.Expr)
		if err := l.addItem(p, it.item, i, it.Value); err != nil {
			return nil, err
		}
	}
	return p.done(), nil
}

// groupBy reads the keys and the window.
func (l *Lowerer) groupBy(g *grouping, q *yql.Select) error {
	const advice = `add HoppingWindow(time, "PT1M", "PT1M") to GROUP BY: a group ends with its window`
	ends := !g.input.rows.stream
	if q.GroupBy == nil {
		if ends {
			return nil
		}
		at := q.Items[0].Span()
		if q.Having != nil {
			at = q.Having.Span()
		}
		return l.unsupported(at, advice, "an aggregation without GROUP BY and a window, which would never end, is")
	}
	if q.GroupBy.Compact || q.GroupBy.Distinct || q.GroupBy.With != nil {
		return l.unsupported(q.GroupBy.Span(), "write GROUP BY", "GROUP BY with COMPACT, DISTINCT or WITH is")
	}
	for _, i := range q.GroupBy.Items {
		k, ok := i.(*yql.GroupKey)
		if !ok {
			return l.unsupported(i.Span(), "write a query for each, and UNION ALL", "%s is", i.(*yql.GroupingSets).Kind)
		}
		if err := l.groupKey(g, k); err != nil {
			return err
		}
	}
	if g.window == nil && !ends {
		return l.unsupported(q.GroupBy.Span(), advice, "GROUP BY without a window over a stream is")
	}
	return nil
}

func (l *Lowerer) groupKey(g *grouping, k *yql.GroupKey) error {
	if c, ok := k.Expr.(*yql.Call); ok {
		if ref, ok := c.Callee.(*yql.FunctionRef); ok && ref.Module == nil {
			of := functions.Normal(ref.Name.Name)
			if windowFunctions[of] {
				return l.window(g, c, ref, k.Alias)
			}
			switch of {
			case "sessionwindow":
				return l.unsupported(c.Span(), `write HoppingWindow(time, "PT1M", "PT1M")`, "SessionWindow over a stream is")
			case "tumblingwindow", "tumble":
				return l.unsupported(c.Span(), `write HoppingWindow(time, "PT1M", "PT1M"): a step that is the size`, "%s is", ref.Name.Name)
			}
		}
	}
	if _, number := k.Expr.(*yql.IntegerLit); number {
		return l.errorf(source.CodeGrouping, k.Span(), "name the column or the expression", "a number in GROUP BY is no position of a column")
	}
	v, err := l.column(k.Expr, g.input.in("GROUP BY"))
	if err != nil {
		return err
	}
	key := groupKey{Value: v}
	if k.Alias != nil {
		key.name = k.Alias.Name
	} else if _, of, ok := qualified(k.Expr); ok {
		key.name = of.Name
	}
	if key.name != "" && slices.ContainsFunc(g.keys, func(before groupKey) bool { return before.name == key.name }) {
		return l.errorf(source.CodeDuplicate, k.Span(), "name it once", "GROUP BY has a key '%s' already", key.name)
	}
	g.keys = append(g.keys, key)
	return nil
}

// take resolves an expression behind GROUP BY that is a key, an aggregate or an edge of the window. Column i of the result is key i, then come the aggregates, then
// the edges.
func (g *grouping) take(l *Lowerer, e yql.Expr, s *scope) (functions.Value, bool, error) {
	if c, ok := e.(*yql.Call); ok {
		if ref, ok := c.Callee.(*yql.FunctionRef); ok && ref.Module == nil && c.Over == nil {
			if edge := windowEdges[functions.Normal(ref.Name.Name)]; edge != 0 {
				v, err := g.edge(l, c, ref, edge)
				return v, true, err
			}
			if isAggregate(ref) {
				v, err := g.aggregate(l, c, ref)
				return v, true, err
			}
		}
	}
	if ref, ok := e.(*yql.ColumnRef); ok {
		if i := slices.IndexFunc(g.keys, func(k groupKey) bool { return k.name == ref.Name.Name }); i >= 0 {
			return g.key(i), true, nil
		}
	}
	if !names(e) {
		return functions.Value{}, false, nil
	}
	over, err := l.value(e, g.input)
	if err != nil || over.Static != nil {
		return functions.Value{}, false, nil // It may hold an aggregate further down; if it is wrong in itself, that will show there.
	}
	for i, k := range g.keys {
		if expr.Equal(k.Expr, over.Expr) {
			return g.key(i), true, nil
		}
	}
	return functions.Value{}, false, nil
}

// names reports whether e can be a key: it is no literal and no lambda.
func names(e yql.Expr) bool {
	switch e.(type) {
	case *yql.ColumnRef, *yql.Member, *yql.Element, *yql.Index, *yql.Unary, *yql.Binary, *yql.IsNull, *yql.Between, *yql.In, *yql.Match, *yql.Case, *yql.Cast, *yql.Call:
		return true
	}
	return false
}

func (g *grouping) key(i int) functions.Value {
	t := g.keys[i].Type
	return functions.Value{Expr: newColumn(i, g.keyName(i), t.Physical()), Type: t}
}

func (g *grouping) keyName(i int) string {
	if g.keys[i].name != "" {
		return g.keys[i].name
	}
	return g.keys[i].Expr.String()
}

// refuse explains why a column cannot stand behind GROUP BY.
func (g *grouping) refuse(l *Lowerer, table, of *yql.Ident) error {
	if _, err := l.find(table, of, g.input); err != nil {
		return err
	}
	return l.errorf(source.CodeGrouping, of.Span(), "add it to GROUP BY, or aggregate it, for instance with SOME("+of.Name+")", "'%s' is neither in GROUP BY nor in an aggregate", of.Name)
}

// aggregate adds the call of an aggregate and is its result.
func (g *grouping) aggregate(l *Lowerer, c *yql.Call, ref *yql.FunctionRef) (functions.Value, error) {
	if c.Distinct && (g.window != nil || g.input.rows.stream) {
		return functions.Value{}, l.unsupported(c.Span(), "write ListLength(AGGREGATE_LIST_DISTINCT(x)), or CountDistinctEstimate(x)", "DISTINCT in an aggregate with a window is")
	}
	args, err := l.arguments(c.Args, g.input.in("the argument of "+ref.Name.Name))
	if err != nil {
		return functions.Value{}, err
	}
	of, _ := functions.LookupAggregate(ref.Name.Name)
	if c.Star && functions.Normal(ref.Name.Name) != "count" {
		return functions.Value{}, l.errorf(source.CodeType, c.Span(), "name a column", "%s(*) is not there: only COUNT takes *", ref.Name.Name)
	}
	a, err := of.Call(args, c.Distinct)
	if err != nil {
		return functions.Value{}, l.located(err, c)
	}
	call := aggregateCall{a, l.text.Slice(c.Span())}
	at := slices.IndexFunc(g.calls, func(x aggregateCall) bool { return call.equal(&x) })
	if at < 0 {
		at = len(g.calls)
		g.calls = append(g.calls, call)
	}
	v, err := a.Of(newColumn(len(g.keys)+at, g.calls[at].text, a.Overload.Result))
	return v, l.located(err, c)
}

// aggregates reports whether a select list calls an aggregate.
func (l *Lowerer) aggregates(items []yql.NamedExpr) bool {
	found := false
	for i := range items {
		walk(items[i].Expr, func(e yql.Expr) bool {
			if c, ok := e.(*yql.Call); ok {
				if ref, ok := c.Callee.(*yql.FunctionRef); ok && c.Over == nil && isAggregate(ref) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// edgeBase is the number of the first edge of the window while it is not known how many aggregates there are.
const edgeBase = 1 << 20

// settled is an expression behind GROUP BY once all aggregates are known.
func (g *grouping) settled(e expr.Expr) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok && c.Index >= edgeBase {
			return newColumn(len(g.keys)+len(g.calls)+c.Index-edgeBase, c.Name, c.Type())
		}
		return e
	})
}

// isAggregate reports whether a function is an aggregate.
func isAggregate(ref *yql.FunctionRef) bool {
	if ref.Module != nil {
		return false
	}
	_, ok := functions.LookupAggregate(ref.Name.Name)
	return ok
}

// strayAggregate refuses an aggregate where there are no groups.
func (l *Lowerer) strayAggregate(e *yql.Call, ref *yql.FunctionRef, s *scope) error {
	hint := "aggregate in SELECT or HAVING; for the rows before, write WHERE over columns"
	if strings.HasPrefix(s.where, "the argument of") {
		hint = "aggregate the inner one in a query of its own"
	}
	return l.errorf(source.CodeGrouping, e.Span(), hint, "%s cannot stand in %s", ref.Name.Name, s.where)
}

// aggregate makes the plan of the aggregation of g. Its columns are the keys, the aggregates and the edges of the window.
func (l *Lowerer) aggregate(g *grouping) (*relation, error) {
	rows := g.input.rows
	pre := &plan.Project{Input: rows.node}
	if plan.Updates(rows.node) {
		pre.Input = &plan.AtEnd{Input: rows.node}
	}
	add := func(e expr.Expr, name string) int {
		if i := slices.IndexFunc(pre.Exprs, func(x expr.Expr) bool { return expr.Equal(x, e) }); i >= 0 {
			return i
		}
		c := plan.Column{Name: name, Type: e.Type()}
		if of, ok := e.(*expr.Column); ok && g.window != nil && !g.window.byKey {
			c.Rowtime = rows.rowtime(of.Index)
		}
		pre.Exprs, pre.Cols = append(pre.Exprs, e), append(pre.Cols, c)
		return len(pre.Exprs) - 1
	}
	n := &plan.WindowAggregate{}
	if g.window != nil {
		n.Windows = &plan.Windowing{Spec: g.window.spec, Time: g.window.time.Type()}
		n.Time = add(g.window.time, g.window.time.String())
	}
	out := &relation{stream: rows.stream}
	for i, k := range g.keys {
		n.Keys = append(n.Keys, add(k.Expr, g.keyName(i)))
		n.Cols = append(n.Cols, plan.Column{Name: g.keyName(i), Type: k.Type.Physical()})
		out.columns = append(out.columns, column{name: g.keyName(i), typ: k.Type, kind: carriedColumn})
	}
	for _, c := range g.calls {
		a := plan.Aggregate{Function: c.Function, Overload: c.Overload, Constants: c.Constants, Distinct: c.Distinct, Filter: -1}
		for _, e := range c.Args {
			a.Args = append(a.Args, add(e, e.String()))
		}
		if c.Filter != nil {
			a.Filter = add(c.Filter, c.Filter.String())
		}
		n.Aggregates = append(n.Aggregates, a)
		n.Cols = append(n.Cols, plan.Column{Name: c.text, Type: c.Overload.Result})
		out.columns = append(out.columns, column{name: c.text, kind: carriedColumn})
	}
	if g.window == nil {
		// Rows that end have one result for each group, at their end.
		out.node = &plan.AtEnd{Input: &plan.GroupAggregate{Input: pre, Keys: n.Keys, Aggregates: n.Aggregates, Cols: n.Cols}}
		return out, nil
	}
	n.Input = g.window.timed(pre, n.Time)
	edges := g.window.edges(n.Windows)
	if g.window.byKey {
		edges = edges[:2]
		for i := range edges {
			edges[i].Rowtime, edges[i].Edge, edges[i].Window = false, plan.NoEdge, nil
		}
		out.node = &plan.KeyWindows{Input: n.Input, Spec: g.window.spec, Delay: g.window.delay, Time: n.Time, Keys: n.Keys, Aggregates: n.Aggregates, TTL: l.tables.StateTTL(), Cols: append(n.Cols, edges...)}
	} else {
		n.Cols = append(n.Cols, edges...)
		out.node = g.window.fromEpoch(n)
		out.time = &eventTime{column: len(n.Cols) - 2, text: g.window.name + "'s HOP_END()", at: g.window.at}
	}
	for _, c := range edges {
		out.columns = append(out.columns, column{name: c.Name, typ: timeType(c.Type), kind: carriedColumn})
	}
	return out, nil
}
