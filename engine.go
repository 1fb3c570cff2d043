package tidemark

import (
	"context"
	"io"
	"runtime"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/language"
	jobs "github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Options make an Engine. The zero value works.
type Options struct {
	// Parallelism is the number of workers that decode and of tasks that aggregate; 0 means one per processor. SET 'parallelism.default' wins
	// over it. Results do not depend on it.
	Parallelism int
	// Stdout and Stderr are where tables with 'connector' = 'print' and EXPLAIN write; nil discards.
	Stdout, Stderr io.Writer
	// Stdin is what tables with 'connector' = 'stdin' read, once; nil if there is none. A Read that has nothing yet keeps one goroutine waiting, beyond the
	// end of the statement if need be.
	Stdin io.Reader
}

// Engine is a session: the tables and views created so far, and what was SET. It belongs to one goroutine at a time and holds nothing that
// must be closed.
type Engine struct {
	options Options
	inner   *engine.Engine
}

// Open makes an engine with an empty session.
func Open(o Options) *Engine {
	if o.Parallelism <= 0 {
		o.Parallelism = runtime.GOMAXPROCS(0)
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Stderr == nil {
		o.Stderr = io.Discard
	}
	o.Stdout, o.Stderr = blamedWriter{o.Stdout, "Options.Stdout"}, blamedWriter{o.Stderr, "Options.Stderr"}
	if o.Stdin != nil {
		o.Stdin = blamedReader{o.Stdin, "Options.Stdin"}
	}
	return &Engine{o, engine.New(engine.Options{Connectors: builtin.Connectors, Stdout: o.Stdout, Stderr: o.Stderr, Stdin: o.Stdin})}
}

// Exec runs the statements of a script in order: CREATE, DROP, SET and the like take effect at once, an INSERT runs to the end of its input.
// What ran before an error stays. A SELECT, and a SHOW or DESCRIBE, is refused: its rows would go nowhere.
//
// Exec returns when the last statement is done or ctx ends, and then with the error of ctx.
func (e *Engine) Exec(ctx context.Context, script string) error {
	text, statements, err := parse(script)
	if err != nil {
		return err
	}
	for _, s := range statements {
		r, err := e.execute(ctx, text, s)
		if err != nil {
			return err
		}
		q := r.Query
		if r.Rows != nil || q != nil && q.Into() == "" {
			return place(&source.Error{Code: "usage", Span: s.Span(), Message: "this statement gives rows, and Exec has nobody to give them to", Hint: "use Query, or INSERT INTO a table", Text: text})
		}
		if q == nil {
			continue
		}
		if _, err := e.run(ctx, q, nil); err != nil {
			return err
		}
	}
	return nil
}

// Query runs a script whose last statement is a SELECT, or a SHOW or DESCRIBE, and calls each for its rows in the order in which they leave the engine; a nil each
// discards them. The statements before it run as in Exec.
//
// Calls of each come one at a time, in the goroutine that called Query. An error of each stops the statement and is what Query returns; a panic
// in it stops the statement and goes on to the caller of Query. The summary is right as far as the statement came, also with an error.
//
// What else can go wrong is an *Error, which whoever wrote the SQL can mend, a *RunError, or the error of ctx.
func (e *Engine) Query(ctx context.Context, script string, each func(Row) error) (Summary, error) {
	text, statements, err := parse(script)
	if err != nil {
		return Summary{}, err
	}
	for i, s := range statements {
		r, err := e.execute(ctx, text, s)
		if err != nil {
			return Summary{}, err
		}
		q := r.Query
		last := i == len(statements)-1
		switch {
		case last && r.Rows != nil:
			n := int64(len(r.Rows.Values))
			return Summary{RowsOut: n}, call(each, r.Rows.Schema, r.Rows.Batch())
		case last && q != nil && q.Into() == "":
			return e.query(ctx, q, each)
		case last:
			return Summary{}, place(&source.Error{Code: "usage", Span: s.Span(), Message: "the last statement gives no rows", Hint: "end the script with a SELECT, or use Exec", Text: text})
		case r.Rows != nil:
			return Summary{}, place(&source.Error{Code: "usage", Span: s.Span(), Message: "only the last statement can give rows", Hint: "call Query once for each", Text: text})
		case q == nil:
		case q.Into() == "":
			return Summary{}, place(&source.Error{Code: "usage", Span: s.Span(), Message: "only the last statement can give rows", Hint: "call Query once for each", Text: text})
		default:
			if _, err := e.run(ctx, q, nil); err != nil {
				return Summary{}, err
			}
		}
	}
	return Summary{}, place(&source.Error{Code: "usage", Message: "there is no statement here", Hint: "end the script with a SELECT", Text: text})
}

func parse(script string) (source.Text, []language.Statement, error) {
	text := source.Text{Name: "sql", Body: script}
	parsed, err := language.Parse(text, language.Auto)
	if err != nil {
		return text, nil, place(err)
	}
	return text, parsed, nil
}

// execute runs a statement up to the query that is to be run, if it is one.
func (e *Engine) execute(ctx context.Context, text source.Text, s language.Statement) (*engine.Result, error) {
	r, err := e.inner.Execute(ctx, text, s)
	if err != nil {
		return nil, place(err)
	}
	if r.Text != "" {
		if _, err := io.WriteString(e.options.Stdout, r.Text); err != nil {
			return nil, place(fault.Errorf(fault.OfIO(err), "write to Stdout: %w", err))
		}
	}
	return r, nil
}

// run runs q to its end; a nil sink is the table of an INSERT.
func (e *Engine) run(ctx context.Context, q *engine.Query, sink connector.Sink) (Summary, error) {
	n := q.Parallelism(e.options.Parallelism)
	job, err := q.Start(sink, n, jobs.Options{Workers: n})
	if err != nil {
		return Summary{}, place(err)
	}
	err = job.Run(ctx)
	if err == nil {
		err = ctx.Err()
	}
	return summarize(job.Stats()), place(err)
}
