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

// Stands is the frontier of split i, and whether it counts for the limit of its group: the split is active and has one. Under a Dimension the frontier can fall.
func (c *Core) Stands(i int) (f Frontier, counts bool) {
	s := &c.splits[i]
	return s.frontier, s.takesPart() && s.frontier != Unset
}
