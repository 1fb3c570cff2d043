package bind

import (
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// matching is the rows of a match that expressions of MEASURES, or a definition, may read. Such an expression is over what it reads: the values, and from firstMatchAggregate on the
// aggregates.
type matching struct {
	// rows is the columns of the input, by a bare name of the last row, and then once more for each variable.
	rows    *scope
	pattern pattern.Pattern
	width   int // columns of the input
	time    int
	values  []plan.RowValue
	cols    []plan.Column // of values
	calls   []matchCall
	// first and offset are those of the FIRST or LAST that is being read, and inside its name, or that of an aggregate.
	first  bool
	offset int
	inside string
}

// matchCall is an aggregate over the rows of a variable.
type matchCall struct {
	aggregateCall
	variable int
}

const firstMatchAggregate = 1 << 20

// newMatching is about matches of p over columns, of which time is the event time.
func newMatching(columns []plan.Column, time int, p pattern.Pattern) *matching {
	rows := scopeOf(columns, "")
	rows.columns = slices.Clone(columns)
	for _, t := range p {
		for i := range columns {
			rows.merged = append(rows.merged, len(rows.columns)+i)
		}
		rows.columns = append(rows.columns, columns...)
		for range columns {
			rows.tables = append(rows.tables, t.Name)
		}
	}
	return &matching{rows: rows, pattern: p, width: len(columns), time: time}
}

// scope is for expressions that stand in where.
func (m *matching) scope(where string) *scope { return &scope{match: m, where: where} }

// variable is whose column i of rows is.
func (m *matching) variable(i int) int { return i/m.width - 1 }

// take binds what reads rows of the match; done is false for anything else.
func (m *matching) take(b *Binder, e sql.Expr, s *scope) (bound expr.Expr, done bool, err error) {
	switch e := e.(type) {
	case *sql.ColumnRef:
		if err := m.named(b, e); err != nil {
			return nil, true, err
		}
		bound, err := b.reference(e, m.rows.in(s.where))
		if err != nil {
			return nil, true, err
		}
		return m.read(bound), true, nil
	case *sql.Subquery, *sql.Exists:
		return nil, true, b.unsupported(e.Span(), "join with the query behind MATCH_RECOGNIZE", "a query in %s is", s.where)
	case *sql.In:
		if e.Query != nil {
			return nil, true, b.unsupported(e.Span(), "join with the query behind MATCH_RECOGNIZE", "a query in %s is", s.where)
		}
	case *sql.Call:
		if e.Bare {
			if i, err := b.find(e.Function, m.rows); err == nil {
				return m.read(m.rows.column(i)), true, nil
			}
			return nil, false, nil
		}
		return m.call(b, e, s)
	}
	return nil, false, nil
}

// named wants what stands in front of the column in e to be a variable.
func (m *matching) named(b *Binder, e *sql.ColumnRef) error {
	if len(e.Parts) == 1 || m.rows.has(sql.Name{Parts: e.Parts[:1]}) {
		return nil
	}
	_, err := b.patternVariable(m.pattern, e.Parts[0])
	return err
}

// read makes e, which is over rows, one over the values.
func (m *matching) read(e expr.Expr) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		v := plan.RowValue{Column: c.Index % m.width, Variable: m.variable(c.Index), First: m.first, Offset: m.offset}
		name := m.rows.columns[c.Index].Name
		if v.Variable != plan.AnyVariable {
			name = m.rows.tables[c.Index] + "." + name
		}
		t := c.Type()
		if v.Variable != plan.AnyVariable || v.Offset > 0 {
			t = t.Nullable()
		}
		return m.value(v, plan.Column{Name: spellRow(name, v), Type: t})
	})
}

// spellRow is v of a column, in SQL.
func spellRow(name string, v plan.RowValue) string {
	switch {
	case v.First:
		name = "FIRST(" + name
	case v.Offset > 0:
		name = "LAST(" + name
	default:
		return name
	}
	if v.Offset > 0 {
		name += ", " + strconv.Itoa(v.Offset)
	}
	return name + ")"
}

func (m *matching) value(v plan.RowValue, col plan.Column) expr.Expr {
	i := slices.Index(m.values, v)
	if i < 0 {
		i = len(m.values)
		m.values, m.cols = append(m.values, v), append(m.cols, col)
	}
	return expr.NewColumn(i, col.Name, col.Type)
}

// elsewhereInPatterns are functions that SQL has in patterns and Flink 2.3 has not, with what to write instead.
var elsewhereInPatterns = map[string]string{
	"PREV":           "rows of the partition outside of the match cannot be seen; LAST(x, 1) is the row before in the match, and LAG(…) OVER in a query in FROM that of the partition",
	"NEXT":           "a row that is yet to come cannot be seen; test it as the next variable of the pattern",
	"CLASSIFIER":     "name the variable: COUNT(a.x) tells whether there are rows of a",
	"MATCH_NUMBER":   "number the matches with ROW_NUMBER() OVER (PARTITION BY … ORDER BY the measure MATCH_ROWTIME()) outside",
	"RUNNING":        "leave it out: a measure is about the whole match",
	"MATCH_PROCTIME": "there is event time only: MATCH_ROWTIME() is the time of the last row of the match",
}

