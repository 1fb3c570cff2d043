// Visits tells of a visit of a user when it is over. Run it from the root of the repository:
//
//	go run ./examples/flow/visits
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

//go:embed visits.yaml
var spec string

var computations = flow.Computations{"visits": func() flow.Computation { return visits{} }}

func main() {
	err := flow.Run(context.Background(), spec, computations, flow.Options{Name: "visits.yaml", Stdout: os.Stdout})
	if err != nil {
		fmt.Fprint(os.Stderr, flow.Render(err))
		os.Exit(1)
	}
}

// visits tells of a visit when a user has been quiet for half an hour.
type visits struct{}

// visit is what is kept of one. A user may have several: those that are told later come first, as long as the watermark is behind.
type visit struct {
	Since, Last time.Time
	Hits        int64
}

const quiet = 30 * time.Minute

func (visits) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Late() {
		return nil
	}
	var all, others []visit
	state := c.State("visits")
	state.Load(&all)
	v := visit{m.EventTime(), m.EventTime(), 1}
	for _, w := range all {
		if w.Since.Sub(v.Last) < quiet && v.Since.Sub(w.Last) < quiet { // the hit makes one of them
			v = visit{earlier(v.Since, w.Since), later(v.Last, w.Last), v.Hits + w.Hits}
		} else {
			others = append(others, w)
		}
	}
	state.Save(append(others, v))
	// The event time keeps what is written of the visit on time behind it.
	c.AddTimer(flow.TimerRequest{Trigger: v.Last.Add(quiet), EventTime: v.Since})
	return nil
}

func (visits) OnTimer(c *flow.Context, t *flow.Timer) error {
	var all, open []visit
	state := c.State("visits")
	state.Load(&all)
	for _, v := range all {
		if v.Last.Add(quiet).After(t.TriggerTime()) {
			open = append(open, v) // there is another timer for it
			continue
		}
		out := c.NewMessage("visits")
		out.SetText("who", t.Text("who"))
		out.SetTime("since", v.Since)
		out.SetInt("hits", v.Hits)
		out.Emit()
	}
	if state.Clear(); open != nil {
		state.Save(open)
	}
	return nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
