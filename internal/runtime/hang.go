package runtime

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// Patience is how long a job that is to end waits for a call of code of the program, in microseconds.
const Patience = 10_000_000

// Call is a call of code of the program that is under way.
type Call struct {
	// What is called, for people.
	What string
	// Since is when it was first seen, by the wall clock in microseconds.
	Since int64

	task   *task
	number uint64
}

// Calls watches which calls of code of the program return: how long one has been under way shows in looking at it again. The zero value has seen nothing.
type Calls struct{ seen []Call }

// Look looks at what is called at a moment, and gives the calls that are under way, those first that were there already. A call that waits for those behind it to take rows is none.
func (c *Calls) Look(j *Job, now int64) []Call {
	var all []Call
	for _, tasks := range j.tasks {
		for _, t := range tasks {
			x, ok := t.call()
			if !ok {
				continue
			}
			x.Since = now
			for _, was := range c.seen {
				if was.task == x.task && was.number == x.number {
					x.Since = was.Since
				}
			}
			all = append(all, x)
		}
	}
	c.seen = all
	return all
}

// Hanging are the calls that have been under way for Patience, as far as was seen; nil if there is none. It looks.
func (c *Calls) Hanging(j *Job, now int64) *Hang {
	h := &Hang{}
	for _, x := range c.Look(j, now) {
		if now-x.Since >= Patience {
			h.Calls, h.sink = append(h.Calls, x), h.sink || x.task.last()
		}
	}
	if h.Calls == nil {
		return nil
	}
	return h
}

// call is the call that the task is in.
func (t *task) call() (c Call, ok bool) {
	if t.over.Load() || doing(t.meter.state.Load()&doingMask) == sending {
		return c, false
	}
	for _, op := range t.ops {
		if x, is := op.(dataflow.Calling); is {
			if what, number := x.Call(); what != "" {
				return Call{What: what, task: t, number: number}, true
			}
		}
	}
	return c, false
}

// Hang is code of the program that does not return although the statement ends.
type Hang struct {
	Calls []Call
	sink  bool // one of them is in the task that writes
}

func (h *Hang) Error() string {
	var all []string
	for _, c := range h.Calls {
		all = append(all, c.What)
	}
	return fmt.Sprintf("the statement was to end, and code of the program does not return: %s", strings.Join(all, "; "))
}

// Fault is fault.User.
func (h *Hang) Fault() fault.Class { return fault.User }

// leave waits for the goroutines of a job. Once that is to end it waits no longer than Patience for calls of code of the program, if nothing else is left.
func (j *Job) leave() *Hang {
	gone := make(chan struct{})
	go func() {
		j.group.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-j.ctx.Done():
	}
	var calls Calls
	for {
		now := j.clock.Now()
		if h := calls.Hanging(j, now); h != nil && len(h.Calls) == int(j.running.Load()) {
			return h
		}
		again, cancel := j.clock.At(now + Patience/10)
		select {
		case <-gone:
			cancel()
			return nil
		case <-again:
		}
	}
}

// goneWith is the error of a task whose goroutine has ended in a call.
func goneWith(t *task) error {
	for _, op := range t.ops {
		if c, ok := op.(dataflow.Calling); ok {
			if what, _ := c.Call(); what != "" {
				return fault.Errorf(fault.User, "%s: code of the program has ended the goroutine (runtime.Goexit, which FailNow and Fatal of a test call); return an error instead", what)
			}
		}
	}
	return fault.Errorf(fault.Internal, "a task of the statement has ended its goroutine")
}
