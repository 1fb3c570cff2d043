package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/pattern"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Match finds sequences of rows of each key: MATCH_RECOGNIZE. Rows are taken in the order of event time, when the watermark has passed them. Its columns are the keys, then what Reads
// says of each match.
type Match struct {
	Input Node
	Keys  []int
	Time  int
	// By is the order of rows of one time; those that it does not tell apart stay as they came.
	By      []SortKey
	Pattern pattern.Pattern
	Skip    pattern.Skip
	// Within is the microseconds that the last row of a match stays behind the first, or less; zero is no bound.
	Within int64
	// Define has a definition for each variable.
	Define []Definition
	Reads  Readings
	Cols   []Column
}

// Definition is what a row must be to be a variable.
type Definition struct {
	// Condition is over the columns that Reads makes; nil is TRUE.
	Condition expr.Expr
	Reads     Readings
}

// AnyVariable stands for the rows of all variables.
const AnyVariable = -1

// Readings is what an expression reads of the rows of a match: its columns are Values, then Aggregates.
type Readings struct {
	Values     []RowValue
	Aggregates []MatchAggregate
}

// RowValue is a column of the row that is Offset rows behind the first of Variable, or before the last; NULL if there is none.
type RowValue struct {
	Column, Variable, Offset int
	First                    bool
	// Rowtime says that it is the event time of the match, MATCH_ROWTIME: that of its last row, unless the match had to wait for an earlier one.
	Rowtime bool
}

// MatchAggregate aggregates the rows of Variable.
type MatchAggregate struct {
	Aggregate
	Variable int
}

// Columns implements Node.
func (n *Match) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Match) Children() []Node { return []Node{n.Input} }

// Timed reports whether a column is the event time of the match.
func (n *Match) Timed() bool { return timed(n) }

// Alone is the condition of variable v over the columns of the input, if it looks at no other row than the one that is tested, and says the same of it at any time.
func (d Definition) Alone(v int) (condition expr.Expr, ok bool) {
	if d.Condition == nil {
		return nil, true
	}
	if len(d.Reads.Aggregates) > 0 || !expr.Steady(d.Condition) {
		return nil, false
	}
	for _, r := range d.Reads.Values {
		if r.Variable != v && r.Variable != AnyVariable || r.First || r.Offset > 0 {
			return nil, false
		}
	}
	return expr.Map(d.Condition, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return expr.NewColumn(d.Reads.Values[c.Index].Column, c.Name, c.Type())
		}
		return e
	}), true
}

// Columns lists the columns of the input that r reads.
func (r Readings) Columns() []int {
	var list []int
	for _, v := range r.Values {
		list = append(list, v.Column)
	}
	for _, a := range r.Aggregates {
		list = append(list, a.Reads()...)
	}
	return list
}

// Moved is r with its columns at other places.
func (r Readings) Moved(to func(column int) int) Readings {
	var moved Readings
	for _, v := range r.Values {
		v.Column = to(v.Column)
		moved.Values = append(moved.Values, v)
	}
	for _, a := range r.Aggregates {
		a.Aggregate = a.Aggregate.Moved(to)
		moved.Aggregates = append(moved.Aggregates, a)
	}
	return moved
}

func (n *Match) describe() string {
	in := n.Input.Columns()
	text := "Match (" + n.Pattern.String() + ")"
	if len(n.Keys) > 0 {
		text += " of each [" + namesOf(in, n.Keys) + "]"
	}
	text += " by " + strings.TrimPrefix(describeKeys(in, append([]SortKey{{Column: n.Time}}, n.By...)), "by ")
	if n.Within > 0 {
		text += ", within " + timefmt.Length(n.Within)
	}
	var define []string
	for i, d := range n.Define {
		if d.Condition != nil {
			define = append(define, n.Pattern[i].Name+" AS "+d.Condition.String())
		}
	}
	if len(define) > 0 {
		text += ", [" + strings.Join(define, ", ") + "]"
	}
	return text + ", then " + n.skip()
}

// skip is where the search goes on, in SQL.
func (n *Match) skip() string {
	switch n.Skip.To {
	case pattern.PastLastRow:
		return "PAST LAST ROW"
	case pattern.FirstOf:
		return "TO FIRST " + n.Pattern[n.Skip.Variable].Name
	case pattern.LastOf:
		return "TO LAST " + n.Pattern[n.Skip.Variable].Name
	}
	return "TO NEXT ROW"
}

// print writes what gives the state of a Match its meaning, names left out.
func (n *Match) print(b *strings.Builder) {
	in := n.Input.Columns()
	fmt.Fprintf(b, "match on $%d by %v skip %v within %d", n.Time, n.Keys, n.Skip, n.Within)
	for _, t := range n.Pattern {
		fmt.Fprintf(b, " {%d,%d} reluctant %t", t.Min, t.Max, t.Reluctant)
	}
	for _, d := range n.Define {
		b.WriteString(" define ")
		d.Reads.print(b, in)
		if d.Condition != nil {
			expression(b, d.Condition)
		}
	}
	b.WriteString(" reads ")
	n.Reads.print(b, in)
	sortKeys(b, in, n.By)
}

func (r Readings) print(b *strings.Builder, in []Column) {
	for _, v := range r.Values {
		fmt.Fprintf(b, " %v", v)
	}
	for _, a := range r.Aggregates {
		fmt.Fprintf(b, " of %d", a.Variable)
		groups(b, in, nil, []Aggregate{a.Aggregate})
	}
}
