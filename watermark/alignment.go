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

// Looks reports whether the core looks ahead: what its group has to wait for is its own frontier then, not that of its splits. ok is false once all of them have ended.
func (c *Core) Looks() (f Frontier, ok bool) {
	return c.emitted, c.flow != nil && c.live > 0
}

// Stands is the frontier of split i, and whether it counts for the limit of its group: the split is active and has one. Under a Dimension the frontier can fall, under Lookahead no
// split counts by itself.
func (c *Core) Stands(i int) (f Frontier, counts bool) {
	s := &c.splits[i]
	return s.frontier, c.flow == nil && s.takesPart() && s.frontier != Unset
}
