package kafka

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// begin begins a transaction of a new producer.
func begin(t *testing.T, b brokertest.Target, topic, id string) *kgo.Client {
	t.Helper()
	c := b.Client(t, kgo.TransactionalID(topic+id), kgo.TransactionTimeout(time.Minute))
	if err := c.BeginTransaction(); err != nil {
		t.Fatal(err)
	}
	return c
}

func produce(t *testing.T, c *kgo.Client, records ...*kgo.Record) {
	t.Helper()
	if err := c.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
}

// TestTransactions: what was committed is read, whatever lies around it, and a bounded read ends although markers and rows that were given up
// are all that is left.
func TestTransactions(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, false, row(topic, 0, 1))
		good, bad := begin(t, b, topic, "good"), begin(t, b, topic, "bad")
		produce(t, good, row(topic, 0, 2))
		produce(t, bad, row(topic, 0, 3))
		produce(t, good, row(topic, 0, 4))
		produce(t, bad, row(topic, 0, 5))
		if err := bad.EndTransaction(context.Background(), kgo.TryAbort); err != nil {
			t.Fatal(err)
		}
		produce(t, good, row(topic, 0, 6))
		if err := good.EndTransaction(context.Background(), kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
		b.Send(t, false, row(topic, 0, 7))
		if err := bad.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		produce(t, bad, row(topic, 0, 8))
		if err := bad.EndTransaction(context.Background(), kgo.TryAbort); err != nil {
			t.Fatal(err)
		}
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic))).all(), numbered(1, 2, 4, 6, 7))
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic, "properties.isolation.level", "read_uncommitted"))).all(), numbered(1, 2, 3, 4, 5, 6, 7, 8))

		// What is still open is not read, and what is behind it neither.
		open := begin(t, b, topic, "open")
		produce(t, open, row(topic, 0, 9))
		b.Send(t, false, row(topic, 0, 10))
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic))).all(), numbered(1, 2, 4, 6, 7))
		live := read(t, source(t, Connector, columns(), options(b, topic))).until(5)
		if err := open.EndTransaction(context.Background(), kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
		wantRows(t, live.until(7), numbered(1, 2, 4, 6, 7, 9, 10))
	})
}

// TestGaps: records in the middle and at the end of a partition are gone, and reading goes on and ends all the same.
func TestGaps(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 2)
		for i := range 10 {
			b.Send(t, true, row(topic, 0, i), row(topic, 1, 10+i))
		}
		b.Delete(t, topic, 0, 4)
		b.Delete(t, topic, 1, 10)
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic))).all(), numbered(4, 5, 6, 7, 8, 9))
		// Offsets that are not there any more: the table says what then.
		at := []string{"scan.startup.mode", "specific-offsets", "scan.startup.specific-offsets", "partition:0,offset:2;partition:1,offset:2"}
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic, at...))).all(), numbered(4, 5, 6, 7, 8, 9))
		wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic, append(at, "properties.auto.offset.reset", "latest")...))).all(), nil)
		r := read(t, source(t, Connector, columns(), bounded(b, topic, append(at, "properties.auto.offset.reset", "none")...)))
		if err := r.failure(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), topic+"-0 has nothing at offset 2: it begins at 4") {
			t.Errorf("no reset: %v", err)
		}
	})
}

// failure reads a split until it fails.
func (r *reader) failure() error {
	for {
		more, err := r.next(r.splits[0])
		if err != nil {
			return err
		}
		if !more {
			<-r.arrived
		}
	}
}

func TestCompaction(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "cleanup.policy", "compact", "segment.ms", "50", "min.cleanable.dirty.ratio", "0.01", "max.compaction.lag.ms", "100")
		keyed := func(key string, id int) *kgo.Record {
			r := row(topic, 0, id)
			r.Key = fmt.Appendf(nil, `{"k":%q}`, key)
			r.Timestamp = time.Time{}
			return r
		}
		for i := range 30 {
			b.Send(t, true, keyed([]string{"a", "b", "c"}[i%3], i))
		}
		want := numbered(27, 28, 29)
		if b.Embedded != nil {
			b.Send(t, true, keyed("d", 100))
			b.Embedded.Compact()
			wantRows(t, read(t, source(t, Connector, columns(), bounded(b, topic))).all(), append(want, numbered(100)...))
			return
		}
		// Kafka compacts in the background once later records have begun a new segment.
		for i := 100; ; i++ {
			if i == 400 {
				t.Fatal("the topic was not compacted")
			}
			b.Send(t, true, keyed("d", i))
			r := read(t, source(t, Connector, columns(), bounded(b, topic))).all()
			if len(r.rows) < 20 {
				if kept := slices.DeleteFunc(slices.Clone(r.rows), func(row string) bool { return !slices.Contains(want, row) }); !slices.Equal(kept, want) || r.rows[len(r.rows)-1] != numbered(i)[0] {
					t.Errorf("after compaction: %q", r.rows)
				}
				return
			}
			linger(50)
		}
	})
}

