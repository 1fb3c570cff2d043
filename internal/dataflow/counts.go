package dataflow

import (
	"cmp"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Counts adds up what became of the rows of an operator instance. Any goroutine may read it.
type Counts struct {
	In, Out atomic.Int64
	// Filtered rows did not meet a condition, Absorbed ones went into state, Dropped ones came after their last deadline.
	Filtered, Absorbed, Dropped atomic.Int64
	// Late counts rows that came behind the frontier of their input and were taken in all the same, of operators that leave to others what becomes of them.
	Late atomic.Int64
	// Worst is the dropped row that came latest, nil while nothing was dropped.
	Worst atomic.Pointer[Dropped]

	now    int64
	recent atomic.Pointer[recentDrops] // nil while nothing was dropped
}

// SetNow tells the wall clock in microseconds, before the rows that come then. It belongs to the operator's owner.
func (c *Counts) SetNow(now int64) { c.now = now }

// RecentDrop is how late the latest row was that was dropped in the minute before now, as Past says it; 0 if none was.
func (c *Counts) RecentDrop(now int64) int64 {
	r := c.recent.Load()
	if r == nil {
		return 0
	}
	return r.worst(now)
}

// Dropped describes a row that an operator dropped for being late.
type Dropped struct {
	Time     int64 // its event time, microseconds
	Deadline int64 // the last one that it could have served
	Frontier watermark.Frontier
}

// Lateness is how far the frontier was beyond the row.
func (d *Dropped) Lateness() int64 { return int64(d.Frontier.Sub(d.Time)) }

// worse reports whether d came later than e, nil for none. Of two that are as late it is the one that came first, and had the nearer deadline: instances agree on that.
func (d *Dropped) worse(e *Dropped) bool {
	if e == nil {
		return true
	}
	return cmp.Or(cmp.Compare(d.Lateness(), e.Lateness()), cmp.Compare(e.Frontier, d.Frontier), cmp.Compare(e.Deadline, d.Deadline)) > 0
}

// Past is how late the row was for people; see watermark.Frontier.Past.
func (d *Dropped) Past() int64 { return d.Frontier.Past(d.Time) }

// Drop counts one dropped row.
func (c *Counts) Drop(d Dropped) {
	c.Dropped.Add(1)
	r := c.recent.Load()
	if r == nil {
		r = &recentDrops{}
		c.recent.Store(r)
	}
	r.add(d.Past(), c.now)
	if d.worse(c.Worst.Load()) {
		worst := d // only what is kept goes to the heap
		c.Worst.Store(&worst)
	}
}

// Totals is what became of the rows of an operator at one moment, over all its instances and all jobs that followed each other.
type Totals struct {
	In, Out, Filtered, Absorbed, Dropped, Late int64
	// Worst is the dropped row that was latest, nil if none was dropped.
	Worst *Dropped
}

// Totals reads the counters.
func (c *Counts) Totals() Totals {
	return Totals{In: c.In.Load(), Out: c.Out.Load(), Filtered: c.Filtered.Load(), Absorbed: c.Absorbed.Load(), Dropped: c.Dropped.Load(), Late: c.Late.Load(), Worst: c.Worst.Load()}
}

// Restore makes an instance that has counted nothing go on from t.
func (c *Counts) Restore(t Totals) {
	c.In.Store(t.In)
	c.Out.Store(t.Out)
	c.Filtered.Store(t.Filtered)
	c.Absorbed.Store(t.Absorbed)
	c.Dropped.Store(t.Dropped)
	c.Late.Store(t.Late)
	c.Worst.Store(t.Worst)
}

// Add adds u to t.
func (t *Totals) Add(u Totals) {
	t.In += u.In
	t.Out += u.Out
	t.Filtered += u.Filtered
	t.Absorbed += u.Absorbed
	t.Dropped += u.Dropped
	t.Late += u.Late
	if u.Worst != nil && u.Worst.worse(t.Worst) {
		t.Worst = u.Worst
	}
}
