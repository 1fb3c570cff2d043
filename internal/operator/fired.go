package operator

import (
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// firings is whom an operator tells of the windows that it lets go.
type firings struct {
	fired func(start, end, rows int64) // nil if nobody listens
}

// OnFire implements dataflow.Firing.
func (f *firings) OnFire(fired func(start, end, rows int64)) { f.fired = fired }

// tellWindow tells of rows of x, whose edges deadline makes instants.
func (f *firings) tellWindow(x window.Window, deadline func(window.Window) int64, rows int) {
	if f.fired != nil {
		f.fired(deadline(window.Window{End: x.Start}), deadline(x), int64(rows))
	}
}

// tellSessions tells of sessions that end at end.
func (f *firings) tellSessions(end int64, rows int) {
	if f.fired != nil {
		f.fired(watermark.NoTime, end, int64(rows))
	}
}
