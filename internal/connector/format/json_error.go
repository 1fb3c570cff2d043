package format

import "github.com/tidemark-sql/tidemark/internal/fault"

// RowError is a line that could not be read, or a value in it.
type RowError struct {
	// Offset is where the line begins in the buffer given to Decode. Whoever wants its number counts the lines of the
	// source, for Decode has written into its buffer.
	Offset int
	// Record is how many records stand before it in that buffer, blank ones included, if Decode read it.
	Record int
	// Line is a copy of the line as it came, without its end, cut to 200 bytes.
	Line []byte
	// Column is the byte of the line, from 0, at which the fault was found; it may lie behind the end of Line.
	Column int
	// Field is the column of the table whose value is at fault; empty if the line itself is.
	Field string
	// Message says what is wrong: lower case, no full stop.
	Message string
	// Hint says what to do; empty when nothing is known.
	Hint string
}

// Error returns what is wrong, with the field if there is one, and what to do.
func (e *RowError) Error() string {
	text := e.Message
	if e.Field != "" {
		text = "field '" + e.Field + "': " + text
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Fault says that the row is to blame.
func (e *RowError) Fault() fault.Class { return fault.Data }
