package handover

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Ledger finds out what a writer can promise: a frontier counts once every row that was sent before it is acknowledged, in whatever order that comes about.
// Sent and Advance are called by one goroutine, the others by any.
type Ledger struct {
	column string

	mu       sync.Mutex
	stretch  *Stretch // rows sent since the frontier rose last
	waiting  []*Stretch
	reached  watermark.Frontier // whose rows are all acknowledged
	latest   watermark.Frontier
	active   bool
	toldIdle bool // the last Promise given out says Idle
	ends     map[int32]int64
	blind    bool // an offset is not known
}

// Stretch is rows that were sent between two rises of the frontier.
type Stretch struct {
	sent, open int64              // rows; those not acknowledged
	then       watermark.Frontier // behind them
}

// NewLedger makes the ledger of a writer that has sent nothing. Column is the one whose times its frontiers are about.
func NewLedger(column string) *Ledger {
	return &Ledger{column: column, stretch: &Stretch{}, reached: watermark.Unset, latest: watermark.Unset, active: true, ends: map[int32]int64{}}
}

// Sent notes rows before they are handed to the client, which is to tell Acknowledged the stretch. If woken, readers may have been told that the writer is idle: then the next
// Promise must be written before the rows are.
func (l *Ledger) Sent(rows int64) (s *Stretch, woken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stretch.sent += rows
	l.stretch.open += rows
	woken = l.toldIdle
	l.active, l.toldIdle = true, false
	return l.stretch, woken
}

// Acknowledged notes that a row has been written at an offset; a negative one is not known.
func (l *Ledger) Acknowledged(s *Stretch, partition int32, offset int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.open--
	if offset < 0 {
		l.blind = true
	} else {
		l.ends[partition] = max(l.ends[partition], offset+1)
	}
	l.settle()
}

// Cover takes the rows of others that lie before ends into what is promised from now on: whoever wants to rely on it must have read them.
func (l *Ledger) Cover(ends map[int32]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for partition, offset := range ends {
		if offset > 0 {
			l.ends[partition] = max(l.ends[partition], offset)
		}
	}
}

// Seal ends the rows of a transaction, with the frontier of the checkpoint that it belongs to. Neither counts before they are Committed. It takes the place of Advance for a writer of transactions.
func (l *Ledger) Seal(f watermark.Frontier, active bool) *Stretch {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active = active
	if f != watermark.Final {
		l.latest = max(l.latest, f)
	}
	s := l.stretch
	s.open++ // until it is committed
	s.then = l.latest
	l.waiting, l.stretch = append(l.waiting, s), &Stretch{}
	return s
}

// Committed notes that the rows of a sealed stretch can be read; ends are behind the last of them.
func (l *Ledger) Committed(s *Stretch, rows int64, ends map[int32]int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.open -= rows + 1
	for partition, end := range ends {
		l.ends[partition] = max(l.ends[partition], end)
	}
	l.settle()
}

// Advance notes that every row sent from now on is at or after f. Inactive is a writer whose inputs others need not wait for. What the final frontier says, Close of a sink does.
func (l *Ledger) Advance(f watermark.Frontier, active bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active = active
	if f <= l.latest || f == watermark.Final {
		return
	}
	l.latest = f
	if l.stretch.sent > 0 {
		l.waiting = append(l.waiting, l.stretch)
		l.stretch = &Stretch{}
	}
	if n := len(l.waiting); n > 0 {
		l.waiting[n-1].then = f
	} else {
		l.reached = f
	}
	l.settle()
}

// settle takes what the oldest stretches promise once they are acknowledged.
func (l *Ledger) settle() {
	for len(l.waiting) > 0 && l.waiting[0].open == 0 {
		l.reached = l.waiting[0].then
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
	}
}

// Promise is what holds now. If blind, the offset of a row is not known: Ends must be replaced by where the partitions end, asked for afterwards.
func (l *Ledger) Promise() (p Promise, blind bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p = Promise{Column: l.column, Frontier: l.reached}
	if !l.active && len(l.waiting) == 0 && l.stretch.open == 0 {
		p.State, l.toldIdle = Idle, true
	}
	for partition, offset := range l.ends {
		p.Ends = append(p.Ends, End{partition, offset})
	}
	slices.SortFunc(p.Ends, func(a, b End) int { return cmp.Compare(a.Partition, b.Partition) })
	return p, l.blind
}
