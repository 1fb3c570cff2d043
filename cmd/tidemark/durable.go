package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/folders"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statedir"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// durable is the folder in which run keeps what statements need to go on, one below it for each that writes to tables.
type durable struct {
	dir      string
	interval time.Duration
	claim    *folders.Claimed
	used     map[string]int // statements of a name so far
}

const (
	defaultInterval = 10 * time.Second
	keptCheckpoints = 2
	// What is tried again is tried after a second, then after two, up to a minute; five minutes without trouble make it a new one.
	firstWait, longestWait, calm = 1_000_000, 60_000_000, 300_000_000
	tolerated                    = 10 // checkpoints that fail in a row
)

func (d *durable) flags(f *flags) {
	f.StringVar(&d.dir, "state-dir", "", "`folder` that keeps checkpoints of statements that write to tables; run again with it, they go on where they were")
	f.DurationVar(&d.interval, "checkpoint-interval", defaultInterval, "`time` from one checkpoint to the next")
}

// open claims the folder, if there is one.
func (d *durable) open() error {
	if d.dir == "" {
		if d.interval != defaultInterval {
			return usageErrorf("--checkpoint-interval is for --state-dir, which names the folder of the checkpoints")
		}
		return nil
	}
	if d.interval < time.Millisecond {
		return usageErrorf("--checkpoint-interval is %s; it must be at least 1ms", d.interval)
	}
	d.used = map[string]int{}
	var err error
	if d.claim, err = folders.Claim(d.dir, "folder of states"); err != nil {
		return fault.Errorf(fault.Of(err), "open the state: %w", err)
	}
	return nil
}

func (d *durable) close() {
	if d.claim != nil {
		d.claim.Release()
	}
}

// folder opens that of the next statement. Its name is what the statement writes to, and a number if others before it write to the same.
func (d *durable) folder(q *engine.Query) (f *checkpoint.Folder, path string, err error) {
	name := statedir.Name(q.Writes())
	d.used[name]++
	if n := d.used[name]; n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	s := statedir.At(d.dir, name)
	f, err = s.Open(q.Text(), keptCheckpoints)
	return f, s.Path, err
}

// keep runs a query under a supervisor. It returns the last job, nil if there was none.
func (r *runner) keep(ctx context.Context, q *engine.Query, n int) (*runtime.Job, error) {
	if r.where.forgets() {
		return nil, usageErrorf("--state-dir is for tables that are still there when the statement goes on, and those in the broker of this process are gone with it; name a folder for them with --data-dir, or other brokers with --brokers")
	}
	folder, path, err := r.state.folder(q)
	if err != nil {
		return nil, err
	}
	var job *runtime.Job
	stop := func() {}
	err = supervisor.Run(ctx, func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, n, o) }, supervisor.Options{
		Folder:  folder,
		Cadence: checkpoint.Cadence{Interval: r.state.interval.Microseconds(), Pause: r.state.interval.Microseconds() / 10, Tolerated: tolerated},
		Backoff: supervisor.Backoff{First: firstWait, Max: longestWait, Calm: calm},
		Job:     runtime.Options{Workers: n},
		Tell: func(e supervisor.Event) {
			switch e := e.(type) {
			case supervisor.Started:
				job = e.Job
				stop = r.watch(job, time.Now())
				return
			case supervisor.Taken:
				return
			case supervisor.Failed:
				stop()
				stop = func() {}
			}
			if !r.quiet {
				fmt.Fprintf(r.stderr, "state: %s\n", source.Visible(source.Short(e.String())))
			}
		},
	})
	stop()
	if errors.Is(err, runtime.ErrFinished) {
		if !r.quiet {
			fmt.Fprintf(r.stderr, "state: %s; remove '%s' to run it anew\n", err, path)
		}
		return nil, nil
	}
	return job, err
}
