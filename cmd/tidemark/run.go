package main

import (
	"context"
	"fmt"
	"io"
	"os"
	gort "runtime"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/output"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// runner is one call of tidemark run.
type runner struct {
	format      string
	parallelism int
	quiet       bool
	stdout      io.Writer
	stderr      io.Writer
	progress    *screen // nil: no progress
}

func runVerb(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r := &runner{stdout: stdout, stderr: stderr}
	f := newFlags("run", "[flags] FILE | -e SQL", stderr)
	var inline inlineSQL
	f.Var(&inline, "e", "run this `SQL` instead of a file")
	f.StringVar(&r.format, "output", "auto", "`form` of the rows: table, jsonl or csv; auto is a table on a terminal and jsonl elsewhere")
	f.IntVar(&r.parallelism, "parallelism", 0, "`number` of workers and of tasks per aggregation; 0 is one per processor; results do not depend on it")
	var where brokers
	where.flags(f)
	f.BoolVar(&r.quiet, "quiet", false, "write no progress and no summary to standard error")
	rest, err := parse(f, args)
	if err != nil {
		return err
	}
	if r.parallelism < 0 || r.parallelism > 256 {
		return usageErrorf("--parallelism must be from 0 to 256")
	}
	switch r.format {
	case "auto":
		r.format = "jsonl"
		if terminal(stdout) {
			r.format = "table"
		}
	case "table", "jsonl", "csv":
	default:
		return usageErrorf("--output is '%s'; it can be table, jsonl or csv", r.format)
	}
	if !r.quiet && terminal(stderr) {
		r.progress = newScreen(stderr)
		r.stderr = r.progress.writer(stderr)
		if terminal(stdout) {
			r.stdout = r.progress.writer(stdout)
		}
	}
	text, err := readScript(inline, rest)
	if err != nil {
		return err
	}
	parsed, err := sql.Parse(text)
	if err != nil {
		return err
	}
	notes := r.stderr
	if r.quiet {
		notes = nil
	}
	if err := where.open(notes); err != nil {
		return err
	}
	defer where.close()
	e := engine.New(engine.Options{Connectors: where.connectors(), Stdout: r.stdout, Stderr: r.stderr, Stdin: os.Stdin})
	for _, stmt := range parsed.Statements {
		result, err := e.Execute(text, stmt)
		if err != nil {
			return err
		}
		if result.Text != "" {
			fmt.Fprint(r.stdout, result.Text)
		}
		if err := r.list(result.Rows); err != nil {
			return err
		}
		if result.Query != nil {
			if err := r.query(ctx, result.Query); err != nil {
				return err
			}
		}
	}
	return nil
}

// query runs one query to its end and writes its summary.
func (r *runner) query(ctx context.Context, q *engine.Query) error {
	var sink connector.Sink
	if q.Into() == "" {
		sink = &resultSink{w: r.writer(q.Schema())}
	}
	n := q.Parallelism(r.parallelism)
	if n == 0 {
		n = gort.GOMAXPROCS(0)
	}
	started := time.Now()
	job, err := q.Start(sink, n, runtime.Options{Workers: n})
	if err != nil {
		return err
	}
	stop := r.watch(job, started)
	err = job.Run(ctx)
	stop()
	if !r.quiet {
		summarize(r.stderr, job.Stats(), time.Since(started))
	}
	if err == nil && ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// list writes what SHOW and the like give.
func (r *runner) list(rows *engine.Rows) error {
	if rows == nil {
		return nil
	}
	if r.format == "table" && rows.Verbatim {
		_, err := fmt.Fprintln(r.stdout, rows.Values[0][0])
		return writeFault(err)
	}
	var w output.Writer
	switch r.format {
	case "table":
		w = output.NewPlainTable(r.stdout, rows.Schema)
	case "csv":
		w = output.NewPlainCSV(r.stdout, rows.Schema)
	default:
		w = output.NewPlainJSONL(r.stdout, rows.Schema)
	}
	if err := w.WriteBatch(rows.Batch()); err != nil {
		return writeFault(err)
	}
	if err := w.Close(); err != nil {
		return writeFault(err)
	}
	return nil
}

func (r *runner) writer(schema types.Schema) output.Writer {
	switch r.format {
	case "table":
		return output.NewTable(r.stdout, schema)
	case "csv":
		return output.NewCSV(r.stdout, schema)
	default:
		return output.NewJSONL(r.stdout, schema)
	}
}

// resultSink gives the rows of a query to the user.
type resultSink struct {
	w      output.Writer
	failed bool
}

func (s *resultSink) Write(b *vector.Batch) error { return s.first(s.w.WriteBatch(b)) }
func (s *resultSink) Flush() error                { return s.first(s.w.Flush()) }
func (s *resultSink) Close() error                { return s.first(s.w.Close()) }

// first passes the first error on; those that follow from it would say the same again.
func (s *resultSink) first(err error) error {
	if err == nil || s.failed {
		return nil
	}
	s.failed = true
	return writeFault(err)
}
