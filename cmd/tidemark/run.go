package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	gort "runtime"
	"time"

	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/output"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/summary"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// runner is one call of tidemark run.
type runner struct {
	as          asLanguage
	format      string
	parallelism int
	quiet       bool
	stdout      io.Writer
	stderr      io.Writer
	progress    *screen // nil: no progress
	state       *durable
	memory      config.Size
	where       *brokers
	drain       bool // at Ctrl-C
	collector   *collector
	turns       *turns
	label       string // in front of what is told of a statement that runs beside others; "" for the others
	place       string // of the state of the statement, as durable.place named it; "" if that is still to be asked
}

func runVerb(f *flags) action {
	r := &runner{state: &durable{}, where: &brokers{}, collector: &collector{}, turns: &turns{}}
	var inline inlineSQL
	f.Var(&inline, "e", "run this `SQL` instead of a file")
	r.as.flag(f)
	f.StringVar(&r.format, "output", "auto", "`form` of the rows: table, jsonl or csv; auto is a table on a terminal and jsonl elsewhere")
	f.IntVar(&r.parallelism, "parallelism", 0, "`number` of workers and of tasks per aggregation; 0 is one per processor; results do not depend on it")
	r.where.flags(f)
	r.state.flags(f)
	f.BoolVar(&r.drain, "drain", false, "at Ctrl-C end the inputs of the statement, so that windows that are open are answered and it comes to its end")
	config.StateMemory(f.FlagSet, &r.memory)
	f.BoolVar(&r.quiet, "quiet", false, "write no progress and no summary to standard error")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		r.stdout, r.stderr = stdout, stderr
		texts, err := readScripts(inline, args)
		if err != nil {
			return err
		}
		return r.run(ctx, texts)
	}
}

// placed is a statement with the text that it stands in.
type placed struct {
	text source.Text
	language.Statement
}

// run checks the flags and runs the statements of all texts, in one session.
func (r *runner) run(ctx context.Context, texts []source.Text) error {
	if r.parallelism < 0 || r.parallelism > 256 {
		return usageErrorf("--parallelism must be from 0 to 256")
	}
	var err error
	if r.format, err = outputForm(r.format, r.stdout); err != nil {
		return err
	}
	if !r.quiet && terminal(r.stderr) {
		r.progress = newScreen(r.stderr)
		r.stderr = r.progress.writer(r.stderr)
		if terminal(r.stdout) {
			r.stdout = r.progress.writer(r.stdout)
		}
	}
	r.stdout, r.stderr = &shared{w: r.stdout}, &shared{w: r.stderr}
	var all []placed
	for _, text := range texts {
		parsed, err := parseText(ctx, text, r.as.Language)
		if err != nil {
			return err
		}
		for _, stmt := range parsed {
			all = append(all, placed{text, stmt})
		}
	}
	notes := r.stderr
	if r.quiet {
		notes = nil
	}
	if err := r.where.open(notes, r.stderr); err != nil {
		return err
	}
	defer r.where.close()
	if err := r.state.open(); err != nil {
		return err
	}
	defer r.state.close()
	e := engine.New(engine.Options{Connectors: r.where.connectors(), Stdout: r.stdout, Stderr: r.stderr, Stdin: os.Stdin, Memory: memoryOf(r.memory)})
	b := newBeside(ctx, r)
	return b.wait(ctx, r.statements(e, all, b, notes))
}

// statements executes all statements, one after the other but for those that run beside the others; notes is nil if nobody wants them.
func (r *runner) statements(e *engine.Engine, all []placed, b *beside, notes io.Writer) error {
	for i, stmt := range all {
		behind := len(all) - i
		if r.state.stopping.Load() {
			r.note(fmt.Sprintf("the last %d of %d statements were left out", behind, len(all)))
			return nil
		}
		if b.ctx.Err() != nil {
			return errInterrupted
		}
		result, err := execute(b.ctx, e, stmt.text, stmt.Statement)
		if err != nil {
			return err
		}
		if result.Text != "" {
			fmt.Fprint(r.stdout, result.Text)
		}
		for _, note := range result.Notes {
			if notes != nil {
				fmt.Fprintf(notes, "note: %s\n", source.Visible(source.Short(note)))
			}
		}
		if err := r.list(result.Rows); err != nil {
			return err
		}
		s, q := result.Standing, result.Query
		if s != nil {
			b.changed(s)
		}
		if q == nil {
			continue
		}
		endless, one := !q.Bounded(), *r
		if s != nil {
			one.place = b.place(s, q)
			if endless && (behind > 1 || len(b.queries) > 0) {
				b.start(stmt, one, s, q)
				continue
			}
		}
		if endless && behind > 1 && notes != nil {
			line, _ := stmt.text.Position(stmt.Span().Start)
			fmt.Fprintf(notes, "note: the statement of %s:%d does not end by itself, and what is behind it begins when it does; put INSERTs that are to run together into EXECUTE STATEMENT SET BEGIN … END\n", stmt.text.Name, line)
		}
		if err := one.query(b.ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// outputForm is the form of rows that --output asks for.
func outputForm(form string, stdout io.Writer) (string, error) {
	switch form {
	case "auto":
		if terminal(stdout) {
			return "table", nil
		}
		return "jsonl", nil
	case "table", "jsonl", "csv":
		return form, nil
	}
	return "", usageErrorf("--output is '%s'; it can be table, jsonl or csv", form)
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
	defer r.collector.collect(q.StateMemory())()
	started := time.Now()
	var job *runtime.Job
	var err error
	if sink == nil && r.state.claim != nil {
		job, err = r.keep(ctx, q, n)
	} else if job, err = q.Start(sink, n, runtime.Options{Workers: n}); err == nil {
		stop := r.watch(job, started)
		err = r.finish(ctx, job)
		stop()
	}
	if job != nil && !r.quiet {
		var text bytes.Buffer
		text.WriteString(source.Visible(r.label))
		summary.Write(&text, job.Stats(), time.Since(started))
		r.stderr.Write(text.Bytes())
	}
	if err == nil && ctx.Err() != nil && !r.drain {
		return errInterrupted
	}
	return err
}

// finish runs a job that keeps no state to its end, or until ctx ends. Who stops or drains what runs from the folder of states means it, too.
func (r *runner) finish(ctx context.Context, job *runtime.Job) error {
	if r.state.claim != nil {
		requests := make(chan supervisor.Request)
		defer close(requests)
		go func() {
			for q := range requests {
				if q.Drain {
					job.Drain()
				}
				if q.Done != nil {
					q.Done <- nil // it has nothing that a checkpoint would be of
				}
			}
		}()
		running, ignore := r.listen(ctx, requests)
		defer ignore()
		return job.Run(running)
	}
	if !r.drain {
		return job.Run(ctx)
	}
	defer context.AfterFunc(ctx, job.Drain)()
	return job.Run(context.WithoutCancel(ctx))
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
