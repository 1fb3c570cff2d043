package process

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/watermark"
)

// setAt sets a timer for every row, at the time that is its value.
func setAt(c *Context, m *Message) error {
	c.SetTimer(Request{Trigger: m.Cols[1].Int(m.Row), EventTime: watermark.NoTime})
	return nil
}

// A timer fires when the watermark has reached its trigger, inclusively, and only when a watermark moves; YTsaurus Flow says so.
func TestTimersFire(t *testing.T) {
	r := newRig(t, spec(noted(setAt), 1, TimerStream{Name: "close"}))
	r.must(r.row(0, 1, 30, 5))
	r.must(r.row(0, 2, 20, 6))
	r.must(r.reach(0, 19))
	r.want()
	r.frontier(5) // held back at the event time of the first
	r.must(r.reach(0, 20))
	r.want("2: timer 20 of 6 @6")
	r.frontier(5)
	r.must(r.row(0, 3, 10, 20)) // its time has come: with the next watermark, and not before
	r.want()
	r.must(r.reach(0, 20))
	r.want()
	r.must(r.reach(0, 21))
	r.want("3: timer 10 of 20 @20")
	r.must(r.reach(0, 100))
	r.want("1: timer 30 of 5 @5")
	r.frontier(100)
}

// Timers that are due together fire in the order of their triggers, those of one trigger key by key, and those of one key as they were set, whatever their stream.
func TestTimersInOrder(t *testing.T) {
	r := newRig(t, spec(noted(func(c *Context, m *Message) error {
		c.SetTimer(Request{Stream: int(m.Cols[1].Int(m.Row)) % 2, Trigger: m.Cols[1].Int(m.Row), EventTime: watermark.NoTime})
		return nil
	}), 1, TimerStream{Name: "a"}, TimerStream{Name: "b"}))
	for i, v := range []int64{7, 4, 9, 4, 6} {
		r.must(r.row(0, int64(i), v, 1))
	}
	r.must(r.row(0, 4, 4, 2))
	r.must(r.row(0, 3, 6, 2))
	r.must(r.reach(0, 8))
	r.want("4: timer 4 of 2 @2", "3: timer 4 of 1 @1", "1: timer 4 of 1 @1", "4: timer 6 of 1 @1", "3: timer 6 of 2 @2", "0: timer 7 of 1 @1")
}

// Of timers of one stream, key and trigger the one with the least event time stays, and of those the first. One that was handed out does not count any more.
func TestEqualTimers(t *testing.T) {
	s := func(keep bool) *Spec { return spec(noted(setAt), 1, TimerStream{Name: "close", KeepEqual: keep}) }
	set := func(r *rig) {
		for _, event := range []int64{7, 5, 5, 9} {
			r.must(r.row(0, 1, 50, event))
		}
		r.must(r.row(0, 2, 50, 8))
	}
	r := newRig(t, s(false))
	set(r)
	r.frontier(watermark.Unset)
	r.must(r.reach(0, 6))
	r.frontier(5)
	r.must(r.reach(0, 50))
	r.want("2: timer 50 of 8 @8", "1: timer 50 of 5 @5")
	r.must(r.row(0, 1, 50, 50))
	r.must(r.reach(0, 51))
	r.want("1: timer 50 of 50 @50")

	r = newRig(t, s(true))
	set(r)
	r.must(r.reach(0, 50))
	r.want("2: timer 50 of 8 @8", "1: timer 50 of 7 @7", "1: timer 50 of 5 @5", "1: timer 50 of 5 @5", "1: timer 50 of 9 @9")
}

// A timer that a handler sets waits for the next watermark, even if its time has come; behind the last row they fire in turn, since there is none.
func TestTimersThatTimersSet(t *testing.T) {
	s := func() *Spec {
		f := noted(setAt)
		note := f.timer
		f.timer = func(c *Context, x *Timer) error {
			if x.Trigger < 40 {
				c.SetTimer(Request{Trigger: x.Trigger + 10, EventTime: watermark.NoTime})
			}
			return note(c, x)
		}
		return spec(f, 1, TimerStream{Name: "every", From: &Parents{Inputs: []int{0}, Timers: []int{0}}})
	}
	r := newRig(t, s())
	r.must(r.row(0, 1, 10, 1))
	r.must(r.reach(0, 100))
	r.want("1: timer 10 of 1 @1")
	r.frontier(1)
	r.must(r.reach(0, 101))
	r.want("1: timer 20 of 1 @1")
	r.must(r.reach(0, watermark.Final))
	r.want("1: timer 30 of 1 @1", "1: timer 40 of 1 @1")
	r.frontier(watermark.Final)

	// Without the stream among its own parents, none can.
	one := s()
	one.Timers[0].From = nil
	r = newRig(t, one)
	r.must(r.row(0, 1, 10, 1))
	if err := r.reach(0, 100); err == nil || !strings.Contains(err.Error(), "computation 'test': a timer of 'every' sets a timer of 'every', which does not depend on it") {
		t.Error(err)
	}
}