// linger gives a broker time for what it does by itself.
func linger(millis int) {
	ctx, done := context.WithTimeout(context.Background(), time.Duration(millis)*time.Millisecond)
	defer done()
	<-ctx.Done()
}

// TestPartitionsAddedBetweenRuns: a partition that came since a snapshot is read from its beginning.
func TestPartitionsAddedBetweenRuns(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 2)
		b.Send(t, false, row(topic, 0, 1), row(topic, 1, 2))
		r := read(t, source(t, Connector, columns("partition"), options(b, topic, "scan.startup.mode", "latest-offset")))
		if err := r.splits[1].(connector.Rewinder).Rewind(); err != nil {
			t.Fatal(err)
		}
		r.until(1)
		b.Send(t, false, row(topic, 0, 3))
		r.until(2)
		wantRows(t, r, []string{"+I 2 n2 1", "+I 3 n3 0"})
	})
}

func TestPartitionsAddedWhileRunning(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, false, row(topic, 0, 1))
		r := read(t, source(t, Connector, columns("partition"), options(b, topic, "scan.startup.mode", "latest-offset", "scan.topic-partition-discovery.interval", "1 s")))
		r.until(0)
		if added, wake, err := r.source.Discover(0); added != nil || wake != 1_000_000 || err != nil {
			t.Fatalf("at first %v, again at %d: %v", added, wake, err)
		}
		more, err := b.Admin(t).UpdatePartitions(context.Background(), 3, topic)
		if err == nil {
			err = more.Error()
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Send(t, false, row(topic, 1, 2), row(topic, 2, 3))
		r.now = 1_000_000
		for {
			added, _, err := r.source.Discover(r.now)
			if err != nil {
				t.Fatal(err)
			}
			r.splits = append(r.splits, added...)
			if len(r.splits) == 3 {
				break
			}
			r.now += 1_000_000
			linger(20)
		}
		r.until(2)
		b.Send(t, false, row(topic, 0, 4))
		r.until(3)
		slices.Sort(r.rows)
		wantRows(t, r, []string{"+I 2 n2 1", "+I 3 n3 2", "+I 4 n4 0"})
	})
}

func TestRestart(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		for i := range 20 {
			b.Send(t, i%2 == 0, row(topic, 0, 2*i), row(topic, 0, 2*i+1))
		}
		for offset := range int64(41) {
			r := read(t, source(t, Connector, columns("offset"), bounded(b, topic)))
			if err := r.splits[0].Resume(offset); err != nil {
				t.Fatal(err)
			}
			r.all()
			var want []string
			for i := offset; i < 40; i++ {
				want = append(want, fmt.Sprintf("+I %d n%d %d", i, i, i))
			}
			if !slices.Equal(r.rows, want) || r.splits[0].Offset() != 40 {
				t.Fatalf("from %d: %q, at %d", offset, r.rows, r.splits[0].Offset())
			}
		}
	})
}

// TestChunksAreTheSameEveryTime: what is in a chunk does not depend on how the answers of the broker came.
func TestChunksAreTheSameEveryTime(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 3)
		c := b.Client(t, kgo.ProducerBatchMaxBytes(20_000), kgo.ProducerBatchCompression(kgo.NoCompression()))
		pad := strings.Repeat("x", 300)
		var records []*kgo.Record
		for i := range 30_000 {
			records = append(records, &kgo.Record{Topic: topic, Partition: int32(i % 3), Value: fmt.Appendf(nil, `{"id":%d,"name":"%s"}`, i, pad)})
		}
		produce(t, c, records...)
		var chunks []string
		for range 3 {
			r := read(t, source(t, Connector, columns(), bounded(b, topic)))
			r.maxRows = 4096
			r.all()
			if len(r.rows) != 30_000 || len(r.chunks) < 15 {
				t.Fatalf("%d rows in %d chunks", len(r.rows), len(r.chunks))
			}
			if chunks != nil && !slices.Equal(chunks, r.chunks) {
				t.Fatalf("chunks differ:\n%v\n%v", chunks, r.chunks)
			}
			chunks = r.chunks
		}
	})
}

func TestHeaders(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		sent := row(topic, 0, 1)
		sent.Headers = []kgo.RecordHeader{{Key: "a", Value: []byte("1")}, {Key: "b"}, {Key: "a", Value: []byte("2")}, {Key: "empty", Value: []byte{}}}
		b.Send(t, true, sent, row(topic, 0, 2))
		table := columns("headers")
		r := read(t, source(t, Connector, table, bounded(b, topic)))
		var got [][]kgo.RecordHeader
		copied := sinkOf(t, Connector, table, options(b, b.Topic(t, 1)))
		r.each = func(batch *vector.Batch) {
			for i := range batch.N {
				got = append(got, appendHeaders(nil, batch.Cols[2].Bytes(i)))
			}
			if err := copied.Write(batch); err != nil {
				t.Fatal(err)
			}
		}
		r.all()
		if err := copied.Close(); err != nil {
			t.Fatal(err)
		}
		if want := "[[{b []} {a [50]} {empty []}] []]"; fmt.Sprint(got) != want || got[0][0].Value != nil {
			t.Errorf("headers %v, want %s", got, want)
		}
		again := read(t, source(t, Connector, table, bounded(b, copied.(*sink).config.topics[0])))
		var back [][]kgo.RecordHeader
		again.each = func(batch *vector.Batch) {
			for i := range batch.N {
				back = append(back, appendHeaders(nil, batch.Cols[2].Bytes(i)))
			}
		}
		again.all()
		if fmt.Sprint(back) != fmt.Sprint(got) {
			t.Errorf("written and read again: %v, want %v", back, got)
		}
	})
}

