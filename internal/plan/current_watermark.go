package plan

// CurrentWatermark adds a column: the watermark of the stream when the row came, as CURRENT_WATERMARK of the time attribute shows it. It is NULL before the first.
type CurrentWatermark struct {
	Input Node
	// Time is the time attribute, a column of Input; the new column has its type.
	Time int
	Cols []Column
}

// Columns implements Node.
func (n *CurrentWatermark) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *CurrentWatermark) Children() []Node { return []Node{n.Input} }

func (n *CurrentWatermark) describe() string {
	return "CurrentWatermark of " + n.Input.Columns()[n.Time].Name
}
