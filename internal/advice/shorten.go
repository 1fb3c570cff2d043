package advice

import (
	"math"

	"github.com/tidemark-sql/tidemark/watermark"
)

// shortens reports whether a core of strategy s makes the same of a run and of what run.shortened has left of it: whether no row but its split's newest counts, and with every row the frontier can be sent.
func shortens(s watermark.Strategy) bool {
	if e, ok := s.Emission.(watermark.OnEvent); ok && e.Gap > 1 {
		return false
	}
	return s.Dimension == nil && s.LastRows == 0
}

// run is rows of a split on their way to many cores.
type run struct {
	times []int64
	limit int64 // times after it say nothing
	tick  int64
	// Of the times that say something, in a split whose newest row was there before: the least and the greatest, and the delay from which on no row can be behind the rows before it.
	least, newest, need int64
}

func newRun(times []int64, before, limit, tick int64) *run {
	r := &run{times: times, limit: limit, tick: tick, least: math.MaxInt64, newest: watermark.NoTime}
	newest := before
	for _, t := range times {
		if t == watermark.NoTime || t > limit {
			continue
		}
		r.least, r.newest, newest = min(r.least, t), max(r.newest, t), max(newest, t)
		r.need = max(r.need, int64(watermark.Frontier(newest).Sub(t).Add(tick)))
	}
	return r
}

// shortened appends to dst the rows that a core has to be shown: those that may be late, and of the others between them the newest. bound is as far as the core's frontier can be before the run, and delay how far behind its
// rows it follows them.
func (r *run) shortened(dst []int64, bound watermark.Frontier, delay int64) []int64 {
	if delay >= r.need && r.least >= int64(bound) {
		return append(dst, r.newest)
	}
	stretch := watermark.NoTime
	for _, t := range r.times {
		if t > r.limit || t == watermark.NoTime {
			continue
		}
		if bound.Late(t) {
			if stretch != watermark.NoTime {
				dst = append(dst, stretch)
				stretch = watermark.NoTime
			}
			dst = append(dst, t)
			continue
		}
		stretch = max(stretch, t)
		bound = max(bound, watermark.Frontier(t).Sub(delay).Add(r.tick))
	}
	if stretch != watermark.NoTime || len(dst) == 0 { // a row without a time is a sign of life
		dst = append(dst, stretch)
	}
	return dst
}
