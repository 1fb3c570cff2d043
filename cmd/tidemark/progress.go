package main

import (
	"fmt"
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/summary"
)

// watch shows how far a job has come, on one line of the terminal, and tells of systems outside that do not answer, until the returned function is called.
func (r *runner) watch(job *runtime.Job, started time.Time) (stop func()) {
	done, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		var out outage
		for {
			select {
			case now := <-ticker.C:
				for _, note := range out.look(now, job.Outages()) {
					fmt.Fprintf(r.stderr, "note: %s\n", note)
				}
				if r.progress != nil {
					r.progress.show(summary.Progress(job.Stats(), time.Since(started)))
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
