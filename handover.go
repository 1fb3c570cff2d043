package tidemark

import (
	"context"
	"errors"

	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// query runs q to its end and calls each for its rows, here and not in a goroutine of the engine: so a panic in each shows where it came from
// and goes where the caller expects it, and so does the end of a test in it.
func (e *Engine) query(ctx context.Context, q *engine.Query, each func(Row) error) (summary Summary, err error) {
	h := &handover{batches: make(chan *vector.Batch), answers: make(chan error), left: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		summary, err = e.run(ctx, q, h)
	}()
	defer func() {
		close(h.left)
		<-ended
	}()
	schema := q.Schema()
	var refused error // what each returned
	for {
		select {
		case b := <-h.batches:
			refused = call(each, schema, b)
			h.answers <- refused
		case <-ended:
			if refused != nil {
				err = refused
			}
			return summary, err
		}
	}
}

// call calls each for the rows of b, up to its first error.
func call(each func(Row) error, schema types.Schema, b *vector.Batch) error {
	if each == nil {
		return nil
	}
	rows := b.Rows()
	for k := range rows.Count() {
		if err := each(Row{schema, b, rows.At(k)}); err != nil {
			return err
		}
	}
	return nil
}

// handover is a sink that gives batches to the goroutine of the caller. While that works on one, Write waits, even if the context has ended:
// the batch is used again afterwards.
type handover struct {
	batches chan *vector.Batch
	answers chan error
	left    chan struct{} // the caller takes no more: it panicked
	wait    func() (over func())
}

// errLeft ends a statement whose caller is gone; nobody sees it.
var errLeft = errors.New("the caller is gone")

// Write implements connector.Sink.
func (h *handover) Write(b *vector.Batch) error {
	if h.wait != nil {
		defer h.wait()()
	}
	select {
	case h.batches <- b:
	case <-h.left:
		return errLeft
	}
	select {
	case err := <-h.answers:
		return err
	case <-h.left:
		return errLeft
	}
}

// OnWait implements connector.Waiting: while the caller works on rows the statement does not.
func (h *handover) OnWait(wait func() (over func())) { h.wait = wait }

// Flush implements connector.Sink.
func (h *handover) Flush() error { return nil }

// Close implements connector.Sink.
func (h *handover) Close() error { return nil }
