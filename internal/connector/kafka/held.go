package kafka

import (
	"sync"

	"github.com/tidemark-sql/tidemark/internal/handover"
)

// held is the rows of a transaction that brokers have acknowledged. Nothing is promised behind them before the transaction is committed: if it is not, they are written again, behind whatever
// was promised.
type held struct {
	ledger *handover.Ledger

	mu        sync.Mutex
	stretches map[*handover.Stretch]int64 // rows
	ends      map[int32]int64
}

func newHeld(l *handover.Ledger) *held {
	return &held{ledger: l, stretches: map[*handover.Stretch]int64{}, ends: map[int32]int64{}}
}

// add notes a row. A transaction is acknowledged by all brokers, so its offset is known.
func (h *held) add(s *handover.Stretch, partition int32, offset int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stretches[s]++
	h.ends[partition] = max(h.ends[partition], offset+1)
}

// release counts the rows.
func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s, rows := range h.stretches {
		h.ledger.Committed(s, rows, h.ends)
	}
}

// seal ends the rows of a transaction.
func (p *promises) seal() *held {
	h := p.held
	p.held = nil
	if h == nil {
		h = newHeld(p.ledger)
	}
	return h
}
