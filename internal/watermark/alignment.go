package watermark

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Alignment keeps the splits of all sources of a group together: one whose own frontier is more than Drift (microseconds) ahead of the least in the group is not read until the
// others have come near. Drift 0 is no alignment.
//
// Flink 2.3: the least frontier is over splits that are active and have one, a frontier of exactly the limit may be read on, and a paused split is not silent. The limit
// follows the frontiers at once here, where Flink announces it once an interval.
//
// Flow: splits of a source with Lookahead are compared, by what they have fetched, with the least frontier that a source of the group has published. Before the first one they fetch a batch and wait.
type Alignment struct {
	Group string
	Drift int64
}

func (a Alignment) String() string {
	if a.Drift == 0 {
		return "0"
	}
	return fmt.Sprintf("%s in group '%s'", timefmt.Length(a.Drift), a.Group)
}

// Behind is the least frontier of the splits that are active and have one; ok is false if there are none. Under Lookahead it is that of the source, Unset included.
func (c *Core) Behind() (f Frontier, ok bool) {
	if c.flow != nil {
		return c.emitted, c.live > 0
	}
	for i := range c.splits {
		if s := &c.splits[i]; s.takesPart() && s.frontier != Unset && (!ok || s.frontier < f) {
			f, ok = s.frontier, true
		}
	}
	return f, ok
}
