package timeline

import (
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

const (
	// Span is how far back a timeline goes.
	Span = 10 * timefmt.Minute
	// finest is the least stretch of time that is kept apart.
	finest = 100 * timefmt.Millisecond
)

// slot is what happened in a stretch of time that began with it.
type slot struct {
	at int64
	// mark is the watermark at its end.
	mark watermark.Frontier
	// row is the event time of some row, late that of the latest of those that were late; NoTime if there was none.
	row, late int64
}

const slotBytes = 32

// line is slots in the order of their times. It has at most so many; when there is no room it forgets what is older than Span, and if that is not enough it puts slots together, so that each
// stands for twice the time.
type line struct {
	slots []slot
	most  int
	gap   int64 // no two slots are in the same stretch of this length
	until int64 // where that of the newest ends
}

func newLine(most int) line { return line{most: most, gap: finest, until: math.MinInt64} }

// slot is that of the moment; it is good until the next call.
func (l *line) slot(now int64) *slot {
	if now < l.until {
		return &l.slots[len(l.slots)-1]
	}
	return l.add(now)
}

// add adds a slot that begins now, unless there is no room but in the newest.
func (l *line) add(now int64) *slot {
	n := len(l.slots)
	if n == l.most {
		l.thin(now)
		return l.slot(now)
	}
	l.until = timefmt.Floor(now, l.gap) + l.gap
	mark := watermark.Unset
	if n > 0 {
		mark = l.slots[n-1].mark
	}
	if n == cap(l.slots) {
		l.slots = append(make([]slot, 0, min(max(2*n, 16), l.most)), l.slots...)
	}
	l.slots = append(l.slots, slot{now, mark, watermark.NoTime, watermark.NoTime})
	return &l.slots[n]
}

// mark is the watermark of the newest slot.
func (l *line) mark() watermark.Frontier {
	if len(l.slots) == 0 {
		return watermark.Unset
	}
	return l.slots[len(l.slots)-1].mark
}

// thin makes room for a quarter of all slots.
func (l *line) thin(now int64) {
	room := l.most - l.most/4
	old, _ := slices.BinarySearchFunc(l.slots, now-Span, func(s slot, at int64) int {
		if s.at < at {
			return -1
		}
		return 1
	})
	// The last of those that are too old says where the watermark stood when the others began.
	l.slots = slices.Delete(l.slots, 0, max(0, old-1))
	for len(l.slots) > room {
		l.gap *= 2
		kept := l.slots[:1]
		for _, s := range l.slots[1:] {
			last := &kept[len(kept)-1]
			if timefmt.Floor(s.at, l.gap) > last.at {
				kept = append(kept, s)
				continue
			}
			last.add(s.row, s.late)
			last.mark = s.mark
		}
		l.slots = kept
	}
	l.until = timefmt.Floor(l.slots[len(l.slots)-1].at, l.gap) + l.gap
}

// add adds rows to a slot; either may be NoTime.
func (s *slot) add(row, late int64) {
	if s.row == watermark.NoTime {
		s.row = row
	}
	if late != watermark.NoTime && (s.late == watermark.NoTime || late < s.late) {
		s.late = late
	}
}

// setBack moves everything to where a clock would have shown it that was set back before.
func (l *line) setBack(by int64) {
	for i := range l.slots {
		l.slots[i].at -= by
	}
	if len(l.slots) > 0 {
		l.until -= by
	}
}
