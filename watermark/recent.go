package watermark

import "github.com/tidemark-sql/tidemark/internal/timefmt"

const microsPerSecond = 1_000_000

// recentSeconds is how long the latest row of a split is remembered. Confluent Cloud: the lateness that it shows is the greatest of the last minute.
const recentSeconds = 60

// recent is the latest row of each of the last seconds in which a row was late, by second of the wall clock.
type recent [recentSeconds]struct {
	second int64
	Worst
}

func (r *recent) add(w Worst, now int64) {
	second := timefmt.Floor(now, microsPerSecond) / microsPerSecond
	slot := &r[(second%recentSeconds+recentSeconds)%recentSeconds]
	if slot.second != second {
		slot.second, slot.Worst = second, Worst{}
	}
	if w.Lateness > slot.Lateness {
		slot.Worst = w
	}
}

// setBack puts everything into the seconds that a clock would have shown that was set back before.
func (r *recent) setBack(by int64) {
	old := *r
	*r = recent{}
	for _, s := range old {
		if s.Lateness > 0 {
			r.add(s.Worst, s.second*microsPerSecond-by)
		}
	}
}

// worst is the latest row of the minute before now.
func (r *recent) worst(now int64) Worst {
	var worst Worst
	if r == nil {
		return worst
	}
	since := timefmt.Floor(now, microsPerSecond)/microsPerSecond - recentSeconds
	for i := range r {
		if s := &r[i]; s.second > since && s.Lateness > worst.Lateness {
			worst = s.Worst
		}
	}
	return worst
}
