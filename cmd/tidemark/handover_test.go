package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// endless runs the program, which does not end by itself, kills or interrupts it at random moments and starts it anew; the last one runs until the test is over.
func endless(ctx context.Context, t *testing.T, rng *rand.Rand, kills int, args ...string) {
	ended := 0
	defer func() { t.Logf("ended %d times", ended) }()
	self, err := os.Executable()
	if err != nil {
		t.Error(err)
		return
	}
	for i := range kills + 1 {
		var output strings.Builder
		c := exec.CommandContext(ctx, self, append([]string{"run", "--quiet"}, args...)...)
		c.Env = append(os.Environ(), asProgram+"=1")
		c.Stdout, c.Stderr = &output, &output
		if err := c.Start(); err != nil {
			t.Error(err)
			return
		}
		asked := false
		if i < kills {
			ends := os.Kill
			if asked = rng.IntN(2) == 0; asked {
				ends = os.Interrupt
			}
			defer time.AfterFunc(time.Duration(50+rng.IntN(900))*time.Millisecond, func() { c.Process.Signal(ends) }).Stop()
		}
		c.Wait()
		if ctx.Err() != nil {
			return
		}
		ended++
		if c.ProcessState.Exited() && !asked {
			t.Errorf("the program ended:\n%s", output.String())
			return
		}
	}
}

// TestWindowsOfAHandedOverWatermark kills a statement that writes to a topic, and another that makes windows of what is there, again and again. Whoever reads must never see a window
// end that some row of the first input is missing in, whichever of the two was killed.
func TestWindowsOfAHandedOverWatermark(t *testing.T) { handedOver(t, false) }

// TestExactWindowsOfAHandedOverWatermark is the same with statements that write exactly once: each window is there once, with each row counted once.
func TestExactWindowsOfAHandedOverWatermark(t *testing.T) { handedOver(t, true) }

func handedOver(t *testing.T, exact bool) {
	const partitions = 3
	rows, kills := 30_000, 3
	if n, err := strconv.Atoi(os.Getenv("TIDEMARK_KILLS")); err == nil {
		rows, kills = max(rows, 5000*n), n // 5000 are written in half a second, which is as long as a process lives
	}
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		first, middle, last := b.Topic(t, partitions), b.Topic(t, 4), b.Topic(t, 1)
		client := b.Client(t)
		seed := uint64(os.Getpid())
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(1, seed))
		want := map[string]int{}
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		const layout = "2006-01-02 15:04:05"
		send := func(n int, at time.Time) {
			row := fmt.Sprintf(`{"n":%d,"ts":"%s"}`, n, at.Format(layout))
			client.Produce(context.Background(), &brokertest.Record{Topic: first, Partition: int32(n % partitions), Value: []byte(row)}, nil)
		}
		var all []time.Time // of rows
		for n := range rows {
			at := begin.Add(time.Duration(n/20-rng.IntN(30)) * time.Second)
			want[at.Truncate(10*time.Second).Format(layout)]++
			all = append(all, at)
		}
		// feed writes the rows while others are being killed, and then some that end all windows.
		feed := func() {
			pace := time.NewTicker(10 * time.Millisecond)
			defer pace.Stop()
			for n, at := range all {
				if n%100 == 0 {
					<-pace.C
				}
				send(n, at)
			}
			for n := range partitions {
				send(rows+n, begin.Add(24*time.Hour))
			}
			if err := client.Flush(context.Background()); err != nil {
				t.Error(err)
			}
		}
		kafka := func(topic string) string {
			return fmt.Sprintf("'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json'", topic, b.Addr)
		}
		count, more := "COUNT(DISTINCT n)", ""
		if exact {
			count, more = "COUNT(*)", ", 'sink.delivery-guarantee' = 'exactly-once'"
		}
		handed := fmt.Sprintf("CREATE TABLE middle (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH (%s, 'watermark.handover' = 'true', 'watermark.handover.timeout' = '5 s'%s);", kafka(middle), more)
		writes := fmt.Sprintf(`CREATE TABLE first (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MINUTE) WITH (%s);
%s INSERT INTO middle SELECT n, ts FROM first;`, kafka(first), handed)
		reads := fmt.Sprintf(`%s CREATE TABLE last (w STRING, c BIGINT) WITH (%s%s);
INSERT INTO last SELECT DATE_FORMAT(window_start, 'yyyy-MM-dd HH:mm:ss'), %s FROM TUMBLE(TABLE middle, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end;`, handed, kafka(last), more, count)

		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		var running sync.WaitGroup
		defer running.Wait()
		defer stop()
		running.Go(feed)
		for i, script := range []string{writes, reads} {
			rng := rand.New(rand.NewPCG(uint64(2+i), seed))
			args := []string{"-e", script}
			if exact {
				args = append(args, "--state-dir", t.TempDir(), "--checkpoint-interval", "50ms")
			}
			running.Go(func() { endless(ctx, t, rng, kills, args...) })
		}
		missing := map[string]bool{}
		for w := range want {
			missing[w] = true
		}
		b.Follow(ctx, t, last, func(r *brokertest.Record) bool {
			var w string
			var c int
			if _, err := fmt.Sscanf(strings.NewReplacer(" ", "T").Replace(string(r.Value)), `{"w":%q,"c":%d}`, &w, &c); err != nil {
				t.Errorf("%s: %v", r.Value, err)
			}
			w = strings.Replace(w, "T", " ", 1)
			if exact && !missing[w] {
				t.Errorf("window %s is there again", w)
			}
			if want[w] != c {
				t.Errorf("window %s has %d rows; want %d", w, c, want[w])
			}
			delete(missing, w)
			return len(missing) > 0 && !t.Failed()
		})
		if len(missing) > 0 && !t.Failed() {
			t.Errorf("%d of %d windows have not come", len(missing), len(want))
		}
	})
}

