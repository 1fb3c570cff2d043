package datagen

import "github.com/tidemark-sql/tidemark/internal/timefmt"

// Clock tells what time it is when a row is made, in microseconds since the epoch. The zero value is the epoch for ever.
type Clock struct {
	start int64 // the time of row number from
	from  int64
	rate  int64 // rows a second, 0 if all are made at start
	parts int64 // numbers that belong to one row, 0 for 1
}

// Still is a clock that stands at a time.
func Still(at int64) Clock { return Clock{start: at} }

// At is the time of row number row.
func (c *Clock) At(row int64) int64 {
	if c.rate == 0 {
		return c.start
	}
	if c.parts > 1 {
		row /= c.parts
	}
	row -= c.from
	return c.start + row/c.rate*timefmt.Second + row%c.rate*timefmt.Second/c.rate
}

// inside is the clock of the parts of rows that have n each.
func (c *Clock) inside(n int64) *Clock {
	d := *c
	d.parts = max(c.parts, 1) * max(n, 1)
	return &d
}