// Which inputs make timers due, how far behind themselves, and what holds an output back.
func TestTimersOfSeveralInputs(t *testing.T) {
	for _, c := range []struct {
		name    string
		watches []Watched
		reach   [2]watermark.Frontier
		fires   bool
	}{
		{"the least", nil, [2]watermark.Frontier{30, 20}, true},
		{"not yet the least", nil, [2]watermark.Frontier{30, 19}, false},
		{"one of them", []Watched{{Input: 0}}, [2]watermark.Frontier{20, 3}, true},
		{"not the other", []Watched{{Input: 1}}, [2]watermark.Frontier{20, 3}, false},
		{"delayed", []Watched{{Input: 0, Delay: 10}, {Input: 1}}, [2]watermark.Frontier{30, 20}, true},
		{"delayed further", []Watched{{Input: 0, Delay: 11}, {Input: 1}}, [2]watermark.Frontier{30, 20}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, spec(noted(setAt), 2, TimerStream{Name: "close", Watches: c.watches}))
			r.must(r.row(0, 1, 20, 2))
			r.must(r.reach(0, c.reach[0]))
			r.must(r.reach(1, c.reach[1]))
			if fired := len(r.got) > 0; fired != c.fires {
				t.Errorf("fired: %t", fired)
			}
		})
	}
	// Delays saturate: an input without a frontier has none with one.
	r := newRig(t, spec(noted(setAt), 1, TimerStream{Name: "close", Watches: []Watched{{Input: 0, Delay: 1 << 62}}}))
	r.must(r.row(0, 1, -1<<62, 2))
	r.must(r.reach(0, -1<<62))
	r.want()
	r.must(r.reach(0, watermark.Final))
	r.want(fmt.Sprintf("1: timer %d of 2 @2", -1<<62))
}

// An output that no timer writes is not held by any, and a row that comes from elsewhere is refused.
func TestDependencies(t *testing.T) {
	s := spec(noted(func(c *Context, m *Message) error {
		if m.Input == 1 {
			c.Draft(0).SetString(0, "no")
			c.Emit(0)
			return nil
		}
		return setAt(c, m)
	}), 2, TimerStream{Name: "close"})
	s.Outputs[0].From = &Parents{Inputs: []int{0}}
	r := newRig(t, s)
	r.must(r.row(0, 1, 20, 2))
	r.must(r.reach(0, 10))
	r.frontier(10) // neither the other input nor the timer
	if err := r.row(1, 1, 1, 1); err == nil || !strings.Contains(err.Error(), "a message of 'in1' writes a row of 'out', which does not depend on it") {
		t.Error(err)
	}
}

// Timers that only other timers set are due by the inputs that these come from, and what the others hold back is held back for all that comes of them.
func TestTimersOfTimers(t *testing.T) {
	first := &Parents{Inputs: []int{0}}
	s := func() *Spec {
		f := noted(setAt)
		note := f.timer
		f.timer = func(c *Context, x *Timer) error {
			if x.Stream < 2 {
				c.SetTimer(Request{Stream: x.Stream + 1, Trigger: x.Trigger + 10, EventTime: watermark.NoTime})
				return nil
			}
			return note(c, x)
		}
		s := spec(f, 2, TimerStream{Name: "a", From: first}, TimerStream{Name: "b", From: &Parents{Timers: []int{0}}}, TimerStream{Name: "c", From: &Parents{Timers: []int{1}}})
		s.Outputs[0].From = &Parents{Timers: []int{2}}
		return s
	}
	r := newRig(t, s())
	r.frontier(watermark.Unset) // any timer may still come
	r.must(r.reach(0, 3))
	r.frontier(3)
	r.must(r.row(0, 1, 20, 5))
	for _, f := range []watermark.Frontier{10, 20, 30} {
		r.must(r.reach(0, f))
		r.want()
		r.frontier(5)
		r = r.again(s())
		r.frontier(5)
	}
	r.must(r.reach(0, 40)) // the other input has no part in it
	r.want("1: timer 40 of 5 @5")
	r.frontier(40)
	r.must(r.reach(0, watermark.Final))
	r.frontier(watermark.Final)
}

