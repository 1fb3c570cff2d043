package lower

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// windowFunctions are the windows among the keys of GROUP BY, by their names as normal has them.
var windowFunctions = map[string]bool{"hoppingwindow": true, "hop": true}

// windowEdges are the functions that tell the window of a row.
var windowEdges = map[string]plan.Edge{"hopstart": plan.StartEdge, "hopend": plan.EndEdge}

// hopping is the window of GROUP BY.
type hopping struct {
	name string // as written
	at   source.Span
	time expr.Expr // of the input
	spec window.Spec
	// byKey is HOP: the rows of a key tell its time, and a window waits for the delay behind its end.
	byKey bool
	delay int64
}

// windowForms say how windows are called, by their names as normal has them.
var windowForms = map[string]string{
	"hoppingwindow": `write HoppingWindow(time, "PT10S", "PT1M"): the step first, then the size`,
	"hop":           `write HOP(time, "PT10S", "PT1M", "PT0S"): the step first, then the size and the delay`,
}

// maxWindows bounds the windows that hold one row.
const maxWindows = 100_000

// window reads HoppingWindow(time, step, size).
func (l *Lowerer) window(g *grouping, c *yql.Call, ref *yql.FunctionRef, alias *yql.Ident) error {
	name := ref.Name.Name
	switch {
	case g.window != nil:
		return l.errorf(source.CodeWindow, c.Span(), "leave one of the two out", "GROUP BY has a window already, at %s", l.line(g.window.at))
	case alias != nil:
		return l.unsupported(alias.Span(), "leave it out, and write HOP_START() and HOP_END() in SELECT", "a name for the window is")
	}
	if rows := g.input.rows.node; plan.Updates(rows) {
		return l.unsupported(c.Span(), "read a topic, to which rows are only added", "%s over rows that replace others, as those of a table with a PRIMARY KEY do, is", name)
	}
	if err := l.windowArguments(c, name); err != nil {
		return err
	}
	v, err := l.value(c.Args[0].Value, g.input.in("the time of "+name))
	if err != nil {
		return err
	}
	w := &hopping{name: name, at: c.Span(), byKey: functions.Normal(name) == "hop"}
	if w.byKey {
		err = l.timestamp(v, c.Args[0].Value, name)
		w.time = v.Expr
	} else {
		var i int
		if i, err = l.windowTime(v, c.Args[0].Value, g.input.rows, name); err == nil {
			w.time = timeColumn(i, g.input.rows.node.Columns()[i])
		}
	}
	if err != nil {
		return err
	}
	if w.spec, err = l.windowSpec(c, name); err != nil {
		return err
	}
	g.window = w
	if !w.byKey {
		return nil
	}
	// YDB: the manual wants a multiple of the step, its quick start has zero.
	if w.delay, err = l.interval(c.Args[3].Value, "the delay of "+name); err == nil && (w.delay < 0 || w.delay%w.spec.SlideWidth() != 0) {
		err = l.errorf(source.CodeWindow, c.Args[3].Value.Span(), `write "PT0S", or a multiple of the step`, "the delay of %s is no multiple of its step", name)
	}
	return err
}

// extras are further arguments of HoppingWindow, which YDB does not document: they are about rows far in the future of their group.
var extras = []string{"TimeLimit", "SizeLimit", "EarlyPolicy", "LatePolicy"}

func (l *Lowerer) windowArguments(c *yql.Call, name string) error {
	windowForm, wanted := windowForms[functions.Normal(name)], 3
	if functions.Normal(name) == "hop" {
		wanted = 4
	}
	for i, a := range c.Args {
		if a.Name == nil && i < wanted {
			continue
		}
		if a.Name == nil {
			return l.errorf(source.CodeWindow, a.Value.Span(), windowForm, "%s takes %d arguments", name, wanted)
		}
		for _, x := range extras {
			if !strings.EqualFold(x, a.Name.Name) {
				continue
			}
			hint := "leave it out: windows close by the watermark alone; 'watermark.max-ahead' of a table bounds how far ahead of the clock a row may move it"
			if x == "LatePolicy" {
				hint = "write WITH (WATERMARK_LATE_EVENTS_POLICY = DROP), or ADJUST, behind the name of the query"
			}
			return l.unsupported(a.Span(), hint, "%s of %s is", x, name)
		}
		return l.errorf(source.CodeWindow, a.Name.Span(), didYouMean(a.Name.Name, extras, windowForm), "%s has no argument %s", name, a.Name.Name)
	}
	if len(c.Args) < wanted {
		return l.errorf(source.CodeWindow, c.Span(), windowForm, "%s takes %d arguments, and here are %d", name, wanted, len(c.Args))
	}
	return nil
}

