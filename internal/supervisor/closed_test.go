package supervisor

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var errAway = fault.Errorf(fault.External, "the system is away")

// failing is a sink that fails while its first epoch is prepared, which that notices when the sink is closed.
type failing struct{ preparing, closed chan struct{} }

func (s *failing) Write(b *vector.Batch) error {
	b.Release()
	select {
	case <-s.preparing:
		return errAway
	default:
		return nil
	}
}

func (s *failing) Flush() error                     { return nil }
func (s *failing) Close() error                     { return nil }
func (s *failing) Recover(connector.Recovery) error { return nil }
func (s *failing) Seal() (connector.Epoch, error)   { return s, nil }
func (s *failing) Commit() error                    { return nil }
func (s *failing) Prepare() (state []byte, err error) {
	close(s.preparing)
	<-s.closed
	return nil, connector.ErrClosed
}

// Abort returns when everybody else has done what there is to do.
func (s *failing) Abort() error {
	close(s.closed)
	<-time.After(time.Second)
	return nil
}

// TestWhyItFailed: the sink of a statement fails while a checkpoint is on its way, which fails for that. What is told is the sink's error.
func TestWhyItFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := statement(t, io.Discard, `CREATE TABLE g (k BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100'); SELECT k FROM g`)
		folder, err := checkpoint.Open(checkpoint.Memory(), 2)
		if err != nil {
			t.Fatal(err)
		}
		err = Run(context.Background(), func(o runtime.Options) (*runtime.Job, error) {
			return q.Start(&failing{make(chan struct{}), make(chan struct{})}, 1, o)
		}, Options{Folder: folder, Cadence: checkpoint.Cadence{Interval: 1_000_000}, Tell: func(Event) {}})
		if !errors.Is(err, errAway) {
			t.Errorf("the statement failed because %v, want %v", err, errAway)
		}
	})
}
