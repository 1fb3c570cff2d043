package kafka

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestSeveralRowsOfARecord: the rows of a record have its offset, partition and timestamp, are in one batch whatever its size, and offsets count records. A record
// that cannot be read is left out whole.
func TestSeveralRowsOfARecord(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for format, messages := range map[string][4]string{
			"json_each_row":  {"{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n{\"id\":3}", `{"id":4}`, "{\"id\":5}\n[]", "{\"id\":6}\n\n{\"id\":7}\n"},
			"json_list":      {`[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3}]`, `[{"id":4}]`, `[{"id":5},6]`, `[{"id":6},{"id":7}]`},
			"csv_with_names": {"id,name\n1,a\n2,b\n3,\n", "id\n4", "id\n5\nx\n", "name,id\n,6\n,7\n"},
			"tsv_with_names": {"id\tname\n1\ta\n2\tb\n3\t\\N\n", "id\n4", "id\n5\nx\n", "name\tid\n\\N\t6\n\\N\t7\n"},
		} {
			topic := b.Topic(t, 2)
			var records []*kgo.Record
			for i, m := range messages {
				records = append(records, &kgo.Record{Topic: topic, Partition: 1, Key: []byte("k"), Value: []byte(m), Timestamp: time.UnixMilli(int64(1000 * (i + 1)))})
			}
			b.Send(t, false, records...)
			want := []string{"+I 1 a 1 0 1000000", "+I 2 b 1 0 1000000", "+I 3 NULL 1 0 1000000", "+I 4 NULL 1 1 2000000", "+I 6 NULL 1 3 4000000", "+I 7 NULL 1 3 4000000"}
			for _, maxRows := range []int{1, 2, 1000} {
				o := recast(bounded(b, topic, "key.format", "raw", "key.fields", "id", "error-handling.mode", "ignore"), format, nil)
				r := read(t, source(t, Connector, columns("partition", "offset", "timestamp"), o))
				r.maxRows, r.several = maxRows, true
				wantRows(t, r.all(), want)
				if r.skipped != 1 || !slices.Contains(r.chunks, topic+"-1@4") {
					t.Errorf("%s: %d left out, read %v", format, r.skipped, r.chunks)
				}
			}
		}
	})
}

// TestRecast: a topic is read and written as bytes, whatever the kind of its table.
func TestRecast(t *testing.T) {
	for _, c := range []struct{ options, want connector.Options }{
		{connector.Options{"connector": "upsert-kafka", "key.format": "json", "value.format": "json"}, connector.Options{"connector": "kafka", "scan.startup.mode": "earliest-offset", "value.format": "raw"}},
		{connector.Options{"connector": "upsert-kafka", "key.format": "json", "value.format": "json", "scan.startup.mode": "latest-offset"}, connector.Options{"connector": "kafka", "scan.startup.mode": "latest-offset", "value.format": "raw"}},
		{connector.Options{"connector": ManagedName}, connector.Options{"connector": ManagedName, "changelog.mode": "append", "value.format": "raw"}},
	} {
		if got := recast(c.options, "raw", nil); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: got %v, want %v", c.options, got, c.want)
		}
	}
}

// TestStampsOfProducers: who wrote a record, and how many before, is known of idempotent producers; when it was made, if that is whose time it is.
func TestStampsOfProducers(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for kind, made := range map[string]string{"CreateTime": "1000000", "LogAppendTime": "NULL"} {
			topic := b.Topic(t, 1, "message.timestamp.type", kind)
			client := b.Client(t, kgo.RecordPartitioner(kgo.ManualPartitioner()))
			if err := client.ProduceSync(t.Context(), row(topic, 0, 1), row(topic, 0, 1)).FirstErr(); err != nil {
				t.Fatal(err)
			}
			other := b.Client(t, kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableIdempotentWrite(), kgo.RequiredAcks(kgo.LeaderAck()))
			if err := other.ProduceSync(t.Context(), row(topic, 0, 1)).FirstErr(); err != nil {
				t.Fatal(err)
			}
			id, _, err := client.ProducerID(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			wantRows(t, read(t, source(t, Connector, columns("create-time", "producer-id", "producer-sequence"), bounded(b, topic))).all(), []string{
				fmt.Sprintf("+I 1 n1 %s %d 0", made, id), fmt.Sprintf("+I 1 n1 %s %d 1", made, id), "+I 1 n1 " + made + " NULL NULL"})
		}
	})
}

// TestRawWithoutAValue: a record without a value is NULL, and no bytes in a column that cannot be NULL.
func TestRawWithoutAValue(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, false, &kgo.Record{Topic: topic, Value: []byte("a")}, &kgo.Record{Topic: topic}, &kgo.Record{Topic: topic, Value: []byte{}}, &kgo.Record{Topic: topic, Value: []byte("b")})
		for _, required := range []bool{false, true} {
			table := columns("offset")
			table.Schema, table.Metadata, table.Needed = table.Schema[1:], table.Metadata[1:], table.Needed[:2]
			table.Schema[0].Type.NotNull = required
			null := map[bool]string{false: "NULL", true: ""}[required]
			wantRows(t, read(t, source(t, Connector, table, bounded(b, topic, "value.format", "raw"))).all(), []string{"+I a 0", "+I " + null + " 1", "+I  2", "+I b 3"})
		}
	})
}
