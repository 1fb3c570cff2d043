package plan

// Named is a relation that people know by a name, such as a stream of a pipeline. Its rows pass; they are counted, and how far their watermark is is told.
type Named struct {
	Input Node
	Name  string
	// Part says that it is what one reader takes of the relation of that name. Nobody knows it by a name, and it is neither counted nor told.
	Part bool
}

// Columns implements Node.
func (n *Named) Columns() []Column { return n.Input.Columns() }

// Children implements Node.
func (n *Named) Children() []Node { return []Node{n.Input} }
