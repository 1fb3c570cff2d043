package flow_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/flow"
)

// orders are input of the pipeline of the example: an order, and a later one, behind which the timer of the first is due.
const orders = `{"id": "a", "what": "placed", "amount": 20, "ts": "2026-11-30 00:00:00Z"}
{"id": "b", "what": "placed", "amount": 20, "ts": "2026-12-03 00:00:00Z"}
`

// handling is a reminder that does something before.
type handling struct {
	reminder
	message, timer func()
}

func (h handling) ProcessMessage(c *flow.Context, m *flow.Message) error {
	if h.message != nil {
		h.message()
	}
	return h.reminder.ProcessMessage(c, m)
}

func (h handling) OnTimer(c *flow.Context, t *flow.Timer) error {
	if h.timer != nil {
		h.timer()
	}
	return h.reminder.OnTimer(c, t)
}

// A handler that ends its goroutine, as t.Fatal does, ends the pipeline with an error that names the computation.
func TestHandlerEndsItsGoroutine(t *testing.T) {
	for want, h := range map[string]handling{
		"computation 'remind' in the handler of a message of 'orders': code of the program has ended the goroutine": {message: runtime.Goexit},
		"computation 'remind' in the handler of a timer of 'unpaid': code of the program has ended the goroutine":   {timer: runtime.Goexit},
	} {
		for _, o := range []flow.Options{{Parallelism: 1}, {Parallelism: 2}, {Parallelism: 2, StateDir: t.TempDir()}} {
			o.Stdin = strings.NewReader(orders)
			err := flow.Run(t.Context(), reminders, flow.Computations{"remind": func() flow.Computation { return h }}, o)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}

// In a harness the goroutine is the caller's, so that t.Fatal in a handler does what it does in a test.
func TestHandlerEndsTheGoroutineOfAHarness(t *testing.T) {
	h, err := flow.NewHarness(reminders, "remind", flow.Computations{"remind": func() flow.Computation { return handling{message: runtime.Goexit} }}, flow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() { ended <- !returned }()
		_ = h.Send("orders", flow.Fields{"id": "a", "what": "placed"})
		returned = true
	}()
	if !<-ended {
		t.Error("the handler has ended its goroutine, and Send has returned")
	}
}

// A handler that does not return is told of while the pipeline runs. When ctx ends Run returns all the same, and says which it is; with a folder of states as well, which is free then.
func TestHandlerDoesNotReturn(t *testing.T) {
	for name, o := range map[string]flow.Options{"one task": {Parallelism: 1}, "two tasks": {Parallelism: 2}, "state": {Parallelism: 2, StateDir: t.TempDir()}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				over := make(chan struct{})
				h := handling{timer: func() { <-over }}
				var told []string
				o.Warn = func(text string) { told = append(told, text) }
				o.Stdin = strings.NewReader(orders)
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				defer cancel()
				err := flow.Run(ctx, reminders, flow.Computations{"remind": func() flow.Computation { return h }}, o)
				const who = "computation 'remind' in the handler of a timer of 'unpaid'"
				if want := "the statement was to end, and code of the program does not return: " + who; err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
				if errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v is no ordinary end", err)
				}
				if all := strings.Join(told, "\n"); strings.Count(all, who+" has not returned for ") != 2 {
					t.Errorf("told:\n%s", all)
				}
				close(over)
				synctest.Wait()
			})
		})
	}
}

// A handler that takes long has time to return when ctx ends, and is no error.
func TestHandlerTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		h := handling{message: func() { <-time.After(8 * time.Second) }}
		err := flow.Run(ctx, reminders, flow.Computations{"remind": func() flow.Computation { return h }}, flow.Options{Parallelism: 2, Stdin: strings.NewReader(orders)})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// many writes a message a hundred thousand times when its timer fires.
type many struct{ reminder }

func (many) OnTimer(c *flow.Context, t *flow.Timer) error {
	for range 100_000 {
		out := c.NewMessage("reminders")
		out.SetText("id", t.Text("id"))
		out.Emit()
	}
	return nil
}

// later takes nothing for two minutes.
type later struct{ began bool }

func (l *later) Write(p []byte) (int, error) {
	if !l.began {
		l.began = true
		<-time.After(2 * time.Minute)
	}
	return len(p), nil
}

// A handler that waits for whoever takes what it writes is not told of.
func TestHandlerWaitsForASink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := flow.Options{Parallelism: 1, Stdin: strings.NewReader(orders), Stdout: &later{}, Warn: func(text string) { t.Error(text) }}
		began := time.Now()
		if err := flow.Run(t.Context(), reminders, flow.Computations{"remind": func() flow.Computation { return many{} }}, o); err != nil {
			t.Error(err)
		}
		if time.Since(began) < 2*time.Minute {
			t.Error("the sink has not waited")
		}
	})
}

// always sets a timer whenever one fires, up to a number of times, or for ever.
type always struct {
	reminder
	most int
}

func (a *always) OnTimer(c *flow.Context, t *flow.Timer) error {
	if a.most--; a.most != 0 {
		c.AddTimer(flow.TimerRequest{Trigger: t.TriggerTime().Add(time.Minute)})
	}
	return nil
}

// At the end of the input timers of timers fire in turn, and one that has no end is an error, unless the handler looks whether the input is at its end.
func TestTimersWithoutEnd(t *testing.T) {
	spec := strings.Replace(reminders, "timer_streams: {unpaid: {}}", "timer_streams: {unpaid: {}}\n    allow_timer_self_dependency: true\n    streams_dependency: {unpaid: [orders, unpaid]}", 1)
	for most, want := range map[int]string{100_000: "", 0: "computation 'remind' still sets timers of 'unpaid' behind 100000 rounds of them after the end of its inputs"} {
		h, err := flow.NewHarness(spec, "remind", flow.Computations{"remind": func() flow.Computation { return &always{most: most} }}, flow.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Send("orders", flow.Fields{"id": "a", "what": "placed", "amount": 20, flow.EventTimeField: noon}); err != nil {
			t.Fatal(err)
		}
		err = h.Watermark("orders", flow.Forever)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %v, want %q", most, err, want)
		}
	}
}
