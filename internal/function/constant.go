package function

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// ConstantError says that a constant argument is not what it must be: a pattern, a path, a format. It is the user's error and gets its place in the text from
// the caller.
type ConstantError struct {
	Err error
	// Hint says what to do.
	Hint string
	// Unsupported tells that Flink takes such an argument.
	Unsupported bool
}

// Error is that of Err, and what to do.
func (e *ConstantError) Error() string { return e.Err.Error() + "; " + e.Hint }

// Unwrap gives Err.
func (e *ConstantError) Unwrap() error { return e.Err }

// Fault is fault.User.
func (e *ConstantError) Fault() fault.Class { return fault.User }

func constantErrorf(hint, format string, args ...any) error {
	return &ConstantError{Err: fmt.Errorf(format, args...), Hint: hint}
}
