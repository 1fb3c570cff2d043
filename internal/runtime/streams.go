package runtime

import (
	"slices"

	"github.com/tidemark-sql/tidemark/watermark"
)

// Stream is a relation between operators that people know by a name.
type Stream struct {
	Name string
	// Sources are the names of those that its rows come from.
	Sources []string
}

// StreamStats is how far a stream is. Flow: its watermark state.
type StreamStats struct {
	Name string
	// Rows have passed since the job began.
	Rows int64
	Standing
	// Instant says that its event times are instants.
	Instant bool
	// System is the system frontier: what was written before it has been processed. It is Unset if one of the sources has none.
	System watermark.Frontier
}

// Streams are those of the job that have names, in the order of the rows. A stream that several operators pass on, each a part of it, is as far as the last of them.
func (s *Stats) Streams() []StreamStats {
	var all []StreamStats
	for i := range s.Operators {
		o := &s.Operators[i]
		if o.Stream == nil {
			continue
		}
		at := slices.IndexFunc(all, func(x StreamStats) bool { return x.Name == o.Stream.Name })
		if at < 0 {
			all = append(all, StreamStats{Name: o.Stream.Name, Rows: o.Out - o.Before.Out, Standing: o.Output, Instant: o.Instant, System: s.systemOf(o.Stream.Sources)})
			continue
		}
		all[at].Rows += o.Out - o.Before.Out
		all[at].Standing = Together([]Standing{all[at].Standing, o.Output})
	}
	return all
}

// systemOf is the least system frontier of sources.
func (s *Stats) systemOf(sources []string) watermark.Frontier {
	least := watermark.Final
	for i := range s.Sources {
		x := &s.Sources[i]
		if !slices.Contains(sources, x.Name) {
			continue
		}
		if !x.Watermarked || !x.Strategy.LooksAhead() {
			return watermark.Unset
		}
		least = min(least, x.Watermark.System)
	}
	if len(sources) == 0 {
		return watermark.Unset
	}
	return least
}
