package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// aggregation is a WindowAggregate or GroupAggregate in the making, and where the columns of a grouping stand in it.
type aggregation struct {
	node       plan.Node
	keys       []int // columns of the input
	aggregates []plan.Aggregate
	cols       []plan.Column
	positions  []int // by key, then by aggregate
}

// groupAggregate plans the aggregation of g over input without windows.
func (b *Binder) groupAggregate(g *grouping, input plan.Node) *aggregation {
	pre := project(input)
	a := &aggregation{}
	for i, k := range g.keys {
		a.addGroupKey(pre, g, i, k)
	}
	a.addCalls(pre, g.calls)
	a.node = &plan.GroupAggregate{Input: a.expand(g, pre.Project), Keys: a.keys, Aggregates: a.aggregates, Cols: a.cols, TTL: b.ownTTL()}
	return a
}

// aggregate plans the aggregation of g over input. If the rows come straight from a window function whose columns nothing else uses, the
// function becomes part of the aggregation, which then works by slices; otherwise rows carry their window.
func (b *Binder) aggregate(g *grouping, input plan.Node, at source.Span) (*aggregation, error) {
	n := &plan.WindowAggregate{Windows: g.window, Time: -1}
	under, ok := strip(input, g.window)
	var pre *projection
	if ok && under.renumberAll(g) {
		pre = project(under.node)
		n.Time = pre.column(under.kept[0])
	} else {
		if g.window.Spec.Kind == window.Session && assigns(input, g.window) {
			return nil, b.unsupported(at, "compute with window_start and window_end behind the aggregation", "SESSION whose window columns are used before the aggregation is")
		}
		pre = project(input)
		for i, c := range input.Columns() {
			switch {
			case c.Window != g.window:
			case c.Edge == plan.StartEdge:
				n.Start = pre.column(i)
			case c.Edge == plan.EndEdge:
				n.End = pre.column(i)
			}
		}
	}
	a := &aggregation{}
	for i, k := range g.keys {
		if k.edge == plan.NoEdge {
			a.addGroupKey(pre, g, i, k)
		} else {
			a.positions = append(a.positions, -1)
		}
	}
	if ok && g.window.Spec.Kind == window.Session {
		if g.sets != nil {
			return nil, b.unsupported(at, "aggregate the sessions first, and their results by grouping sets", "GROUPING SETS over SESSION is")
		}
		if err := b.checkPartition(pre, a.keys, under.kept[1:], at); err != nil {
			return nil, err
		}
	}
	a.addCalls(pre, g.calls)
	for i, k := range g.keys {
		if k.edge != plan.NoEdge {
			a.positions[i] = len(a.cols) + int(k.edge-plan.StartEdge)
		}
	}
	a.cols = append(a.cols, edgeColumns(g.window)...)
	n.Input = a.expand(g, pre.Project)
	n.Keys, n.Aggregates, n.Cols = a.keys, a.aggregates, a.cols
	a.node = n
	return a, nil
}

func (a *aggregation) addCalls(pre *projection, calls []aggregateCall) {
	for _, c := range calls {
		for _, e := range c.args {
			c.Args = append(c.Args, pre.add(e))
		}
		c.Filter = -1
		if c.filter != nil {
			c.Filter = pre.add(c.filter)
		}
		a.positions = append(a.positions, len(a.cols))
		a.aggregates = append(a.aggregates, c.Aggregate)
		a.cols = append(a.cols, plan.Column{Name: c.String(), Type: c.Overload.Result})
	}
}

// addGroupKey adds key i of g. Which grouping set a result is of is no column of pre, but comes with them.
func (a *aggregation) addGroupKey(pre *projection, g *grouping, i int, k groupKey) {
	if !k.set {
		a.addKey(pre, k.Expr)
		last := &a.cols[a.positions[len(a.positions)-1]]
		last.Type.NotNull = last.Type.NotNull && g.everywhere(i)
		return
	}
	a.keys = append(a.keys, -1)
	a.positions = append(a.positions, len(a.cols))
	a.cols = append(a.cols, plan.GroupingColumn)
}

func (a *aggregation) addKey(pre *projection, k expr.Expr) {
	col := pre.add(k)
	at := slices.Index(a.keys, col)
	if at < 0 {
		at = len(a.keys)
		a.keys = append(a.keys, col)
		c := pre.Cols[col]
		c.Rowtime, c.Edge, c.Window = false, plan.NoEdge, nil
		a.cols = append(a.cols, c)
	}
	a.positions = append(a.positions, at)
}

