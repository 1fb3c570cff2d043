package plan

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/process"
)

// Process is code of the program over the rows of its inputs, by key: with state, timers, and one output or several. Its columns are those of the first output; who reads another one, or one of
// several, reads an Outlet of it.
type Process struct {
	// Inputs are those of Spec, with the columns that it says, and only add rows.
	Inputs []Node
	Spec   *process.Spec
	// Outputs are the columns of those of Spec.
	Outputs [][]Column
	// Meaning is what gives the state its meaning beside columns and keys, such as the name of the function. A plan with another one does not take it over.
	Meaning string
}

// Columns implements Node.
func (n *Process) Columns() []Column { return n.Outputs[0] }

// Outlets implements Forking.
func (n *Process) Outlets() [][]Column { return n.Outputs }

// Children implements Node.
func (n *Process) Children() []Node { return n.Inputs }

func (n *Process) describe() string {
	in := n.Inputs[0].Columns()
	text := "Process " + n.Spec.Name
	if keys := n.Spec.Inputs[0].Keys; len(keys) > 0 {
		text += " by [" + namesOf(in, keys) + "]"
	}
	var timers []string
	for k, t := range n.Spec.Timers {
		text := t.Name + " in " + t.Scale.String()
		for _, w := range n.Spec.Watches(k) {
			if w.Input < 0 {
				text += " behind " + n.Spec.Timers[w.Timer].Name
			}
		}
		timers = append(timers, text)
	}
	if len(timers) > 0 {
		text += ", timers [" + strings.Join(timers, ", ") + "]"
	}
	var outputs []string
	for _, o := range n.Spec.Outputs {
		outputs = append(outputs, o.Name)
	}
	return text + ", writes [" + strings.Join(outputs, ", ") + "]"
}

// print writes what gives the state its meaning. States and timers are kept by their names, so that others may be there.
func (n *Process) print(b *strings.Builder) {
	fmt.Fprintf(b, "process %q", n.Meaning)
	for i, in := range n.Inputs {
		cols := in.Columns()
		b.WriteString(" (")
		for k, c := range n.Spec.Inputs[i].Keys {
			separate(b, k)
			b.WriteString(cols[c].Type.Nullable().String())
		}
		b.WriteString(")")
	}
}

// held reports whether timers hold back what n writes.
func (n *Process) held() bool {
	for k := range n.Spec.Outputs {
		if len(n.Spec.HoldsTimers(k)) > 0 {
			return true
		}
	}
	return false
}
