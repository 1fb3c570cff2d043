package main

import (
	"fmt"
	"runtime/debug"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// stateMemory is how many bytes a statement may use for its state; 0 is any number.
type stateMemory struct{ bytes int64 }

func (m *stateMemory) flags(f *flags) {
	f.Var(m, "state-memory", "`size` of the memory that each statement may use for its state, such as 256MB; the rest is kept on disk. 0 is no limit")
}

// Set implements flag.Value.
func (m *stateMemory) Set(s string) error {
	n, ok := connector.ParseSize(s)
	if !ok {
		return fmt.Errorf("write a number and a unit, such as 256MB or 2GB")
	}
	m.bytes = n
	return nil
}

// String implements flag.Value.
func (m *stateMemory) String() string { return "0" }

// limit is what the flag says, for statements that say nothing.
func (m *stateMemory) limit() plan.Memory {
	return plan.Memory{Bytes: m.bytes, Origin: "--state-memory"}
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
