package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Over computes aggregates over the rows before each row, and puts them behind its columns: agg OVER (PARTITION BY Keys ORDER BY By …). Where By is a time attribute alone,
// ascending, a row leaves when the watermark has passed it.
type Over struct {
	Input Node
	Keys  []int
	By    []SortKey
	Frame Frame
	Calls []Aggregate
	Cols  []Column
	// TTL is how long the first row of a partition is remembered, if nobody looks at the others: it is Flink's Deduplicate that keeps the first row.
	TTL TTL
}

// Frame says which rows before a row, with that row itself, an Over aggregates.
type Frame struct {
	// Rows counts rows; otherwise rows of one time have one frame.
	Rows bool
	// Bounded says that only Preceding rows before the row are in it, or those that are no more than Preceding microseconds older.
	Bounded   bool
	Preceding int64
}

// Columns implements Node.
func (n *Over) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Over) Children() []Node { return []Node{n.Input} }

// Timed reports whether the order is that of event time, which a stream can be put into.
func (n *Over) Timed() bool {
	return len(n.By) == 1 && !n.By[0].Desc && n.Input.Columns()[n.By[0].Column].Rowtime
}

// Numbers reports whether n does nothing but number the rows of each partition.
func (n *Over) Numbers() bool { return len(n.Calls) == 1 && n.Calls[0].Function.Name == "ROW_NUMBER" }

func (n *Over) describe() string {
	in := n.Input.Columns()
	var parts []string
	if len(n.Keys) > 0 {
		parts = append(parts, "of each ["+namesOf(in, n.Keys)+"]")
	}
	parts = append(parts, describeKeys(in, n.By), n.Frame.String())
	calls := make([]string, len(n.Calls))
	for i, c := range n.Calls {
		calls[i] = c.describe(in)
	}
	return "Over " + strings.Join(append(parts, "["+strings.Join(calls, ", ")+"]"), ", ")
}

// String is the frame in SQL, without what all frames have in common.
func (f Frame) String() string {
	unit, bound := "RANGE", "UNBOUNDED"
	if f.Rows {
		unit = "ROWS"
	}
	switch {
	case f.Bounded && f.Rows:
		bound = fmt.Sprint(f.Preceding)
	case f.Bounded:
		bound = timefmt.Length(f.Preceding)
	}
	return unit + " " + bound + " PRECEDING"
}
