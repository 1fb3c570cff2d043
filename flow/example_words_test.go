package flow_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

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

// Words of lines, counted by the hour of event time.
func Example() {
	spec, err := os.ReadFile("../examples/flow/words.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = flow.Run(context.Background(), string(spec), flow.Computations{
		"split": func() flow.Computation { return flow.MessageFunc(split) },
		"count": func() flow.Computation { return hourly{} },
	}, flow.Options{Name: "words.yaml", Stdout: os.Stdout})
	if err != nil {
		fmt.Print(flow.Render(err))
	}
	// Output:
	// +I[to, 2026-11-30T12:00:00Z, 4]
	// +I[be, 2026-11-30T12:00:00Z, 4]
	// +I[or, 2026-11-30T12:00:00Z, 1]
	// +I[not, 2026-11-30T12:00:00Z, 2]
	// +I[that, 2026-11-30T12:00:00Z, 1]
	// +I[is, 2026-11-30T12:00:00Z, 1]
	// +I[the, 2026-11-30T12:00:00Z, 1]
	// +I[question, 2026-11-30T12:00:00Z, 1]
	// +I[whether, 2026-11-30T12:00:00Z, 1]
	// +I[to, 2026-11-30T13:00:00Z, 1]
	// +I[be, 2026-11-30T13:00:00Z, 1]
	// +I[or, 2026-11-30T13:00:00Z, 1]
	// +I[not, 2026-11-30T13:00:00Z, 1]
}
