package oracle

import (
	"errors"
	"time"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/window"
)

// span is a window: the time from start up to but without end, in microseconds of local time.
type span struct{ start, end int64 }

// spans lists the aligned windows that hold local time t, in ascending order, by the definition of each kind.
func spans(spec window.Spec, t int64) []span {
	start := func(size int64) int64 {
		rest := (t - spec.Offset) % size
		if rest < 0 {
			rest += size
		}
		return t - rest
	}
	var out []span
	switch spec.Kind {
	case window.Tumble:
		out = append(out, span{start(spec.Size), start(spec.Size) + spec.Size})
	case window.Hop:
		for s := start(spec.Slide); s+spec.Size > t; s -= spec.Slide {
			out = append([]span{{s, s + spec.Size}}, out...)
		}
	case window.Cumulate:
		first := start(spec.Size)
		for end := first + spec.Slide; end <= first+spec.Size; end += spec.Slide {
			if end > t {
				out = append(out, span{first, end})
			}
		}
	}
	return out
}

// clock relates instants to the local time of windows.
type clock struct{ zone *time.Location } // nil: they are the same

func (c clock) local(t int64) int64 {
	if c.zone == nil {
		return t
	}
	return window.NewZone(c.zone).ToLocal(t)
}

// deadline is the instant at which a local window end is over for good.
func (c clock) deadline(end int64) int64 {
	if c.zone == nil {
		return end
	}
	return window.NewZone(c.zone).Deadline(end)
}

// assign adds to a row each of its windows.
func assign(n *plan.WindowAssign, row Row) ([]Row, error) {
	t := row[n.Time]
	if t.Null {
		return nil, errNoTime
	}
	if n.Windows.Spec.Kind == window.Session {
		return nil, errors.New("a session is known only when it is over, so rows cannot be assigned to one as they come")
	}
	c := clock{n.Windows.Zone}
	var rows []Row
	for _, x := range spans(n.Windows.Spec, c.local(t.Int)) {
		at := c.deadline(x.end) - n.Windows.Time.Tick()
		rows = append(rows, append(row[:len(row):len(row)], Value{Int: x.start}, Value{Int: x.end}, Value{Int: at}))
	}
	return rows, nil
}

var errNoTime = errors.New("a row without event time belongs to no window")
