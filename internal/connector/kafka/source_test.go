package kafka

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// row is the record of a row.
func row(topic string, partition int32, id int) *kgo.Record {
	return &kgo.Record{Topic: topic, Partition: partition, Value: fmt.Appendf(nil, `{"id":%d,"name":"n%d"}`, id, id), Timestamp: time.UnixMilli(int64(1000 * id))}
}

// numbered are the rows "+I id nid" of the ids.
func numbered(ids ...int) []string {
	rows := make([]string, len(ids))
	for i, id := range ids {
		rows[i] = fmt.Sprintf("+I %d n%d", id, id)
	}
	return rows
}

func wantRows(t *testing.T, r *reader, want []string) {
	t.Helper()
	if !slices.Equal(r.rows, want) {
		t.Errorf("rows %q, want %q", r.rows, want)
	}
}

func TestReadsPartitionsInOrder(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 3)
		b.Send(t, false, row(topic, 2, 1), row(topic, 0, 2), row(topic, 2, 3), row(topic, 0, 4))
		r := read(t, source(t, Connector, columns("partition", "offset", "timestamp", "topic", "timestamp-type"), bounded(b, topic))).all()
		wantRows(t, r, []string{
			"+I 2 n2 0 0 2000000 " + topic + " CreateTime", "+I 4 n4 0 1 4000000 " + topic + " CreateTime",
			"+I 1 n1 2 0 1000000 " + topic + " CreateTime", "+I 3 n3 2 1 3000000 " + topic + " CreateTime"})
	})
}

// TestShowsWhoseTimeItIs: columns and event time are the broker's where it gives the time.
func TestShowsWhoseTimeItIs(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.type", "LogAppendTime")
		b.Send(t, false, row(topic, 0, 1), row(topic, 0, 2))
		given := b.Records(t, topic, 2)
		r := read(t, source(t, Connector, columns("timestamp", "timestamp-type"), bounded(b, topic))).all()
		var want []string
		for i, g := range given {
			want = append(want, fmt.Sprintf("+I %d n%d %d LogAppendTime", i+1, i+1, g.Timestamp.UnixMicro()))
		}
		wantRows(t, r, want)
	})
}

func TestCompression(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		var want []int
		for i, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(), kgo.NoCompression()} {
			c := b.Client(t, kgo.ProducerBatchCompression(codec))
			var batch []*kgo.Record
			for k := range 50 {
				want = append(want, 50*i+k)
				batch = append(batch, row(topic, 0, 50*i+k))
			}
			if err := c.ProduceSync(context.Background(), batch...).FirstErr(); err != nil {
				t.Fatal(err)
			}
		}
		for _, maxRows := range []int{1, 7, 1000} {
			r := read(t, source(t, Connector, columns(), bounded(b, topic)))
			r.maxRows = maxRows
			wantRows(t, r.all(), numbered(want...))
		}
	})
}

func TestStartupAndBoundedModes(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 2)
		group := topic + "-group"
		for i := range 6 {
			b.Send(t, true, row(topic, 0, i), row(topic, 1, 10+i))
		}
		var commit kadm.Offsets
		commit.AddOffset(topic, 0, 4, -1)
		commit.AddOffset(topic, 1, 1, -1)
		if err := b.Admin(t).CommitAllOffsets(context.Background(), group, commit); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name    string
			options []string
			want    []int
		}{
			{"earliest", nil, []int{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15}},
			{"latest", []string{"scan.startup.mode", "latest-offset"}, nil},
			{"group", []string{"scan.startup.mode", "group-offsets", "properties.group.id", group}, []int{4, 5, 11, 12, 13, 14, 15}},
			{"timestamp", []string{"scan.startup.mode", "timestamp", "scan.startup.timestamp-millis", "3500"}, []int{4, 5, 10, 11, 12, 13, 14, 15}},
			{"specific", []string{"scan.startup.mode", "specific-offsets", "scan.startup.specific-offsets", "partition:0,offset:5;partition:1,offset:4"}, []int{5, 14, 15}},
			{"specific of one", []string{"scan.startup.mode", "specific-offsets", "scan.startup.specific-offsets", "partition:1,offset:5"}, []int{0, 1, 2, 3, 4, 5, 15}},
			{"to group", []string{"scan.bounded.mode", "group-offsets", "properties.group.id", group}, []int{0, 1, 2, 3, 10}},
			{"to timestamp", []string{"scan.bounded.mode", "timestamp", "scan.bounded.timestamp-millis", "11000"}, []int{0, 1, 2, 3, 4, 5, 10}},
			{"to specific", []string{"scan.bounded.mode", "specific-offsets", "scan.bounded.specific-offsets", "partition:0,offset:2;partition:1,offset:0"}, []int{0, 1}},
			{"behind the end", []string{"scan.bounded.mode", "specific-offsets", "scan.bounded.specific-offsets", "partition:0,offset:200;partition:1,offset:1"}, []int{0, 1, 2, 3, 4, 5, 10}},
			{"from behind the end", []string{"scan.startup.mode", "specific-offsets", "scan.startup.specific-offsets", "partition:0,offset:200;partition:1,offset:5"}, []int{15}},
		} {
			r := read(t, source(t, Connector, columns(), bounded(b, topic, c.options...))).all()
			if !slices.Equal(r.rows, numbered(c.want...)) {
				t.Errorf("%s: rows %q, want %v", c.name, r.rows, c.want)
			}
		}
	})
}
