package shell

import (
	"context"
	"io"
	"time"

	"github.com/tidemark-sql/tidemark/internal/complete"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// local is the place that is this process.
type local struct {
	*complete.Completer
	engine  *engine.Engine
	options *Options
}

func newLocal(o *Options, stdout io.Writer) *local {
	e := engine.New(engine.Options{Connectors: o.Connectors, Stdout: stdout, Stderr: o.Stderr})
	return &local{&complete.Completer{Schema: e, Connectors: o.Connectors, Language: o.Language}, e, o}
}

// Execute implements Place.
func (l *local) Execute(ctx context.Context, text source.Text, stmt language.Statement) (*Outcome, error) {
	r, err := l.engine.Execute(ctx, text, stmt)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Text: r.Text, Notes: r.Notes, Rows: r.Rows}
	if r.Query != nil {
		o.Query = localQuery{r.Query, l.options}
	}
	return o, nil
}

type localQuery struct {
	*engine.Query
	options *Options
}

// Start implements Query.
func (q localQuery) Start(sink connector.Sink) (Run, error) {
	n := max(q.Parallelism(q.options.Parallelism), 1)
	job, err := q.Query.Start(sink, n, runtime.Options{Workers: n})
	if err != nil {
		return nil, err
	}
	return localRun{job, q.options}, nil
}

type localRun struct {
	*runtime.Job
	options *Options
}

// Progress implements Run.
func (r localRun) Progress(took time.Duration) string { return r.options.Progress(r.Stats(), took) }

// Summarize implements Run.
func (r localRun) Summarize(w io.Writer, took time.Duration) {
	r.options.Summarize(w, r.Stats(), took)
}
