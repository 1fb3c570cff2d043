package tidemark_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tidemark-sql/tidemark"
)

const quakes = `
CREATE TABLE quakes (
  ` + "`time`" + ` TIMESTAMP_LTZ(3),
  net    STRING,
  mag    DOUBLE,
  WATERMARK FOR ` + "`time`" + ` AS ` + "`time`" + ` - INTERVAL '1' DAY
) WITH (
  'connector' = 'filesystem',
  'path' = 'examples/earthquakes/quakes.jsonl',
  'format' = 'json',
  'json.timestamp-format.standard' = 'ISO-8601'
);`

// Windows leave in the order of their ends; the summary tells what came too late for them.
func ExampleEngine_Query() {
	e := tidemark.Open(tidemark.Options{})
	ctx := context.Background()
	if err := e.Exec(ctx, quakes); err != nil {
		fmt.Println(err)
		return
	}
	summary, err := e.Query(ctx, `
		SELECT window_start, COUNT(*) AS quakes, MAX(mag) AS strongest
		FROM TUMBLE(TABLE quakes, DESCRIPTOR(`+"`time`"+`), INTERVAL '1' DAY)
		GROUP BY window_start, window_end`,
		func(r tidemark.Row) error {
			fmt.Println(r.Op(), r.Time(0).Format("2 January"), r.Int(1), r.Float(2))
			return nil
		})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("in", summary.RowsIn, "out", summary.RowsOut)
	for _, d := range summary.Dropped {
		fmt.Println(d.Operator, "dropped", d.Rows)
	}
	// Output:
	// +I 31 January 179 5.7
	// +I 1 February 222 6
	// +I 2 February 225 5.1
	// +I 3 February 164 5.2
	// +I 4 February 228 5.2
	// +I 5 February 245 5.3
	// +I 6 February 213 6.4
	// +I 7 February 14 3.8
	// in 1707 out 8
	// TUMBLE(size 1 d) dropped 217
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
