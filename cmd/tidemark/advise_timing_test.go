package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/cputime"
)

// BenchmarkAdvise holds advise against a count of the same file and a count by windows, in turn: rows a second, and how many times the processor time of the count each takes. No row is out of order, some are, or nearly all of
// them. In "idle" every delay has a watermark of its own.
func BenchmarkAdvise(b *testing.B) {
	const rows = 300_000
	for _, jitter := range []string{"0s", "1ms", "2s"} {
		b.Run("jitter "+jitter, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "bids.jsonl")
			file, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			if code := dispatch(b.Context(), []string{"generate", "nexmark", "--rows", fmt.Sprint(rows), "--jitter", jitter}, file, os.Stderr); code != exitOK || file.Close() != nil {
				b.Fatal("generate", code)
			}
			bids := "CREATE TABLE bids (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP_LTZ(3), WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '2' SECOND) " +
				"WITH ('connector' = 'filesystem', 'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601', 'path' = '" + path + "');"
			commands := []struct {
				name string
				args []string
				wall time.Duration
				cpu  time.Duration
			}{
				{name: "count", args: []string{"run", "--quiet", "-e", bids + "SET 'sql.snapshot.mode' = 'now'; SELECT COUNT(*) FROM bids"}},
				{name: "windows", args: []string{"run", "--quiet", "-e", bids + "SELECT window_end, COUNT(*) AS n FROM TUMBLE(TABLE bids, DESCRIPTOR(`dateTime`), INTERVAL '1' HOUR) GROUP BY window_start, window_end"}},
				{name: "advise", args: []string{"advise", "-e", bids, "bids"}},
				{name: "idle", args: []string{"advise", "-e", bids, "bids /*+ OPTIONS('scan.watermark.idle-timeout' = '1 min') */"}},
			}
			null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer null.Close()
			for b.Loop() {
				for i := range commands {
					c := &commands[i]
					began, used := time.Now(), cputime.Used()
					if code := dispatch(b.Context(), c.args, null, os.Stderr); code != exitOK {
						b.Fatal(c.name, code)
					}
					c.wall += time.Since(began)
					c.cpu += cputime.Used() - used
				}
			}
			for i := range commands {
				c := &commands[i]
				b.ReportMetric(rows*float64(b.N)/c.wall.Seconds(), c.name+"-rows/s")
				b.ReportMetric(float64(c.cpu)/float64(commands[0].cpu), c.name+"-cpu/count")
			}
		})
	}
}
