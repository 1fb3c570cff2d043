package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// emitRows bounds the rows of a result batch, and so the memory of an edge.
const emitRows = 4096

// emitBytes bounds the strings and collections of a result batch of more than one row, where a row of the input makes many results or long ones.
const emitBytes = 4 << 20

// onward passes the frontiers on that stand among the rows of a batch, for an operator that does nothing else with them.
func onward(out dataflow.Output) func(watermark.Frontier) error {
	return func(f watermark.Frontier) error { return out.Advance(dataflow.Progress{Frontier: f, Active: true}) }
}
