package watermark

import (
	"fmt"
	"math"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Outages lets go of the splits that cannot be reached. They belong to groups, such as a data centre each. A group is down when all of its splits are out of reach; if no more than MaxDown are and
// at least MinUp are not, their splits are lifted as of the least of their last failures. Otherwise none is.
//
// A split is out of reach when its reads have failed for long enough: what counts is the time since they began to, of which half is forgotten in HalfLife (microseconds), and it must be more
// than half of HalfLife. That takes 0.614 of it. One read that works makes up for everything. The zero value never lets go.
//
// Flow: unavailable_partition_groups, and unavailable_time_half_decay_period of the source.
type Outages struct {
	MaxDown, MinUp int
	HalfLife       int64
}

// DefaultOutages is what Flow has unless it is told.
var DefaultOutages = Outages{MaxDown: 1, MinUp: 1, HalfLife: 600_000_000}

func (o Outages) valid() bool { return o.MaxDown >= 0 && o.MinUp >= 0 && o.HalfLife >= 0 }

func (o Outages) String() string {
	return fmt.Sprintf("outages of %d, %d up, half-life %s", o.MaxDown, o.MinUp, timefmt.Length(o.HalfLife))
}

// outage is for how long a split could not be read.
type outage struct {
	failing  bool
	failedAt int64   // of the last failure
	lasting  float64 // microseconds, less what is forgotten
}

func (o *outage) fail(at int64, halfLife int64) {
	if o.failing && halfLife > 0 {
		half := float64(halfLife)
		left := math.Exp2(-float64(max(0, at-o.failedAt)) / half)
		o.lasting = o.lasting*left + half/math.Ln2*(1-left)
	}
	o.failing, o.failedAt = true, at
}

// beyond reports whether the split counts as out of reach.
func (o *outage) beyond(halfLife int64) bool {
	return o.failing && halfLife > 0 && o.lasting > float64(halfLife)/2
}
