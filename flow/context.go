package flow

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/process"
)

// Context is what a handler acts on: the state of the key, timers, output streams, watermarks.
type Context struct {
	inner   *process.Context
	spec    *process.Spec
	inputs  map[string]int
	timers  map[string]int
	outputs map[string]int
	out     []Output
	names   map[string]uint32 // of states
}

func (c *Context) define(spec *process.Spec) {
	*c = Context{spec: spec, inputs: map[string]int{}, timers: map[string]int{}, outputs: map[string]int{}, names: map[string]uint32{}}
	for i := range spec.Inputs {
		c.inputs[spec.Inputs[i].Name] = i
	}
	for i := range spec.Timers {
		c.timers[spec.Timers[i].Name] = i
	}
	for i := range spec.Outputs {
		o := &spec.Outputs[i]
		c.outputs[o.Name] = i
		c.out = append(c.out, Output{stream: newStream(o.Name, o.Columns, o.EventTime, o.SystemTime), c: c, number: i})
	}
}

// fail notes a mistake of the program about a stream, "" for none.
func (c *Context) fail(err error, stream string) {
	if stream != "" {
		err = fmt.Errorf("stream '%s': %w", stream, err)
	}
	c.inner.Fail(err)
}

// Now is the clock of the engine, in UTC. It stands still while a piece of the input is worked on.
func (c *Context) Now() time.Time { return instant(c.inner.Now()) }

// EventWatermark is how far event time has come in all input streams: no message with less is on time any more. It is the zero Time before anything is known, and Forever when the input
// has ended. A message with less than that of its own stream is Late.
func (c *Context) EventWatermark() time.Time { return instant(int64(c.inner.Watermark().Event)) }

// SystemWatermark is the same of system time: every message that was written before has been processed. It is the zero Time if a source does not say so.
func (c *Context) SystemWatermark() time.Time { return instant(int64(c.inner.Watermark().System)) }

// Watermarks are those of one input stream.
func (c *Context) Watermarks(stream string) (event, system time.Time) {
	i, ok := c.inputs[stream]
	if !ok {
		c.fail(unknown("input stream", stream, names(c.spec.Inputs, func(s *process.Input) string { return s.Name })), "")
		return
	}
	w := c.inner.Watermarks(i)
	return instant(int64(w.Event)), instant(int64(w.System))
}

// State is what is kept of the key under a name. A computation has a few names, which are remembered for good: what there are many of is a part of the key, or of what is kept.
func (c *Context) State(name string) State {
	n, ok := c.names[name]
	if !ok {
		n = c.inner.StateName(name)
		c.names[name] = n
	}
	return State{c, n}
}

// names are those of a list.
func names[T any](list []T, name func(*T) string) (all []string) {
	for i := range list {
		all = append(all, name(&list[i]))
	}
	return all
}
