package broker_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

const open = "9223372036854775807"

// readAll reads n records of a topic.
func readAll(t *testing.T, b brokertest.Target, topic string, n int) []*kgo.Record {
	t.Helper()
	c := b.Client(t, kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	var got []*kgo.Record
	for len(got) < n {
		f := c.PollFetches(context.Background())
		if err := f.Err(); err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Records()...)
	}
	return got
}

func record(topic string, at time.Time) *kgo.Record {
	return &kgo.Record{Topic: topic, Value: []byte("v"), Timestamp: at}
}

// TestTimestampsOfWriters: they are kept, those of the distant past and future too.
func TestTimestampsOfWriters(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.before.max.ms", open, "message.timestamp.after.max.ms", open)
		times := []time.Time{time.UnixMilli(1), time.UnixMilli(4_000_000_000_000), time.UnixMilli(1_700_000_000_000)}
		for _, at := range times {
			b.Send(t, false, record(topic, at))
		}
		for i, r := range readAll(t, b, topic, 3) {
			if !r.Timestamp.Equal(times[i]) || r.Attrs.TimestampType() != 0 {
				t.Errorf("record %d has %s of type %d, want %s", i, r.Timestamp, r.Attrs.TimestampType(), times[i])
			}
		}
	})
}

// TestTimestampsOfTheBroker: with LogAppendTime what the writer says does not count, compressed or not.
func TestTimestampsOfTheBroker(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.ZstdCompression()} {
			topic := b.Topic(t, 1, "message.timestamp.type", "LogAppendTime", "message.timestamp.after.max.ms", "1000")
			c := b.Client(t, kgo.ProducerBatchCompression(codec))
			before := time.Now().Add(-time.Second)
			err := c.ProduceSync(context.Background(), record(topic, time.UnixMilli(1)), record(topic, time.UnixMilli(4_000_000_000_000))).FirstErr()
			if err != nil {
				t.Fatal(err)
			}
			after := time.Now().Add(time.Second)
			for i, r := range readAll(t, b, topic, 2) {
				// The embedded broker gives the time and does not keep that it did.
				if named := r.Attrs.TimestampType() == 1; named == (b.Embedded != nil) || r.Timestamp.Before(before) || r.Timestamp.After(after) {
					t.Errorf("record %d has %s of type %d", i, r.Timestamp, r.Attrs.TimestampType())
				}
			}
		}
	})
}

// TestBoundsOfTimestamps: a record too far from the broker's clock is refused, and nothing of its batch is there; other partitions of the same
// request are.
func TestBoundsOfTimestamps(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		now := time.Now()
		for _, c := range []struct {
			settings []string
			at       time.Time
			refused  bool
		}{
			{[]string{"message.timestamp.after.max.ms", "60000"}, now.Add(5 * time.Minute), true},
			{[]string{"message.timestamp.after.max.ms", "600000"}, now.Add(5 * time.Minute), false},
			{[]string{"message.timestamp.before.max.ms", "60000"}, now.Add(-5 * time.Minute), true},
			{[]string{"message.timestamp.before.max.ms", "600000"}, now.Add(-5 * time.Minute), false},
			{[]string{"message.timestamp.before.max.ms", "60000", "message.timestamp.after.max.ms", open}, now.Add(time.Hour), false},
		} {
			for _, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression()} {
				topic := b.Topic(t, 2, c.settings...)
				client := b.Client(t, kgo.ProducerBatchCompression(codec))
				bad := record(topic, c.at)
				bad.Partition = 1
				results := client.ProduceSync(context.Background(), record(topic, now), record(topic, now), bad)
				for _, r := range results {
					want := c.refused && r.Record.Partition == 1
					if got := errors.Is(r.Err, kerr.InvalidTimestamp); got != want || r.Err != nil && !got {
						t.Errorf("%v, %s: partition %d: %v", c.settings, c.at.Sub(now), r.Record.Partition, r.Err)
					}
				}
				n := 3
				if c.refused {
					n = 2
				}
				if got := readAll(t, b, topic, n); len(got) != n {
					t.Errorf("%v: %d records", c.settings, len(got))
				}
			}
		}
	})
}

func TestFolderKeepsTopics(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for i := range 3 {
		b, err := broker.Start(broker.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		target := brokertest.Target{Addr: b.Addr(), Embedded: b}
		if i == 0 {
			if _, err := target.Admin(t).CreateTopic(context.Background(), 2, -1, nil, "kept"); err != nil {
				t.Fatal(err)
			}
		}
		target.Send(t, false, &kgo.Record{Topic: "kept", Value: fmt.Append(nil, i)})
		var got []string
		for _, r := range readAll(t, target, "kept", i+1) {
			got = append(got, string(r.Value))
		}
		if want := strings.Split("0,1,2", ",")[:i+1]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("start %d: %v, want %v", i, got, want)
		}
		if _, err := broker.Start(broker.Options{Dir: dir}); fault.Of(err) != fault.User {
			t.Errorf("a second broker with the folder: %v", err)
		}
		b.Close()
		b.Close()
	}
}

func TestAddresses(t *testing.T) {
	for _, bad := range []string{"9092", ":9092", "0.0.0.0:9092", "[::]:0"} {
		if _, err := broker.Start(broker.Options{Listen: bad}); fault.Of(err) != fault.User {
			t.Errorf("%s: %v", bad, err)
		}
	}
	b, err := broker.Start(broker.Options{Listen: "localhost:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := broker.Start(broker.Options{Listen: b.Addr()}); fault.Of(err) != fault.External {
		t.Errorf("an address in use: %v", err)
	}
}
