package tidemark

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Error is a fault in a statement: something that whoever wrote the SQL can mend. Other errors (a malformed row, a full disk, an interrupt)
// are not of this type.
type Error struct{ fault *source.Error }

// place makes an *Error of err if it has a place in a statement, and leaves it alone if not.
func place(err error) error {
	var fault *source.Error
	if errors.As(err, &fault) {
		return &Error{fault}
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
