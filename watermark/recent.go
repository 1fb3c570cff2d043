package watermark

import "github.com/tidemark-sql/tidemark/internal/timefmt"

const microsPerSecond = 1_000_000

// recentSeconds is how long the latest row of a split is remembered. Confluent Cloud: the lateness that it shows is the greatest of the last minute.
const recentSeconds = 60

// recent is how many rows were late in each of the last seconds in which one was, and the latest of them, by second of the wall clock.
type recent [recentSeconds]recentSecond

type recentSecond struct {
	second, rows int64
	Worst
}

func (r *recent) slot(second int64) *recentSecond {
	return &r[(second%recentSeconds+recentSeconds)%recentSeconds]
}

func (r *recent) add(w Worst, now int64) {
	second := timefmt.Floor(now, microsPerSecond) / microsPerSecond
	slot := r.slot(second)
	if slot.second != second {
		*slot = recentSecond{second: second}
	}
	slot.rows++
	if w.Lateness > slot.Lateness {
		slot.Worst = w
	}
}

// setBack puts everything into the seconds that a clock would have shown that was set back before.
func (r *recent) setBack(by int64) {
	old := *r
	*r = recent{}
	for _, s := range old {
		if s.rows == 0 {
			continue
		}
		s.second = timefmt.Floor(s.second*microsPerSecond-by, microsPerSecond) / microsPerSecond
		*r.slot(s.second) = s
	}
}

// past is the latest row of the minute before now, and how many were late in it.
func (r *recent) past(now int64) (worst Worst, rows int64) {
	if r == nil {
		return worst, 0
	}
	since := timefmt.Floor(now, microsPerSecond)/microsPerSecond - recentSeconds
	for i := range r {
		s := &r[i]
		if s.second <= since {
			continue
		}
		rows += s.rows
		if s.Lateness > worst.Lateness {
			worst = s.Worst
		}
	}
	return worst, rows
}
