package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// causes is what released the rows at hand, as the batch of results says it.
type causes struct {
	released watermark.Frontier
	rank     [2]int64
}

// causesOf is that of rows of b which are worked on among their marks, behind the one to passed. Where several tasks do so, what comes of them is behind that mark, whichever task sends it.
func causesOf(b *dataflow.Batch, passed watermark.Frontier) causes {
	c := causes{b.Released, b.Rank}
	if b.Order != nil {
		c.released = max(c.released, passed.Add(1))
	}
	return c
}
