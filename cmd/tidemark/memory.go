package main

import (
	"runtime/debug"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// memoryOf is the limit of --state-memory, for statements that say nothing.
func memoryOf(size config.Size) plan.Memory {
	return plan.Memory{Bytes: int64(size), Origin: "--state-memory"}
}

// besides is about what statements need for all but their state.
const besides = 128 << 20

// collector has garbage collected before there is more than the statements need that run, if each of them has a limit for its state. Otherwise nothing changes.
type collector struct {
	mu        sync.Mutex
	limits    int64 // of those that have one, together
	limitless int   // how many have none
	running   int
	before    int64 // the limit of the process without them
}

// collect takes a statement into account that has a limit, 0 for none, until the function that it gives is called.
func (c *collector) collect(limit int64) (restore func()) {
	c.add(limit, 1)
	return func() { c.add(-limit, -1) }
}

func (c *collector) add(limit int64, statements int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == 0 {
		c.before = debug.SetMemoryLimit(-1)
	}
	c.running += statements
	if c.limits += limit; limit == 0 {
		c.limitless += statements
	}
	if c.limitless > 0 || c.running == 0 {
		debug.SetMemoryLimit(c.before)
		return
	}
	debug.SetMemoryLimit(c.limits + besides)
}
