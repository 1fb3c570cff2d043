package runtime

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestAfter: a source that stands behind another is not read before the end of that, and tells so as long as it is so.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		after  time.Duration
		awaits string
		rows   int64
	}{{2 * time.Second, "table", 0}, {6 * time.Second, "", 2}} {
		synctest.Test(t, func(t *testing.T) {
			table := live([]arrival{at(5*time.Second, 1)})
			poll := table.poll
			table.live = false
			table.poll = func(i int, now int64) (connector.Chunk, int64, error) {
				chunk, wake, err := poll(i, now)
				if wake == connector.Never {
					return nil, 0, io.EOF
				}
				return chunk, wake, err
			}
			b := newBuilder()
			s := watermark.Strategy{Tick: 1000, Emission: watermark.Periodic{Interval: 200_000}, Idleness: watermark.Never{}}
			b.source(table, 0, s, Target{Fragment: 0, Input: 0})
			b.source(live([]arrival{at(0, 1), at(time.Second, 2)}), 0, s, Target{Fragment: 0, Input: 1})
			b.graph.Sources[0].Name, b.graph.Sources[1].After = "table", []int{0}
			b.fragment(Fragment{Tasks: 1, Inputs: 2, Sink: &lines{}})
			runFor(t, &b.graph, 2, c.after, func(j *Job) {
				if x := j.Stats().Sources[1]; x.Awaits != c.awaits || x.Rows != c.rows {
					t.Errorf("after %s it awaits %q and has %d rows", c.after, x.Awaits, x.Rows)
				}
			})
		})
	}
}
