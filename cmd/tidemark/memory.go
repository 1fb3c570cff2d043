package main

import (
	"runtime/debug"

	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// memoryOf is the limit of --state-memory, for statements that say nothing.
func memoryOf(size config.Size) plan.Memory {
	return plan.Memory{Bytes: int64(size), Origin: "--state-memory"}
}

// besides is about what a statement needs for all but its state.
const besides = 128 << 20

// collect has garbage collected before there is more than a statement needs that has a limit for its state, until the function that it gives is called. Without a limit nothing changes.
func collect(limit int64) (restore func()) {
	if limit == 0 {
		return func() {}
	}
	before := debug.SetMemoryLimit(limit + besides)
	return func() { debug.SetMemoryLimit(before) }
}