func (m *matching) call(b *Binder, e *sql.Call, s *scope) (bound expr.Expr, done bool, err error) {
	name := callName(e)
	if hint, ok := elsewhereInPatterns[name]; ok {
		return nil, true, b.unsupported(e.Span(), hint, "%s is", name)
	}
	switch name {
	case "FIRST", "LAST":
		bound, err = m.navigate(b, e, s)
		return bound, true, err
	case "MATCH_ROWTIME":
		bound, err = m.matchTime(b, e)
		return bound, true, err
	}
	if f, ok := function.LookupAggregate(name); ok && e.Over == nil && !f.Grouping {
		bound, err = m.aggregate(b, f, e, s)
		return bound, true, err
	}
	return nil, false, nil
}

// matchTime binds MATCH_ROWTIME(), in which the time attribute may be named.
func (m *matching) matchTime(b *Binder, e *sql.Call) (expr.Expr, error) {
	right := len(e.Args) == 0 && !e.Star
	if len(e.Args) == 1 {
		if c, ok := e.Args[0].(*sql.ColumnRef); ok {
			i, err := b.find(c.Name, m.rows)
			if err != nil {
				return nil, err
			}
			right = i%m.width == m.time
		}
	}
	if !right {
		return nil, b.errorf(source.CodeType, e.Span(), "call it as MATCH_ROWTIME()", "MATCH_ROWTIME takes the time attribute and nothing else")
	}
	col := plan.Column{Name: "MATCH_ROWTIME()", Type: m.rows.columns[m.time].Type, Rowtime: true}
	return m.value(plan.RowValue{Column: m.time, Variable: plan.AnyVariable, Rowtime: true}, col), nil
}

// navigate binds FIRST(x[, n]) and LAST(x[, n]).
func (m *matching) navigate(b *Binder, e *sql.Call, s *scope) (expr.Expr, error) {
	name := callName(e)
	if m.inside != "" {
		return nil, b.unsupported(e.Span(), "read columns of one row in each", "%s in %s is", name, m.inside)
	}
	offset := 0
	if len(e.Args) == 2 {
		n, err := b.expr(e.Args[1], (&scope{}).in(name))
		if err != nil {
			return nil, err
		}
		l, ok := n.(*expr.Literal)
		if !ok || l.IsNull() || !l.Type().IsInteger() || l.Int() < 0 || l.Int() > maxRowOffset {
			return nil, b.errorf(source.CodeType, e.Args[1].Span(), "write a number such as 1", "how many rows %s goes on is a whole number from 0 to %d", name, maxRowOffset)
		}
		offset = int(l.Int())
	}
	if len(e.Args) == 0 || len(e.Args) > 2 || e.Star || e.Distinct || e.Filter != nil {
		return nil, b.errorf(source.CodeType, e.Span(), "call it as "+name+"(a.x) or "+name+"(a.x, 1)", "%s takes a value and a number of rows", name)
	}
	m.first, m.offset, m.inside = name == "FIRST", offset, name
	bound, err := b.expr(e.Args[0], s)
	m.first, m.offset, m.inside = false, 0, ""
	if err != nil {
		return nil, err
	}
	var of []int
	for _, c := range expr.Columns(bound) {
		of = append(of, m.values[c].Variable)
	}
	return bound, m.single(b, e, of)
}

// maxRowOffset bounds the rows that FIRST and LAST go on.
const maxRowOffset = 1_000_000

// single wants all columns in the argument of e to be of one variable.
func (m *matching) single(b *Binder, e *sql.Call, of []int) error {
	slices.Sort(of)
	if len(slices.Compact(of)) > 1 {
		return b.errorf(codeMatch, e.Span(), "call it for each variable: "+callName(e)+"(a.x), "+callName(e)+"(b.x)", "%s reads rows of one variable, and here are columns of several", callName(e))
	}
	return nil
}

// finish gives what was read its columns in pre, and the columns of the readings.
func (m *matching) finish(pre *projection) (r plan.Readings, cols []plan.Column) {
	a := &aggregation{}
	calls := make([]aggregateCall, len(m.calls))
	for i, c := range m.calls {
		calls[i] = c.aggregateCall
	}
	a.addCalls(pre, calls)
	r.Values = m.values
	for i, c := range m.calls {
		r.Aggregates = append(r.Aggregates, plan.MatchAggregate{Aggregate: a.aggregates[i], Variable: c.variable})
	}
	return r, slices.Concat(m.cols, a.cols)
}

// settled is e with the aggregates behind the values, from column from on.
func (m *matching) settled(e expr.Expr, from int) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		at := c.Index
		if at >= firstMatchAggregate {
			at += len(m.values) - firstMatchAggregate
		}
		return expr.NewColumn(from+at, c.Name, c.Type())
	})
}
