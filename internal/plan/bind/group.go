package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// grouping is what stands between a query's input and its select list: the keys and aggregates that expressions behind GROUP BY may use.
type grouping struct {
	input *scope
	// updates says that rows of the input may be taken back.
	updates bool
	keys    []groupKey
	// sets are the grouping sets, each the numbers of its keys; nil if there is one.
	sets  [][]int
	calls []aggregateCall
	// edges has the window's columns among the keys, by plan.Edge.
	edges  map[plan.Edge]bool
	window *plan.Windowing
	// called is the window that GROUP BY itself calls, nil if it calls none.
	called *groupWindow
}

// groupKey is an expression of GROUP BY over the input, and which edge of the window it is, if it is one.
type groupKey struct {
	expr.Expr
	edge plan.Edge
	// set says that it is none, but the number of the grouping set.
	set bool
}

// aggregates reports whether a select list calls an aggregate outside a nested query.
func (b *Binder) aggregates(items []sql.SelectItem) bool {
	found := false
	for _, item := range items {
		sql.Walk(item.Expr, func(e sql.Expr) bool {
			if c, ok := e.(*sql.Call); ok && c.Over == nil {
				if _, ok := function.LookupAggregate(c.Function.Last().Name); ok {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// grouped binds SELECT … GROUP BY … HAVING over input.
func (b *Binder) grouped(q *sql.Select, input plan.Node, s *scope, o *order) (plan.Node, error) {
	input, s, called, err := b.groupWindow(q, input, s)
	if err != nil {
		return nil, err
	}
	g := &grouping{input: s, updates: plan.Updates(input), edges: map[plan.Edge]bool{}, called: called}
	if err := g.groupBy(b, q.GroupBy); err != nil {
		return nil, err
	}
	behind := &scope{group: g, where: "SELECT"}
	overs, err := b.bindOvers(q, listed(q), behind)
	if err != nil {
		return nil, err
	}
	if overs != nil {
		behind.overs = overs.columns(overBase)
	}
	items, err := b.project(q.Items, &plan.Values{}, behind)
	if err != nil {
		return nil, err
	}
	var having expr.Expr
	if q.Having != nil {
		if having, err = b.condition(q.Having, behind.in("HAVING")); err != nil {
			return nil, err
		}
	}
	visible := &plan.Project{Exprs: items.Exprs[:len(items.Exprs):len(items.Exprs)], Cols: items.Cols}
	if o != nil {
		if err := b.order(o, items, behind); err != nil {
			return nil, err
		}
	}
	agg, err := b.aggregateBy(g, input, groupSpan(q))
	if err != nil {
		return nil, err
	}
	// Expressions behind GROUP BY number keys first, in the order written, then aggregates; see grouping.take.
	width := 0 // of what the results of OVER stand behind
	toPlan := func(e expr.Expr) expr.Expr {
		return expr.Map(e, func(e expr.Expr) expr.Expr {
			c, ok := e.(*expr.Column)
			if !ok {
				return e
			}
			if c.Index >= overBase {
				return expr.NewColumn(width+c.Index-overBase, c.Name, c.Type())
			}
			i := agg.positions[c.Index]
			return expr.NewColumn(i, agg.cols[i].Name, c.Type())
		})
	}
	var n plan.Node = agg.node
	if having != nil {
		n = &plan.Filter{Input: n, Condition: toPlan(having)}
	}
	if overs != nil {
		over, err := b.overNode(overs, n, toPlan)
		if err != nil {
			return nil, err
		}
		n, width = over, len(over.Input.Columns())
	}
	p := &plan.Project{Input: n}
	for i, e := range items.Exprs {
		e = toPlan(e)
		p.Exprs = append(p.Exprs, e)
		if i < len(q.Items) {
			p.Cols = append(p.Cols, itemColumn(&q.Items[i], e, n.Columns(), items.Cols[i].Name))
		} else {
			p.Cols = append(p.Cols, resultColumn(e, n.Columns(), items.Cols[i].Name))
		}
	}
	if q.Qualify == nil {
		return p, nil
	}
	return b.qualified(q, p, visible, behind, toPlan)
}

// overBase is the number of the first result of OVER where keys and aggregates are numbered.
const overBase = 1 << 20

func groupSpan(q *sql.Select) source.Span {
	if len(q.GroupBy) > 0 {
		return q.GroupBy[0].Span().To(q.GroupBy[len(q.GroupBy)-1].Span())
	}
	return q.Items[0].Span().To(q.Items[len(q.Items)-1].Span())
}

// aggregateBy plans an aggregation by windows if both edges of one are among the keys, else one that updates its results. Flink 2.3: with one edge alone it is
// of the second kind.
func (b *Binder) aggregateBy(g *grouping, input plan.Node, at source.Span) (*aggregation, error) {
	if g.windowed() {
		return b.aggregate(g, input, at)
	}
	if w := bareSession(input); w != nil {
		return nil, b.unsupported(at, "add window_start and window_end to GROUP BY", "an aggregation over SESSION that is not by its windows is")
	}
	return b.groupAggregate(g, input), nil
}

// distinct makes one row of equal ones: it groups by all columns, and by windows if both edges of one are among them.
func (b *Binder) distinct(input plan.Node, at source.Span) (plan.Node, error) {
	s := scopeOf(input.Columns(), "")
	g := &grouping{input: s, updates: plan.Updates(input), edges: map[plan.Edge]bool{}}
	for i, c := range s.columns {
		key := groupKey{Expr: s.column(i)}
		if c.Edge != plan.NoEdge && (g.window == nil || g.window == c.Window) {
			g.window, g.edges[c.Edge], key.edge = c.Window, true, c.Edge
		}
		g.keys = append(g.keys, key)
	}
	agg, err := b.aggregateBy(g, input, at)
	if err != nil {
		return nil, err
	}
	p := &plan.Project{Input: agg.node}
	for i, c := range s.columns {
		col := agg.cols[agg.positions[i]]
		col.Name = c.Name
		p.Exprs = append(p.Exprs, expr.NewColumn(agg.positions[i], col.Name, col.Type))
		p.Cols = append(p.Cols, col)
	}
	return p, nil
}

// addKey finds or adds a key and tells its number.
func (g *grouping) addKey(b *Binder, k sql.Expr) (int, error) {
	e, err := b.expr(k, g.input.in("GROUP BY"))
	if err != nil {
		return 0, err
	}
	e = g.called.column(e, g.input)
	if at := slices.IndexFunc(g.keys, func(k groupKey) bool { return expr.Equal(k.Expr, e) }); at >= 0 {
		return at, nil
	}
	key := groupKey{Expr: e}
	if c, ok := e.(*expr.Column); ok && namesColumn(k) {
		if col := g.input.columns[c.Index]; col.Edge != plan.NoEdge {
			if g.window != nil && g.window != col.Window {
				return 0, b.unsupported(k.Span(), "group by the columns of one window function", "grouping by two different windows is")
			}
			g.window, g.edges[col.Edge] = col.Window, true
			key.edge = col.Edge
		}
	}
	g.keys = append(g.keys, key)
	return len(g.keys) - 1, nil
}

// take resolves an expression behind GROUP BY that is a key or an aggregate. Column i of the result is key i, or the aggregate behind the keys.
func (g *grouping) take(b *Binder, e sql.Expr) (bound expr.Expr, done bool, err error) {
	if c, ok := e.(*sql.Call); ok && c.Over == nil {
		if p, ok := windowProperties[callName(c)]; ok {
			bound, err = g.windowProperty(b, p, c)
			return bound, true, err
		}
		if f, ok := function.LookupAggregate(c.Function.Last().Name); ok {
			if f.Grouping {
				bound, err = g.grouped(b, f, c)
			} else {
				bound, err = g.aggregate(b, f, c)
			}
			return bound, true, err
		}
	}
	switch e.(type) {
	case *sql.NumberLit, *sql.StringLit, *sql.BoolLit, *sql.NullLit, *sql.IntervalLit, *sql.DatetimeLit, *sql.UnitLit, *sql.WordLit:
		return nil, false, nil
	}
	over, err := b.expr(e, g.input)
	if err != nil {
		return nil, false, nil // It may hold an aggregate further down; if it is wrong in itself, that will show there.
	}
	over = g.called.column(over, g.input)
	for i, k := range g.keys {
		if !k.set && expr.Equal(k.Expr, over) {
			t := over.Type()
			t.NotNull = t.NotNull && g.everywhere(i)
			return expr.NewColumn(i, over.String(), t), true, nil
		}
	}
	return nil, false, nil
}

// refuse explains why a column cannot stand behind GROUP BY.
func (g *grouping) refuse(b *Binder, e *sql.ColumnRef) error {
	i, err := b.find(e.Name, g.input)
	if err != nil {
		return err
	}
	hint := "add it to GROUP BY, or aggregate it, for instance with MAX(" + e.Last().Name + ")"
	if g.input.columns[i].Edge == plan.TimeEdge {
		hint = "add window_time to GROUP BY"
	}
	if slices.ContainsFunc(g.keys, func(k groupKey) bool { _, constant := k.Expr.(*expr.Literal); return constant }) {
		hint += "; a number in GROUP BY is a value and no position"
	}
	return b.errorf(source.CodeGrouping, e.Span(), hint, "'%s' is neither in GROUP BY nor in an aggregate", e.Last().Name)
}
