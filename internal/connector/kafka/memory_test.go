package kafka

import (
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestUnreadPartitionIsBounded: a partition that nobody reads because it is too far ahead, paused or not, keeps no more than its part of the memory and the answer that was under way, while
// another one of as many rows is read to its end.
func TestUnreadPartitionIsBounded(t *testing.T) {
	const rows = 10_000
	b := brokertest.Start(t)
	topic := b.Topic(t, 2)
	c := b.Client(t)
	rng := rand.NewChaCha8([32]byte{})
	name := make([]byte, 500)
	for range rows {
		rng.Read(name) // so that compression does not help
		for p := range int32(2) {
			c.Produce(t.Context(), &kgo.Record{Topic: topic, Partition: p, Value: fmt.Appendf(nil, `{"id":1,"name":"%x"}`, name)}, nil)
		}
	}
	if err := c.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"never", "at once", "later"} {
		t.Run("paused "+when, func(t *testing.T) {
			r := read(t, source(t, Connector, columns(), bounded(b, topic)))
			r.source.quota = chunkBytes
			held, other := r.splits[0].(*partition), r.splits[1]
			if when == "at once" {
				held.Pause(true)
			}
			most, chunks := int64(0), 0
			for {
				more, err := r.next(other)
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if chunks++; when == "later" && chunks == 3 {
					held.Pause(true)
				}
				held.mu.Lock()
				most = max(most, held.queue.bytes)
				held.mu.Unlock()
				if !more {
					<-r.arrived
				}
			}
			if len(r.rows) != rows {
				t.Errorf("%d rows were read, want %d", len(r.rows), rows)
			}
			if bound := r.source.quota + partitionBytes; most > bound || when == "never" && most == 0 {
				t.Errorf("up to %d bytes are kept, want at most %d", most, bound)
			}
			held.Pause(false)
			for len(r.rows) < 2*rows {
				more, err := r.next(held)
				if err != nil {
					t.Fatal(err)
				}
				if !more {
					<-r.arrived
				}
			}
		})
	}
}
