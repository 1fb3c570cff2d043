package kafka

import (
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/cputime"
)

// BenchmarkPartitions reads a topic of 1,000 partitions from an embedded broker, which shares the processors and the memory: the time until the splits are there, the processor time of
// a row, and what the heap has grown by when all is read.
func BenchmarkPartitions(b *testing.B) {
	const partitions, rows = 1000, 200_000
	target := brokertest.Start(b)
	topic := target.Topic(b, partitions)
	c := target.Client(b)
	for i := range rows {
		c.Produce(b.Context(), &kgo.Record{Topic: topic, Partition: int32(i % partitions), Value: fmt.Appendf(nil, `{"n":%d,"channel":"channel-%d"}`, i, i%10)}, nil)
	}
	if err := c.Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	var opening, reading time.Duration
	var grown uint64
	for range b.N {
		before := heap()
		from := time.Now()
		s := source(b, Connector, columns(), bounded(target, topic))
		r := read(b, s)
		opening += time.Since(from)
		if len(r.splits) != partitions {
			b.Fatalf("%d splits", len(r.splits))
		}
		used := cputime.Used()
		open := len(r.splits)
		done := make([]bool, open)
		for open > 0 {
			had := false
			for i, split := range r.splits {
				if done[i] {
					continue
				}
				chunk, _, err := split.Poll(0)
				switch {
				case err == io.EOF:
					done[i] = true
					open--
				case err != nil:
					b.Fatal(err)
				case chunk != nil:
					had = true
				}
			}
			if !had && open > 0 {
				<-r.arrived
			}
		}
		reading += cputime.Used() - used
		grown = max(grown, heap()-min(before, heap()))
		runtime.KeepAlive(r)
	}
	b.ReportMetric(float64(opening.Milliseconds())/float64(b.N), "ms/start")
	b.ReportMetric(float64(reading.Nanoseconds())/float64(b.N)/rows, "cpu-ns/row")
	b.ReportMetric(float64(grown)/partitions, "B/partition")
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
