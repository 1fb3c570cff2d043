package flow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/language"
	jobs "github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statedir"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// Options say how a pipeline runs. The zero value works.
type Options struct {
	// Name is that of the spec in errors, such as that of its file; "pipeline" if it is empty.
	Name string
	// Tables is Flink SQL that is run before: CREATE TABLE for queues that the spec names, and SET.
	Tables string
	// Parallelism is the number of workers that read sources and of tasks of computations; 0 means one per processor. A computation with a key has as many tasks. Results do not depend on it.
	Parallelism int
	// StateDir is a folder that keeps checkpoints: states, timers, and how far sources were read. Run goes on from the newest one. Without a folder nothing is kept.
	StateDir string
	// CheckpointEvery is the time from one checkpoint to the next; 0 means ten seconds, unless it was SET in Tables.
	CheckpointEvery time.Duration
	// Stdout is where sinks with the connector 'print' write, Stdin what sources with 'stdin' read; nil for none.
	Stdout io.Writer
	Stdin  io.Reader
	// Warn is told, a sentence at a time, what may not be meant in the spec, and what happens while the pipeline runs that ends nothing, such as an attempt that failed. It may be nil.
	Warn func(text string)

	warning *sync.Mutex // on Warn
}

// Run runs a pipeline: to the end of its input if all sources are finite, and else until ctx ends. With a StateDir a last checkpoint is then taken, and nil is returned; without, the error of ctx.
//
// A fault in the spec is found before anything is read; Render shows its place. Code of the program that panics or returns an error ends the pipeline, and so does a handler that ends its goroutine, as t.Fatal
// does: the error names the computation. A handler that does not return holds up all that comes behind it: Warn is told after half a minute. If it is still at it ten seconds after ctx has ended, or twice
// that with a StateDir, Run returns an error that names it; its goroutine is left behind, and no last checkpoint is taken.
func Run(ctx context.Context, spec string, computations Computations, o Options) error {
	o.init()
	q, err := o.pipeline(ctx, spec, computations)
	switch {
	case o.StateDir != "" && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil // nothing was read
	case err != nil:
		return err
	case o.StateDir != "":
		return o.keep(ctx, q)
	}
	n := q.Parallelism(o.Parallelism)
	job, err := q.Start(nil, n, jobs.Options{Workers: n})
	if err != nil {
		return err
	}
	defer o.watch(job)()
	if err := job.Run(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// Explain is the plan of a pipeline, as tidemark explain prints it. Nothing is read.
func Explain(spec string, computations Computations, o Options) (string, error) {
	o.init()
	q, err := o.pipeline(context.Background(), spec, computations)
	if err != nil {
		return "", err
	}
	return q.Explain(), nil
}

// init gives what was left out its value.
func (o *Options) init() {
	o.warning = &sync.Mutex{}
	if o.Name == "" {
		o.Name = "pipeline"
	}
	if o.Stdout == nil {
		o.Stdout = io.Discard
	}
	if o.Parallelism <= 0 {
		o.Parallelism = runtime.GOMAXPROCS(0)
	}
}

// pipeline reads a spec.
func (o *Options) pipeline(ctx context.Context, spec string, computations Computations) (*engine.Query, error) {
	e := engine.New(engine.Options{Connectors: builtin.Connectors, Stdout: o.Stdout, Stderr: io.Discard, Stdin: o.Stdin, Functions: computations.makers()})
	if err := o.tables(ctx, e); err != nil {
		return nil, err
	}
	p, err := flowspec.Parse(source.Text{Name: o.Name, Body: spec})
	if err != nil {
		return nil, err
	}
	r, err := e.Pipeline(ctx, p)
	if err != nil {
		return nil, err
	}
	for _, note := range r.Notes {
		o.warn(note)
	}
	return r.Query, nil
}

// tables runs Options.Tables.
func (o *Options) tables(ctx context.Context, e *engine.Engine) error {
	text := source.Text{Name: "tables", Body: o.Tables}
	statements, err := language.Parse(text, language.Auto)
	if err != nil {
		return err
	}
	for _, s := range statements {
		r, err := e.Execute(ctx, text, s)
		if err != nil {
			return err
		}
		if r.Query != nil || r.Rows != nil {
			return &source.Error{Code: "usage", Span: s.Span(), Text: text, Message: "this statement gives or writes rows", Hint: "Options.Tables declares tables, and the pipeline reads and writes them"}
		}
	}
	return nil
}

// keep runs a pipeline that goes on from its checkpoints.
func (o *Options) keep(ctx context.Context, q *engine.Query) error {
	claim, err := folders.Claim(o.StateDir, "folder of states")
	if err != nil {
		return fault.Errorf(fault.Of(err), "open the state: %w", err)
	}
	defer claim.Release()
	interval, kept := q.Checkpoints()
	if o.CheckpointEvery > 0 {
		interval = o.CheckpointEvery.Microseconds()
	}
	state := statedir.At(o.StateDir, statedir.Name(q.Writes()))
	folder, err := state.Open(kept)
	if err != nil {
		return err
	}
	n := q.Parallelism(o.Parallelism)
	unwatch := func() {}
	defer func() { unwatch() }()
	start := func(from jobs.Options) (*jobs.Job, error) {
		unwatch()
		job, err := q.Start(nil, n, from)
		if unwatch = func() {}; err == nil {
			unwatch = o.watch(job)
		}
		return job, err
	}
	err = supervisor.Run(ctx, start, supervisor.Options{
		Folder:  folder,
		Cadence: supervisor.UsualCadence(interval),
		Backoff: supervisor.UsualBackoff(),
		Job:     jobs.Options{Workers: n, Statement: filepath.Base(state.Path) + "-" + folder.Identity(), SpillTo: filepath.Join(state.Path, "spill")},
		Tell: func(e supervisor.Event) {
			switch e := e.(type) {
			case supervisor.Failed:
				o.warn(e.String())
			case supervisor.PassedOver:
				o.warn(e.String())
			}
		},
	})
	if errors.Is(err, jobs.ErrFinished) {
		return fmt.Errorf("%w; remove '%s' to run it anew", err, state.Path)
	}
	return err
}

// Render draws an error for people: a fault in a spec with its line and a caret below its place, a panic of a computation with the lines of the program that led to it, another one as its text; "" for nil.
func Render(err error) string {
	if err == nil {
		return ""
	}
	if placed, ok := errors.AsType[*source.Error](err); ok {
		return placed.Render()
	}
	text := fmt.Sprintf("error: %s\n", err)
	if panicked, ok := errors.AsType[*fault.ProgramPanic](err); ok {
		for _, f := range panicked.Frames() {
			text += fmt.Sprintf("  --> %s:%d, in %s\n", f.File, f.Line, f.Function)
		}
	}
	return text
}
