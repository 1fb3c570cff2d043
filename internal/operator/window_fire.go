package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// fireDue fires the windows of h that are complete at p.Frontier, in their order, and passes on every deadline when all windows that have it have fired: local ones that
// end in a skipped hour have one, and attached ones that only start apart. Then it passes p on. Until then the stream is active, whatever p says: whoever is behind would
// let others overtake the windows that are still to fire.
func (h *windowHeap) fireDue(p dataflow.Progress, deadline func(window.Window) int64, fire func(window.Window) error, out dataflow.Output) error {
	for len(*h) > 0 {
		at := deadline((*h)[0])
		if !p.Frontier.Complete(at) {
			break
		}
		if err := fire(h.pop()); err != nil {
			return err
		}
		if len(*h) > 0 && deadline((*h)[0]) == at {
			continue
		}
		if err := out.Advance(dataflow.Progress{Frontier: watermark.Frontier(at), Active: true}); err != nil {
			return err
		}
	}
	return out.Advance(p)
}
