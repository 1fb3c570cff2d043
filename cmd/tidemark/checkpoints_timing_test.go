package main

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/supervisor"
)

// A stretch of a run is so long, and with checkpoints has one at once and one each second.
const stretch = 4 * time.Second

// keyed are rows of a million keys without an end to speak of; in each second of event time there are a million rows.
const keyed = `
CREATE TABLE keyed (n BIGINT, k BIGINT, v BIGINT, ts AS TO_TIMESTAMP_LTZ(n / 1000, 3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
  WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000000000',
    'fields.k.min' = '0', 'fields.k.max' = '999999', 'fields.v.min' = '1', 'fields.v.max' = '9');
CREATE TABLE named (k BIGINT, name BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'fields.k.kind' = 'sequence', 'fields.k.start' = '0', 'fields.k.end' = '999999');
CREATE TABLE hole (k BIGINT, a BIGINT, b BIGINT) WITH ('connector' = 'blackhole');
`

// BenchmarkCheckpoints is what checkpoints cost a statement that holds a million keys: `make bench-checkpoints` takes two minutes for each. One run goes through pairs of stretches of four
// seconds, one with a checkpoint each second and one without, in turn; the state is the same in both. A pair gives the ratio of the rows per second without checkpoints to those with,
// and the same of processor time; told are the medians, and of the checkpoints how long rows waited.
func BenchmarkCheckpoints(b *testing.B) {
	for _, c := range []struct {
		name, query string
		rows        int64 // until all keys are there
	}{
		{"tumble", "SELECT k, COUNT(*), SUM(v) FROM TUMBLE(TABLE keyed, DESCRIPTOR(ts), INTERVAL '1' DAY) GROUP BY window_start, window_end, k", 15e6},
		{"group", "SELECT k, COUNT(*), SUM(v) FROM keyed GROUP BY k", 15e6},
		{"session", "SELECT k, COUNT(*), SUM(v) FROM SESSION(TABLE keyed PARTITION BY k, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, k", 15e6},
		{"join", "SELECT l.k, r.name, l.k FROM (SELECT k FROM keyed) AS l JOIN named AS r ON l.k = r.k", 15e6},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := queryOf(b, keyed+"INSERT INTO hole "+c.query)
			m := measurePairs(b, q, c.rows, b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median(m.wall), "ratio-wall")
			b.ReportMetric(median(m.cpu), "ratio-cpu")
			b.ReportMetric(median(m.rate)/1e3, "krows/s")
			b.ReportMetric(float64(len(m.taken)), "checkpoints")
			b.ReportMetric(float64(m.bytes)/1e6, "MB")
			for name, of := range map[string]func(supervisor.Taken) time.Duration{
				"aligned": func(t supervisor.Taken) time.Duration { return t.Aligned },
				"paused":  func(t supervisor.Taken) time.Duration { return t.Paused },
				"took":    func(t supervisor.Taken) time.Duration { return t.Took },
			} {
				times := make([]float64, len(m.taken))
				for i, t := range m.taken {
					times[i] = float64(of(t)) / 1e6
				}
				slices.Sort(times)
				b.ReportMetric(times[len(times)/2], name+"-p50-ms")
				b.ReportMetric(times[(len(times)-1)*99/100], name+"-p99-ms")
			}
		})
	}
}

// queryOf makes the last statement of a text ready.
func queryOf(b *testing.B, text string) *engine.Query {
	b.Helper()
	e := engine.New(engine.Options{Connectors: builtin.Connectors})
	in := source.Text{Name: "bench", Body: text}
	parsed, err := sql.Parse(in)
	if err != nil {
		b.Fatal(err)
	}
	var q *engine.Query
	for _, s := range parsed.Statements {
		r, err := e.Execute(in, s)
		if err != nil {
			b.Fatal(err)
		}
		q = r.Query
	}
	return q
}

// costs are what the pairs of a run came to.
type costs struct {
	wall, cpu, rate []float64
	taken           []supervisor.Taken
	bytes           int64 // of the last checkpoint
}

// measurePairs runs a statement until that many rows are read, and then for so many pairs of stretches.
func measurePairs(b *testing.B, q *engine.Query, rows int64, pairs int) (m costs) {
	dir := b.TempDir()
	disk, err := checkpoint.Directory(dir)
	if err != nil {
		b.Fatal(err)
	}
	folder, err := checkpoint.Open(disk, 2)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	started, ended := make(chan *runtime.Job, 1), make(chan error, 1)
	requests, taken := make(chan supervisor.Request), make(chan supervisor.Taken, 1)
	never := checkpoint.Cadence{Interval: int64(24 * time.Hour / time.Microsecond)}
	go func() {
		n := q.Parallelism(2)
		ended <- supervisor.Run(ctx, func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, n, o) }, supervisor.Options{
			Folder: folder, Cadence: never, Requests: requests, Job: runtime.Options{Workers: n},
			Tell: func(e supervisor.Event) {
				switch e := e.(type) {
				case supervisor.Started:
					started <- e.Job
				case supervisor.Taken:
					select {
					case taken <- e:
					default: // the last, which nobody asked for
					}
				}
			}})
	}()
	job := <-started
	read := func() int64 { return job.Stats().Sources[0].Rows }
	for read() < rows {
		select {
		case err := <-ended:
			b.Fatal("the statement has ended: ", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	// with is what a row takes, of the clock and of the processors, in a stretch.
	with := func(checkpoints bool) (wall, cpu float64) {
		done := make(chan error, 1)
		from, used, before := time.Now(), cputime.Used(), read()
		for second := time.Duration(0); second < stretch; second += time.Second {
			time.Sleep(time.Until(from.Add(second)))
			if !checkpoints {
				continue
			}
			requests <- supervisor.Request{Done: done}
			if err := <-done; err != nil {
				b.Fatal(err)
			}
			m.taken = append(m.taken, <-taken)
		}
		time.Sleep(time.Until(from.Add(stretch)))
		n := float64(read() - before)
		return float64(time.Since(from)) / n, float64(cputime.Used()-used) / n
	}
	for i := range pairs {
		var wall, cpu [2]float64
		for k := range 2 {
			at := (i + k) % 2
			wall[at], cpu[at] = with(at == 1)
		}
		m.wall, m.cpu, m.rate = append(m.wall, wall[1]/wall[0]), append(m.cpu, cpu[1]/cpu[0]), append(m.rate, 1e9/wall[0])
	}
	r, err := folder.Read(folder.IDs()[len(folder.IDs())-1])
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range r.Sections() {
		m.bytes += r.Length(name)
	}
	r.Close()
	stop()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	return m
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
