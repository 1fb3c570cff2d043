package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// beside are the streaming queries of a run that do not come to an end by themselves. They run beside the statements behind them, as on a server, until other statements stop them or the run ends; if one
// fails, everything does. All but start's own goroutines belongs to the goroutine of the run.
type beside struct {
	*runner
	ctx     context.Context // of the whole run; it ends when a query fails
	end     context.CancelFunc
	queries map[string]*besideQuery // by path
	places  map[string]string       // of their states, by path, also of those that were stopped
	group   sync.WaitGroup

	mu  sync.Mutex
	err error // of the first that failed
}

// besideQuery is one of them.
type besideQuery struct {
	stop context.CancelFunc
	over chan struct{} // closed when it has stopped
}

func newBeside(ctx context.Context, r *runner) *beside {
	b := &beside{runner: r, queries: map[string]*besideQuery{}, places: map[string]string{}}
	b.ctx, b.end = context.WithCancel(ctx)
	return b
}

// changed ends the run of a streaming query that a statement has changed, if the change ends it. A new CHECKPOINT_INTERVAL does not: it holds when the query runs the next time.
func (b *beside) changed(s *engine.Standing) {
	path := s.Path.String()
	if s.Change != engine.Set {
		delete(b.places, path)
	}
	q := b.queries[path]
	if q == nil || s.Change == engine.Set && s.Run {
		return
	}
	q.stop()
	<-q.over
	delete(b.queries, path)
}

// place is that of the state of a streaming query: one that was stopped and is to run again goes on where it was, what a statement has made or rewritten has a place of its own.
func (b *beside) place(s *engine.Standing, query *engine.Query) string {
	path := s.Path.String()
	if _, known := b.places[path]; !known {
		b.places[path] = b.state.place(query)
	}
	return b.places[path]
}

// start has r run a streaming query that the statement p has made or changed.
func (b *beside) start(p placed, r runner, s *engine.Standing, query *engine.Query) {
	ctx, stop := context.WithCancel(b.ctx)
	q := &besideQuery{stop: stop, over: make(chan struct{})}
	b.queries[s.Path.String()] = q
	r.label = query.Name() + ": "
	b.group.Go(func() {
		defer close(q.over)
		defer stop()
		err := r.query(ctx, query)
		if err == nil || errors.Is(err, errInterrupted) {
			return
		}
		if placed := (*source.Error)(nil); !errors.As(err, &placed) {
			line, _ := p.text.Position(p.Span().Start)
			err = fmt.Errorf("streaming query '%s' of %s:%d: %w", query.Name(), p.text.Name, line, err)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.err == nil {
			b.err = err
			b.end()
		}
	})
}

// wait waits for all of them, behind statements that have ended with err, and gives the error of the run.
func (b *beside) wait(ctx context.Context, err error) error {
	if err != nil {
		b.end()
	}
	b.group.Wait()
	b.end()
	switch {
	case err != nil && !errors.Is(err, errInterrupted):
		return err
	case b.err != nil:
		return b.err
	case err == nil && len(b.queries) > 0 && ctx.Err() != nil && !b.drain:
		return errInterrupted
	}
	return err
}

// shared is a writer of several goroutines. What is written at once stays together.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}
