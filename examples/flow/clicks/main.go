// Clicks joins shows of banners with the clicks on them. Run it from the root of the repository:
//
//	go run ./examples/flow/clicks
package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

//go:embed clicks.yaml
var spec string

// The queues of the spec are tables.
//
//go:embed clicks.sql
var tables string

var computations = flow.Computations{"join": func() flow.Computation { return &joiner{} }}

func main() {
	err := flow.Run(context.Background(), spec, computations, flow.Options{Name: "clicks.yaml", Tables: tables, Stdout: os.Stdout})
	if err != nil {
		fmt.Fprint(os.Stderr, flow.Render(err))
		os.Exit(1)
	}
}

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
