package flow

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Timer is a timer that is due. Its columns are those of the key.
type Timer struct {
	Row
	inner *process.Timer
}

// Stream is the name of its timer stream.
func (t *Timer) Stream() string { return t.c.spec.Timers[t.inner.Stream].Name }

// TriggerTime is when it was due.
func (t *Timer) TriggerTime() time.Time { return instant(t.inner.Trigger) }

// EventTime is what it held back: that of what it was set for.
func (t *Timer) EventTime() time.Time { return instant(t.inner.EventTime) }

// Parent is the timer as what messages are made of.
func (t *Timer) Parent() Parent { return Parent{t.Stream(), t.EventTime()} }

// TimerRequest asks for a timer.
type TimerRequest struct {
	// Stream is its timer stream; it may be left out if there is only one.
	Stream string
	// Trigger is when it is due, on the scale of the stream: when the event watermark, the system watermark or the clock has reached it, inclusively. What has been reached already is due when
	// a watermark moves next, and not before.
	Trigger time.Time
	// EventTime is what it holds back until it has fired: the event watermark of what is made of timers goes no further. The zero Time stands for that of the message or timer at hand, which is right
	// if what is written when it fires is to be on time. A later one lets the watermark go sooner.
	EventTime time.Time
	// Parents, if there are any, stand for the message or timer at hand: the event time is the least of theirs.
	Parents []Parent
}

// AddTimer sets a timer of the key. Timers cannot be taken back: let OnTimer look whether there is still something to do. Of equal timers, of one stream, key and trigger, there is one, with the
// least event time, unless the stream says 'deduplicate_equal_timestamps: false'. At the end of the input, when EventWatermark is Forever, all timers fire and then those that they have set, for 100,000 rounds at
// most: behind that it is an error.
func (c *Context) AddTimer(r TimerRequest) {
	stream, ok := 0, len(c.spec.Timers) == 1
	if r.Stream != "" {
		stream, ok = c.timers[r.Stream]
	}
	switch {
	case !ok && r.Stream == "" && len(c.spec.Timers) > 0:
		c.fail(fmt.Errorf("AddTimer does not say which of the timer streams %q it means", c.timerStreams()), "")
	case !ok:
		c.fail(unknown("timer stream", r.Stream, c.timerStreams()), "")
	case r.Trigger.IsZero():
		c.fail(fmt.Errorf("AddTimer does not say when the timer is due"), "")
	default:
		request := process.Request{Stream: stream, Trigger: r.Trigger.UnixMicro(), EventTime: micros(r.EventTime), Parented: r.Parents != nil}
		if request.Parented {
			least, ok := c.eventTime(r.Parents, c.spec.Sets(stream), c.spec.Timers[stream].Name)
			if !ok {
				return
			}
			if request.EventTime == watermark.NoTime {
				request.EventTime = least
			}
		}
		c.inner.SetTimer(request)
	}
}

func (c *Context) timerStreams() []string {
	return names(c.spec.Timers, func(t *process.TimerStream) string { return t.Name })
}

// eventTime is the least of parents, of which those do not count that are not among from; without any left the program has made a mistake.
func (c *Context) eventTime(parents []Parent, from process.Parents, to string) (least int64, ok bool) {
	for _, p := range parents {
		if !c.among(p.Stream, from) {
			continue
		}
		if t := micros(p.EventTime); t != watermark.NoTime && (least == watermark.NoTime || !ok || t < least) {
			least = t
		} else if !ok {
			least = watermark.NoTime
		}
		ok = true
	}
	if !ok {
		c.fail(fmt.Errorf("none of its parents is a stream that '%s' depends on", to), to)
	}
	return least, ok
}

// among reports whether a stream is one of from.
func (c *Context) among(stream string, from process.Parents) bool {
	for _, i := range from.Inputs {
		if c.spec.Inputs[i].Name == stream {
			return true
		}
	}
	for _, t := range from.Timers {
		if c.spec.Timers[t].Name == stream {
			return true
		}
	}
	return false
}