func TestThousandPartitions(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1000)
		var records []*kgo.Record
		var want []string
		for i := range 1000 {
			records = append(records, row(topic, int32(i), i))
			want = append(want, numbered(i)...)
		}
		b.Send(t, false, records...)
		r := read(t, source(t, Connector, columns(), bounded(b, topic))).all()
		if !slices.Equal(r.rows, want) {
			t.Errorf("%d rows of %d", len(r.rows), len(want))
		}
	})
}

// TestBrokerGoesAway: a statement waits for a broker that is gone, and ends with an error that says so.
func TestBrokerGoesAway(t *testing.T) {
	b := brokertest.Start(t)
	topic := b.Topic(t, 1)
	b.Send(t, false, row(topic, 0, 1))
	r := read(t, source(t, Connector, columns(), options(b, topic))).until(1)
	b.Embedded.Close()
	if more, err := r.next(r.splits[0]); more || err == io.EOF {
		t.Errorf("more %t, %v", more, err)
	}
	s := source(t, Connector, columns(), options(b, topic))
	_, err := s.Open()
	if fault.Of(err) != fault.External || !strings.Contains(err.Error(), b.Addr) {
		t.Errorf("open: %v", err)
	}
	s.Close()
}

// TestBrokerComesBack: a broker that stops and starts again is read on, with no row twice, and what is written meanwhile arrives. Source and sink know when it does not answer.
func TestBrokerComesBack(t *testing.T) {
	dir, listen := t.TempDir(), ""
	start := func() brokertest.Target {
		t.Helper()
		own, err := broker.Start(broker.Options{Dir: dir, Listen: listen})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(own.Close)
		listen = own.Addr()
		return brokertest.Target{Addr: own.Addr(), Embedded: own}
	}
	b := start()
	topic := b.Topic(t, 1)
	b.Send(t, false, row(topic, 0, 1))
	s := sinkOf(t, Connector, columns(), options(b, topic))
	if err := s.Write(batchOf(columns(), change{vector.Insert, 2, "n2"})); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	r := read(t, source(t, Connector, columns(), options(b, topic))).until(2)
	if s, r := connector.OutageOf(s), connector.OutageOf(r.source); s != nil || r != nil {
		t.Errorf("outages of a broker that is there: %v, %v", s, r)
	}
	b.Embedded.Close()
	if err := s.Write(batchOf(columns(), change{vector.Insert, 3, "n3"})); err != nil {
		t.Fatal(err)
	}
	for connector.OutageOf(s) == nil || connector.OutageOf(r.source) == nil {
		<-time.After(again)
	}
	if err := r.source.Outage(); !strings.Contains(err.Error(), "the brokers at "+b.Addr+" do not answer: ") {
		t.Error(err)
	}
	b = start()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b.Send(t, false, row(topic, 0, 4))
	wantRows(t, r.until(4), numbered(1, 2, 3, 4))
	if s, r := connector.OutageOf(s), connector.OutageOf(r.source); s != nil || r != nil {
		t.Errorf("outages of a broker that is there again: %v, %v", s, r)
	}
}

// TestPause: what is paused is not fetched and holds nobody else up, and goes on where it was.
func TestPause(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 2)
		b.Send(t, false, row(topic, 0, 1), row(topic, 1, 2))
		r := read(t, source(t, Connector, columns(), options(b, topic)))
		held := r.splits[0].(*partition)
		held.Pause(true)
		wantRows(t, r.until(1), numbered(2))
		b.Send(t, false, row(topic, 0, 3), row(topic, 1, 4))
		wantRows(t, r.until(2), numbered(2, 4))
		if held.next != 0 || held.queue.bytes != 0 {
			t.Errorf("%d bytes were fetched, up to offset %d", held.queue.bytes, held.next)
		}
		held.Pause(false)
		wantRows(t, r.until(4), numbered(2, 4, 1, 3))

		d := drive(t, b, topic)
		d.p.Pause(true)
		for _, p := range d.source.request(d.p.leader, 0).partitions {
			if p == d.p {
				t.Error("a paused partition is asked for")
			}
		}
	})
}

func TestUnknownTopic(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := source(t, Connector, columns(), options(b, "no-such-topic", "properties.allow.auto.create.topics", "false"))
		defer s.Close()
		_, err := s.Open()
		if fault.Of(err) != fault.User || !strings.Contains(err.Error(), "there is no topic 'no-such-topic'") {
			t.Errorf("%v", err)
		}
	})
}
