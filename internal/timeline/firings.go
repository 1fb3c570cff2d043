package timeline

import (
	"sync"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Firing is that an operator let a window go: when it was complete, where it starts and ends, and how many rows came out. Start is NoTime for sessions, those that end in one second and are
// complete at one moment being together.
type Firing struct{ At, Start, End, Rows int64 }

// Firings records the firings of one operator, of all its instances.
type Firings struct {
	mu   sync.Mutex
	ring []Firing // the oldest is at next, once it is full
	next int
	most int
}

const (
	leastFirings = 32
	entryBytes   = 32
	// together is how far back a window is looked for of which other instances have let rows go.
	together = 32
)

// NewFirings makes the recorders of n operators, which share the memory of a statement.
func NewFirings(n int) []*Firings {
	all := make([]*Firings, n)
	for i := range all {
		all[i] = &Firings{most: max(leastFirings, firingBytes/entryBytes/n)}
	}
	return all
}

// Note records rows of a window.
func (f *Firings) Note(start, end, rows, now int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for back := 1; back <= min(together, len(f.ring)); back++ {
		x := &f.ring[(f.next-back+len(f.ring))%len(f.ring)]
		same := x.Start == start && x.End == end
		if start == watermark.NoTime {
			same = x.At == now && timefmt.Floor(x.End, timefmt.Second) == timefmt.Floor(end, timefmt.Second)
		}
		if same {
			x.At, x.End, x.Rows = max(x.At, now), max(x.End, end), x.Rows+rows
			return
		}
	}
	fired := Firing{now, start, end, rows}
	if len(f.ring) < f.most {
		f.ring = append(f.ring, fired)
		f.next = len(f.ring) % f.most
		return
	}
	f.ring[f.next] = fired
	f.next = (f.next + 1) % f.most
}

// List lists the firings between two moments, in the order in which they were recorded.
func (f *Firings) List(from, to int64) (all []Firing) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.ring {
		at := i
		if len(f.ring) == f.most {
			at = (f.next + i) % len(f.ring)
		}
		if x := f.ring[at]; from <= x.At && x.At <= to {
			all = append(all, x)
		}
	}
	return all
}
