package dataflow

import (
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// TestRecentDrop: the latest dropped row of the last minute is told, and none after that.
func TestRecentDrop(t *testing.T) {
	const second = 1_000_000
	var c Counts
	if got := c.RecentDrop(0); got != 0 {
		t.Errorf("%d before any row", got)
	}
	for _, d := range []struct{ now, past int64 }{{-3 * second, 7000}, {10 * second, 9000}, {10*second + 5, 5000}, {40 * second, 4000}, {75 * second, 1000}} {
		c.SetNow(d.now)
		f := watermark.Frontier(50_000_000)
		drop := Dropped{Frontier: f, Time: int64(f.Sub(1000)) - d.past}
		if drop.Past() != d.past {
			t.Fatalf("the row is %d late", drop.Past())
		}
		c.Drop(drop)
	}
	for _, w := range []struct{ now, want int64 }{{75 * second, 4000}, {99*second + 999_999, 4000}, {100 * second, 1000}, {134 * second, 1000}, {135 * second, 0}} {
		if got := c.RecentDrop(w.now); got != w.want {
			t.Errorf("at %d: %d, want %d", w.now, got, w.want)
		}
	}
}
