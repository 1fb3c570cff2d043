package connector

import "github.com/tidemark-sql/tidemark/internal/vector"

// Sink is a table being written by one statement. One call at a time.
type Sink interface {
	// Write takes the selected rows of b, which stays the caller's.
	Write(b *vector.Batch) error
	// Flush hands on what Write kept back. It is called when the statement has nothing more to write for now.
	Flush() error
	// Close ends the output; nothing follows.
	Close() error
}
