package tidemark

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Error is a fault in a statement: something that whoever wrote the SQL can mend. What stops a statement that is right is a *RunError.
type Error struct{ fault *source.Error }

// RunError is what stopped a statement that is right, or seemed so until its rows came.
type RunError struct {
	// Class says whose fault it is.
	Class Class
	err   error
}

// Error is the message, with the place of a row if it is about one: "bids.jsonl line 2: field 'price': expected BIGINT, found x".
func (e *RunError) Error() string { return e.err.Error() }

// Unwrap is the error behind it, such as that of the operating system.
func (e *RunError) Unwrap() error { return e.err }

// Stack is where code of the program that the engine called, such as a watermark generator, or the engine itself panicked; "" if nothing did. Error leaves it out.
func (e *RunError) Stack() string {
	var program *fault.ProgramPanic
	var bug *runtime.Panic
	switch {
	case errors.As(e.err, &program):
		return string(program.Stack)
	case errors.As(e.err, &bug):
		return string(bug.Stack)
	}
	return ""
}

// Class sorts a RunError by what can be done about it.
type Class string

// The classes.
const (
	// ClassData: a row is bad. Mend it, or let the statement leave such rows out.
	ClassData Class = "data"
	// ClassExternal: a file or another system failed. Running the statement again may help.
	ClassExternal Class = "external"
	// ClassResource: disk or memory ran out.
	ClassResource Class = "resource"
	// ClassUser: the statement or an option does not fit what it met, or code of the program panicked, such as a watermark generator; changing it helps.
	ClassUser Class = "user"
	// ClassInternal: a bug in Tidemark, which ended this statement and no other.
	ClassInternal Class = "internal"
)

// place makes an *Error of err if it has a place in a statement, and a *RunError if it says whose fault it is. Other errors, such as that of a
// context, are left alone.
func place(err error) error {
	var placed *source.Error
	var sorted interface{ Fault() fault.Class }
	switch {
	case errors.As(err, &placed):
		return &Error{placed}
	case errors.As(err, &sorted):
		return &RunError{Class(sorted.Fault().String()), err}
	}
	return err
}

// Error is one line: place and what is wrong.
func (e *Error) Error() string { return e.fault.Error() }

// Render draws the line of the statement with a caret under the place, and says what was expected and what to do. It ends in a line end.
func (e *Error) Render() string { return e.fault.Render() }

// Code is a stable word in kebab-case for the kind of fault, such as "syntax" or "unknown-column".
func (e *Error) Code() string { return e.fault.Code }

// Position is where the fault is in the script, both counted from 1; a column is a character.
func (e *Error) Position() (line, column int) { return e.fault.Text.Position(e.fault.Span.Start) }
