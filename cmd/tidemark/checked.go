package main

import (
	"fmt"
	"io"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// checked is standard output with a memory of whether everything got there: a verb that prints a plan or a list need not look at each write, and
// still nobody takes lost output for success. Not for concurrent use, as the writers on top of it see to.
type checked struct {
	io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil && c.err == nil {
		c.err = fault.Wrap(fault.OfIO(err), fmt.Errorf("write output: %w", err))
	}
	return n, err
}