// What holds an output back, and what makes it active: the inputs that it goes back to as long as they are active, and timers that wait. At the end every output is.
func TestActivity(t *testing.T) {
	text := spec(nil, 1).Outputs[0]
	out := func(p *Parents) Output { text.From = p; return text }
	s := spec(noted(setAt), 2, TimerStream{Name: "close", From: &Parents{Inputs: []int{1}}})
	s.Outputs = []Output{out(nil), out(&Parents{Inputs: []int{0}}), out(&Parents{Inputs: []int{1}}), out(&Parents{Timers: []int{0}}), out(&Parents{})}
	r := newRig(t, s)
	want := func(lines ...string) {
		t.Helper()
		var got []string
		for k := range s.Outputs {
			f, active := r.x.Frontier(k)
			text := fmt.Sprint(f)
			if f == watermark.Unset {
				text = "none"
			}
			if !active {
				text += " idle"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, lines) {
			t.Errorf("%q, want %q", got, lines)
		}
	}
	idle := func(input int, f watermark.Frontier) {
		t.Helper()
		r.must(r.x.Reach(input, Reached{f, watermark.Unset}, false))
	}
	want("none", "none", "none", "none", "none idle")
	r.must(r.reach(0, 20))
	r.must(r.reach(1, 10))
	want("10", "20", "10", "10", "none idle")
	idle(1, 10)
	want("20", "20", "10 idle", "10 idle", "none idle")
	r.must(r.row(1, 1, 40, 30))
	idle(1, 30)
	r.must(r.reach(0, 35))
	want("30", "35", "30 idle", "30", "none idle")
	idle(0, 35)
	want("30", "35 idle", "30 idle", "30", "none idle")
	r.must(r.reach(1, 40))
	want("40", "35 idle", "40", "40", "none idle")
	r.must(r.reach(1, watermark.Final)) // the other one has not come to its end
	if r.x.over() {
		t.Error("over with an idle input")
	}
	r.must(r.reach(0, watermark.Final))
	want(slices.Repeat([]string{fmt.Sprint(watermark.Final)}, len(s.Outputs))...)
}

// Timers in real time are due by the clock, and those in system time by the system frontier; both hold back event time.
func TestScales(t *testing.T) {
	r := newRig(t, spec(noted(setAt), 1, TimerStream{Name: "close", Scale: RealTime}))
	r.x.SetNow(100)
	r.must(r.row(0, 1, 150, 2))
	r.must(r.reach(0, 1000))
	r.want()
	r.frontier(2)
	r.x.SetNow(149)
	r.must(r.x.Tick())
	r.x.SetNow(150)
	r.must(r.x.Tick())
	r.drain(0)
	r.want("1: timer 150 of 2 @2")
	r.frontier(1000)

	r = newRig(t, spec(noted(setAt), 1, TimerStream{Name: "close", Scale: SystemTime}))
	r.must(r.row(0, 1, 150, 2))
	r.must(r.x.Reach(0, Reached{1000, 149}, true))
	r.must(r.x.Reach(0, Reached{1000, 150}, true))
	r.drain(0)
	r.want("1: timer 150 of 2 @2")
}

// Limits end the statement, and say what to do.
func TestLimits(t *testing.T) {
	s := spec(noted(setAt), 1, TimerStream{Name: "close"})
	s.Limits = Limits{Timers: 2}
	r := newRig(t, s)
	r.must(r.row(0, 1, 10, 1))
	r.must(r.row(0, 1, 10, 1))
	r.must(r.row(0, 1, 11, 1))
	if err := r.row(0, 1, 12, 1); err == nil || !strings.HasPrefix(err.Error(), "computation 'test': it has more timers than its limit, 2; raise the limit") {
		t.Error(err)
	}
	s.Limits = Limits{TimerBytes: 2*timerBytes + 1}
	r = newRig(t, s)
	for v := range int64(2) {
		r.must(r.row(0, 1, v, 1))
	}
	if err := r.row(0, 1, 12, 1); err == nil || !strings.Contains(err.Error(), "bytes; raise the limit") {
		t.Error(err)
	}
}

// followed are two streams of timers, of which the second waits for the first, less a delay. A row sets the one that its value is odd or even by, and a timer of the first sets one of the second if its trigger ends in 4.
func followed(delay int64, more ...Watched) *Spec {
	f := noted(func(c *Context, m *Message) error {
		v := m.Cols[1].Int(m.Row)
		c.SetTimer(Request{Stream: int(v % 2), Trigger: v, EventTime: watermark.NoTime})
		return nil
	})
	note := f.timer
	f.timer = func(c *Context, x *Timer) error {
		if x.Stream == 0 && x.Trigger%10 == 4 {
			c.SetTimer(Request{Stream: 1, Trigger: x.Trigger + 1, EventTime: watermark.NoTime})
		}
		return note(c, x)
	}
	s := spec(f, 2, TimerStream{Name: "first"}, TimerStream{Name: "second", From: &Parents{Inputs: []int{0, 1}, Timers: []int{0}}, Watches: append(more, Watched{Input: -1, Timer: 0, Delay: delay})})
	if delay < 0 {
		s.Timers[1].Watches = nil
	}
	return s
}

// A timer that waits for a stream of timers is due when that stream has come to its trigger, inclusively: as far as its inputs, and no further than the event time of each of its timers that waits, of whatever key.
func TestTimersThatFollow(t *testing.T) {
	r := newRig(t, followed(0))
	r.must(r.row(0, 1, 40, 7)) // first
	r.must(r.row(0, 2, 7, 3))  // second, and what holds it back has the same time: that is not behind it
	r.must(r.row(0, 2, 9, 3))
	r.must(r.reach(0, 39))
	r.want()
	r.must(r.reach(1, 6))
	r.want()
	r.must(r.reach(1, 30))
	r.want("2: timer 7 of 3 @3")
	if at, ok := r.x.Next(); !ok || at != 40 {
		t.Errorf("waits for %d, %t", at, ok)
	}
	r = r.again(followed(0))
	r.must(r.reach(0, 39))
	r.must(r.reach(1, 39))
	r.want()
	r.must(r.reach(0, 40))
	r.must(r.reach(1, 40)) // the first has moved the watermark of its stream, though no input will for now
	r.want("1: timer 40 of 7 @7", "2: timer 9 of 3 @3")
	r.frontier(40)
	r.must(r.row(1, 3, 51, 41))
	if at, ok := r.x.Next(); !ok || at != 51 {
		t.Errorf("waits for %d, %t", at, ok)
	}
}

// What timers set is due when the watermark of their stream moves because of them, and not if another one holds it back.
func TestTimersThatFollowWhatSetsThem(t *testing.T) {
	for _, delay := range []int64{0, -1} { // -1: nothing is said, and then what can set them is what they wait for
		r := newRig(t, followed(delay))
		r.must(r.row(0, 1, 24, 5))
		r.must(r.reach(0, 30))
		r.must(r.reach(1, 30))
		r.want("1: timer 24 of 5 @5", "1: timer 25 of 5 @5")
		r.must(r.row(0, 1, 34, 31))
		r.must(r.row(0, 2, 60, 32))
		r.must(r.reach(0, 50))
		r.must(r.reach(1, 50))
		r.want("1: timer 34 of 31 @31")
		r.frontier(31)
		r.must(r.reach(0, watermark.Final))
		r.must(r.reach(1, watermark.Final))
		r.want("2: timer 60 of 32 @32", "1: timer 35 of 31 @31")
		r.frontier(watermark.Final)
	}
}

// Delays, inputs beside, and that the watermark of a stream of timers never falls.
func TestTimersThatFollowBehind(t *testing.T) {
	r := newRig(t, followed(10, Watched{Input: 1}))
	r.must(r.row(0, 1, 21, 5))
	r.must(r.reach(0, 40))
	r.must(r.reach(1, 30))
	r.want() // the stream is at 30, less 10
	r.must(r.reach(1, 31))
	r.want("1: timer 21 of 5 @5")

	behind := Watched{Input: 1, Delay: 10}
	r = newRig(t, followed(0, behind))
	r.must(r.reach(0, 50))
	r.must(r.reach(1, 20))     // the stream of timers is at 20, and what counts at 10
	r.must(r.row(0, 1, 60, 1)) // late
	r.must(r.row(0, 2, 15, 2))
	r.must(r.row(0, 2, 21, 2))
	r = r.again(followed(0, behind))
	r.must(r.reach(0, 50))
	r.must(r.reach(1, 24))
	r.want()
	r.must(r.reach(1, 25))
	r.want("2: timer 15 of 2 @2")
	r.must(r.reach(1, watermark.Final))
	r.want() // not 21: the late timer is still there
	r.must(r.reach(0, 60))
	r.want("1: timer 60 of 1 @1", "2: timer 21 of 2 @2")
}
