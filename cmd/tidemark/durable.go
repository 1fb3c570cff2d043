package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/config"
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
	interval config.Span // 0: as was SET
	from     string      // savepoint
	leaveOut bool        // state that does not fit
	claim    *folders.Claimed
	stopping atomic.Bool // somebody wished for that

	mu        sync.Mutex
	used      map[string]int  // statements of a name so far
	come      map[string]bool // folders of those
	listeners []*listener     // of the statements that run
}

func (d *durable) flags(f *flags) {
	f.StringVar(&d.dir, "state-dir", "", "`folder` that keeps checkpoints of statements that write to tables; run again with it, they go on where they were")
	f.Var(&d.interval, "checkpoint-interval", "`time` from one checkpoint to the next; without it as is SET, or 10s")
	f.StringVar(&d.from, "from", "", "savepoint, a `folder` that tidemark state save or stop made, from which statements begin that --state-dir has no checkpoint of")
	f.BoolVar(&d.leaveOut, "allow-non-restored-state", false, "leave out state that no operator has a use for, and begin without where there is none")
}

// open claims the folder, if there is one.
func (d *durable) open() error {
	if d.dir == "" {
		switch {
		case d.interval != 0:
			return usageErrorf("--checkpoint-interval is for --state-dir, which names the folder of the checkpoints")
		case d.from != "":
			return usageErrorf("--from is for --state-dir, which names the folder in which statements go on")
		case d.leaveOut:
			return usageErrorf("--allow-non-restored-state is for --state-dir, which names the folder of the state")
		}
		return nil
	}
	if d.interval != 0 && time.Duration(d.interval) < time.Millisecond {
		return usageErrorf("--checkpoint-interval is %s; it must be at least 1ms", &d.interval)
	}
	if d.from != "" {
		found, err := statedir.Find(d.from)
		if err != nil {
			return fmt.Errorf("--from: %w", err)
		}
		d.from = found[0].Root() // it may name the folder of a statement in it
	}
	d.used, d.come = map[string]int{}, map[string]bool{}
	var err error
	if d.claim, err = folders.Claim(d.dir, "folder of states"); err != nil {
		return fault.Errorf(fault.Of(err), "open the state: %w", err)
	}
	return statedir.Withdraw(d.dir) // what was asked of an earlier run
}

func (d *durable) close() {
	if d.claim != nil {
		d.claim.Release()
	}
}

// place names the folder of the next statement, "" if nobody keeps states: what the statement writes to, or its own name if it has one, and a number if others before it have the same. Which number that is must not hang on
// which of several statements begins first, so that a later run finds the state of each.
func (d *durable) place(q *engine.Query) string {
	if d.claim == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := statedir.Name(q.Writes())
	if q.Name() != "" {
		name = statedir.Name([]string{q.Name()})
	}
	d.used[name]++
	if n := d.used[name]; n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	d.come[name] = true
	return name
}

// folder opens the one in which the state of q is.
func (r *runner) folder(q *engine.Query) (f *checkpoint.Folder, s statedir.Statement, err error) {
	d, name := r.state, r.place
	if name == "" {
		name = d.place(q)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s = statedir.At(d.dir, name)
	_, kept := q.Checkpoints()
	f, err = s.Open(kept)
	if err == nil && !q.Incremental() {
		f.Whole()
	}
	switch {
	case err != nil:
	case d.from == "":
		if others := d.others(); len(f.IDs()) == 0 && others != nil {
			r.warn(fmt.Sprintf("'%s' begins anew; '%s' has state of '%s', which this run has not gone on with so far", name, d.dir, strings.Join(others, "', '")))
		}
	case d.leaveOut && !statedir.At(d.from, name).Exists():
		r.warn(fmt.Sprintf("'%s' has no state of a statement '%s', which begins anew", d.from, name))
	default:
		err = s.Begin(f, d.from)
	}
	return f, s, err
}

// others are the statements that have state in the folder and that this run has not come to.
func (d *durable) others() (names []string) {
	all, err := statedir.Find(d.dir)
	if err != nil {
		return nil // there are none
	}
	for _, s := range all {
		if !d.come[s.Name] {
			names = append(names, s.Name)
		}
	}
	return names
}

// cadence says when checkpoints of q are taken: as the flag says, or as was SET.
func (d *durable) cadence(q *engine.Query) checkpoint.Cadence {
	interval, _ := q.Checkpoints()
	if d.interval != 0 {
		interval = time.Duration(d.interval).Microseconds()
	}
	return supervisor.UsualCadence(interval)
}

// keep runs a query under a supervisor. It returns the last job, nil if there was none.
func (r *runner) keep(ctx context.Context, q *engine.Query, n int) (*runtime.Job, error) {
	if r.where.forgets() {
		return nil, usageErrorf("--state-dir is for tables that are still there when the statement goes on, and those in the broker of this process are gone with it; name a folder for them with --data-dir, or other brokers with --brokers")
	}
	folder, kept, err := r.folder(q)
	if err != nil {
		return nil, err
	}
	path := kept.Path
	requests := make(chan supervisor.Request)
	ctx, ignore := r.listen(ctx, requests)
	defer ignore()
	job := runtime.Options{Workers: n, Statement: filepath.Base(path) + "-" + folder.Identity(), SpillTo: filepath.Join(path, "spill")}
	if r.state.leaveOut {
		job.LeaveOut = func(u *runtime.Unmatched) { r.warn(u.Error() + "; it is left out") }
	}
	cadence := r.state.cadence(q)
	var last *runtime.Job
	stop := func() {}
	err = supervisor.Run(ctx, func(o runtime.Options) (*runtime.Job, error) {
		job, err := q.Start(nil, n, o)
		if err == nil && last == nil {
			if noted := kept.Note(q.Text()); noted != nil {
				r.note(noted.Error()) // people miss the text, and the statement does not
			}
		}
		return job, err
	}, supervisor.Options{
		Folder:   folder,
		Cadence:  cadence,
		Backoff:  supervisor.UsualBackoff(),
		Requests: requests,
		Job:      job,
		Tell: func(e supervisor.Event) {
			switch e := e.(type) {
			case supervisor.Restored:
				r.note(e.String())
				return
			case supervisor.Started:
				last = e.Job
				stop = r.watch(last, time.Now())
				return
			case supervisor.Taken:
				if words := slow(e, cadence.Interval); words != "" {
					r.warn(words)
				}
				return
			case supervisor.Failed:
				stop()
				stop = func() {}
			}
			r.warn(e.String())
		},
	})
	stop()
	if errors.Is(err, runtime.ErrFinished) {
		r.note(fmt.Sprintf("%s; remove '%s' to run it anew", err, path))
		return nil, nil
	}
	if u := (*runtime.Unmatched)(nil); errors.As(err, &u) {
		err = fmt.Errorf("%w; with --allow-non-restored-state it is left out; '%s' has the statement as it was", err, kept.Text())
	}
	if last != nil && len(folder.IDs()) > 0 {
		err = whenThereIsRoom(err, path)
	}
	return last, err
}

// whenThereIsRoom adds to an error of a disk without room what to do about it. Other resources have nothing to do with that: a batch that is too large stays so, and what is gone or damaged does not come back.
func whenThereIsRoom(err error, path string) error {
	if fault.OfIO(err) != fault.Resource {
		return err
	}
	return fmt.Errorf("%w; '%s' keeps the last checkpoint: when there is room, run it again", err, path)
}

// slow is what there is to say of a checkpoint that took longer than from one to the next, interval microseconds, and long enough for people to notice; empty if it did not.
func slow(c supervisor.Taken, interval int64) string {
	between := time.Duration(interval) * time.Microsecond
	if c.Took < max(between, 10*time.Second) {
		return ""
	}
	c.Took = c.Took.Round(time.Second)
	return fmt.Sprintf("%s, and one is to be taken every %s: the disk, or a system that is written to, is slow", c, between)
}

// note tells what happened to the state, as it should.
func (r *runner) note(what string) {
	if !r.quiet {
		r.warn(what)
	}
}

// warn tells what somebody has to know who wants to hear of nothing else: rows that are lost or shown twice, and what does not work.
func (r *runner) warn(what string) {
	fmt.Fprintf(r.stderr, "state: %s%s\n", source.Visible(r.label), source.Visible(source.Short(what)))
}
