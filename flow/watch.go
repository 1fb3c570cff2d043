package flow

import (
	"fmt"
	"time"

	jobs "github.com/tidemark-sql/tidemark/internal/runtime"
)

// watch warns of handlers of a job that do not return, until unwatch is called.
func (o *Options) watch(job *jobs.Job) (unwatch func()) {
	return job.WatchCalls(func(c jobs.Call, microseconds int64) {
		took := time.Duration(microseconds) * time.Microsecond
		o.warn(fmt.Sprintf("%s has not returned for %s, and nothing behind it goes on", c.What, took.Round(time.Second)))
	})
}

// warn tells Warn, from one goroutine at a time.
func (o *Options) warn(text string) {
	if o.Warn == nil {
		return
	}
	o.warning.Lock()
	defer o.warning.Unlock()
	o.Warn(text)
}
