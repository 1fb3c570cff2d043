package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// process adds the streams that code of the program writes.
func (l *lowering) process(c *flowspec.Computation, inputs map[string]plan.Node) error {
	p, err := l.computationOf(c, inputs)
	if err != nil {
		return err
	}
	if err := l.maker(c, p.Spec); err != nil {
		return err
	}
	shared := &plan.Shared{Name: c.ID.Text, Input: p}
	for k, w := range c.Outputs {
		n, err := l.assignedOutput(c, &plan.Outlet{Of: shared, K: k})
		if err != nil {
			return err
		}
		if err := l.write(w, n); err != nil {
			return err
		}
	}
	if len(c.Outputs) > 0 {
		return nil
	}
	return l.silent(c, p)
}

// silent runs a computation that writes no stream. A statement writes somewhere, so it has an output on which nothing ever comes.
func (l *lowering) silent(c *flowspec.Computation, p *plan.Process) error {
	column := flowspec.Column{Name: flowspec.Word{Text: nothing, At: c.ID.At}, Type: types.BooleanType}
	t, err := l.declared(flowspec.External{Options: []flowspec.Option{{Key: flowspec.Word{Text: "connector", At: c.ID.At}, Value: flowspec.Word{Text: "blackhole", At: c.ID.At}}}}, c.ID.Text, c.ID.At, []flowspec.Column{column})
	if err != nil {
		return err
	}
	if t, err = l.tables.Target(t, c.ID.At); err != nil {
		return err
	}
	s, err := l.tables.Write(t, bind.Rows{Node: p, At: c.ID.At, Query: c.ID.At, Item: func(int) source.Span { return c.ID.At }})
	if err == nil {
		l.program.Statements = append(l.program.Statements, s)
	}
	return err
}

// nothing is the column of an output on which nothing comes.
const nothing = "nothing"

// assignedOutput is an output of code whose event time is that of the assigner's column, if it has one. Flow: whatever the code said.
func (l *lowering) assignedOutput(c *flowspec.Computation, n plan.Node) (plan.Node, error) {
	a, columns := c.Strategy.Assigner, n.Columns()
	if a.Column.Text == "" || c.Class.Source {
		return n, nil
	}
	p := &plan.Project{Input: n, Cols: slices.Clone(columns)}
	for i, col := range columns {
		p.Exprs = append(p.Exprs, expr.NewColumn(i, col.Name, col.Type))
	}
	column := slices.IndexFunc(columns, func(c plan.Column) bool { return c.Name == a.Column.Text })
	event, system := len(columns)-2, len(columns)-1
	e, err := assigned(a, p.Exprs[column])
	if err == nil && a.Limit {
		e, err = limited(e, p.Exprs[system])
	}
	if err != nil {
		return nil, l.placed(err, a.Column.At)
	}
	p.Exprs[event], p.Cols[event].Type = e, e.Type()
	return p, nil
}

// maker finds the code of a computation. A name that is nearly one of those that are known is a mistake, also if code may be elsewhere.
func (l *lowering) maker(c *flowspec.Computation, s *process.Spec) error {
	make, ok := l.code.Makers[c.Function.Text]
	if !ok {
		names := slices.Sorted(maps.Keys(l.code.Makers))
		hint := "run the pipeline in a program that has it, with package flow, or write processing_function: sql and a query"
		near := source.Nearest(c.Function.Text, append(names, flowspec.ClassNames()...))
		if near != "" {
			hint = "did you mean '" + near + "'?"
		} else if len(names) > 0 {
			hint = "the program has: " + strings.Join(names, ", ")
		}
		err := l.errorf(source.CodeUnknownFunc, c.Function.At, hint, "the program has no computation '%s'", c.Function.Text)
		if near != "" || !l.code.Elsewhere {
			return err
		}
		l.note(c.Function.At, "'%s' is code of another program, which runs the pipeline; what is around it is checked", c.Function.Text)
		s.New = func() (process.Function, error) { return nil, err }
		return nil
	}
	parameters := c.Parameters.JSON()
	s.New = func() (process.Function, error) { return make(s, parameters) }
	return nil
}

