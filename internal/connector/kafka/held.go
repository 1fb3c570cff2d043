package kafka

import (
	"sync"

	"github.com/tidemark-sql/tidemark/internal/handover"
)

// held is what a sink that hands its watermark over has written in a transaction. Nothing is promised of it before the transaction is committed: if it is given up its rows are written again, behind
// whatever was promised, by a statement whose watermark is back where the checkpoint before has it.
type held struct {
	ledger  *handover.Ledger
	stretch *handover.Stretch // nil before it is sealed

	mu   sync.Mutex
	rows int64
	ends map[int32]int64
}

// add notes that a row was acknowledged. In a transaction its offset is known.
func (h *held) add(partition int32, offset int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rows++
	h.ends[partition] = max(h.ends[partition], offset+1)
}

// release is called when the transaction is committed.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ledger.Committed(h.stretch, h.rows, h.ends)
}

// hold is what the rows of the transaction that is being written are held by.
func (p *promises) hold() *held {
	if p.held == nil {
		p.held = &held{ledger: p.ledger, ends: map[int32]int64{}}
	}
	return p.held
}

// seal ends what a transaction holds, with the frontier that the checkpoint has.
func (p *promises) seal() *held {
	h := p.hold()
	h.stretch = p.ledger.Seal(p.frontier, p.active)
	p.held = nil
	return h
}
