package process

import (
	"github.com/tidemark-sql/tidemark/watermark"
)

// Context is what a function acts on while it handles a row or a timer. Its first error ends the statement when the handler has returned, whatever that returns.
type Context struct {
	x     *Instance
	key   uint32
	input int // the parent: a row of an input, or of a timer stream; -1 if it is the other
	timer int
	event int64 // of the parent
	err   error
}

// Fail notes an error, unless there is one.
func (c *Context) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Err is the first error that was noted.
func (c *Context) Err() error { return c.err }

// Now is the wall clock of the work at hand, microseconds; it stands while a ticket is worked on.
func (c *Context) Now() int64 { return c.x.now }

// Watermarks are how far an input has come.
func (c *Context) Watermarks(input int) Reached { return c.x.reached[input] }

// Watermark is how far all inputs have come.
func (c *Context) Watermark() Reached { return Reached{c.x.all.Frontier(), c.x.all.System()} }

// StateName is a number by which State knows a state of that name.
func (c *Context) StateName(name string) uint32 { return c.x.store.name(name) }

// State is a state of the key, empty if there is none. It may not be changed, and is good until the state is set, or the handler returns.
func (c *Context) State(name uint32) []byte { return c.x.store.get(c.key, name) }

// SetState keeps a copy of value; an empty one removes the state.
func (c *Context) SetState(name uint32, value []byte) { c.x.store.set(c.key, name, value) }

// SetTimer sets a timer of the key. If its time has come already, it is due when a watermark moves next.
func (c *Context) SetTimer(r Request) {
	if !r.Parented {
		if err := c.x.mayCome(&c.x.sets[r.Stream], c, "sets a timer", c.x.spec.Timers[r.Stream].Name); err != nil {
			c.Fail(err)
			return
		}
	}
	if r.EventTime == watermark.NoTime {
		r.EventTime = c.event
	}
	c.x.setTimer(c.key, r)
}

// Draft begins a row of an output.
func (c *Context) Draft(output int) *Draft {
	d := &c.x.outlets[output].draft
	d.reset()
	return d
}

// Emit writes a draft of an output.
func (c *Context) Emit(output int) {
	o := c.x.outlets[output]
	if !o.draft.Parented {
		if err := c.x.mayCome(&c.x.made[output], c, "writes a row", c.x.spec.Outputs[output].Name); err != nil {
			c.Fail(err)
			return
		}
	}
	event := o.draft.EventTime
	if event == watermark.NoTime {
		event = c.event
	}
	o.add(event, c.x.now)
	if c.x.Places {
		o.places = append(o.places, c.x.place)
	}
	if o.full() {
		if err := c.x.Full(output); err != nil {
			c.Fail(err)
		}
	}
}