// checkPartition wants the keys of a session aggregation to be the columns that the sessions are made by.
func (b *Binder) checkPartition(pre *projection, keys, partition []int, at source.Span) error {
	var by []int
	for _, p := range partition {
		by = append(by, pre.column(p))
	}
	for _, k := range keys {
		if !slices.Contains(by, k) {
			return b.unsupported(at, "add '"+pre.Cols[k].Name+"' to PARTITION BY of SESSION", "grouping sessions by more than what they are partitioned by is")
		}
	}
	for _, p := range by {
		if !slices.Contains(keys, p) {
			return b.unsupported(at, "add '"+pre.Cols[p].Name+"' to GROUP BY", "grouping sessions by less than what they are partitioned by is")
		}
	}
	return nil
}

// projection collects the columns that an aggregation reads, each once.
type projection struct{ *plan.Project }

func project(input plan.Node) *projection { return &projection{&plan.Project{Input: input}} }

func (p *projection) add(e expr.Expr) int {
	i := slices.IndexFunc(p.Exprs, func(x expr.Expr) bool { return expr.Equal(x, e) })
	if i < 0 {
		i = len(p.Exprs)
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, resultColumn(e, p.Input.Columns(), e.String()))
	}
	return i
}

func (p *projection) column(i int) int {
	c := p.Input.Columns()[i]
	return p.add(expr.NewColumn(i, c.Name, c.Type))
}

// stripped is a plan without its window function.
type stripped struct {
	node plan.Node
	// columns tells where the columns of the plan with the window function are in node, -1 for the edges.
	columns []int
	// kept is where the time attribute and SESSION's partition columns are.
	kept []int
}

// strip takes the window function that makes w out of n, if nothing in n computes with its columns.
func strip(n plan.Node, w *plan.Windowing) (*stripped, bool) {
	switch n := n.(type) {
	case *plan.WindowAssign:
		if n.Windows != w {
			return nil, false
		}
		s := &stripped{node: n.Input, kept: append([]int{n.Time}, w.PartitionBy...)}
		for i := range n.Cols {
			if i >= len(n.Input.Columns()) {
				i = -1
			}
			s.columns = append(s.columns, i)
		}
		return s, true
	case *plan.Filter:
		s, ok := strip(n.Input, w)
		if !ok {
			return nil, false
		}
		c, ok := s.renumber(n.Condition)
		s.node = &plan.Filter{Input: s.node, Condition: c}
		return s, ok
	case *plan.Project:
		return stripProject(n, w)
	}
	return nil, false
}

func stripProject(n *plan.Project, w *plan.Windowing) (*stripped, bool) {
	s, ok := strip(n.Input, w)
	if !ok {
		return nil, false
	}
	p := &projection{&plan.Project{Input: s.node}}
	out := &stripped{node: p.Project}
	for i, e := range n.Exprs {
		if c, ok := e.(*expr.Column); ok && s.columns[c.Index] < 0 {
			out.columns = append(out.columns, -1)
			continue
		}
		e, ok := s.renumber(e)
		if !ok {
			return nil, false
		}
		out.columns = append(out.columns, len(p.Exprs))
		p.Exprs = append(p.Exprs, e)
		col := n.Cols[i]
		col.Rowtime = resultColumn(e, s.node.Columns(), "").Rowtime
		p.Cols = append(p.Cols, col)
	}
	for _, k := range s.kept {
		out.kept = append(out.kept, p.column(k))
	}
	return out, true
}

// renumber moves an expression to the columns of the stripped plan; it reports false if it reads an edge.
func (s *stripped) renumber(e expr.Expr) (expr.Expr, bool) {
	for _, c := range expr.Columns(e) {
		if s.columns[c] < 0 {
			return nil, false
		}
	}
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return expr.NewColumn(s.columns[c.Index], c.Name, c.Type())
		}
		return e
	}), true
}

// renumberAll moves the keys and arguments of g to the stripped plan, or leaves all alone and reports false.
func (s *stripped) renumberAll(g *grouping) bool {
	keys, calls := slices.Clone(g.keys), slices.Clone(g.calls)
	ok := true
	for i := range keys {
		if keys[i].edge == plan.NoEdge && ok {
			keys[i].Expr, ok = s.renumber(keys[i].Expr)
		}
	}
	for i := range calls {
		calls[i].args = slices.Clone(calls[i].args)
		for k := range calls[i].args {
			if ok {
				calls[i].args[k], ok = s.renumber(calls[i].args[k])
			}
		}
		if calls[i].filter != nil && ok {
			calls[i].filter, ok = s.renumber(calls[i].filter)
		}
	}
	if ok {
		g.keys, g.calls = keys, calls
	}
	return ok
}

// assigns reports whether the window function that makes w is in n.
func assigns(n plan.Node, w *plan.Windowing) bool {
	if a, ok := n.(*plan.WindowAssign); ok && a.Windows == w {
		return true
	}
	return slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return assigns(c, w) })
}
