package watermark

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Percentile looks past the oldest of several times: the newest Value percent of them always count, and an older one as far as it is no more than Delay (microseconds) behind the oldest of
// those. 100 counts all of them, 0 none.
//
// Flow: watermark_percentile over what is in flight, late_data_partitions over partitions.
type Percentile struct {
	Value int
	Delay int64
}

// All is the percentile that counts everything.
var All = Percentile{Value: 100}

// DefaultPercentileDelay is Flow's, in microseconds.
const DefaultPercentileDelay int64 = 60_000_000

// place is where the oldest of n ascending times is that always counts, n if none does.
func (p Percentile) place(n int) int { return n * (100 - p.Value) / 100 }

// bound is the time that those of n ascending ones hold which count, given the oldest and the one at place(n), which must be there.
func (p Percentile) bound(oldest, counted Frontier) Frontier {
	return max(oldest, counted.Sub(wholeSeconds(p.Delay)))
}

func (p Percentile) String() string {
	if p.Value == 100 {
		return "all"
	}
	return strconv.Itoa(p.Value) + " percent and " + timefmt.Length(p.Delay) + " behind"
}
