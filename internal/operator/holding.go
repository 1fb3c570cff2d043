package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/watermark"
)

// holding is an operator that holds rows until the frontier has passed them.
type holding interface {
	// absorb holds the rows lo..hi-1 of b's selection.
	absorb(b *dataflow.Batch, lo, hi int, out dataflow.Output) error
	// rise lets the rows go that f has passed.
	rise(f watermark.Frontier, active bool, out dataflow.Output) error
	// emit sends the rows that leave.
	emit(out dataflow.Output) error
	// compact gives memory back.
	compact()
}

// takeHeld is Process of h, but for its counts and the frontier behind the batch. If a row has an error, what left before it is sent first.
func takeHeld(h holding, b *dataflow.Batch, out dataflow.Output) error {
	err := b.Segments(
		func(lo, hi int) error { return h.absorb(b, lo, hi, out) },
		func(f watermark.Frontier) error { return h.rise(f, true, out) })
	b.Release()
	if first := h.emit(out); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	h.compact()
	return nil
}

// advanceHeld is Advance of h, but for the frontier behind what leaves.
func advanceHeld(h holding, p dataflow.Progress, out dataflow.Output) error {
	if err := h.rise(p.Frontier, p.Active, out); err != nil {
		return err
	}
	if err := h.emit(out); err != nil {
		return err
	}
	h.compact()
	return nil
}
