package kafka

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestBacklog: a partition that was fetched knows how many records it has that were not handed out; before, nobody does. A bounded one counts those up to its end.
func TestBacklog(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, ends := range []bool{false, true} {
			topic := b.Topic(t, 2)
			var all []*kgo.Record
			for i := range 3 * chunkRecords {
				all = append(all, row(topic, 1, i))
			}
			b.Send(t, false, all...)
			o := options(b, topic)
			if ends {
				o = bounded(b, topic)
			}
			r := read(t, source(t, Connector, columns(), o))
			left := func() (records []int64) {
				for _, s := range r.splits {
					b := s.(connector.Backlogged).Backlog()
					if b.Bytes != -1 {
						t.Errorf("%d bytes", b.Bytes)
					}
					records = append(records, b.Records)
				}
				return records
			}
			if got := left(); !slices.Equal(got, []int64{-1, -1}) {
				t.Errorf("%d records are left of what was not fetched", got)
			}
			for len(r.rows) < len(all) {
				more, err := r.next(r.splits[1])
				if err != nil {
					t.Fatal(err)
				}
				if got, want := left()[1], int64(len(all)-len(r.rows)); more && got != want {
					t.Fatalf("%d records are left, want %d", got, want)
				}
				if !more {
					<-r.arrived
				}
			}
		}
	})
}

// TestBacklogBehindTransactions: once all records are read nothing is left, although the end of a transaction is at an offset too.
func TestBacklogBehindTransactions(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		c := begin(t, b, topic, "a")
		for i := range 3 {
			produce(t, c, row(topic, 0, i))
		}
		if err := c.EndTransaction(t.Context(), kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
		r := read(t, source(t, Connector, columns(), options(b, topic)))
		for len(r.rows) < 3 || r.splits[0].(connector.Backlogged).Backlog().Records != 0 {
			more, err := r.next(r.splits[0])
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				<-r.arrived
			}
		}
	})
}
