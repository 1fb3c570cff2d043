package statements

import "sync"

// pool is the memory that the results of all statements share. A nil pool has room for any number of bytes, as one whose limit is 0.
type pool struct {
	limit int64

	mu    sync.Mutex
	freed sync.Cond
	used  int64
	turns int64 // grows whenever who waits should look again
}

func newPool(limit int64) *pool {
	p := &pool{limit: limit}
	p.freed.L = &p.mu
	return p
}

// take takes bytes if there is room; if there is none, turn is what to await. Who has nothing yet gets what he asks for: a statement must be able to show its first row, whatever others hold.
func (p *pool) take(bytes int, first bool) (turn int64, ok bool) {
	if p == nil {
		return 0, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.limit > 0 && p.used >= p.limit && !first {
		return p.turns, false
	}
	p.used += int64(bytes)
	return 0, true
}

// give gives bytes back.
func (p *pool) give(bytes int) {
	if p == nil || bytes == 0 {
		return
	}
	p.mu.Lock()
	p.used -= int64(bytes)
	p.mu.Unlock()
	p.wake()
}

// await waits until something has changed since a turn.
func (p *pool) await(turn int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.turns == turn {
		p.freed.Wait()
	}
}

// wake has everybody look again who waits.
func (p *pool) wake() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turns++
	p.freed.Broadcast()
}

// full reports whether somebody may be waiting.
func (p *pool) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.limit > 0 && p.used >= p.limit
}
