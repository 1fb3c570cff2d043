package kafka

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestMisread: records whose value or key cannot be read are kept as they came, with all that the topic knows of them, compressed or not.
func TestMisread(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		send := func(key, value string, headers ...kgo.RecordHeader) *kgo.Record {
			return &kgo.Record{Topic: topic, Key: []byte(key), Value: []byte(value), Headers: headers}
		}
		header := func(name, value string) kgo.RecordHeader { return kgo.RecordHeader{Key: name, Value: []byte(value)} }
		b.Send(t, false, send(`{"name":"a"}`, `{"id":1}`), send(`{"name":"b\"b"}`, `{"id":"x\"y"}`, header("h", "first"), header("h", "last"), header("i", "")),
			send(`nonsense`, `{"id":3}`), &kgo.Record{Topic: topic, Value: []byte(`{`)}, &kgo.Record{Topic: topic, Value: []byte{}}, send(`{"name":"e"}`, `{"id":5}`))
		want := []string{
			`record topic-0@1 {"name":"b\"b"} {"id":"x\"y"} h=last i= CreateTime`,
			`key topic-0@2 nonsense {"id":3} CreateTime`,
			`record topic-0@3 - { CreateTime`,
		}
		for _, maxRows := range []int{1, 2, 100} {
			o := bounded(b, topic, "key.format", "json", "key.fields", "name", "value.fields-include", "EXCEPT_KEY", connector.OptionErrors, connector.LogErrors)
			r := read(t, source(t, Connector, columns(), o))
			r.maxRows = maxRows
			r.all()
			wantRows(t, r, []string{"+I 1 a", "+I 3 NULL", "+I 5 e"})
			var got []string
			for _, m := range r.misread {
				part := map[connector.MisreadCode]string{connector.MisreadValue: "record", connector.MisreadKey: "key"}[m.Code]
				key := "-"
				if m.Topic.Key != nil {
					key = string(m.Topic.Key)
				}
				if m.Origin != topic || m.Topic.Timestamp <= 0 || m.Message == "" {
					t.Errorf("%+v", m)
				}
				line := fmt.Sprintf("%s topic-%d@%d %s %s", part, m.Topic.Partition, m.Offset, key, m.Value)
				for _, h := range m.Topic.Headers {
					line += " " + h.Name + "=" + string(h.Value)
				}
				got = append(got, line+" "+m.Topic.TimestampType)
			}
			slices.Sort(got)
			sorted := slices.Sorted(slices.Values(want))
			if !slices.Equal(got, sorted) || r.skipped != int64(len(want)) {
				t.Errorf("%d rows a batch: kept %q of %d, want %q", maxRows, got, r.skipped, sorted)
			}
		}
	})
}
