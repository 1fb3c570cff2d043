package plan

import (
	"fmt"
	"strings"
)

// Deduplicate passes the first row of each id, and forgets ids that the system watermark has passed; a row behind that is passed over too, as one that came before.
type Deduplicate struct {
	Input Node
	// ID are the columns of the id, System is the one that says when the row came to exist.
	ID     []int
	System int
}

// Columns implements Node.
func (n *Deduplicate) Columns() []Column { return n.Input.Columns() }

// Children implements Node.
func (n *Deduplicate) Children() []Node { return []Node{n.Input} }

func (n *Deduplicate) describe() string {
	cols := n.Columns()
	return fmt.Sprintf("Deduplicate by [%s], until the system watermark has passed %s", namesOf(cols, n.ID), cols[n.System].Name)
}

// print writes what gives the state its meaning.
func (n *Deduplicate) print(b *strings.Builder) {
	b.WriteString("deduplicate")
	for _, c := range n.ID {
		b.WriteString(" " + n.Columns()[c].Type.Nullable().String())
	}
	fmt.Fprintf(b, " by $%d", n.System)
}