// scales are those of timers by their time_type.
var scales = map[flowspec.TimeType]process.Scale{
	flowspec.EventTime:   process.EventTime,
	flowspec.SystemTime:  process.SystemTime,
	flowspec.CurrentTime: process.RealTime,
}

// computationOf is a computation with code over its inputs, whose Spec has no New yet.
func (l *lowering) computationOf(c *flowspec.Computation, inputs map[string]plan.Node) (*plan.Process, error) {
	p := &plan.Process{Spec: &process.Spec{Name: c.ID.Text, Limits: process.DefaultLimits}, Meaning: c.Function.Text}
	names := c.InputNames()
	for _, name := range names {
		if err := l.input(c, p, name, inputs[name]); err != nil {
			return nil, err
		}
	}
	if limits := l.spec.Dynamic.Limits[c.ID.Text]; limits != (flowspec.Limits{}) {
		if limits.Timers > 0 {
			p.Spec.Limits.Timers = limits.Timers
		}
		if limits.TimerBytes > 0 {
			p.Spec.Limits.TimerBytes = limits.TimerBytes
		}
	}
	for _, t := range c.Timers {
		s := process.TimerStream{Name: t.Name.Text, Scale: scales[t.Time], KeepEqual: t.Keep, From: parents(c, t.Name.Text)}
		for _, d := range t.Streams {
			w := process.Watched{Input: slices.Index(names, d.Stream.Text), Delay: d.Delay}
			if w.Input < 0 {
				if t.Time == flowspec.SystemTime {
					return nil, l.errorf(source.CodeUnsupported, d.Stream.At, "name inputs, or write time_type: event_time", "a timer in system time that waits for a timer stream is not supported")
				}
				w.Timer = slices.IndexFunc(c.Timers, func(t *flowspec.Timer) bool { return t.Name.Text == d.Stream.Text })
			}
			s.Watches = append(s.Watches, w)
		}
		p.Spec.Timers = append(p.Spec.Timers, s)
	}
	for _, w := range c.Outputs {
		l.output(c, p, w)
	}
	if len(c.Outputs) == 0 {
		p.Outputs = [][]plan.Column{{{Name: nothing, Type: types.BooleanType}}}
		p.Spec.Outputs = []process.Output{{Name: nothing, Columns: types.Schema{{Name: nothing, Type: types.BooleanType}}, EventTime: -1, SystemTime: -1}}
	}
	return p, nil
}

// parents are the streams that an output or a timer stream comes from, nil if streams_dependency does not say it.
func parents(c *flowspec.Computation, stream string) *process.Parents {
	if !slices.ContainsFunc(c.Dependencies, func(d flowspec.Dependency) bool { return d.Of.Text == stream }) {
		return nil
	}
	inputs, from := c.InputNames(), &process.Parents{}
	for _, name := range c.Parents(stream) {
		if k := slices.Index(inputs, name); k >= 0 {
			from.Inputs = append(from.Inputs, k)
		} else if k := slices.IndexFunc(c.Timers, func(t *flowspec.Timer) bool { return t.Name.Text == name }); k >= 0 {
			from.Timers = append(from.Timers, k)
		}
	}
	return from
}

// input adds an input with the columns of its key.
func (l *lowering) input(c *flowspec.Computation, p *plan.Process, name string, n plan.Node) error {
	n, keys, err := l.keyed(c, n, name)
	if err != nil {
		return err
	}
	in := process.Input{Name: name, Columns: plan.SchemaOf(n), Keys: keys, EventTime: -1, SystemTime: -1}
	event := slices.IndexFunc(n.Columns(), func(c plan.Column) bool { return c.Rowtime })
	in.EventTime = event
	in.SystemTime = slices.IndexFunc(n.Columns(), func(c plan.Column) bool { return c.Name == plan.SystemTimestamp })
	p.Inputs, p.Spec.Inputs = append(p.Inputs, n), append(p.Spec.Inputs, in)
	return nil
}

