package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// once is an input of which a message that is written twice is processed once. Flow: computations know the messages that they have processed by their ids, in the table input_messages, down to the system watermark.
// The engine makes no message twice, so that the ids that it would give them itself, of split, offset and index, would never be found there; what the schema calls an id is that of whoever writes. In the mode
// at_least_once_consistent nobody looks.
func (l *lowering) once(c *flowspec.Computation, stream string, n plan.Node) plan.Node {
	s := l.spec.Stream(stream)
	if s == nil || len(s.MessageID) == 0 || c.AtLeastOnce {
		return n
	}
	at := func(name string) int {
		return slices.IndexFunc(n.Columns(), func(c plan.Column) bool { return c.Name == name })
	}
	d := &plan.Deduplicate{Input: n, System: at(plan.SystemTimestamp)}
	for _, w := range s.MessageID {
		d.ID = append(d.ID, at(w.Text))
	}
	return &plan.Shared{Name: c.ID.Text + "/" + stream, Input: d}
}
