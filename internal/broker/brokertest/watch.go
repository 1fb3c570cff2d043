package brokertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Watch reads the committed records of a topic as they come, whatever becomes of the broker meanwhile, and tells when there are new ones.
type Watch struct {
	tb     testing.TB
	topic  string
	client *kgo.Client
	done   sync.WaitGroup

	mu   sync.Mutex
	from map[int32]int64 // what counts as new, by partition; without one, everything
	told func()
}

// Watch begins to watch a topic.
func (b Target) Watch(tb testing.TB, topic string) *Watch {
	tb.Helper()
	w := &Watch{tb: tb, topic: topic}
	w.client = b.Client(tb, kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxWait(100*time.Millisecond))
	w.done.Go(func() {
		for {
			f := w.client.PollFetches(context.Background())
			if f.IsClientClosed() {
				return
			}
			f.EachRecord(w.see)
		}
	})
	return w
}

func (w *Watch) see(r *Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.told != nil && r.Offset >= w.from[r.Partition] {
		w.told()
		w.told = nil
	}
}

// Committed is where what is committed ends now, by partition; nil if the broker does not say so soon.
func (w *Watch) Committed() map[int32]int64 {
	ctx, done := context.WithTimeout(w.tb.Context(), time.Second)
	defer done()
	ends, err := kadm.NewClient(w.client).ListCommittedOffsets(ctx, w.topic)
	if err != nil || ends.Error() != nil {
		return nil
	}
	from := map[int32]int64{}
	for p, end := range ends[w.topic] {
		from[p] = end.Offset
	}
	return from
}

// Next calls told once, when the first record comes that is not before from, unless Next is called again before. Without from, any record will do.
func (w *Watch) Next(from map[int32]int64, told func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.from, w.told = from, told
}

// Close ends it.
func (w *Watch) Close() {
	w.client.Close()
	w.done.Wait()
}
