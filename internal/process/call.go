package process

import (
	"fmt"
	"sync/atomic"
)

// call is the handler that is called at the moment. Its owner writes it, any goroutine reads it. It costs one word for each call.
type call struct {
	number uint64        // the owner's: of the last one
	at     atomic.Uint64 // its number, and behind it the stream and whether that is one of timers; 0 while no handler is called
}

// streamBits leave room for the number of a stream.
const streamBits = 16

// begin is in front of a handler, for a row of an input or a timer of a stream.
func (c *call) begin(stream int, timer bool) {
	c.number++
	at := c.number<<streamBits | uint64(stream)<<1
	if timer {
		at |= 1
	}
	c.at.Store(at)
}

// end is behind the last of several calls, unless there was an error.
func (c *call) end() { c.at.Store(0) }

// Call says which handler is called at the moment, for people, and the number of the call, by which it is told from the next of the same handler; "" if none is. Any goroutine may ask.
func (x *Instance) Call() (what string, number uint64) {
	at := x.call.at.Load()
	if at == 0 {
		return "", 0
	}
	stream, kind, name := int(at>>1)&(1<<(streamBits-1)-1), "a message", ""
	if at&1 == 1 {
		kind, name = "a timer", x.spec.Timers[stream].Name
	} else {
		name = x.spec.Inputs[stream].Name
	}
	return fmt.Sprintf("%s in the handler of %s of '%s'", x.who, kind, name), at >> streamBits
}
