package plan

// Named is a relation that people know by a name, such as a stream of a pipeline. Its rows pass; they are counted, and how far their watermark is is told.
type Named struct {
	Input Node
	Name  string
}

// Columns implements Node.
func (n *Named) Columns() []Column { return n.Input.Columns() }

// Children implements Node.
func (n *Named) Children() []Node { return []Node{n.Input} }
