package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestNoLateRowsWithBrokersTime: eight producers whose clocks are up to an hour apart write at once, and a statement reads along. Where the brokers give
// the time no row is late on the default watermark; where the producers do, and those that are ahead write first, most are.
func TestNoLateRowsWithBrokersTime(t *testing.T) {
	const producers, partitions = 8, 4
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct {
			kind string
			rows int // of a producer
		}{{"LogAppendTime", 125_000}, {"CreateTime", 1000}} {
			if b.Embedded == nil || testing.Short() {
				c.rows = min(c.rows, 12_500)
			}
			topic := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
			create := fmt.Sprintf("CREATE TABLE %s (v STRING) DISTRIBUTED INTO %d BUCKETS WITH ('value.format' = 'raw', 'kafka.message-timestamp-type' = '%s')", topic, partitions, c.kind)
			if got, code := runSQL(t, create, "--brokers", b.Addr); code != exitOK {
				t.Fatal(got)
			}
			var sending sync.WaitGroup
			for p := range producers {
				sending.Go(func() {
					client := b.Client(t)
					skew := time.Duration(producers/2-p) * 15 * time.Minute
					for i := range c.rows {
						client.Produce(context.Background(), &brokertest.Record{Topic: topic, Partition: int32(i % partitions), Value: []byte("v"), Timestamp: time.Now().Add(skew)}, nil)
					}
					if err := client.Flush(context.Background()); err != nil {
						t.Error(err)
					}
				})
				if c.kind == "CreateTime" {
					sending.Wait() // those that are ahead first, so that the others are late however fast they are read
				}
			}
			var summary bytes.Buffer
			// Without idle splits: one that a busy machine does not come to for seconds is not what this is about.
			read := fmt.Sprintf("%s; SELECT v FROM %s /*+ OPTIONS('scan.watermark.idle-timeout' = '0', 'scan.watermark.emit.strategy' = 'on-event') */ LIMIT %d", create, topic, producers*c.rows)
			code := dispatch(context.Background(), []string{"run", "--output", "csv", "--brokers", b.Addr, "-e", read}, io.Discard, &summary)
			sending.Wait()
			none := strings.Contains(summary.String(), topic+": no row late at the source")
			if code != exitOK || none != (c.kind == "LogAppendTime") || !strings.Contains(summary.String(), "late at the source") {
				t.Errorf("%s: %d %s", c.kind, code, summary.String())
			}
		}
	})
}

// BenchmarkWatermarkDelay is how far the default watermark is behind the clock while a producer sends a record each 97 ms to each of four partitions:
// `go test ./cmd/tidemark -run '^$' -bench WatermarkDelay -benchtime 600x` takes a minute for a broker. When it is emitted, it is behind by its 180 ms,
// the age of the newest record, up to 97 ms here, and the way from the producer to the reader. Between, until the next is emitted, up to 200 ms come on
// top: that is what samples at any time show.
func BenchmarkWatermarkDelay(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { watermarkDelay(b, brokertest.Start(b)) })
	b.Run("kafka", func(b *testing.B) {
		watermarkDelay(b, brokertest.Target{Addr: brokertest.Kafka(b, "TIDEMARK_KAFKA")})
	})
}

func watermarkDelay(b *testing.B, target brokertest.Target) {
	const partitions = 4
	topic := target.Topic(b, partitions)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	client := target.Client(b)
	running.Go(func() {
		each := time.NewTicker(97 * time.Millisecond) // not in step with the watermark, so that records of every age are seen
		defer each.Stop()
		for {
			for p := range partitions {
				client.Produce(ctx, &brokertest.Record{Topic: topic, Partition: int32(p), Value: []byte("v")}, nil)
			}
			select {
			case <-each.C:
			case <-ctx.Done():
				return
			}
		}
	})
	where := brokers{named: target.Addr}
	e := engine.New(engine.Options{Connectors: where.connectors()})
	text := source.Text{Body: fmt.Sprintf("CREATE TABLE `%s` (v STRING) WITH ('value.format' = 'raw'); CREATE TABLE hole (v STRING) WITH ('connector' = 'blackhole'); INSERT INTO hole SELECT v FROM `%[1]s`", topic)}
	parsed, err := sql.Parse(text)
	if err != nil {
		b.Fatal(err)
	}
	var job *runtime.Job
	for _, s := range parsed.Statements {
		result, err := e.Execute(context.Background(), text, s)
		if err == nil && result.Query != nil {
			job, err = result.Query.Start(nil, 1, runtime.Options{Workers: 1})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	running.Go(func() {
		if err := job.Run(ctx); err != nil && ctx.Err() == nil {
			b.Error(err)
		}
	})
	emitted, anytime := delaysOf(job, b.N)
	b.ReportMetric(0, "ns/op")
	for _, c := range []struct {
		name   string
		delays []time.Duration
	}{{"emitted", emitted}, {"anytime", anytime}} {
		slices.Sort(c.delays)
		within, _ := slices.BinarySearch(c.delays, 300*time.Millisecond)
		b.ReportMetric(float64(c.delays[(len(c.delays)-1)/2].Milliseconds()), c.name+"-p50-ms")
		b.ReportMetric(float64(c.delays[(len(c.delays)-1)*90/100].Milliseconds()), c.name+"-p90-ms")
		b.ReportMetric(float64(c.delays[(len(c.delays)-1)*99/100].Milliseconds()), c.name+"-p99-ms")
		b.ReportMetric(100*float64(within)/float64(len(c.delays)), c.name+"-%<300ms")
	}
}

// delaysOf takes n samples of how far the watermark of the only source is behind the clock, and says which of them were taken as it was emitted.
func delaysOf(job *runtime.Job, n int) (emitted, anytime []time.Duration) {
	each := time.NewTicker(5 * time.Millisecond)
	defer each.Stop()
	var last watermark.Snapshot
	for ; len(anytime) < n; <-each.C {
		w := job.Stats().Sources[0].Watermark
		if w == nil || w.At == last.At || w.Reached == watermark.Unset {
			continue
		}
		delay := time.Duration(w.At-int64(w.Reached)) * time.Microsecond
		if w.Reached != last.Reached {
			emitted = append(emitted, delay)
		}
		anytime = append(anytime, delay)
		last = *w
	}
	return emitted, anytime
}
