package kafka

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestMetadataOfTheFormat: what a value tells beside its rows stands between columns of the key, the value and the record, for all rows of an update, in
// compressed batches and others; a tombstone, as Debezium writes one behind a deletion, is no row.
func TestMetadataOfTheFormat(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		messages := []string{
			`{"before":null,"after":{"id":1,"name":"a"},"source":{"ts_ms":1000,"table":"\u0061s"},"op":"c"}`,
			`{"before":{"id":1,"name":"a"},"after":{"id":1,"name":"b"},"source":{"ts_ms":2000,"table":"as"},"op":"u","ts_ms":2500}`,
			`{"before":{"id":1,"name":"b"},"after":null,"source":{"table":null},"op":"d"}`,
			``,
		}
		for _, m := range messages {
			r := &kgo.Record{Topic: topic, Key: []byte(`{"id":1}`), Value: []byte(m)}
			if m == "" {
				r.Value = nil
			}
			b.Send(t, true, r)
		}
		schema := types.Schema{{Name: "of", Type: types.StringType}, {Name: "id", Type: types.BigIntType}, {Name: "ts", Type: types.TimestampLTZType}, {Name: "offset", Type: types.BigIntType},
			{Name: "name", Type: types.StringType}, {Name: "seen", Type: types.TimestampLTZType}}
		metadata := []string{"value.source.table", "", "value.source.timestamp", "offset", "", "value.ingestion-timestamp"}
		for _, c := range []struct {
			needed []int
			want   []string
		}{
			{[]int{0, 1, 2, 3, 4, 5}, []string{"+I as 1 1000000 0 a NULL", "-U as 1 2000000 1 a 2500000", "+U as 1 2000000 1 b 2500000", "-D NULL 1 NULL 2 b NULL"}},
			{[]int{5, 4}, []string{"+I NULL a", "-U 2500000 a", "+U 2500000 b", "-D NULL b"}},
			{[]int{2}, []string{"+I 1000000", "-U 2000000", "+U 2000000", "-D NULL"}},
		} {
			table := connector.Table{Name: "t", Schema: schema, Metadata: metadata, Needed: c.needed}
			for _, rows := range []int{3, 1000} {
				r := read(t, source(t, Connector, table, bounded(b, topic, "value.format", "debezium-json", "key.format", "json", "key.fields", "id")))
				r.maxRows = rows
				if r.all(); !slices.Equal(r.rows, c.want) {
					t.Errorf("columns %v: %q", c.needed, r.rows)
				}
			}
		}
	})
}

func TestFormatMetadataOfOptions(t *testing.T) {
	columns := Connector.MetadataOf(connector.Options{"value.format": "canal-json", "key.format": "json"})
	if got := columns[len(columns)-1].Key; got != "value.event-timestamp" || len(columns) != len(plainMetadata())+len(format.Metadata(connector.Options{"format": "canal-json"})) {
		t.Error(got, len(columns))
	}
	if got := Upsert.MetadataOf(connector.Options{"value.format": "json"}); len(got) != len(plainMetadata()) {
		t.Error(got)
	}
}
