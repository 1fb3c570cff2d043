package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	gort "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/checkpoint"
	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/statedir"
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
// and the same of processor time; told are the medians, and of the checkpoints how long rows waited. On a machine that has other things to do the ratio of processor time is too high, for of the time that
// the statement gets there a checkpoint each second takes a greater part; what one takes is told too.
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
			b.ReportMetric(median(m.each), "cpu-ms/checkpoint")
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
		r, err := e.Execute(context.Background(), in, s)
		if err != nil {
			b.Fatal(err)
		}
		q = r.Query
	}
	return q
}

// costs are what the pairs of a run came to.
type costs struct {
	wall, cpu, rate []float64 // by pair
	each            []float64 // milliseconds of the processors that a checkpoint takes, by pair
	taken           []supervisor.Taken
	bytes           int64 // of the last checkpoint
}

// kept is a statement that runs under a supervisor, which takes a checkpoint when it is asked.
type kept struct {
	job      *runtime.Job
	requests chan supervisor.Request
	taken    chan supervisor.Taken
	ended    chan error
	stop     func()
}

// keep runs a statement until that many rows are read, and on.
func keep(b *testing.B, q *engine.Query, folder *checkpoint.Folder, rows int64) *kept {
	ctx, stop := context.WithCancel(context.Background())
	k := &kept{requests: make(chan supervisor.Request), taken: make(chan supervisor.Taken, 1), ended: make(chan error, 1), stop: stop}
	started := make(chan *runtime.Job, 1)
	never := checkpoint.Cadence{Interval: int64(24 * time.Hour / time.Microsecond)}
	n := gort.GOMAXPROCS(0)
	go func() {
		k.ended <- supervisor.Run(ctx, func(o runtime.Options) (*runtime.Job, error) { return q.Start(nil, n, o) }, supervisor.Options{
			Folder: folder, Cadence: never, Requests: k.requests, Job: runtime.Options{Workers: n},
			Tell: func(e supervisor.Event) {
				switch e := e.(type) {
				case supervisor.Started:
					started <- e.Job
				case supervisor.Taken:
					select {
					case k.taken <- e:
					default: // the last, which nobody asked for
					}
				}
			}})
	}()
	k.job = <-started
	for k.read() < rows {
		select {
		case err := <-k.ended:
			b.Fatal("the statement has ended: ", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return k
}

// read is how many rows the first source has read.
func (k *kept) read() int64 { return k.job.Stats().Sources[0].Rows }

// checkpoint takes one.
func (k *kept) checkpoint(b *testing.B) supervisor.Taken {
	done := make(chan error, 1)
	k.requests <- supervisor.Request{Done: done}
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	return <-k.taken
}

// leave stops the statement behind a last checkpoint, whose size it tells.
func (k *kept) leave(b *testing.B, folder *checkpoint.Folder) (bytes int64) {
	k.stop()
	if err := <-k.ended; err != nil {
		b.Fatal(err)
	}
	r, err := folder.Read(folder.IDs()[len(folder.IDs())-1])
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for _, name := range r.Sections() {
		bytes += r.Length(name)
	}
	return bytes
}

// measurePairs runs a statement until that many rows are read, and then for so many pairs of stretches.
func measurePairs(b *testing.B, q *engine.Query, rows int64, pairs int) (m costs) {
	disk, err := checkpoint.Directory(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	folder, err := checkpoint.Open(disk, 2)
	if err != nil {
		b.Fatal(err)
	}
	k := keep(b, q, folder, rows)
	// with is what a row takes, of the clock and of the processors, in a stretch, and how many there were.
	with := func(checkpoints bool) (wall, cpu, n float64) {
		from, used, before := time.Now(), cputime.Used(), k.read()
		for second := time.Duration(0); second < stretch; second += time.Second {
			<-time.After(time.Until(from.Add(second)))
			if checkpoints {
				m.taken = append(m.taken, k.checkpoint(b))
			}
		}
		<-time.After(time.Until(from.Add(stretch)))
		n = float64(k.read() - before)
		return float64(time.Since(from)) / n, float64(cputime.Used()-used) / n, n
	}
	for i := range pairs {
		var wall, cpu, n [2]float64
		for k := range 2 {
			at := (i + k) % 2
			wall[at], cpu[at], n[at] = with(at == 1)
		}
		m.wall, m.cpu, m.rate = append(m.wall, wall[1]/wall[0]), append(m.cpu, cpu[1]/cpu[0]), append(m.rate, 1e9/wall[0])
		m.each = append(m.each, (cpu[1]-cpu[0])*n[1]/float64(stretch/time.Second)/1e6)
	}
	m.bytes = k.leave(b, folder)
	return m
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// BenchmarkRestore starts the program on a gigabyte of state, a count and a sum for each of so many keys, and tells how long it takes until it writes its first row, with the most memory that it
// has had by then. It takes 8 GB, and needs Linux.
func BenchmarkRestore(b *testing.B) {
	const keys = 25_000_000
	text := func(connector string) string {
		return fmt.Sprintf(`CREATE TABLE keyed (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000000000');
CREATE TABLE found (k BIGINT, a BIGINT, b BIGINT) WITH ('connector' = '%s');
INSERT INTO found SELECT k, COUNT(*), SUM(n) FROM (SELECT n, MOD(n * 7919, %d) AS k FROM keyed) GROUP BY k`, connector, keys)
	}
	dir := b.TempDir()
	q := queryOf(b, text("blackhole"))
	folder, err := statedir.At(dir, statedir.Name(q.Writes())).Open(1)
	if err != nil {
		b.Fatal(err)
	}
	bytes := keep(b, q, folder, keys).leave(b, folder)
	gort.GC()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, tasks := range []int{1, 2} {
		b.Run(fmt.Sprintf("by %d", tasks), func(b *testing.B) {
			most := 0
			var used time.Duration
			for b.Loop() {
				c := exec.Command(self, "run", "--state-dir", dir, "--parallelism", strconv.Itoa(tasks), "-e", text("print"))
				c.Env = append(os.Environ(), asProgram+"=1")
				var said strings.Builder
				c.Stderr = &said
				out, err := c.StdoutPipe()
				if err == nil {
					err = c.Start()
				}
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bufio.NewReader(out).ReadByte(); err != nil {
					b.Fatal(err, said.String())
				}
				most = max(most, peak(b, c.Process.Pid))
				c.Process.Kill()
				c.Wait()
				used += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s")
			b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s")
			b.ReportMetric(float64(most)/1e9, "GB-peak")
			b.ReportMetric(float64(bytes)/1e9, "GB-state")
		})
	}
}

// peak is the most memory that a process has had, in bytes.
func peak(b *testing.B, pid int) int {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "VmHWM:" {
			kb, err := strconv.Atoi(fields[1])
			if err != nil {
				b.Fatal(err)
			}
			return kb << 10
		}
	}
	b.Fatal("no VmHWM")
	return 0
}
