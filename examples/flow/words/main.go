// Words counts the words of lines by the hour of event time. Run it from the root of the repository:
//
//	go run ./examples/flow/words
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

//go:embed words.yaml
var spec string

var computations = flow.Computations{
	"split": func() flow.Computation { return flow.MessageFunc(split) },
	"count": func() flow.Computation { return hourly{} },
}

func main() {
	err := flow.Run(context.Background(), spec, computations, flow.Options{Name: "words.yaml", Stdout: os.Stdout})
	if err != nil {
		fmt.Fprint(os.Stderr, flow.Render(err))
		os.Exit(1)
	}
}

// split makes words of lines. What needs no timers and no parameters is a function.
func split(c *flow.Context, m *flow.Message) error {
	for _, word := range strings.Fields(m.Text("line")) {
		out := c.NewMessage("words")
		out.SetText("word", word)
		out.Emit()
	}
	return nil
}

// hourly counts the messages of a key by the hour, and tells the count when the hour is over.
type hourly struct{}

func (hourly) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Late() {
		return nil // its hour may have been told
	}
	hour := m.EventTime().Truncate(time.Hour)
	n := c.State(hour.Format(time.DateTime))
	n.SetInt(n.Int() + 1)
	// One for each message: of those of a key and an hour one stays.
	c.AddTimer(flow.TimerRequest{Trigger: hour.Add(time.Hour)})
	return nil
}

func (hourly) OnTimer(c *flow.Context, t *flow.Timer) error {
	hour := t.TriggerTime().Add(-time.Hour)
	n := c.State(hour.Format(time.DateTime))
	out := c.NewMessage("counts")
	out.SetText("word", t.Text("word"))
	out.SetTime("hour", hour)
	out.SetInt("n", n.Int())
	out.Emit()
	n.Clear()
	return nil
}
