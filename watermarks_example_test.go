package tidemark_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark"
	"github.com/tidemark-sql/tidemark/watermark"
)

// The watermark is what the program says, and not the expression: the newest time less 5 s and a millisecond.
func ExampleEngine_SetWatermarks() {
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{})
	if err := e.Exec(ctx, clicks); err != nil {
		log.Fatal(err)
	}
	if err := e.SetWatermarks("clicks", watermark.BoundedOutOfOrderness(5*time.Second)); err != nil {
		log.Fatal(err)
	}
	_, err := e.Query(ctx, "SELECT ts, CURRENT_WATERMARK(ts) FROM clicks", func(r tidemark.Row) error {
		fmt.Println(r.Time(0).Format(time.TimeOnly), cmp.Or(r.Text(1), "none"))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 00:00:01 none
	// 00:00:04 2025-12-31 23:59:55.999
	// 00:00:09 2025-12-31 23:59:58.999
	// 00:00:13 2026-01-01 00:00:03.999
	// 00:00:08 2026-01-01 00:00:07.999
	// 00:00:21 2026-01-01 00:00:07.999
	// 00:00:05 2026-01-01 00:00:15.999
	// 00:00:24 2026-01-01 00:00:15.999
}

// Rows that fall behind the newest are late, those of the same time are not.
func ExampleEngine_SetWatermarks_monotonous() {
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{})
	if err := e.Exec(ctx, clicks); err != nil {
		log.Fatal(err)
	}
	if err := e.SetWatermarks("clicks", watermark.Monotonous()); err != nil {
		log.Fatal(err)
	}
	summary, err := e.Query(ctx, `
		SELECT window_end, COUNT(*) FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end`,
		func(r tidemark.Row) error {
			fmt.Println(r.Time(0).Format(time.TimeOnly), r.Int(1))
			return nil
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.Tables[0].Late, "late")
	// Output:
	// 00:00:10 3
	// 00:00:20 1
	// 00:00:30 2
	// 2 late
}

// payments promises, with every payment, that all before it has come. Which row is one the watermark expression says: it is NULL for the others.
type payments struct{}

func (payments) OnEvent(e watermark.Event, out watermark.Output) {
	if e.Candidate != watermark.NoTime {
		out.Emit(watermark.Frontier(e.Candidate))
	}
}

func (payments) OnPeriodic(watermark.Output) {}

func ExampleEngine_SetWatermarks_generator() {
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{})
	err := e.Exec(ctx, `
		CREATE TABLE clicks (who STRING, page STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS CASE WHEN page = '/pay' THEN ts END)
		WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json')`)
	if err != nil {
		log.Fatal(err)
	}
	err = e.SetWatermarks("clicks", watermark.FromGenerator("payments", func() watermark.Generator { return payments{} }))
	if err != nil {
		log.Fatal(err)
	}
	_, err = e.Query(ctx, "SELECT ts, page, CURRENT_WATERMARK(ts) FROM clicks", func(r tidemark.Row) error {
		fmt.Println(r.Time(0).Format(time.TimeOnly), r.Text(1), cmp.Or(r.Text(2), "none"))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 00:00:01 / none
	// 00:00:04 / none
	// 00:00:09 /cart none
	// 00:00:13 / none
	// 00:00:08 /cart none
	// 00:00:21 /pay none
	// 00:00:05 /pay 2026-01-01 00:00:20.999
	// 00:00:24 /cart 2026-01-01 00:00:20.999
}

// The pipe stays open and silent. Its split is idle after 20 ms, which takes the delay back: the window is answered while the input goes on.
func ExampleEngine_SetWatermarks_idleness() {
	ctx := context.Background()
	in, rows := io.Pipe()
	e := tidemark.Open(tidemark.Options{Stdin: in})
	err := e.Exec(ctx, `
		CREATE TABLE taps (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'stdin', 'format' = 'json')`)
	if err != nil {
		log.Fatal(err)
	}
	s := watermark.BoundedOutOfOrderness(time.Hour)
	s.Idleness = watermark.Fixed{Timeout: 20_000, Flush: true}
	if err := e.SetWatermarks("taps", s); err != nil {
		log.Fatal(err)
	}
	go io.WriteString(rows, `{"who":"ana","ts":"2026-01-01 00:00:03"}
{"who":"bo","ts":"2026-01-01 00:00:10"}
`)
	_, err = e.Query(ctx, `
		SELECT window_end, COUNT(*) FROM TUMBLE(TABLE taps, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end`,
		func(r tidemark.Row) error {
			fmt.Println(r.Time(0).Format(time.TimeOnly), r.Int(1))
			return rows.Close() // nothing came before
		})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 00:00:10 1
	// 00:00:20 1
}

// EXPLAIN tells what came from the program. A hint wins over it, field by field.
func ExampleEngine_SetWatermarks_alignment() {
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{Stdout: os.Stdout})
	err := e.Exec(ctx, `
		CREATE TABLE shows (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'scan.watermark.idle-timeout' = '10 s')`)
	if err != nil {
		log.Fatal(err)
	}
	s := watermark.BoundedOutOfOrderness(20*time.Second).WithIdleness(time.Minute).WithAlignment("shows and clicks", 20*time.Second, time.Second)
	if err := e.SetWatermarks("shows", s); err != nil {
		log.Fatal(err)
	}
	err = e.Exec(ctx, `EXPLAIN SELECT id FROM shows /*+ WATERMARK_PARAMS('align-max-drift' = '5 s') */`)
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Result
	// └─ Project [id]
	//    └─ Scan shows [id]
	//
	// Table shows
	//   watermark for ts: ts
	//     generator          bounded out-of-orderness, 20 s (program)
	//     emit               on-periodic                  (profile confluent)
	//     interval           200 ms                       (profile confluent)
	//     eager              all rows of the first 200 ms (profile confluent)
	//     idle-timeout       1 min                        (program)
	//     flush at idleness  false                        (program)
	//     alignment drift    5 s                          (WATERMARK_PARAMS 'align-max-drift')
	//     alignment group    shows and clicks             (program)
	//     null time          FAIL                         (profile confluent)
	//
	// Watermarks
	//   Project: watermarks and late rows pass
}