// keyed is an input with the columns of its key, which are computed if they have to be. Flow spreads rows by the hash in the first column; the engine hashes keys itself, so that what is hashed is the key.
func (l *lowering) keyed(c *flowspec.Computation, n plan.Node, stream string) (plan.Node, []int, error) {
	columns := n.Columns()
	p := &plan.Project{Input: n}
	for i, col := range columns {
		p.Exprs, p.Cols = append(p.Exprs, expr.NewColumn(i, col.Name, col.Type)), append(p.Cols, col)
	}
	var keys []int
	add := func(k int) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for i, k := range c.GroupBy {
		hash := i == 0
		at := slices.IndexFunc(columns, func(c plan.Column) bool { return c.Name == k.Name.Text && !c.Hidden })
		switch {
		case k.Expression == nil && at >= 0:
			if !hash || len(c.GroupBy) == 1 {
				add(at)
			}
		case k.Expression == nil && hash && len(c.GroupBy) > 1:
		case k.Expression == nil:
			return nil, nil, l.errorf(source.CodeUnknownColumn, k.Name.At, "give it an expression", "stream '%s' has no column '%s'", stream, k.Name.Text)
		default:
			hashed, e, err := l.keyExpression(c, k, columns)
			switch {
			case err != nil:
				return nil, nil, err
			case hashed != nil && len(c.GroupBy) > 1:
			case hashed != nil:
				for _, at := range hashed {
					add(at)
				}
			default:
				if !types.Assignable(e.Type(), k.Type) {
					return nil, nil, l.errorf(source.CodeType, k.Expression.Span, "change the type of the column", "key column '%s' is %s, and its expression is %s", k.Name.Text, k.Type.Nullable(), e.Type().Nullable())
				}
				if e, err = expr.Convert(e, k.Type.Nullable()); err != nil {
					return nil, nil, l.placed(err, k.Expression.Span)
				}
				p.Exprs, p.Cols = append(p.Exprs, e), append(p.Cols, plan.Column{Name: k.Name.Text, Type: e.Type(), Hidden: at >= 0})
				add(len(p.Cols) - 1)
			}
		}
	}
	if len(p.Cols) == len(columns) {
		return n, keys, nil
	}
	return p, keys, nil
}

// hashFunction is what keys of Flow are hashed with.
const hashFunction = "farm_hash"

// keyExpression reads the expression of a key column: the columns that are hashed if it is farm_hash of some, whatever it is multiplied with, or an expression of SQL.
func (l *lowering) keyExpression(c *flowspec.Computation, k flowspec.KeyColumn, columns []plan.Column) (hashed []int, e expr.Expr, err error) {
	masked := l.sqlText(k.Expression, "the expression of key column '"+k.Name.Text+"'")
	text := singleQuoted(masked)
	tree, err := sql.ParseExpr(text)
	if err != nil {
		return nil, nil, l.unmasked(err, text, k.Expression)
	}
	tables := l.tables.Among(l.within(masked), nil)
	product := tree
	if b, ok := product.(*sql.Binary); ok {
		product = b.Left
	}
	if call, ok := product.(*sql.Call); ok && strings.EqualFold(call.Function.Last().Name, hashFunction) && len(call.Args) > 0 {
		for _, a := range call.Args {
			e, err := tables.Expression(a, columns, "group_by_schema")
			if err != nil {
				return nil, nil, err
			}
			col, ok := e.(*expr.Column)
			if !ok {
				return nil, nil, l.errorf(source.CodeUnsupported, a.Span(), "hash columns, and compute others in the computation before", "the hash of an expression is not supported")
			}
			hashed = append(hashed, col.Index)
		}
		return hashed, nil, nil
	}
	e, err = tables.Expression(tree, columns, "group_by_schema")
	return nil, e, err
}

// output adds a stream that is written.
func (l *lowering) output(c *flowspec.Computation, p *plan.Process, w flowspec.Word) {
	var cols []plan.Column
	for _, col := range l.spec.Stream(w.Text).Schema {
		cols = append(cols, plan.Column{Name: col.Name.Text, Type: col.Type})
	}
	o := process.Output{Name: w.Text, EventTime: len(cols), SystemTime: len(cols) + 1, From: parents(c, w.Text)}
	known := types.TimestampLTZType
	known.NotNull = true
	cols = append(cols, times(types.TimestampLTZType, known)...)
	for _, col := range cols {
		o.Columns = append(o.Columns, types.Field{Name: col.Name, Type: col.Type})
	}
	p.Outputs, p.Spec.Outputs = append(p.Outputs, cols), append(p.Spec.Outputs, o)
}
