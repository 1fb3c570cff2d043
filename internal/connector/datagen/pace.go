package datagen

import "github.com/tidemark-sql/tidemark/internal/timefmt"

// pace says when rows are due: at a steady rate from the moment of the first question on. Row number 0 is due at once.
type pace struct {
	rate    int64 // rows a second, at most maxRate
	start   int64 // microseconds
	started bool
}

// due is how many rows are due at now.
func (p *pace) due(now int64) int64 {
	if !p.started {
		p.start, p.started = now, true
	}
	elapsed := max(now-p.start, 0)
	return elapsed/timefmt.Second*p.rate + elapsed%timefmt.Second*p.rate/timefmt.Second + 1
}

// when is the time at which row number n is due.
func (p *pace) when(n int64) int64 {
	part := (n%p.rate*timefmt.Second + p.rate - 1) / p.rate
	return p.start + n/p.rate*timefmt.Second + part
}
