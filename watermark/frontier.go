package watermark

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Frontier is event time in microseconds since the epoch: every later row has t >= F. It is one tick more than Flink's
// inclusive watermark. A frontier is always a multiple of its source's tick, or Unset, or Final.
type Frontier int64

const (
	// Unset is the frontier before anything was promised: nothing is late, nothing is complete.
	Unset Frontier = math.MinInt64
	// Final is the frontier after the last row: everything is complete.
	Final Frontier = math.MaxInt64
)

// NoTime stands for SQL NULL among event times and for "no watermark from this row" among candidates.
const NoTime int64 = math.MinInt64

const microsPerMilli = 1000

// Late reports whether a row at t breaks the promise.
func (f Frontier) Late(t int64) bool { return t < int64(f) }

// Complete reports whether everything before the deadline has arrived. Deadlines are exclusive ends: a window's end, or one
// tick past an instant that must itself have passed.
func (f Frontier) Complete(deadline int64) bool { return int64(f) >= deadline }

// W is the frontier as Flink shows it: an inclusive watermark in milliseconds, where math.MinInt64 means that there is none
// yet and math.MaxInt64 that event time has ended.
func (f Frontier) W() int64 {
	if f == Unset || f == Final {
		return int64(f)
	}
	return timefmt.FloorDiv(int64(f), microsPerMilli) - 1
}

// Past is how late a row at t is for people, in microseconds: W - t, as Flink counts it, from the inclusive watermark. It is 0 for a row
// that is not late.
func (f Frontier) Past(t int64) int64 {
	if !f.Late(t) {
		return 0
	}
	// Times before 1970 and the final frontier are further apart than an int64 holds.
	return max(int64(f.Sub(microsPerMilli).Sub(t)), 0)
}

// Add moves f by d microseconds. It saturates, and Unset and Final stay what they are.
func (f Frontier) Add(d int64) Frontier {
	if f == Unset || f == Final {
		return f
	}
	sum := int64(f) + d
	switch {
	case d > 0 && sum < int64(f):
		return Final
	case d < 0 && sum > int64(f):
		return Unset
	}
	return Frontier(sum)
}

// Sub moves f back by d microseconds. It saturates, and Unset and Final stay what they are.
func (f Frontier) Sub(d int64) Frontier {
	if d == math.MinInt64 {
		return f.Add(1).Add(math.MaxInt64)
	}
	return f.Add(-d)
}

// FromInclusive is the frontier promised by "no later row at or before c": c floored to the tick, plus one tick. Both are
// microseconds; the tick is positive. It is Final for a c within one tick of the greatest value.
func FromInclusive(c, tick int64) Frontier { return promised(c, tick, tick) }

// promised is c floored to the step, plus so many microseconds beyond. It is Final for a c within those of the greatest value.
func promised(c, step, beyond int64) Frontier {
	if c > math.MaxInt64-beyond {
		return Final
	}
	// A constant divisor compiles to a multiplication; the division would be the dearest step of a row.
	if step == microsPerMilli {
		return Frontier(timefmt.Floor(c, microsPerMilli) + beyond)
	}
	return Frontier(timefmt.Floor(c, step) + beyond)
}
