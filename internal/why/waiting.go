package why

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Waiting is an operator that holds something back until the watermark comes by.
type Waiting struct {
	// ID and Label are those of the operator, and Instant says that its event times are instants.
	ID, Label string
	Instant   bool
	// Due is what it does first.
	dataflow.Due
	// Left is how much more of event time is needed for that, in microseconds, and Unset if no watermark has come to it yet.
	Left  int64
	Unset bool
	// Text is a sentence.
	Text string
}

// waiting lists the operators that wait, in the order of the rows.
func waiting(stats *runtime.Stats) (all []Waiting) {
	for i := range stats.Operators {
		o := &stats.Operators[i]
		if o.Next == nil {
			continue
		}
		w := Waiting{ID: o.ID, Label: o.Label, Instant: o.Instant, Due: *o.Next, Unset: o.Input.Frontier == watermark.Unset}
		if !w.Unset {
			w.Left = o.Next.Left(o.Input.Frontier)
		}
		w.tell()
		all = append(all, w)
	}
	return all
}

// tenth is how exactly is told how much more of event time is needed.
const tenth = 100 * timefmt.Millisecond

// tell writes the sentence.
func (w *Waiting) tell() {
	at := timefmt.EventTime(w.At, w.Instant)
	switch w.What {
	case dataflow.WaitsWindow:
		w.Text = fmt.Sprintf("the window from %s to %s", timefmt.EventTime(w.Start, w.Instant), at)
	case dataflow.WaitsSession:
		w.Text = "the session that ends first, at " + at + ","
	case dataflow.WaitsTimer:
		w.Text = "the timer that is due first, at " + at + ","
	case dataflow.WaitsMatch:
		w.Text = "what has begun to match, and is given up at " + at + ","
	default:
		w.Text = "the first row that is held, of " + at + ","
	}
	w.Text = w.Label + ": " + w.Text
	switch {
	case w.Unset:
		w.Text += " waits for the first watermark"
	case w.Left == 0:
		w.Text += " is about to leave"
	default:
		// A watermark includes its millisecond, and a window ends with it that is not reached: nobody wants to read of 9.999 seconds.
		w.Text += " needs " + span(max(timefmt.Floor(w.Left+tenth/2, tenth), tenth)) + " more of event time"
	}
}
