package plan

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// KeyWindows aggregates per key and window, where the rows of a key tell its time themselves: a row at t ends the windows of its key that are over at the last multiple of the slide which is not after t, less Delay. Keys do not move each other, and watermarks
// end nothing before the input ends. Its columns are the keys, the aggregates, window_start and window_end. YDB: HOP.
type KeyWindows struct {
	Input Node
	// Spec is TUMBLE or HOP.
	Spec window.Spec
	// Delay is how long a window waits for rows that come late, microseconds.
	Delay int64
	// Time is the column of Input that finds the windows of a row. It is no time attribute.
	Time       int
	Keys       []int
	Aggregates []Aggregate
	// TTL is how long a key is kept that has no more rows, with its open windows.
	TTL  TTL
	Cols []Column
}

// Columns implements Node.
func (n *KeyWindows) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *KeyWindows) Children() []Node { return []Node{n.Input} }

func (n *KeyWindows) describe() string {
	w := Windowing{Spec: n.Spec}
	in := n.Input.Columns()
	return "KeyWindows " + w.String() + " on " + in[n.Time].Name + ", delay " + timefmt.Length(n.Delay) + ", " + describeGrouping(in, n.Keys, n.Aggregates)
}
