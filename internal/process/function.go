package process

import (
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Function is code of the program. Calls come from one goroutine, for one key after the other; what a function remembers by itself is not kept when the statement ends, and is not apart by
// key. An error ends the statement.
type Function interface {
	// Message handles a row. Nothing that it is given may be kept when it returns.
	Message(c *Context, m *Message) error
	// Timer handles a timer that is due.
	Timer(c *Context, t *Timer) error
}

// Message is a row of an input.
type Message struct {
	// Input is its stream.
	Input int
	// EventTime and SystemTime are microseconds; watermark.NoTime if nothing says when the row happened.
	EventTime, SystemTime int64
	// Late says that the row came behind the watermark of its stream.
	Late bool
	Values
}

// Timer is something to be done later.
type Timer struct {
	// Stream is that of the timer.
	Stream int
	// Trigger is when it is due, on the scale of its stream; EventTime is what it holds back, watermark.NoTime if nothing. Both are microseconds.
	Trigger, EventTime int64
	// Values are those of the key.
	Values
}

// Values are those of one row. They are valid until the handler returns.
type Values struct {
	Cols []*vector.Vector
	Row  int
}

// IsNull reports whether column i is NULL.
func (v *Values) IsNull(i int) bool { return v.Cols[i].IsNull(v.Row) }

// Request asks for a timer.
type Request struct {
	Stream  int
	Trigger int64
	// EventTime is what the timer holds back; watermark.NoTime stands for that of the row or timer at hand.
	EventTime int64
	// Parented is that of Draft.
	Parented bool
}

// Reached is how far a stream has come.
type Reached struct {
	Event, System watermark.Frontier
}

// Maker makes a function that reads and writes what spec says. Parameters are what was said for it, a JSON object; nil if nothing was.
type Maker func(spec *Spec, parameters []byte) (Function, error)

// Makers are functions by name: code that the program brings.
type Makers map[string]Maker
