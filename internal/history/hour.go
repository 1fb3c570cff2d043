package history

import "math/bits"

// perHour is how many minutes a chunk has.
const perHour = 60

// The lines that are kept of one statement in one hour at most: those for splits, which are the wide ones, and the others. What is more is counted, and told.
const (
	mostLines = 300
	mostWide  = 4 * 200
)

// column is a line in one hour. Bit k of mask says that there is a value for minute k.
type column struct {
	line
	mask   uint64
	values [perHour]int64
}

func (c *column) set(minute int, n int64) {
	c.mask |= 1 << minute
	c.values[minute] = n
}

// held are the values that are there, in their order.
func (c *column) held(dst []int64) []int64 {
	for m := c.mask; m != 0; m &= m - 1 {
		dst = append(dst, c.values[bits.TrailingZeros64(m)])
	}
	return dst
}

// sheet is one statement in one hour.
type sheet struct {
	columns []*column
	at      map[line]*column
	wide    int
}

func newSheet() *sheet { return &sheet{at: map[line]*column{}} }

// column is the column of a line; nil if there are too many.
func (s *sheet) column(l line) *column {
	if c := s.at[l]; c != nil {
		return c
	}
	if l.series.Wide() && s.wide >= mostWide || !l.series.Wide() && l.series != leftOut && len(s.columns)-s.wide >= mostLines {
		return nil
	}
	if l.series.Wide() {
		s.wide++
	}
	c := &column{line: l}
	s.at[l] = c
	s.columns = append(s.columns, c)
	return c
}

// add notes the values of a minute.
func (s *sheet) add(minute int, values []Value) {
	left := int64(0)
	for _, v := range values {
		if c := s.column(line{v.Series, v.Label}); c != nil {
			c.set(minute, v.N)
		} else {
			left++
		}
	}
	if left > 0 {
		s.column(line{leftOut, ""}).set(minute, left)
	}
}

// part are the columns for splits, or the others.
func (s *sheet) part(wide bool) []*column {
	var all []*column
	for _, c := range s.columns {
		if c.series.Wide() == wide {
			all = append(all, c)
		}
	}
	return all
}

// only are the columns as they are in one minute.
func (s *sheet) only(minute int) []*column {
	var all []*column
	for _, c := range s.columns {
		if c.mask&(1<<minute) != 0 {
			one := &column{line: c.line}
			one.set(minute, c.values[minute])
			all = append(all, one)
		}
	}
	return all
}
