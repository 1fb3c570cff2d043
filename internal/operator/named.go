package operator

import "github.com/tidemark-sql/tidemark/internal/dataflow"

// Named passes everything on, and counts rows.
type Named struct{ counts dataflow.Counts }

// NewNamed makes one.
func NewNamed() *Named { return &Named{} }

// Counts implements dataflow.Counted.
func (n *Named) Counts() *dataflow.Counts { return &n.counts }

// Process implements dataflow.Operator.
func (n *Named) Process(b *dataflow.Batch, out dataflow.Output) error {
	rows := int64(b.Rows().Count())
	n.counts.In.Add(rows)
	n.counts.Out.Add(rows)
	return out.Emit(b)
}

// Advance implements dataflow.Operator.
func (n *Named) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }
