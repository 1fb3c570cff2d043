package main

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/summary"
)

// watch shows how far a job has come, on one line of the terminal, and tells of systems outside that do not answer, until the returned function is called.
func (r *runner) watch(job *runtime.Job, started time.Time) (stop func()) {
	done, finished := make(chan struct{}), make(chan struct{})
	turn := r.turns.join()
	go func() {
		defer close(finished)
		defer r.turns.leave(turn)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		var out outage
		for {
			select {
			case now := <-ticker.C:
				for _, note := range out.look(now, job.Outages()) {
					fmt.Fprintf(r.stderr, "note: %s%s\n", source.Visible(r.label), note)
				}
				if r.progress != nil && r.turns.is(turn, now) {
					r.progress.show(source.Visible(r.label) + summary.Progress(job.Stats(), time.Since(started)))
				}
			case <-done:
				if r.progress != nil {
					r.progress.clear()
				}
				return
			}
		}
	}()
	return func() {
		close(done)
		<-finished
	}
}

// turns are whose the line is, of statements that run side by side: each has it for some seconds.
type turns struct {
	mu  sync.Mutex
	all []*turn
}

type turn struct{ _ byte }

const turnTime = 3 // seconds

func (t *turns) join() *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &turn{}
	t.all = append(t.all, x)
	return x
}

func (t *turns) leave(x *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = slices.DeleteFunc(t.all, func(y *turn) bool { return x == y })
}

func (t *turns) is(x *turn, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all[now.Unix()/turnTime%int64(len(t.all))] == x
}

const (
	outageTold  = 5 * time.Second // an outage that is over sooner is nobody's business
	outageAgain = time.Minute
)

// outage is what there is to tell of systems outside that do not answer.
type outage struct {
	since, told time.Time // zero: not now
}

// look is shown every now and then what does not answer.
func (o *outage) look(now time.Time, reasons []error) (notes []string) {
	if len(reasons) == 0 {
		if !o.told.IsZero() {
			notes = append(notes, fmt.Sprintf("what did not answer for %s does again", now.Sub(o.since).Round(time.Second)))
		}
		*o = outage{}
		return notes
	}
	if o.since.IsZero() {
		o.since = now
	}
	if now.Sub(o.since) < outageTold || !o.told.IsZero() && now.Sub(o.told) < outageAgain {
		return nil
	}
	o.told = now
	for _, err := range reasons {
		notes = append(notes, fmt.Sprintf("%s; waiting for %s", source.Visible(source.Short(err.Error())), now.Sub(o.since).Round(time.Second)))
	}
	return notes
}
