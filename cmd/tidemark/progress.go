package main

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/summary"
)

// watch shows how far a job has come, on one line of the terminal, until the returned function is called.
func (r *runner) watch(job *runtime.Job, started time.Time) (stop func()) {
	if r.progress == nil {
		return func() {}
	}
	done, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		ticker := time.NewTicker(200 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				r.progress.show(summary.Progress(job.Stats(), time.Since(started)))
			case <-done:
				r.progress.clear()
				return
			}
		}
	}()
	return func() {
		close(done)
		<-finished
	}
}
