package function

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Env is what a function may know beside its arguments.
type Env struct {
	// Zone is the session's time zone: it relates TIMESTAMP and TIMESTAMP_LTZ.
	Zone *time.Location
	// Now is the wall clock in microseconds since the epoch, handed in by the runtime.
	Now int64
}

// Call is one evaluation of a kernel.
//
// Args and Out are positional: row i of the batch has index i & Mask(). Out is new, of the layout of the result type, and a constant exactly
// if every argument is. The kernel writes the value of each row that Rows names and no other. Memory that Out keeps comes from Arena or from
// an argument's Buf, which lives as long.
type Call struct {
	Arena *vector.Arena
	Env   *Env
	Rows  vector.Rows
	Args  []*vector.Vector
	Out   *vector.Vector

	start int // where in its buffer the value that is being written begins
}

// full is text.full for the writer of a rewriting kernel.
func (c *Call) full(dst []byte) bool { return len(dst)-c.start > vector.MaxValue }

// Kernel computes a function. It must not keep anything of the call, and it is shared between goroutines. An error that concerns one row is
// a *RowError.
type Kernel func(c *Call) error

// nothing is the kernel of a strict function that has a NULL among its constants: no row is asked for.
func nothing(*Call) error { return nil }

// NullPolicy says what a kernel sees of NULLs.
type NullPolicy uint8

// The policies.
const (
	// Strict kernels see only rows without a NULL argument; the others become NULL.
	Strict NullPolicy = iota
	// StrictTotal is Strict for kernels that take any bits in their stride: Rows is the whole batch, rows that are NULL or were not asked for
	// included, whose slots hold anything; the result there is ignored.
	StrictTotal
	// NullAware kernels see every row and look at the validity themselves.
	NullAware
)

// SetNull makes row i of the result NULL.
func (c *Call) SetNull(i int) {
	if c.Out.Valid == nil {
		c.Out.Valid = c.Arena.AllValid(c.Out.Len())
	}
	c.Out.Valid.Clear(i & c.Out.Mask())
}

// RowError is an error of one row of a batch.
type RowError struct {
	Row int // position in the batch
	Err error
	// Hint says what to do; it may be empty.
	Hint string
}

// Error is that of Err, and what to do; which row it was, the caller says in its own numbers.
func (e *RowError) Error() string {
	if e.Hint == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + "; " + e.Hint
}

// Unwrap gives Err.
func (e *RowError) Unwrap() error { return e.Err }

// Fault is fault.Data.
func (e *RowError) Fault() fault.Class { return fault.Data }

func rowErrorf(row int, format string, args ...any) error {
	return &RowError{Row: row, Err: fmt.Errorf(format, args...)}
}
