package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/output"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// ErrQuit is QUIT in a script.
var ErrQuit = errors.New("quit")

// maxDepth is how deep files may SOURCE each other.
const maxDepth = 20

// Run runs the statements of a text without a terminal and writes what they give, up to the first error. Rows are changes in the form of the
// options. It returns ErrQuit if the text says QUIT.
func (s *Shell) Run(ctx context.Context, text source.Text) error { return s.runText(ctx, text, 0) }

func (s *Shell) runText(ctx context.Context, text source.Text, depth int) error {
	steps, err := s.steps(text, depth)
	if err != nil {
		return err
	}
	for _, st := range steps {
		if st.command != nil {
			err = s.command(ctx, st)
		} else {
			err = s.statement(ctx, st)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Shell) statement(ctx context.Context, st step) error {
	r, err := s.execute(ctx, st)
	if err != nil {
		return err
	}
	if r.Text != "" {
		if _, err := io.WriteString(s.options.Stdout, r.Text); err != nil {
			return fault.Errorf(fault.OfIO(err), "write output: %w", err)
		}
	}
	for _, note := range r.Notes {
		if _, err := fmt.Fprintf(s.options.Stderr, "note: %s\n", source.Visible(source.Short(note))); err != nil {
			return fault.Errorf(fault.OfIO(err), "write output: %w", err)
		}
	}
	if err := s.list(r.Rows); err != nil || r.Query == nil {
		return err
	}
	return s.query(ctx, r.Query)
}

// list writes what SHOW and the like give.
func (s *Shell) list(rows *engine.Rows) error {
	if rows == nil {
		return nil
	}
	if s.options.Form == "table" && rows.Verbatim {
		_, err := fmt.Fprintln(s.options.Stdout, rows.Values[0][0])
		return writeFault(err)
	}
	w := output.NewPlainJSONL(s.options.Stdout, rows.Schema)
	switch s.options.Form {
	case "table":
		w = output.NewPlainTable(s.options.Stdout, rows.Schema)
	case "csv":
		w = output.NewPlainCSV(s.options.Stdout, rows.Schema)
	}
	return writeFault(errors.Join(w.WriteBatch(rows.Batch()), w.Close()))
}

func (s *Shell) query(ctx context.Context, q Query) error {
	first := make(chan struct{})
	begun := sync.OnceFunc(func() { close(first) })
	var sink connector.Sink
	if q.Into() == "" {
		sink = &rowSink{w: s.writer(q.Schema()), begun: begun}
	} else {
		begun()
	}
	job, err := q.Start(sink)
	if err != nil {
		return err
	}
	started := s.options.Now()
	err = s.run(ctx, job, first)
	job.Summarize(s.options.Stderr, s.options.Now().Sub(started))
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (s *Shell) writer(schema types.Schema) output.Writer {
	switch s.options.Form {
	case "table":
		return output.NewTable(s.options.Stdout, schema)
	case "csv":
		return output.NewCSV(s.options.Stdout, schema)
	}
	return output.NewJSONL(s.options.Stdout, schema)
}

// rowSink writes the rows of a query.
type rowSink struct {
	w     output.Writer
	begun func()
}

func (r *rowSink) Write(b *vector.Batch) error {
	r.begun()
	return writeFault(r.w.WriteBatch(b))
}

func (r *rowSink) Flush() error { return writeFault(r.w.Flush()) }
func (r *rowSink) Close() error { return writeFault(r.w.Close()) }

func writeFault(err error) error {
	if err == nil {
		return nil
	}
	return fault.Errorf(fault.OfIO(err), "write rows: %w", err)
}

// command does a command of the shell where there is no terminal.
func (s *Shell) command(ctx context.Context, st step) error {
	switch st.command.do {
	case quit:
		return ErrQuit
	case readFile:
		text, err := s.file(st)
		if err != nil {
			return err
		}
		return s.runText(ctx, text, st.depth+1)
	case help:
		text, err := s.help(st.argument)
		if err != nil {
			return fault.Wrap(fault.User, err)
		}
		fmt.Fprint(s.options.Stdout, text)
	case showHistory:
		fmt.Fprint(s.options.Stdout, s.listHistory(st.argument))
	case clearScreen, toggle: // there is no screen
	}
	return nil
}

// file reads the file of SOURCE.
func (s *Shell) file(st step) (source.Text, error) {
	name := strings.Trim(st.argument, "'")
	refuse := func(message, hint string) error {
		at := source.Span{Start: 0, End: len(st.text.Body)}
		if i := strings.Index(st.text.Body, st.argument); st.argument != "" && i >= 0 {
			at = source.Span{Start: i, End: i + len(st.argument)}
		}
		return &source.Error{Code: "file", Span: at, Message: message, Hint: hint, Text: st.text}
	}
	switch {
	case name == "":
		return source.Text{}, refuse("SOURCE needs a file", "write SOURCE 'file.sql';")
	case st.depth >= maxDepth:
		return source.Text{}, refuse(fmt.Sprintf("files are read more than %d deep", maxDepth), "does a file read itself?")
	}
	body, err := os.ReadFile(name)
	if err != nil {
		return source.Text{}, refuse(err.Error(), "the path starts at the working directory")
	}
	return source.Text{Name: name, Body: string(body)}, nil
}

// listHistory lists the inputs that hold a text, oldest first.
func (s *Shell) listHistory(text string) string {
	text = strings.Trim(text, "'")
	var b strings.Builder
	for i, entry := range s.history.entries {
		if strings.Contains(strings.ToLower(entry), strings.ToLower(text)) {
			fmt.Fprintf(&b, "%5d  %s\n", i+1, strings.ReplaceAll(entry, "\n", "\n       "))
		}
	}
	return b.String()
}
