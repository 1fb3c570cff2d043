package flow

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/process"
)

// Message is a message of an input stream.
type Message struct {
	Row
	inner *process.Message
}

// Stream is the name of the stream that it is of.
func (m *Message) Stream() string { return m.stream.name }

// EventTime is when what the message tells of happened; the zero Time if nothing says so.
func (m *Message) EventTime() time.Time { return instant(m.inner.EventTime) }

// SystemTime is when the message came to exist: of a stream of a source, when it was written there; of any other, the clock of the engine when it was sent.
func (m *Message) SystemTime() time.Time { return instant(m.inner.SystemTime) }

// Late reports whether the message came behind the watermark of its stream: its event time is less. YTsaurus Flow: such messages are counted, and what becomes of them is the program's to say.
func (m *Message) Late() bool { return m.inner.Late }

// Parent is the message as what others are made of.
func (m *Message) Parent() Parent { return Parent{m.Stream(), m.EventTime()} }

// Parent is a message or a timer as what messages are made of. It can be kept, in a state too: it is two values.
type Parent struct {
	// Stream is the input or timer stream.
	Stream    string
	EventTime time.Time
}
