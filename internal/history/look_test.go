package history

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestDelays: the delays of a minute are those of the statement, in which sources and sinks that are idle do not count, as everywhere else.
func TestDelays(t *testing.T) {
	const at = 100_000_000
	mark := func(seconds int64) watermark.Frontier { return watermark.Frontier(seconds*1_000_000 + 1_000) }
	source := func(f watermark.Frontier, active bool) runtime.SourceStats {
		return runtime.SourceStats{Name: "t", Watermarked: true, Watermark: &watermark.Snapshot{Frontier: f, Active: active}}
	}
	stats := runtime.Stats{
		Sources: []runtime.SourceStats{source(mark(90), true), source(mark(10), false)},
		Sinks:   []runtime.SinkStats{{Input: runtime.Standing{Frontier: mark(80), Active: true}}, {Input: runtime.Standing{Frontier: mark(20)}}},
	}
	look := Look{At: at, Running: true, Jobs: []Ran{{Now: &stats}}}
	got := map[*Series]int64{}
	for _, v := range look.Values() {
		got[v.Series] = v.N
	}
	if got[inputDelay] != 10_000 || got[outDelay] != 20_000 {
		t.Errorf("the delays are %d ms and %d ms, want 10000 and 20000", got[inputDelay], got[outDelay])
	}
}
