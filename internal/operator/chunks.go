package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// chunks cuts results into batches of at most emitRows rows and about emitBytes of strings. It learns how many rows that is.
type chunks struct {
	less int // how many rows a batch has less than emitRows
}

// each makes n rows, some at a time, and gives them away: build lays out rows lo..hi-1 in memory of a, and is asked again with fewer if they are too large.
func (c *chunks) each(memory *vector.Pool, n int, build func(a *vector.Arena, lo, hi int) *dataflow.Batch, send func(*dataflow.Batch) error) error {
	for lo := 0; lo < n; {
		hi := min(lo+emitRows-c.less, n)
		rows, a := hi-lo, memory.Get()
		var b *dataflow.Batch
		if rows == 1 {
			b = build(a, lo, hi)
		} else if !a.Within(emitBytes, func() { b = build(a, lo, hi) }) {
			a.Release()
			c.next(rows / 2)
			continue
		}
		size := 0 // not all of it is charged
		for _, col := range b.Cols {
			size += len(col.Buf)
		}
		switch {
		case size > 2*emitBytes && rows > 1:
			b.Release()
			c.next(rows * emitBytes / size)
			continue
		case size < emitBytes/2:
			c.next(2 * (emitRows - c.less))
		}
		if err := send(b); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// next says how many rows the next batch has at most.
func (c *chunks) next(rows int) { c.less = emitRows - min(max(rows, 1), emitRows) }
