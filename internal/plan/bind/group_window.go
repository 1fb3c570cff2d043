package bind

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// groupWindow is TUMBLE, HOP or SESSION in GROUP BY, the older way to write a window: GROUP BY TUMBLE(ts, size) means what TUMBLE(TABLE t, DESCRIPTOR(ts), size)
// and GROUP BY window_start, window_end mean, and TUMBLE_START(ts, size) is window_start.
type groupWindow struct {
	call *sql.Call
	time int // column of the input
	spec window.Spec
	// first is the column of the input with window_start; window_end and window_time follow it.
	first int
	// computed are the keys of sessions that are no columns of the input, which stand in front of first in this order.
	computed []expr.Expr
}

// groupWindowForms are the arguments behind the time attribute.
var groupWindowForms = map[string]windowForm{
	"TUMBLE":  {window.Tumble, []string{"SIZE"}, 0, "GROUP BY TUMBLE(ts, size)"},
	"HOP":     {window.Hop, []string{"SLIDE", "SIZE"}, 0, "GROUP BY HOP(ts, slide, size)"},
	"SESSION": {window.Session, []string{"GAP"}, 0, "GROUP BY SESSION(ts, gap)"},
}

// windowProperty is a function that tells something of the window of GROUP BY.
type windowProperty struct {
	of   string
	edge plan.Edge
}

var windowProperties = map[string]windowProperty{
	"TUMBLE_START": {"TUMBLE", plan.StartEdge}, "TUMBLE_END": {"TUMBLE", plan.EndEdge}, "TUMBLE_ROWTIME": {"TUMBLE", plan.TimeEdge},
	"HOP_START": {"HOP", plan.StartEdge}, "HOP_END": {"HOP", plan.EndEdge}, "HOP_ROWTIME": {"HOP", plan.TimeEdge},
	"SESSION_START": {"SESSION", plan.StartEdge}, "SESSION_END": {"SESSION", plan.EndEdge}, "SESSION_ROWTIME": {"SESSION", plan.TimeEdge},
}

// groupWindowOf finds the window among the items of GROUP BY, and the other keys; nil if there is none.
func (b *Binder) groupWindowOf(items []sql.GroupItem) (*sql.Call, []sql.Expr, error) {
	var found *sql.Call
	var others []sql.Expr
	for _, item := range items {
		single, ok := item.(*sql.GroupKeys)
		if !ok {
			continue
		}
		for _, k := range single.Keys {
			c, ok := k.(*sql.Call)
			if ok && groupWindowForms[callName(c)].form != "" {
				if found != nil {
					return nil, nil, b.errorf(source.CodeWindow, c.Span(), "leave one of the two out", "GROUP BY has a window already")
				}
				found = c
				continue
			}
			others = append(others, k)
		}
	}
	return found, others, nil
}

// groupWindow puts the rows of input into the window of GROUP BY, if there is one. Its columns have no names.
func (b *Binder) groupWindow(q *sql.Select, input plan.Node, s *scope) (plan.Node, *scope, *groupWindow, error) {
	call, others, err := b.groupWindowOf(q.GroupBy)
	if call == nil || err != nil {
		return input, s, nil, err
	}
	form := groupWindowForms[callName(call)]
	if plan.Updates(input) {
		return nil, nil, nil, b.windowOverUpdates(call.Span(), form.kind, input)
	}
	w := &groupWindow{call: call}
	if w.time, w.spec, err = b.groupWindowArgs(call, form, s); err != nil {
		return nil, nil, nil, err
	}
	if !s.columns[w.time].Rowtime {
		return nil, nil, nil, b.noTimeAttribute(s.columns[w.time], call.Args[0].Span(), input, s)
	}
	n := &plan.WindowAssign{Input: input, Windows: &plan.Windowing{Spec: w.spec}, Time: w.time}
	if form.kind == window.Session {
		if n.Input, n.Windows.PartitionBy, err = b.sessionKeys(w, others, input, s); err != nil {
			return nil, nil, nil, err
		}
		b.sessions[n.Windows] = catalog.Place{Text: b.text, Span: call.Span()}
	}
	b.addEdges(n)
	behind := *s
	behind.columns, behind.tables, behind.merged = n.Cols, slices.Clone(s.tables), slices.Clone(s.merged)
	for i := len(s.columns); i < len(n.Cols); i++ {
		behind.tables, behind.merged = append(behind.tables, ""), append(behind.merged, i)
	}
	w.first = len(n.Input.Columns())
	return n, &behind, w, nil
}

