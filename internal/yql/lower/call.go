package lower

import (
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// call lowers a call: of a function, of a literal with a type, of a named lambda, or of what another call has made.
func (l *Lowerer) call(e *yql.Call, s *scope) (functions.Value, error) {
	switch {
	case e.Over != nil:
		return functions.Value{}, l.unsupported(e.Over.Span(), "aggregate by HoppingWindow", "OVER is")
	case e.Filter != nil:
		return functions.Value{}, l.unsupported(e.Filter.Span(), "write COUNT_IF, SUM_IF, AVG_IF, or IF(condition, x, NULL)", "FILTER is")
	}
	ref, ok := e.Callee.(*yql.FunctionRef)
	if !ok {
		return l.applied(e, s)
	}
	of := functions.Normal(ref.Name.Name)
	if ref.Module == nil {
		switch {
		case of == "tablerow":
			return l.tableRow(e, s)
		case of == "systemmetadata":
			return l.systemMetadata(e, s)
		case windowFunctions[of] || windowEdges[of] != 0 || of == "sessionwindow" || of == "sessionstart":
			return functions.Value{}, l.strayWindow(ref, of, s)
		}
		if v, done, err := l.typed(e, ref); done || err != nil {
			return v, err
		}
		if isAggregate(ref) {
			return functions.Value{}, l.strayAggregate(e, ref, s)
		}
	}
	if e.JSON != nil {
		return l.jsonCall(e, ref, s)
	}
	if e.Distinct || e.Star {
		return functions.Value{}, l.errorf(source.CodeUnknownFunc, e.Span(), "leave it out", "%s is no aggregate, and takes neither * nor DISTINCT", ref.Name.Name)
	}
	return l.calledWith(module(ref), ref.Name.Name, e.Args, s)
}

// calledWith calls a function by its name.
func (l *Lowerer) calledWith(module, function string, args []yql.Arg, s *scope) (functions.Value, error) {
	f, err := functions.Lookup(module, function)
	if err != nil {
		return functions.Value{}, err
	}
	if f.Lazy {
		defer l.branches()()
	}
	named, err := l.arguments(args, s)
	if err != nil {
		return functions.Value{}, err
	}
	return f.Call(named)
}

func (l *Lowerer) arguments(args []yql.Arg, s *scope) ([]functions.Named, error) {
	named := make([]functions.Named, len(args))
	for i := range args {
		v, err := l.argument(args[i].Value, s)
		if err != nil {
			return nil, err
		}
		named[i].Value = v
		if args[i].Name != nil {
			named[i].Name = args[i].Name.Name
		}
	}
	return named, nil
}

// argument is a value, or a type: a word that is the name of no column may be one.
func (l *Lowerer) argument(e yql.Expr, s *scope) (functions.Value, error) {
	ref, ok := e.(*yql.ColumnRef)
	if !ok || ref.Name.Quoted {
		if t, isType := yql.TypeOf(e); isType && !ok {
			typ, err := l.typeOf(t)
			return functions.OfType(typ), err
		}
		return l.value(e, s)
	}
	rows := s.rows
	if s.group != nil {
		rows = s.group.input.rows
	}
	for _, c := range rows.columns {
		if c.kind != carriedColumn && c.name == ref.Name.Name {
			return l.value(e, s)
		}
	}
	if t, err := yqltype.Parse(ref.Name.Name); err == nil {
		return functions.OfType(t), nil
	}
	return l.value(e, s)
}

// typed lowers a literal with a type: Interval("PT5S"). Done is false if it is another call.
func (l *Lowerer) typed(e *yql.Call, ref *yql.FunctionRef) (v functions.Value, done bool, err error) {
	t, err := yqltype.Parse(ref.Name.Name)
	if err != nil || t.IsContainer() || len(e.Args) == 0 {
		return v, false, nil
	}
	text, ok := e.Args[0].Value.(*yql.StringLit)
	if t.Kind == yqltype.Null || len(e.Args) > 1 || e.Args[0].Name != nil {
		return v, false, nil
	}
	if !ok {
		return v, true, l.errorf(source.CodeType, e.Args[0].Value.Span(), "write CAST("+l.text.Slice(e.Args[0].Value.Span())+" AS "+t.String()+")", "%s(…) is a literal, which takes a text in quotes", ref.Name.Name)
	}
	v, err = functions.Construct(t, text.Value)
	return v, true, err
}

// applied calls a lambda, or what another call has made.
func (l *Lowerer) applied(e *yql.Call, s *scope) (functions.Value, error) {
	callee, err := l.value(e.Callee, s)
	if err != nil {
		return callee, err
	}
	f, ok := callee.Static.(*functions.Callable)
	if !ok {
		return callee, l.errorf(source.CodeType, e.Callee.Span(), "call a lambda: $f = ($x) -> ($x + 1)", "%s is %s, and cannot be called", l.text.Slice(e.Callee.Span()), describe(callee))
	}
	args := make([]functions.Value, len(e.Args))
	for i := range e.Args {
		if args[i], err = l.value(e.Args[i].Value, s); err != nil {
			return callee, err
		}
	}
	return f.Call(args...)
}

// tableRow is the row as a Struct of the columns that a star has.
func (l *Lowerer) tableRow(e *yql.Call, s *scope) (functions.Value, error) {
	switch {
	case s.group != nil:
		return functions.Value{}, l.errorf(source.CodeGrouping, e.Span(), "make a named query of this one, and select TableRow() from that", "behind GROUP BY there is no row: TableRow() stands in another SELECT")
	case len(s.rows.columns) == 0:
		return functions.Value{}, l.errorf(source.CodeUnknownTable, e.Span(), "add FROM", "TableRow() needs a table")
	}
	var members []functions.Named
	for _, i := range s.rows.plain("") {
		members = append(members, functions.Named{Name: s.rows.columns[i].name, Value: s.rows.value(i)})
	}
	return functions.Struct(members)
}

// systemMetadata is SystemMetadata("write_time"), the older way to write __ydb_write_time.
func (l *Lowerer) systemMetadata(e *yql.Call, s *scope) (functions.Value, error) {
	if len(e.Args) != 1 {
		return functions.Value{}, l.errorf(source.CodeType, e.Span(), `write SystemMetadata("write_time")`, "SystemMetadata takes one argument")
	}
	text, ok := e.Args[0].Value.(*yql.StringLit)
	if !ok {
		return functions.Value{}, l.errorf(source.CodeType, e.Args[0].Value.Span(), `write SystemMetadata("write_time")`, "SystemMetadata takes a name in quotes")
	}
	return l.value(&yql.ColumnRef{Located: text.Located, Name: yql.Ident{Located: text.Located, Name: systemPrefix + text.Value}}, s)
}
