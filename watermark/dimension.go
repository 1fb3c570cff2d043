package watermark

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Dimension divides the rows of a source by a value of theirs, such as the type of an event or the name of a producer. Every pair of a split and a value is a member with a frontier of
// its own, that of its greatest candidate, and the frontier of a split is the least of its members, so that a value that has stopped is not carried along by those that flow. A value is
// new with its first row that has a candidate; that may take the split back behind the frontier of the source, which then waits as it does for a split that wakes up. A value that is
// silent for too long is forgotten, and new when it comes again. A split without members has the frontier of its greatest candidate.
//
// YTsaurus Flow announces this for types of events and for producers; it has no release with it.
type Dimension struct {
	// Expected are values that hold the frontier of the source until their first row in any of the splits.
	Expected []string
	// Timeout is the silence after which a value is forgotten by a split, in microseconds on the split's idle clock, and an expected one that never came by the source, on the clock of
	// the split that ran longest. 0 is never. Timeouts says it for single values.
	Timeout  int64
	Timeouts map[string]int64
}

// MaxValues is how many values a source may meet between two starts: each costs some 60 bytes in each split that has it, and a number that is never used again.
const MaxValues = 1 << 16

// timeoutOf is the timeout of a value.
func (d *Dimension) timeoutOf(value string) int64 {
	if t, ok := d.Timeouts[value]; ok {
		return t
	}
	return d.Timeout
}

// Ticks reports whether the clock decides anything.
func (d *Dimension) Ticks() bool {
	if d == nil {
		return false
	}
	for _, t := range d.Timeouts {
		if t > 0 {
			return true
		}
	}
	return d.Timeout > 0
}

func (d *Dimension) String() string {
	s := "by value"
	if len(d.Expected) > 0 {
		s += ", expected " + strings.Join(d.Expected, " and ")
	}
	if d.Timeout > 0 {
		s += ", forgotten after " + timefmt.Length(d.Timeout)
	}
	for _, v := range slices.Sorted(maps.Keys(d.Timeouts)) {
		s += fmt.Sprintf(", %s after %s", v, timefmt.Length(d.Timeouts[v]))
	}
	return s
}

// values numbers the values of a dimension, and knows which of the expected ones have not come.
type values struct {
	dimension *Dimension
	names     []string
	numbers   map[string]int32
	timeouts  []int64 // by number
	awaited   []bool  // by number, of the expected ones
	missing   int     // how many are awaited
}

func newValues(d *Dimension) *values {
	v := &values{dimension: d, numbers: map[string]int32{}}
	for _, name := range d.Expected {
		if n, ok := v.number(name); ok && int(n) == len(v.awaited) {
			v.awaited = append(v.awaited, true)
			v.missing++
		}
	}
	return v
}

// number is that of a value; ok is false if there are too many.
func (v *values) number(name string) (n int32, ok bool) {
	if n, ok := v.numbers[name]; ok {
		return n, true
	}
	if len(v.names) == MaxValues {
		return 0, false
	}
	n = int32(len(v.names))
	v.names = append(v.names, name)
	v.numbers[name] = n
	v.timeouts = append(v.timeouts, v.dimension.timeoutOf(name))
	return n, true
}

// waits reports whether value n is awaited.
func (v *values) waits(n int32) bool { return int(n) < len(v.awaited) && v.awaited[n] }

// release stops waiting for value n.
func (v *values) release(n int32) {
	v.awaited[n] = false
	v.missing--
}

// missingNames are the values that are awaited.
func (v *values) missingNames() []string {
	var names []string
	for n, waits := range v.awaited {
		if waits {
			names = append(names, v.names[n])
		}
	}
	return names
}

// Value is the number of a value of the strategy's dimension, for ObserveValues; ok is false if the source has met MaxValues others. It is for a strategy with a dimension.
func (c *Core) Value(name string) (number int32, ok bool) {
	if c.values == nil {
		panic("watermark: a value, and the strategy has no dimension")
	}
	return c.values.number(name)
}

// ValueName is the name of a value by its number.
func (c *Core) ValueName(number int32) string { return c.values.names[number] }

// forget leaves out members and expected values that have been silent for too long, and reports whether there were any.
func (c *Core) forget(now int64) bool {
	turned := false
	longest := int64(0)
	for i := range c.splits {
		s, m := &c.splits[i], &c.members[i]
		if s.status == Finished {
			continue
		}
		clock := now
		if s.stalls > 0 {
			clock = c.logs[i].stalledAt
		}
		clock -= m.lost
		longest = max(longest, clock-m.joined)
		if m.forget(clock, c.values.timeouts) {
			s.frontier = m.frontier()
			turned = true
		}
	}
	if c.values.missing == 0 {
		return turned
	}
	for n, waits := range c.values.awaited {
		if timeout := c.values.timeouts[n]; waits && timeout > 0 && longest >= timeout {
			c.values.release(int32(n))
			turned = true
		}
	}
	return turned
}

// waits reports whether a value holds the source that has not come.
func (c *Core) waits() bool { return c.values != nil && c.values.missing > 0 }
