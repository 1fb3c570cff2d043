package dataflow

import (
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

const (
	microsPerSecond = 1_000_000
	// recentSeconds is how long a dropped row is remembered; package watermark does so with rows that are late at their source.
	recentSeconds = 60
)

// recentDrops is how late the latest row was that was dropped in each of the last seconds, by second of the wall clock. One goroutine adds, any may read.
type recentDrops [recentSeconds]struct{ second, past atomic.Int64 }

func (r *recentDrops) add(past, now int64) {
	second := timefmt.FloorDiv(now, microsPerSecond)
	slot := &r[(second%recentSeconds+recentSeconds)%recentSeconds]
	if slot.second.Load() != second {
		slot.past.Store(0)
		slot.second.Store(second)
	}
	if past > slot.past.Load() {
		slot.past.Store(past)
	}
}

func (r *recentDrops) worst(now int64) (worst int64) {
	last := timefmt.FloorDiv(now, microsPerSecond)
	for i := range r {
		if s := r[i].second.Load(); s > last-recentSeconds && s <= last {
			worst = max(worst, r[i].past.Load())
		}
	}
	return worst
}
