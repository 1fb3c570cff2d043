package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/rowfmt"
	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/shell"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// query is a statement of the server that runs already. It is a shell.Query.
type query struct {
	place  *Place
	name   string
	schema types.Schema
	into   string
	text   source.Text
	stmt   language.Statement
}

// Schema implements shell.Query.
func (q *query) Schema() types.Schema { return q.schema }

// Into implements shell.Query: what is written to goes by the name of the statement.
func (q *query) Into() string { return q.into }

// Start implements shell.Query.
func (q *query) Start(sink connector.Sink) (shell.Run, error) { return &run{query: q, sink: sink}, nil }

// run is a query whose results are read, or whose end is waited for.
type run struct {
	*query
	sink connector.Sink
	rows atomic.Int64
}

// Run implements shell.Run. A query whose rows go to the user is gone from the server when it ends; one that writes is stopped if ctx is done.
func (r *run) Run(ctx context.Context) error {
	c := r.place.client
	if r.sink == nil {
		s, err := c.Get(ctx, r.name)
		if err == nil {
			s, err = r.place.await(ctx, s, ended)
		}
		if ctx.Err() != nil {
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
			defer cancel()
			_, err = c.Stop(last, r.name, true)
			return err
		}
		if err == nil {
			err = r.place.failure(ctx, r.text, r.stmt, &s)
		}
		return err
	}
	err := r.read(ctx)
	if err == nil {
		err = r.outcome(ctx)
	}
	if ctx.Err() != nil {
		err = nil
	}
	r.place.forget(ctx, r.name)
	return errors.Join(err, r.sink.Close())
}

// A page of few rows is followed by a break of so long, which keeps questions below fifty a second.
const (
	fewRows = 500
	gather  = 20 * time.Millisecond
)

// read gives rows to the sink until there are no more.
func (r *run) read(ctx context.Context) error {
	reader := rowfmt.NewReader(r.schema)
	for from := ""; ; {
		rows, next, err := r.place.client.Results(ctx, r.name, from)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			b, err := reader.Batch(rows)
			if err != nil {
				return err
			}
			err = r.write(b)
			b.Release()
			if err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		from = next
		// The server waits until there is something to read; a few rows more come together while we do.
		if d := gather; len(rows) < fewRows && !pause(ctx, &d) {
			return ctx.Err()
		}
	}
}

func (r *run) write(b *vector.Batch) error {
	r.rows.Add(int64(b.N))
	if err := r.sink.Write(b); err != nil {
		return err
	}
	return r.sink.Flush()
}

// outcome is how the statement has ended: the last page of its results may come before it is said to have.
func (r *run) outcome(ctx context.Context) error {
	s, err := r.place.client.Get(ctx, r.name)
	if err == nil {
		s, err = r.place.await(ctx, s, ended)
	}
	switch {
	case err != nil:
		return err
	case s.Status.Phase == api.Stopped:
		return fault.Errorf(fault.External, "somebody has stopped the statement on the server: %s", s.Name)
	}
	return r.place.failure(ctx, r.text, r.stmt, &s)
}

// Progress implements shell.Run.
func (r *run) Progress(took time.Duration) string {
	if r.sink == nil {
		return r.name + " runs since " + took.Round(time.Second).String()
	}
	return fmt.Sprintf("%s out, %s", r.count(), took.Round(time.Second))
}

// Summarize implements shell.Run.
func (r *run) Summarize(w io.Writer, took time.Duration) {
	if r.place.quiet {
		return
	}
	if r.sink == nil {
		fmt.Fprintf(w, "%s: %s\n", r.name, took.Round(time.Millisecond))
		return
	}
	fmt.Fprintf(w, "%s out in %s\n", r.count(), took.Round(time.Millisecond))
}

func (r *run) count() string { return numfmt.Plural(r.rows.Load(), "row", "rows") }

// Write implements connector.Sink.
func (l *lister) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		var row []string
		for c := range l.schema {
			v := b.Cols[c]
			if v.IsNull(rows.At(k)) || vector.KindOf(l.schema[c].Type) != vector.Bytes {
				return fault.Errorf(fault.External, "the server lists something that is no text in column '%s'", l.schema[c].Name)
			}
			row = append(row, string(v.Bytes(rows.At(k))))
		}
		l.rows = append(l.rows, row)
	}
	return nil
}

// Flush implements connector.Sink.
func (l *lister) Flush() error { return nil }

// Close implements connector.Sink.
func (l *lister) Close() error { return nil }
