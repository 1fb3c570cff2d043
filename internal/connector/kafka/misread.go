package kafka

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
)

// keep keeps record r if by has just left it out.
func (d *decoder) keep(c *chunk, r *record, by format.Decoder) {
	for _, m := range format.Misread(by) {
		m.Origin, m.Offset = c.partition.topic, r.offset
		m.Topic = &connector.TopicRecord{Partition: int64(c.partition.number), Timestamp: r.timestamp * 1000, TimestampType: r.timestampType(), Key: bytes.Clone(r.key)}
		for _, h := range lastHeaders(r) {
			m.Topic.Headers = append(m.Topic.Headers, connector.Header{Name: string(h.key), Value: bytes.Clone(h.value)})
		}
		if by == d.key {
			m.Code, m.Value = connector.MisreadKey, bytes.Clone(r.value)
		}
		d.left = append(d.left, m)
	}
}