// sessionKeys are the columns that sessions are made by: all other keys of GROUP BY. Those that are not there are computed behind the columns of input.
func (b *Binder) sessionKeys(w *groupWindow, keys []sql.Expr, input plan.Node, s *scope) (plan.Node, []int, error) {
	p := project(input)
	for i, c := range input.Columns() {
		p.Exprs, p.Cols = append(p.Exprs, s.column(i)), append(p.Cols, c)
	}
	var columns []int
	for _, k := range keys {
		e, err := b.expr(k, s.in("GROUP BY"))
		if err != nil {
			return nil, nil, err
		}
		column := p.add(e)
		if column == len(s.columns)+len(w.computed) {
			w.computed = append(w.computed, e)
		}
		columns = append(columns, column)
	}
	if w.computed == nil {
		return input, columns, nil
	}
	return p.Project, columns, nil
}

// column is e, or the column of the input in which it is computed.
func (w *groupWindow) column(e expr.Expr, s *scope) expr.Expr {
	if w == nil {
		return e
	}
	if i := slices.IndexFunc(w.computed, func(c expr.Expr) bool { return expr.Equal(c, e) }); i >= 0 {
		return s.column(w.first - len(w.computed) + i)
	}
	return e
}

// groupWindowArgs reads the time column and the lengths of a call such as TUMBLE(ts, size).
func (b *Binder) groupWindowArgs(call *sql.Call, form windowForm, s *scope) (int, window.Spec, error) {
	if len(call.Args) != len(form.lengths)+1 {
		return 0, window.Spec{}, b.errorf(source.CodeWindow, call.Span(), "write "+form.form, "%s takes %d arguments here", form.kind, len(form.lengths)+1)
	}
	ref, ok := call.Args[0].(*sql.ColumnRef)
	if callsProcTime(call.Args[0]) {
		return 0, window.Spec{}, b.noProcTime(call.Args[0], callName(call))
	}
	if !ok {
		return 0, window.Spec{}, b.errorf(source.CodeTime, call.Args[0].Span(), "name the column of WATERMARK FOR", "the first argument of %s must be a time attribute", form.kind)
	}
	time, err := b.find(ref.Name, s)
	if err != nil {
		return 0, window.Spec{}, err
	}
	args := map[string]sql.Expr{}
	for i, name := range form.lengths {
		args[name] = call.Args[i+1]
	}
	spec := window.Spec{Kind: form.kind}
	err = b.lengths(&spec, args, call.Span())
	return time, spec, err
}

// windowProperty resolves TUMBLE_START and the like behind GROUP BY, whose window must be the same.
func (g *grouping) windowProperty(b *Binder, p windowProperty, call *sql.Call) (expr.Expr, error) {
	name := callName(call)
	if g.called == nil || callName(g.called.call) != p.of {
		return nil, b.errorf(source.CodeWindow, call.Span(), "write "+groupWindowForms[p.of].form, "%s is about a window of GROUP BY, and there is no %s", name, p.of)
	}
	time, spec, err := b.groupWindowArgs(call, groupWindowForms[p.of], g.input)
	if err != nil {
		return nil, err
	}
	if time != g.called.time || spec != g.called.spec {
		return nil, b.errorf(source.CodeWindow, call.Span(), "give it the arguments of "+p.of+" in GROUP BY", "%s is about another window than GROUP BY has", name)
	}
	i := slices.IndexFunc(g.keys, func(k groupKey) bool { return k.edge == p.edge })
	return expr.NewColumn(i, name, g.keys[i].Type()), nil
}

// addWindow makes keys of the window's columns and tells their numbers.
func (g *grouping) addWindow() []int {
	var keys []int
	for i := range 3 {
		c := g.input.columns[g.called.first+i]
		g.window, g.edges[c.Edge] = c.Window, true
		keys = append(keys, len(g.keys))
		g.keys = append(g.keys, groupKey{Expr: g.input.column(g.called.first + i), edge: c.Edge})
	}
	return keys
}

// strayWindow refuses a window, or a function about one, where there is no GROUP BY that it could belong to.
func (b *Binder) strayWindow(call *sql.Call, s *scope) error {
	name := callName(call)
	if form, ok := groupWindowForms[name]; ok {
		if s.group != nil || s.where == "GROUP BY" {
			return b.errorf(source.CodeWindow, call.Span(), "make it a key of its own: "+form.form, "the window %s stands in GROUP BY, outside of other expressions and of grouping sets", name)
		}
		return b.errorf(source.CodeWindow, call.Span(), "write FROM "+windowForms[name].form+", or "+form.form, "the window %s stands in FROM or in GROUP BY", name)
	}
	if p, ok := windowProperties[name]; ok {
		return b.errorf(source.CodeWindow, call.Span(), "write "+groupWindowForms[p.of].form, "%s stands in SELECT, HAVING and ORDER BY, and is about a window of GROUP BY", name)
	}
	if of, ok := strings.CutSuffix(name, "_PROCTIME"); ok && groupWindowForms[of].form != "" {
		return b.unsupported(call.Span(), "use "+of+"_ROWTIME: Tidemark works in event time only", "%s is", name)
	}
	return nil
}

func callName(c *sql.Call) string { return upperASCII(c.Function.Last().Name) }
