package bind

import (
	"errors"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// windowForm is how a window table function is called.
type windowForm struct {
	kind window.Kind
	// lengths are the parameters behind DATA and TIMECOL, in order; the last optional of them may be left out.
	lengths  []string
	optional int
	form     string
}

var windowForms = map[string]windowForm{
	"TUMBLE":   {window.Tumble, []string{"SIZE", "OFFSET"}, 1, "TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])"},
	"HOP":      {window.Hop, []string{"SLIDE", "SIZE", "OFFSET"}, 1, "HOP(TABLE t, DESCRIPTOR(ts), slide, size [, offset])"},
	"CUMULATE": {window.Cumulate, []string{"STEP", "SIZE", "OFFSET"}, 1, "CUMULATE(TABLE t, DESCRIPTOR(ts), step, size [, offset])"},
	"SESSION":  {window.Session, []string{"GAP"}, 0, "SESSION(TABLE t [PARTITION BY k], DESCRIPTOR(ts), gap)"},
}

// windowFunction binds TUMBLE, HOP, CUMULATE and SESSION in FROM.
func (b *Binder) windowFunction(r *sql.TableFunction) (plan.Node, error) {
	call := r.Call
	name := upperASCII(call.Function.Last().Name)
	form, ok := windowForms[name]
	if !ok && r.Lateral && len(call.Args) == 1 {
		if _, column := call.Args[0].(*sql.ColumnRef); column {
			return nil, b.errorf(source.CodeUnknownFunc, call.Function.Span(), "versions of a table are JOIN t FOR SYSTEM_TIME AS OF l.ts ON l.k = t.k, where t has PRIMARY KEY (…) NOT ENFORCED and WATERMARK; the elements of an array are UNNEST",
				"unknown table function '%s', and there are no temporal table functions", call.Function.Last().Name)
		}
	}
	if !ok {
		return nil, b.errorf(source.CodeUnknownFunc, call.Function.Span(), didYouMean(name, []string{"TUMBLE", "HOP", "CUMULATE", "SESSION"}, "the table functions are TUMBLE, HOP, CUMULATE and SESSION"), "unknown table function '%s'", call.Function.Last().Name)
	}
	args, err := b.windowArgs(call, form)
	if err != nil {
		return nil, err
	}
	table, ok := args["DATA"].(*sql.TableArg)
	if !ok {
		return nil, b.errorf(source.CodeWindow, args["DATA"].Span(), "call it as "+form.form, "the first argument of %s must be TABLE and a name", name)
	}
	if len(table.OrderBy) > 0 {
		return nil, b.unsupported(table.Span(), "leave it out; event time orders the rows", "ORDER BY of a window's table is")
	}
	input, s, err := b.tableRef(table.Table)
	if err != nil {
		return nil, err
	}
	if plan.Updates(input) {
		return nil, b.windowOverUpdates(table.Span(), form.kind, input)
	}
	n := &plan.WindowAssign{Input: input, Windows: &plan.Windowing{Spec: window.Spec{Kind: form.kind}}}
	if n.Windows.PartitionBy, err = b.partition(table, form, s); err != nil {
		return nil, err
	}
	if n.Time, err = b.timeColumn(args["TIMECOL"], form, input, s); err != nil {
		return nil, err
	}
	if err := b.lengths(&n.Windows.Spec, args, call.Span()); err != nil {
		return nil, err
	}
	b.addEdges(n)
	if form.kind == window.Session {
		b.sessions[n.Windows] = catalog.Place{Text: b.text, Span: call.Span()}
	}
	return n, nil
}

func (b *Binder) windowOverUpdates(at source.Span, kind window.Kind, input plan.Node) error {
	return b.unsupported(at, "put rows into windows before they are aggregated, or make the aggregation one by windows", "%s over rows that are updated, as %s makes them, is",
		kind, plan.Describe(plan.Culprit(input)))
}

// windowArgs sorts arguments, by position or name, by parameter.
func (b *Binder) windowArgs(call *sql.Call, form windowForm) (map[string]sql.Expr, error) {
	params := append([]string{"DATA", "TIMECOL"}, form.lengths...)
	args := map[string]sql.Expr{}
	for i, a := range call.Args {
		name, value := "", a
		if named, ok := a.(*sql.NamedArg); ok {
			name, value = upperASCII(named.Name.Name), named.Value
			if !slices.Contains(params, name) {
				return nil, b.errorf(source.CodeWindow, named.Name.Span(), didYouMean(name, params, "the parameters are "+join(params)), "%s has no parameter '%s'", form.kind, named.Name.Name)
			}
		} else if i < len(params) {
			name = params[i]
		} else {
			return nil, b.errorf(source.CodeWindow, a.Span(), "call it as "+form.form, "%s takes %d arguments at most", form.kind, len(params))
		}
		if args[name] != nil {
			return nil, b.errorf(source.CodeWindow, a.Span(), "give it once", "%s is given twice", name)
		}
		args[name] = value
	}
	for _, p := range params[:len(params)-form.optional] {
		if args[p] == nil {
			return nil, b.errorf(source.CodeWindow, call.Span(), "call it as "+form.form, "%s lacks its argument %s", form.kind, p)
		}
	}
	return args, nil
}

func (b *Binder) partition(t *sql.TableArg, form windowForm, s *scope) ([]int, error) {
	if len(t.PartitionBy) > 0 && form.kind != window.Session {
		return nil, b.errorf(source.CodeWindow, t.PartitionBy[0].Span(), "put the key into GROUP BY", "PARTITION BY is for SESSION; windows of %s are the same for all keys", form.kind)
	}
	var keys []int
	for _, e := range t.PartitionBy {
		c, ok := e.(*sql.ColumnRef)
		if !ok {
			return nil, b.unsupported(e.Span(), "compute it in a subquery and name the column", "an expression in PARTITION BY is")
		}
		i, err := b.find(c.Name, s)
		if err != nil {
			return nil, err
		}
		keys = append(keys, i)
	}
	return keys, nil
}

// timeColumn finds the time attribute in DESCRIPTOR(ts).
func (b *Binder) timeColumn(arg sql.Expr, form windowForm, input plan.Node, s *scope) (int, error) {
	d, ok := arg.(*sql.Descriptor)
	if !ok || len(d.Columns) != 1 {
		return 0, b.errorf(source.CodeWindow, arg.Span(), "call it as "+form.form, "the time column of %s is given as DESCRIPTOR(column)", form.kind)
	}
	i, err := b.find(d.Columns[0], s)
	if err != nil {
		return 0, err
	}
	c := s.columns[i]
	if c.Rowtime {
		return i, nil
	}
	return 0, b.noTimeAttribute(c, d.Columns[0].Span(), input, s)
}

// noTimeAttribute refuses column c of input as the time of windows.
func (b *Binder) noTimeAttribute(c plan.Column, at source.Span, input plan.Node, s *scope) error {
	if !c.Type.IsTime() {
		return b.errorf(source.CodeTime, at, rowtimeHint(input, s), "column '%s' is %s, and windows need a time attribute", c.Name, c.Type.Nullable())
	}
	if c.Edge != plan.NoEdge {
		return b.errorf(source.CodeTime, at, rowtimeHint(input, s), "'%s' is a window's edge and not a time attribute", c.Name)
	}
	return b.errorf(source.CodeTime, at, rowtimeHint(input, s), "'%s' is an ordinary %s here, not a time attribute", c.Name, c.Type.Nullable())
}

// rowtimeHint says how to get a time attribute into the rows of input.
func rowtimeHint(input plan.Node, s *scope) string {
	for _, c := range s.columns {
		if c.Rowtime && c.Hidden {
			return "declare it: WATERMARK FOR a time column in CREATE TABLE, or ALTER TABLE … ADD WATERMARK FOR …; until then the time attribute is '" + c.Name + "', when records were written"
		}
		if c.Rowtime {
			return "the time attribute here is '" + c.Name + "'"
		}
	}
	if slices.ContainsFunc(s.columns, func(c plan.Column) bool { return c.Edge != plan.NoEdge }) {
		return "pass window_time on: add it to SELECT and GROUP BY of the query with the window"
	}
	if readsLate(input) {
		return "rows that are late have no windows to wait for; group them by what they have: GROUP BY FLOOR(ts TO HOUR)"
	}
	if pastJoin(input) {
		return "a join makes times ordinary, as its rows come in no order of time; aggregate by windows before it and join the results"
	}
	which := "a time column"
	if slices.ContainsFunc(s.columns, func(c plan.Column) bool { return c.Name == catalog.Rowtime }) {
		which = "a time column, or for $rowtime,"
	}
	return "declare WATERMARK FOR " + which + " in CREATE TABLE, and pass that column on unchanged: CAST, a function, or UNION ALL with an ordinary timestamp makes it ordinary"
}

// pastJoin tells whether a join took the time attributes away that came into it.
func pastJoin(n plan.Node) bool {
	j, join := n.(*plan.Join)
	join = join && !j.Timed()
	return slices.ContainsFunc(n.Children(), func(c plan.Node) bool {
		return join && slices.ContainsFunc(c.Columns(), func(c plan.Column) bool { return c.Rowtime }) || pastJoin(c)
	})
}

// lengths reads the intervals of the call into spec.
func (b *Binder) lengths(spec *window.Spec, args map[string]sql.Expr, at source.Span) error {
	for _, p := range []struct {
		name string
		into *int64
	}{{"SLIDE", &spec.Slide}, {"STEP", &spec.Slide}, {"SIZE", &spec.Size}, {"GAP", &spec.Gap}, {"OFFSET", &spec.Offset}} {
		name, into := p.name, p.into
		arg := args[name]
		if arg == nil {
			continue
		}
		if sql.ReadsColumn(arg) {
			return b.errorf(source.CodeWindow, arg.Span(), "write INTERVAL '10' SECOND", "%s must be a constant interval", name)
		}
		e, err := b.expr(arg, (&scope{}).in(name))
		if err != nil {
			return err
		}
		l, ok := e.(*expr.Literal)
		switch {
		case ok && !l.IsNull() && l.Type().Kind == types.IntervalDay:
			*into = l.Int()
		case ok && l.Type().Kind == types.IntervalMonth:
			return b.unsupported(arg.Span(), "write it in days or less", "%s in months or years is", strings.ToLower(name))
		default:
			return b.errorf(source.CodeWindow, arg.Span(), "write INTERVAL '10' SECOND", "%s must be a constant interval", name)
		}
	}
	var wrong *window.LengthError
	if errors.As(spec.Validate(), &wrong) {
		return b.errorf(source.CodeWindow, args[upperASCII(wrong.Part)].Span(), wrong.Hint, "%s", wrong.Message)
	}
	if spec.Kind == window.Hop && spec.Size/spec.Slide > maxWindows || spec.Kind == window.Cumulate && spec.Size/spec.Slide > maxWindows {
		return b.errorf(source.CodeWindow, at, "make the slide or step longer", "a row would be in %d windows", spec.Size/spec.Slide)
	}
	return nil
}

// maxWindows bounds the windows that hold one row: beyond it the statement would not end in a lifetime.
const maxWindows = 100_000

// addEdges adds window_start, window_end and window_time. Flink: the former time attribute becomes an ordinary timestamp.
func (b *Binder) addEdges(n *plan.WindowAssign) {
	in := n.Input.Columns()
	n.Cols = append(n.Cols, in...)
	time := in[n.Time].Type
	n.Windows.Time = time.Nullable()
	if time.Kind == types.TimestampLTZ {
		n.Windows.Zone = b.session.Zone()
	}
	for i := range n.Cols {
		n.Cols[i].Rowtime = false
		n.Cols[i].Edge, n.Cols[i].Window = plan.NoEdge, nil
	}
	n.Cols = append(n.Cols, edgeColumns(n.Windows)...)
}

// edgeColumns are the columns that tell the window of a row. Flink: the first two are TIMESTAMP(3), the third has the type of the time attribute.
func edgeColumns(w *plan.Windowing) []plan.Column {
	edge := types.Type{Kind: types.Timestamp, Precision: 3, NotNull: true}
	time := w.Time
	time.NotNull = true
	return []plan.Column{
		{Name: "window_start", Type: edge, Edge: plan.StartEdge, Window: w},
		{Name: "window_end", Type: edge, Edge: plan.EndEdge, Window: w},
		{Name: "window_time", Type: time, Rowtime: true, Edge: plan.TimeEdge, Window: w},
	}
}
