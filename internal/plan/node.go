package plan

import (
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Node is a relation: something that yields rows. The set is closed: *Scan, *Values, *Named, *Filter, *Project, *WindowAssign, *Expand, *WindowAggregate, *KeyWindows, *Normalize, *GroupAggregate, *Sort, *AtEnd, *Limit, *TopN, *WindowTopN, *Over, *Match, *Unnest, *CurrentWatermark, *Lateness, *Misread, *Join, *TemporalJoin, *TableJoin, *SetOperation, *Process, *Deduplicate, *Union, *Shared, *Outlet.
type Node interface {
	// Columns describes the rows.
	Columns() []Column
	// Children are the inputs.
	Children() []Node
}

// Column is a column of a relation.
type Column struct {
	Name string
	Type types.Type
	// Rowtime says that the column is a time attribute: the watermark of the stream is about it.
	Rowtime bool
	// Hidden says that * leaves the column out.
	Hidden bool
	// Edge is set on window_start, window_end and window_time of a window.
	Edge Edge
	// Window tells which windows an Edge belongs to; all columns of one window function share it.
	Window *Windowing
}

// Edge is a role among the columns that a window function adds.
type Edge uint8

// The edges.
const (
	NoEdge Edge = iota
	StartEdge
	EndEdge
	TimeEdge
)

// GroupingColumn is the column by which an Expand tells its sets apart, see GroupingID.
var GroupingColumn = Column{Name: "grouping", Type: types.Type{Kind: types.BigInt, NotNull: true}}

// Windowing is the windows that one window function makes.
type Windowing struct {
	Spec window.Spec
	// Zone is that of the session if the time is a TIMESTAMP_LTZ, else nil.
	Zone *time.Location
	// Time is the type of the time attribute, and of window_time.
	Time types.Type
	// PartitionBy are SESSION's, columns of the input.
	PartitionBy []int
}

// Scan reads a table.
type Scan struct {
	Table *catalog.Table
	// Output are the columns of the table that are read or computed, ascending; the rows have them in this order.
	Output []int
	Cols   []Column
	// Strategy is resolved when the statement is planned, and is part of the identity of the scan.
	Strategy Strategy
	// Dimension is what Strategy.By names, as texts over the columns of the table.
	Dimension []expr.Expr
	// Late is what becomes of rows that are late at the source.
	Late watermark.LateRows
	// Changelog is which changes the rows stand for.
	Changelog connector.Changelog
	// Once says that the rows cannot be read again.
	Once bool
	// Called is what people know the source as, if that is not the name of the table.
	Called string
	// Zone is the session's.
	Zone *time.Location
}

// Values is rows written in the statement.
type Values struct {
	Rows [][]*expr.Literal
	Cols []Column
}

// Filter passes the rows for which Condition is TRUE.
type Filter struct {
	Input     Node
	Condition expr.Expr
	// Tells is what people are told of the rows that it leaves out, behind their number: "in no window of HOP, without a time". It is "" where they asked for that themselves.
	Tells string
}

// Over is n over other rows.
func (n *Filter) Over(input Node) *Filter {
	return &Filter{Input: input, Condition: n.Condition, Tells: n.Tells}
}

// Project computes columns.
type Project struct {
	Input Node
	Exprs []expr.Expr
	Cols  []Column
}

// WindowAssign adds window_start, window_end and window_time to every row, once per window that holds it.
type WindowAssign struct {
	Input   Node
	Windows *Windowing
	Time    int // column of Input
	Cols    []Column
}

// WindowAggregate aggregates per key and window. Its columns are the keys, the aggregates, window_start, window_end, window_time.
type WindowAggregate struct {
	Input   Node
	Windows *Windowing
	// Time is the column of Input that finds the window of a row, -1 if the rows carry their window in Start and End.
	Time       int
	Start, End int
	Keys       []int
	Aggregates []Aggregate
	Cols       []Column
}

// GroupAggregate aggregates per key, and updates the result of a key with every row. Its columns are the keys and the aggregates. Without aggregates it is the
// distinct keys.
type GroupAggregate struct {
	Input      Node
	Keys       []int
	Aggregates []Aggregate
	Cols       []Column
	TTL        TTL
}

// Normalize makes changes with whole rows of upserts: it keeps the last row of every key. Flink calls it ChangelogNormalize.
type Normalize struct {
	Input Node
	Keys  []int
	TTL   TTL
}

// Attached reports whether rows carry their window.
func (a *WindowAggregate) Attached() bool { return a.Time < 0 }

// Aggregate is a call of an aggregate function.
type Aggregate struct {
	Function *function.Aggregate
	Overload function.AggregateOverload
	// Args are columns of the input, one for each parameter of the overload; none for COUNT(*).
	Args []int
	// Constants are the arguments behind them, which the overload knows.
	Constants []*expr.Literal
	Distinct  bool
	// Filter is the column of the input that must be TRUE for a row to count, -1 if every row does.
	Filter int
}

// Reads lists the columns of the input that a reads.
func (a *Aggregate) Reads() []int {
	if a.Filter < 0 {
		return a.Args
	}
	return append(slices.Clone(a.Args), a.Filter)
}

// Moved is a with its columns at other places.
func (a Aggregate) Moved(to func(column int) int) Aggregate {
	args := make([]int, len(a.Args))
	for i, c := range a.Args {
		args[i] = to(c)
	}
	a.Args = args
	if a.Filter >= 0 {
		a.Filter = to(a.Filter)
	}
	return a
}

// Union is UNION ALL.
type Union struct {
	Inputs []Node
	Cols   []Column
}

// Columns implements Node.
func (n *Scan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Values) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Filter) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *Project) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *WindowAssign) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *WindowAggregate) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Normalize) Columns() []Column { return n.Input.Columns() }

// Columns implements Node.
func (n *GroupAggregate) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Union) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Scan) Children() []Node { return nil }

// Children implements Node.
func (n *Values) Children() []Node { return nil }

// Children implements Node.
func (n *Filter) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *Project) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *WindowAssign) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *WindowAggregate) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *Normalize) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *GroupAggregate) Children() []Node { return []Node{n.Input} }

// Children implements Node.
func (n *Union) Children() []Node { return n.Inputs }

// Statement is a query with the place where its rows go.
type Statement struct {
	Root Node
	// Into is the table of an INSERT, nil for a query whose rows go to the user.
	Into *catalog.Table
	// Keeps says that nobody wrote this one: it keeps rows that those beside it leave out.
	Keeps Kept
	// Guarantee is what its sink promises.
	Guarantee connector.Guarantee
}

// Schema is the row type of the statement's result.
func (s *Statement) Schema() types.Schema { return SchemaOf(s.Root) }

// SchemaOf is the row type of a node.
func SchemaOf(n Node) types.Schema {
	cols := n.Columns()
	schema := make(types.Schema, len(cols))
	for i, c := range cols {
		schema[i] = types.Field{Name: c.Name, Type: c.Type}
	}
	return schema
}
