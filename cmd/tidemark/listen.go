package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tidemark-sql/tidemark/internal/statedir"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// lookForWishes is how often a running statement looks whether something is asked of it.
const lookForWishes = 200 * time.Millisecond

// listen passes on what is asked of a statement that keeps its state: by Ctrl-C, which ctx tells, or by a wish in the folder of states. The context that it returns ends when the
// statement is to leave with a last checkpoint. Nobody listens any more once ignore has returned.
func (r *runner) listen(ctx context.Context, requests chan<- supervisor.Request) (running context.Context, ignore func()) {
	running, leave := context.WithCancel(context.WithoutCancel(ctx))
	l := &listener{runner: r, requests: requests, leave: leave, done: make(chan struct{})}
	r.state.hears(l, true)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		l.run(ctx)
	}()
	return running, func() {
		close(l.done)
		<-finished
		r.state.hears(l, false)
		leave()
	}
}

type listener struct {
	*runner
	requests chan<- supervisor.Request
	leave    func()
	done     chan struct{} // closed when the statement is over
	ending   bool          // that was wished for
}

func (l *listener) run(ctx context.Context) {
	ticker := time.NewTicker(lookForWishes)
	defer ticker.Stop()
	interrupted := ctx.Done()
	for {
		select {
		case <-interrupted:
			interrupted = nil
			if l.drain {
				l.request(supervisor.Request{Drain: true})
			} else {
				l.leave()
			}
		case <-ticker.C:
			l.look()
		case <-l.done:
			return
		}
	}
}

// request hands a request over, unless the statement ends before.
func (l *listener) request(q supervisor.Request) bool {
	select {
	case l.requests <- q:
		return true
	case <-l.done:
		return false
	}
}

// look does what is wished for. A wish to end stays, for nobody is to wish for anything else until the process has ended.
func (l *listener) look() {
	w, err := statedir.Wished(l.state.dir)
	if err != nil || w == "" || l.ending {
		return // an answer that was not fetched, or nothing
	}
	switch w {
	case statedir.WishCheckpoint:
		l.state.checkpointAll(l.warn)
	case statedir.WishStop:
		l.ending = true
		l.state.stopping.Store(true)
		l.note("asked to stop")
		l.leave()
	case statedir.WishDrain:
		l.ending = true
		l.state.stopping.Store(true)
		l.note("asked to drain the input")
		l.request(supervisor.Request{Drain: true})
	}
}

// hears notes who listens, for the statements that run side by side.
func (d *durable) hears(l *listener, listens bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if listens {
		d.listeners = append(d.listeners, l)
	} else {
		d.listeners = slices.DeleteFunc(d.listeners, func(x *listener) bool { return x == l })
	}
}

// checkpointAll takes the checkpoints that somebody wishes for, of every statement that runs, and answers the wish; whoever comes second finds it answered.
func (d *durable) checkpointAll(warn func(string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w, err := statedir.Wished(d.dir); err != nil || w != statedir.WishCheckpoint {
		return
	}
	var failures []error
	asked := false
	for _, l := range d.listeners {
		done := make(chan error, 1)
		if l.request(supervisor.Request{Done: done}) {
			asked = true
			failures = append(failures, <-done)
		}
	}
	if !asked {
		return // the next statement hears of it
	}
	err := errors.Join(failures...)
	if err == nil {
		err = statedir.Withdraw(d.dir)
	} else {
		err = statedir.Deny(d.dir, err)
	}
	if err != nil {
		warn(err.Error())
	}
}