// windowSpec reads step and size. YDB: both are positive, and the size is a multiple of the step.
func (l *Lowerer) windowSpec(c *yql.Call, name string) (window.Spec, error) {
	var spec window.Spec
	windowForm := windowForms[functions.Normal(name)]
	step, err := l.interval(c.Args[1].Value, "the step of "+name)
	if err != nil {
		return spec, err
	}
	size, err := l.interval(c.Args[2].Value, "the size of "+name)
	if err != nil {
		return spec, err
	}
	at := func(i int) source.Span { return c.Args[i].Value.Span() }
	switch {
	case step <= 0:
		return spec, l.errorf(source.CodeWindow, at(1), windowForm, "the step of %s is not greater than zero", name)
	case size <= 0:
		return spec, l.errorf(source.CodeWindow, at(2), windowForm, "the size of %s is not greater than zero", name)
	case size < step:
		return spec, l.errorf(source.CodeWindow, at(1).To(at(2)), "swap them: the step stands first, then the size", "the size of %s is less than its step", name)
	case size%step != 0:
		return spec, l.errorf(source.CodeWindow, at(1).To(at(2)), "make the size a multiple of the step", "the size of %s is not a multiple of its step", name)
	case size/step > maxWindows:
		return spec, l.errorf(source.CodeWindow, c.Span(), "make the step longer", "a row would be in %d windows", size/step)
	}
	spec = window.Spec{Kind: window.Hop, Slide: step, Size: size}
	if step == size {
		spec = window.Spec{Kind: window.Tumble, Size: size}
	}
	var wrong *window.LengthError
	if errors.As(spec.Validate(), &wrong) {
		i := 2
		if wrong.Part == "slide" {
			i = 1
		}
		return spec, l.errorf(source.CodeWindow, at(i), windowForm, "the %s of %s cannot be %s: %s", [...]string{1: "step", 2: "size"}[i], name, l.text.Slice(at(i)), wrong.Hint)
	}
	return spec, nil
}

// edges are the columns that tell the window: its start, its end, which is the time of the watermark from here on, and the last time in it. YDB: a window over
// HOP_END() of another one is right, as its rows leave in front of the watermark that closed them.
func (w *hopping) edges(of *plan.Windowing) []plan.Column {
	t := timeType(types.Type{NotNull: true}).Physical()
	return []plan.Column{
		{Name: "HOP_START", Type: t, Edge: plan.StartEdge, Window: of},
		{Name: "HOP_END", Type: t, Edge: plan.EndEdge, Window: of, Rowtime: true},
		{Name: "window_time", Type: t, Edge: plan.TimeEdge, Window: of},
	}
}

// timed leaves out rows that belong to no window. YDB: those without a time, and a window does not begin before 1970.
func (w *hopping) timed(n plan.Node, time int) plan.Node {
	if c := n.Columns()[time]; !c.Type.NotNull {
		n = &plan.Filter{Input: n, Condition: mustCall("IS NOT NULL", newColumn(time, c.Name, c.Type)), Tells: "in no window of " + w.name + ": their time is NULL"}
	}
	return &plan.Filter{Input: n, Condition: notBefore(n, time, 0), Tells: "in no window of " + w.name + ": their time is before 1970"}
}

// fromEpoch leaves out windows that begin before 1970, which rows after that are in where windows overlap. YDB: there are none such.
func (w *hopping) fromEpoch(n *plan.WindowAggregate) plan.Node {
	if w.spec.Kind == window.Tumble {
		return n
	}
	return &plan.Filter{Input: n, Condition: notBefore(n, len(n.Cols)-3, 0)}
}

// notBefore is TRUE where a column of n, a time, is an instant or later, in microseconds since 1970.
func notBefore(n plan.Node, column int, instant int64) expr.Expr {
	c := n.Columns()[column]
	return mustCall(">=", newColumn(column, c.Name, c.Type), expr.LiteralInt(c.Type, instant))
}

// mustCall calls a function with arguments that it takes.
func mustCall(name string, args ...expr.Expr) expr.Expr {
	e, err := expr.NewCall(function.MustScalar(name), args)
	if err != nil {
		panic("tidemark bug: " + err.Error())
	}
	return e
}

// edge is HOP_START() or HOP_END() behind GROUP BY. It is a column behind the aggregates, however many there will be: see settled.
func (g *grouping) edge(l *Lowerer, c *yql.Call, ref *yql.FunctionRef, edge plan.Edge) (functions.Value, error) {
	if len(c.Args) > 0 {
		return functions.Value{}, l.errorf(source.CodeType, c.Span(), "write "+ref.Name.Name+"()", "%s takes no arguments", ref.Name.Name)
	}
	if g.window == nil {
		return functions.Value{}, l.errorf(source.CodeWindow, c.Span(), windowForms["hoppingwindow"], "%s() is about a window, and GROUP BY has none", ref.Name.Name)
	}
	t := timeType(types.Type{NotNull: true})
	return functions.Value{Expr: newColumn(edgeBase+int(edge-plan.StartEdge), ref.Name.Name, t.Physical()), Type: t}, nil
}

// strayWindow refuses a window, or a function about one, where there are no groups that it could belong to.
func (l *Lowerer) strayWindow(ref *yql.FunctionRef, of string, s *scope) error {
	name := ref.Name.Name
	if windowEdges[of] != 0 || of == "sessionstart" {
		return l.errorf(source.CodeWindow, ref.Span(), `add HoppingWindow(time, "PT10S", "PT1M") to GROUP BY, and write it in SELECT or HAVING`, "%s() is about a window of GROUP BY, and cannot stand in %s", name, s.where)
	}
	return l.errorf(source.CodeWindow, ref.Span(), "make it a key of its own: GROUP BY "+name+`(time, "PT10S", "PT1M")`, "the window %s stands among the keys of GROUP BY, and not in %s", name, s.where)
}
