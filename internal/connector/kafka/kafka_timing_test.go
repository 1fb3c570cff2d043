package kafka

import (
	"fmt"
	"io"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// filled makes a topic of n rows of about 110 bytes.
func filled(b *testing.B, target brokertest.Target, n int, codec kgo.CompressionCodec) string {
	topic := target.Topic(b, 4)
	c := target.Client(b, kgo.ProducerBatchCompression(codec))
	for i := range n {
		c.Produce(b.Context(), &kgo.Record{Topic: topic, Partition: int32(i % 4),
			Value: fmt.Appendf(nil, `{"auction":%d,"bidder":%d,"price":%d,"channel":"channel-%d","url":"https://example.com/item/%d","name":"n"}`, i%1000, i%77, i, i%10, i)}, nil)
	}
	if err := c.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	return topic
}

// BenchmarkDecode is what a worker does: whole batches into three columns, no broker in between.
func BenchmarkDecode(b *testing.B) {
	for _, codec := range []struct {
		name string
		kgo.CompressionCodec
	}{{"none", kgo.NoCompression()}, {"lz4", kgo.Lz4Compression()}, {"zstd", kgo.ZstdCompression()}} {
		b.Run(codec.name, func(b *testing.B) {
			const n = 100_000
			target := brokertest.Start(b)
			table := columns()
			table.Schema = types.Schema{{Name: "auction", Type: types.BigIntType}, {Name: "price", Type: types.BigIntType}, {Name: "channel", Type: types.StringType}}
			table.Metadata, table.Needed = nil, []int{0, 1, 2}
			s := source(b, Connector, table, bounded(target, filled(b, target, n, codec.CompressionCodec)))
			r := read(b, s)
			var chunks []*chunk
			for _, split := range r.splits {
				for {
					c, _, err := split.Poll(0)
					if err == io.EOF {
						break
					}
					if c == nil {
						<-r.arrived
						continue
					}
					chunks = append(chunks, c.(*chunk))
				}
			}
			b.ResetTimer()
			b.ReportAllocs()
			rows := 0
			for range b.N {
				rows = 0
				for _, c := range chunks {
					if _, err := r.decoder.Decode(c, &r.memory, 8192, func(batch *vector.Batch) error { rows += batch.N; batch.Release(); return nil }); err != nil {
						b.Fatal(err)
					}
				}
			}
			if rows != n {
				b.Fatalf("%d rows", rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}

// BenchmarkWrite is a sink with the embedded broker behind it, which shares the processors.
func BenchmarkWrite(b *testing.B) {
	target := brokertest.Start(b)
	table := columns()
	batch := batchOf(table, make([]change, 4096)...)
	s := sinkOf(b, Connector, table, options(target, target.Topic(b, 4)))
	b.ResetTimer()
	b.ReportAllocs()
	for range b.N {
		if err := s.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/row")
}
