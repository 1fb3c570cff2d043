package shell

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Place is where statements run: a session in this process, or a server. It belongs to one goroutine at a time.
type Place interface {
	// Execute runs a statement of a text, or makes its query ready. Errors of the user are *source.Error.
	Execute(ctx context.Context, text source.Text, stmt language.Statement) (*Outcome, error)
	// Complete returns what of the place could stand at the end of before, and where in before that begins, as a complete.Completer does.
	Complete(before, after string) (candidates []string, start int)
}

// Outcome is what a statement gives; DDL gives nothing.
type Outcome struct {
	// Text is to be shown as it is, Notes are sentences for who runs the statement, Rows what SHOW and the like list.
	Text  string
	Notes []string
	Rows  *engine.Rows
	// Query is what is still to be run; nil for most statements.
	Query Query
}

// Query is a statement that is ready to run.
type Query interface {
	// Schema is the row type of the results.
	Schema() types.Schema
	// Into is the table that is written to, "" if rows go to the user.
	Into() string
	// Start makes a run whose rows go to sink, which is nil if the query writes to a table.
	Start(sink connector.Sink) (Run, error)
}

// Run is a query on its way. Values of the type can be compared.
type Run interface {
	// Run runs until the end, or until ctx is done, which is no error.
	Run(ctx context.Context) error
	// Progress says on one line how far it has come, and Summarize what became of it, in lines with line ends. Both may be called while it runs.
	Progress(took time.Duration) string
	Summarize(w io.Writer, took time.Duration)
}
