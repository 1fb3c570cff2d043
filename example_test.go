package tidemark_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/tidemark-sql/tidemark"
)

const clicks = `
CREATE TABLE clicks (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json')`

// Windows leave in the order of their ends; the summary tells what came too late for them.
func ExampleEngine_Query() {
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{})
	if err := e.Exec(ctx, clicks); err != nil {
		log.Fatal(err)
	}
	summary, err := e.Query(ctx, `
		SELECT window_end, COUNT(*) AS clicks
		FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND)
		GROUP BY window_start, window_end`,
		func(r tidemark.Row) error {
			fmt.Println(r.Op(), r.Time(0).Format(time.TimeOnly), r.Int(1))
			return nil
		})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary.RowsIn, "rows in,", summary.Tables[0].Late, "late at the source")
	for _, d := range summary.Dropped {
		fmt.Println(d.Rows, "dropped by", d.Operator)
	}
	// Output:
	// +I 00:00:10 4
	// +I 00:00:20 1
	// +I 00:00:30 2
	// 8 rows in, 2 late at the source
	// 1 dropped by TUMBLE(size 10 s)
}

// A fault in a statement shows its place.
func ExampleError_Render() {
	e := tidemark.Open(tidemark.Options{})
	_, err := e.Query(context.Background(), "SELECT bider FROM (VALUES (1, 'a')) AS t(bidder, name)", nil)
	if fault := (*tidemark.Error)(nil); errors.As(err, &fault) {
		fmt.Print(fault.Render())
	}
	// Output:
	// error: unknown column 'bider'
	//   --> sql:1:8
	//    |
	//  1 | SELECT bider FROM (VALUES (1, 'a')) AS t(bidder, name)
	//    |        ^^^^^
	//    = did you mean 'bidder'?
}

// INSERT INTO a table runs in Exec; a print table writes to Options.Stdout.
func ExampleEngine_Exec() {
	e := tidemark.Open(tidemark.Options{Stdout: os.Stdout})
	err := e.Exec(context.Background(), `
		CREATE TABLE console (name STRING, n INT) WITH ('connector' = 'print');
		INSERT INTO console SELECT UPPER(name), n FROM (VALUES ('ana', 1), ('bo', 2)) AS t(name, n) WHERE n > 1`)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// +I[BO, 2]
}
