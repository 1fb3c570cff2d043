package flow_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// splitter makes words of lines.
type splitter struct{}

func (splitter) ProcessMessage(c *flow.Context, m *flow.Message) error {
	for _, word := range strings.Fields(m.Text("line")) {
		out := c.NewMessage("words")
		out.SetText("word", word)
		out.Emit()
	}
	return nil
}

// counter counts the messages of a key, and tells how many there are when its hour is over.
type counter struct{ hour time.Duration }

func (f *counter) Open(s *flow.Setup) error {
	parameters := struct{ Hour int }{60}
	if err := s.Parameters(&parameters); err != nil {
		return err
	}
	f.hour = time.Duration(parameters.Hour) * time.Minute
	return nil
}

func (f *counter) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Late() {
		return nil
	}
	hour := m.EventTime().Truncate(f.hour)
	n := c.State(hour.String())
	n.SetInt(n.Int() + 1)
	// For each message, but there is one timer of a key and an hour.
	c.AddTimer(flow.TimerRequest{Trigger: hour.Add(f.hour), EventTime: hour})
	return nil
}

func (f *counter) OnTimer(c *flow.Context, t *flow.Timer) error {
	hour := t.TriggerTime().Add(-f.hour)
	n := c.State(hour.String())
	out := c.NewMessage("counts")
	out.SetText("word", t.Text("word"))
	out.SetTime("hour", hour)
	out.SetInt("n", n.Int())
	out.Emit()
	n.Clear()
	return nil
}

// joiner joins shows with clicks of the same key. A click waits for its show, and a show for clicks, as long as wait says; a show without any is told as one.
type joiner struct{ wait time.Duration }

type show struct {
	Banner  string
	At      time.Time
	Clicked bool
}

func (f *joiner) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if m.Late() {
		return nil
	}
	shown, clicked := c.State("show"), c.State("click")
	var s show
	switch known := shown.Load(&s); {
	case m.Stream() == "shows":
		s = show{Banner: m.Text("banner"), At: m.EventTime()}
		if !clicked.IsEmpty() {
			s.Clicked = true
			f.emit(c, m.Text("id"), &s, flow.Parent{Stream: "clicks", EventTime: time.UnixMicro(clicked.Int())})
			clicked.Clear()
		}
		shown.Save(&s)
	case known:
		f.emit(c, m.Text("id"), &s, m.Parent())
		s.Clicked = true
		shown.Save(&s)
	default:
		clicked.SetInt(m.EventTime().UnixMicro())
	}
	c.AddTimer(flow.TimerRequest{Trigger: m.EventTime().Add(f.wait)})
	return nil
}

func (f *joiner) OnTimer(c *flow.Context, t *flow.Timer) error {
	var s show
	if shown := c.State("show"); shown.Load(&s) && !s.At.Add(f.wait).After(t.TriggerTime()) {
		if !s.Clicked {
			f.emit(c, t.Text("id"), &s, t.Parent())
		}
		shown.Clear()
	}
	if clicked := c.State("click"); !clicked.IsEmpty() && !time.UnixMicro(clicked.Int()).Add(f.wait).After(t.TriggerTime()) {
		clicked.Clear()
	}
	return nil
}

func (f *joiner) emit(c *flow.Context, id string, s *show, from flow.Parent) {
	out := c.NewMessage("joined")
	out.SetText("id", id)
	out.SetText("banner", s.Banner)
	out.SetBool("clicked", from.Stream == "clicks")
	out.SetParents(from)
	out.Emit()
}

// sessions tells when a user has been quiet for a gap. A timer that is too early, because more came meanwhile, sets the next one.
type sessions struct{ gap time.Duration }

type session struct {
	From, To time.Time
	N        int
}

func (f *sessions) ProcessMessage(c *flow.Context, m *flow.Message) error {
	state := c.State("session")
	s := session{From: m.EventTime(), To: m.EventTime()}
	state.Load(&s)
	if m.EventTime().Before(s.From) {
		s.From = m.EventTime()
	}
	if m.EventTime().After(s.To) {
		s.To = m.EventTime()
	}
	s.N++
	state.Save(&s)
	c.AddTimer(flow.TimerRequest{Trigger: s.To.Add(f.gap), EventTime: s.From})
	return nil
}

func (f *sessions) OnTimer(c *flow.Context, t *flow.Timer) error {
	state := c.State("session")
	var s session
	if !state.Load(&s) || s.To.Add(f.gap).After(t.TriggerTime()) {
		return nil
	}
	out := c.NewMessage("sessions")
	out.CopyFrom(&t.Row)
	out.SetText("text", fmt.Sprintf("%d messages in %s", s.N, s.To.Sub(s.From)))
	out.Emit()
	state.Clear()
	return nil
}
