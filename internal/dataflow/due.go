package dataflow

import "github.com/tidemark-sql/tidemark/watermark"

// Waits is what an operator does when the frontier comes by.
type Waits string

// What operators wait for.
const (
	WaitsWindow  Waits = "window"  // a window is complete
	WaitsSession Waits = "session" // so is a session
	WaitsRows    Waits = "rows"    // rows leave that were held
	WaitsTimer   Waits = "timer"   // a timer of code of the program fires
	WaitsMatch   Waits = "match"   // what could have become a match is given up
)

// Due is what an operator does next when the frontier comes by.
type Due struct {
	What Waits
	// Start is where a window starts, and watermark.NoTime for everything else. At is the end of the window, or the time of the row.
	Start, At int64
	// Deadline is how far the frontier has to come.
	Deadline int64
}

// Left is how much further than f the frontier has to come, in microseconds; 0 if it is there, and f is not watermark.Unset.
func (d *Due) Left(f watermark.Frontier) int64 {
	if f.Complete(d.Deadline) {
		return 0
	}
	return int64(watermark.Frontier(d.Deadline).Sub(int64(f)))
}

// DueWith is what is done when a row at t cannot come any more.
func DueWith(what Waits, t int64) Due {
	return Due{what, watermark.NoTime, t, int64(watermark.Frontier(t).Add(1))}
}

// Firing operators let windows go when they are complete, and tell.
type Firing interface {
	// OnFire sets what is called behind the rows of a window, or of some of them, with its edges and how many rows they were. start is watermark.NoTime for sessions that end together.
	OnFire(fired func(start, end, rows int64))
}

// Awaiting operators hold something back until the frontier comes by. They are asked between two calls of Process or Advance, often: it takes no longer the more they hold.
type Awaiting interface {
	// Next is what they do first; ok is false if they hold nothing.
	Next() (d Due, ok bool)
}