// TestWhoMayHandOver shows which tables and statements take part in a hand-over, and what the others are told.
func TestWhoMayHandOver(t *testing.T) {
	const kafka = "'connector' = 'kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'localhost:1', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json'"
	const handed = kafka + ", 'watermark.handover' = 'true'"
	table := func(watermark, with string) string {
		return "CREATE TABLE x (n BIGINT, ts TIMESTAMP(3), same AS ts, other TIMESTAMP(3)" + watermark + ") WITH (" + with + ");"
	}
	const declared = ", WATERMARK FOR ts AS SOURCE_WATERMARK()"
	const bids = "CREATE TABLE bids (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');"
	for _, x := range []struct{ name, script, says string }{
		{"a table says so", table(declared, handed) + "EXPLAIN SELECT * FROM x", "handed over"},
		{"in the other profile too", "SET 'sql.profile' = 'confluent';" + table(declared, handed) + "EXPLAIN SELECT * FROM x", "handed over"},
		{"the timeout", table(declared, handed+", 'watermark.handover.timeout' = '10 s'") + "EXPLAIN SELECT * FROM x", "10 s"},
		{"a short timeout", table(declared, handed+", 'watermark.handover.timeout' = '1 s'"), "cannot be missed so soon"},
		{"a long timeout", table(declared, handed+", 'watermark.handover.timeout' = '2 d'"), "may be forgotten"},
		{"a timeout for nothing", table(", WATERMARK FOR ts AS ts", kafka+", 'watermark.handover.timeout' = '10 s'"), "is for a table in which the watermark is handed over"},
		{"no watermark", table("", handed), "declares another, or none"},
		{"another watermark", table(", WATERMARK FOR ts AS ts - INTERVAL '1' SECOND", handed), "declares another, or none"},
		{"a computed column", table(", WATERMARK FOR same AS SOURCE_WATERMARK()", handed), "written as it is"},
		{"an idle timeout", table(declared, handed+", 'scan.watermark.idle-timeout' = '1 s'"), "is handed over by those who write them"},
		{"lookahead", table(declared, handed+", 'watermark.generator' = 'lookahead'"), "is handed over by those who write them"},
		{"no acknowledgements", table(declared, handed+", 'properties.acks' = '0'"), "that were acknowledged"},
		{"several topics", table(declared, strings.Replace(handed, "'x'", "'x;y'", 1)), "several topics"},
		{"another connector", table(declared, "'connector' = 'datagen', 'watermark.handover' = 'true'"), "cannot hand its watermark over"},
		{"a hint", table(declared, handed) + "EXPLAIN SELECT * FROM x /*+ OPTIONS('watermark.handover' = 'false') */", "a hint cannot switch"},
		{"a hint the other way", table(", WATERMARK FOR ts AS ts", kafka) + "EXPLAIN SELECT * FROM x /*+ OPTIONS('watermark.handover' = 'true') */", "a hint cannot switch"},
		{"the time as it is", table(declared, handed) + bids + "EXPLAIN INSERT INTO x SELECT n, ts, ts FROM bids", "Insert into x"},
		{"a time that is no attribute", table(declared, handed) + bids + "EXPLAIN INSERT INTO x SELECT n, ts + INTERVAL '1' SECOND, ts FROM bids", "is no time attribute"},
		{"no time", table(declared, handed) + bids + "EXPLAIN INSERT INTO x (n) SELECT n FROM bids", "does not write it"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got, _ := runSQL(t, x.script); !strings.Contains(got, x.says) {
				t.Errorf("got:\n%s\nwant it to say: %s", got, x.says)
			}
		})
	}
}
