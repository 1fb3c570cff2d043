package flow_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// joiner joins shows with clicks of the same key. A click waits for its show, and a show for clicks, as long as wait says; a show without any is told as one.
type joiner struct{ wait time.Duration }

// show is what is kept of a show.
type show struct {
	Banner  string
	At      time.Time
	Clicked bool
}

func (j *joiner) Open(s *flow.Setup) (err error) {
	parameters := struct{ Wait string }{"10m"}
	if err = s.Parameters(&parameters); err == nil {
		j.wait, err = time.ParseDuration(parameters.Wait)
	}
	return err
}

func (j *joiner) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Late() {
		return nil
	}
	shown, clicked := c.State("show"), c.State("click")
	var s show
	switch known := shown.Load(&s); {
	case m.Stream() == "shows":
		s = show{Banner: m.Text("banner"), At: m.EventTime()}
		if at := time.UnixMicro(clicked.Int()); !clicked.IsEmpty() && s.At.Sub(at) <= j.wait {
			s.Clicked = true
			j.emit(c, m.Text("id"), &s, flow.Parent{Stream: "clicks", EventTime: at})
			clicked.Clear()
		}
		shown.Save(&s)
	case known && m.EventTime().Sub(s.At) > j.wait:
		return nil // too long behind it
	case known:
		s.Clicked = true
		j.emit(c, m.Text("id"), &s, m.Parent())
		shown.Save(&s)
	default:
		clicked.SetInt(m.EventTime().UnixMicro())
	}
	c.AddTimer(flow.TimerRequest{Trigger: m.EventTime().Add(j.wait)})
	return nil
}

func (j *joiner) OnTimer(c *flow.Context, t *flow.Timer) error {
	over := func(at time.Time) bool { return !at.Add(j.wait).After(t.TriggerTime()) }
	shown, clicked := c.State("show"), c.State("click")
	var s show
	if shown.Load(&s) && over(s.At) {
		if !s.Clicked {
			j.emit(c, t.Text("id"), &s, t.Parent())
		}
		shown.Clear()
	}
	if !clicked.IsEmpty() && over(time.UnixMicro(clicked.Int())) {
		clicked.Clear()
	}
	return nil
}

func (j *joiner) emit(c *flow.Context, id string, s *show, from flow.Parent) {
	out := c.NewMessage("joined")
	out.SetText("id", id)
	out.SetText("banner", s.Banner)
	out.SetBool("clicked", s.Clicked)
	out.SetParents(from)
	out.Emit()
}

// Shows are joined with the click on them, if it comes in time. Tables of the session are queues.
func Example_join() {
	spec, err := os.ReadFile("../examples/flow/clicks.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	tables, err := os.ReadFile("../examples/flow/clicks.sql")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = flow.Run(context.Background(), string(spec), flow.Computations{"join": func() flow.Computation { return &joiner{} }},
		flow.Options{Name: "clicks.yaml", Tables: string(tables), Stdout: os.Stdout})
	if err != nil {
		fmt.Print(flow.Render(err))
	}
	// Output:
	// +I[c, green, true]
	// +I[a, red, true]
	// +I[b, blue, false]
	// +I[d, red, false]
}

// A computation is tried by itself, in virtual time.
func ExampleHarness() {
	spec, err := os.ReadFile("../examples/flow/clicks.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	tables, err := os.ReadFile("../examples/flow/clicks.sql")
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := flow.NewHarness(string(spec), "join", flow.Computations{"join": func() flow.Computation { return &joiner{} }}, flow.Options{Tables: string(tables)})
	if err != nil {
		fmt.Print(flow.Render(err))
		return
	}
	at := func(minute int) time.Time { return time.Date(2026, 11, 30, 12, minute, 0, 0, time.UTC) }
	for _, step := range []func() error{
		func() error {
			return h.Send("shows", flow.Fields{"id": "a", "banner": "red", flow.EventTimeField: at(1)})
		},
		func() error { return h.Watermark("shows", at(11)) },
		func() error { return h.Watermark("clicks", at(10)) },
		func() error { return h.Restart() },
		func() error { return h.Watermark("clicks", at(11)) },
	} {
		if err := step(); err != nil {
			fmt.Println(err)
		}
		fmt.Println(len(h.Received("joined")), "joined,", h.Timers(), "timers wait, watermark", h.OutputWatermark("joined").Format(time.TimeOnly))
	}
	// Output:
	// 0 joined, 1 timers wait, watermark 00:00:00
	// 0 joined, 1 timers wait, watermark 00:00:00
	// 0 joined, 1 timers wait, watermark 12:01:00
	// 0 joined, 1 timers wait, watermark 12:01:00
	// 1 joined, 0 timers wait, watermark 12:11:00
}
