package tidemark

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// everyType is a query whose one row has a value of every type, and a NULL.
const everyType = `
SELECT TRUE, 7, CAST(-8 AS BIGINT), CAST(1.5 AS DOUBLE), 'tide', TIMESTAMP '1969-12-31 23:59:59.999', INTERVAL '2' SECOND, CAST(NULL AS STRING)`

func TestRow(t *testing.T) {
	calls := 0
	summary, err := Open(Options{}).Query(context.Background(), everyType, func(r Row) error {
		calls++
		if r.Op() != Insert || r.Op().String() != "+I" {
			t.Errorf("op is %s", r.Op())
		}
		if r.Len() != 8 {
			t.Fatalf("%d columns", r.Len())
		}
		if !r.Bool(0) || r.Int(1) != 7 || r.Int(2) != -8 || r.Float(2) != -8 || r.Float(3) != 1.5 || r.Text(4) != "tide" || r.Int(6) != 2_000_000 {
			t.Errorf("values are %s", texts(r))
		}
		if want := time.Date(1969, 12, 31, 23, 59, 59, 999_000_000, time.UTC); !r.Time(5).Equal(want) {
			t.Errorf("time is %s", r.Time(5))
		}
		if !r.IsNull(7) || r.Text(7) != "" || r.IsNull(0) {
			t.Error("NULL is not told from a value")
		}
		return nil
	})
	if err != nil || calls != 1 || summary.RowsOut != 1 {
		t.Errorf("%d calls, %d rows out, error %v", calls, summary.RowsOut, err)
	}
}

func texts(r Row) string {
	values := make([]string, r.Len())
	for i := range values {
		values[i] = r.Type(i) + " " + r.Text(i)
	}
	return strings.Join(values, ", ")
}

// An accessor of the wrong type, or of a column that is not there, is a mistake in the program, not in the data: Query panics with it.
func TestRowOfAnotherType(t *testing.T) {
	for name, c := range map[string]struct {
		read func(Row)
		want string
	}{
		"Int":   {func(r Row) { r.Int(4) }, "tidemark: column 4, 'EXPR$4', is STRING NOT NULL, which Int does not read"},
		"Bool":  {func(r Row) { r.Bool(1) }, "which Bool does not read"},
		"Float": {func(r Row) { r.Float(5) }, "which Float does not read"},
		"Time":  {func(r Row) { r.Time(3) }, "which Time does not read"},
		"none":  {func(r Row) { r.Text(8) }, "index out of range [8]"},
	} {
		got := panicOf(func() {
			Open(Options{}).Query(context.Background(), everyType, func(r Row) error { c.read(r); return nil })
		})
		if !strings.Contains(fmt.Sprint(got), c.want) {
			t.Errorf("%s: panic is %v", name, got)
		}
	}
}

func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

const endless = "CREATE TABLE endless (n BIGINT) WITH ('connector' = 'datagen'); SELECT n FROM endless"

// A panic of the callback is the caller's own: it comes out of Query as it is, when the statement has ended.
func TestPanicOfTheCallback(t *testing.T) {
	calls, cause := 0, errors.New("mine")
	got := panicOf(func() {
		Open(Options{Parallelism: 3}).Query(context.Background(), endless, func(Row) error { calls++; panic(cause) })
	})
	if got != cause || calls != 1 {
		t.Errorf("%d calls, panic is %v", calls, got)
	}
}

// The callback may end its goroutine, as t.FailNow does.
func TestGoexitInTheCallback(t *testing.T) {
	ended, returned := make(chan struct{}), false
	go func() {
		defer close(ended)
		Open(Options{}).Query(context.Background(), endless, func(Row) error { runtime.Goexit(); return nil })
		returned = true
	}()
	if <-ended; returned {
		t.Error("Query returned")
	}
}

// Without a callback rows are counted and let go of.
func TestQueryWithoutCallback(t *testing.T) {
	summary, err := Open(Options{}).Query(context.Background(), "SELECT x FROM (VALUES (1), (2), (3)) AS t(x)", nil)
	if err != nil || summary.RowsOut != 3 {
		t.Errorf("%d rows out, error %v", summary.RowsOut, err)
	}
}

// What stops a statement that is right says whose fault it is.
func TestRunErrors(t *testing.T) {
	const table = "CREATE TABLE r (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'r.jsonl', 'format' = 'json');"
	for _, c := range []struct {
		about, rows, query string
		class              Class
		want               string
	}{
		{"a value that is none", `{"a":x}`, "SELECT a FROM r", ClassData, "r.jsonl line 1: field 'a': expected INT, found x"},
		{"no event time", "{\"a\":1,\"ts\":\"2026-01-01 00:00:00\"}\n{\"a\":1}", "SELECT a FROM r", ClassData, "row 2 of r.jsonl, table 'r', has no event time (NULL)"},
		{"a computation", `{"a":0,"ts":"2026-01-01 00:00:00"}`, "SELECT 1 / a FROM r", ClassData, "zero"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("r.jsonl", []byte(c.rows), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Open(Options{}).Query(context.Background(), table+c.query, nil)
			var fault *RunError
			if !errors.As(err, &fault) || fault.Class != c.class || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %#v: %v", err, err)
			}
		})
	}
	full := fmt.Errorf("write: %w", syscall.ENOSPC)
	e := Open(Options{Stdout: failing{full}})
	for _, script := range []string{"CREATE TABLE p (a INT) WITH ('connector' = 'print'); INSERT INTO p SELECT 1", "EXPLAIN SELECT 1"} {
		err := e.Exec(context.Background(), script)
		if fault := (*RunError)(nil); !errors.As(err, &fault) || fault.Class != ClassResource || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: error is %v", script, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Behind is the watermark minus the row's time.
func TestDropSummary(t *testing.T) {
	e := Open(Options{})
	summary, err := e.Query(context.Background(), `
		CREATE TABLE clicks (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
		WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json');
		SELECT window_end, COUNT(*) FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end`, nil)
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	want := DropSummary{Operator: "TUMBLE(size 10 s)", Rows: 1, Worst: day.Add(5 * time.Second), Behind: 11 * time.Second}
	if len(summary.Dropped) != 1 || summary.Dropped[0] != want {
		t.Errorf("dropped %+v, want %+v", summary.Dropped, want)
	}
	if got := summary.Tables[0].Watermark; !got.Equal(day.Add(19 * time.Second)) {
		t.Errorf("watermark %v", got)
	}
}

func TestErrorsOfTheCaller(t *testing.T) {
	cases := []struct{ script, code string }{
		{"", "usage"},
		{"SET 'parallelism.default' = '2'", "usage"},
		{"SELECT 1; SELECT 2", "usage"},
		{"SELEC 1", "syntax"},
		{"SELECT * FROM nowhere", "unknown-table"},
	}
	for _, c := range cases {
		_, err := Open(Options{}).Query(context.Background(), c.script, func(Row) error { return nil })
		var fault *Error
		if !errors.As(err, &fault) {
			t.Errorf("%q: error is %v", c.script, err)
			continue
		}
		if line, column := fault.Position(); fault.Code() != c.code || line != 1 || column < 1 {
			t.Errorf("%q: code is %s, place %d:%d", c.script, fault.Code(), line, column)
		}
	}
	if err := Open(Options{}).Exec(context.Background(), "SELECT 1"); err == nil {
		t.Error("Exec took a SELECT")
	}
}

// What the callback returns is what Query returns, and nothing is called after it.
func TestErrorOfTheCallback(t *testing.T) {
	calls := 0
	_, err := Open(Options{}).Query(context.Background(), "SELECT x FROM (VALUES (1), (2), (3)) AS t(x)", func(Row) error {
		calls++
		return io.ErrShortWrite
	})
	if !errors.Is(err, io.ErrShortWrite) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

// A statement without end is ended by its context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	e := Open(Options{})
	if err := e.Exec(ctx, "CREATE TABLE endless (n BIGINT) WITH ('connector' = 'datagen')"); err != nil {
		t.Fatal(err)
	}
	summary, err := e.Query(ctx, "SELECT n FROM endless", func(Row) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || summary.RowsOut == 0 {
		t.Errorf("%d rows, error %v", summary.RowsOut, err)
	}
}

// A session keeps what was declared: tables, views and settings.
// TestLimitEndsIt: a statement that has all its rows is over, however many workers read a table without end, and whatever would go wrong behind them.
func TestLimitEndsIt(t *testing.T) {
	const table = "CREATE TABLE t (id INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000000', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '1000000000')"
	for _, parallelism := range []string{"1", "2", "7"} {
		for query, want := range map[string]int{
			"SELECT id FROM t LIMIT 3":                                                             3,
			"SELECT id FROM t LIMIT 2 OFFSET 100000":                                               2,
			"SELECT id FROM t LIMIT 0":                                                             0,
			"SELECT 10 / (id - 5) FROM t LIMIT 4":                                                  4,
			"SELECT COUNT(*) FROM (SELECT id FROM t LIMIT 5)":                                      9,
			"(SELECT id FROM t LIMIT 2) UNION ALL (SELECT 0 FROM t LIMIT 1)":                       3,
			"SELECT a.id FROM (SELECT id FROM t LIMIT 2) a CROSS JOIN (SELECT 1 FROM t LIMIT 2) b": 4,
		} {
			e, rows := Open(Options{}), 0
			if err := e.Exec(context.Background(), "SET 'parallelism.default' = '"+parallelism+"'; "+table); err != nil {
				t.Fatal(err)
			}
			_, err := e.Query(context.Background(), query, func(Row) error { rows++; return nil })
			if err != nil || rows != want {
				t.Errorf("%s at parallelism %s: %d rows and %v, want %d", query, parallelism, rows, err, want)
			}
		}
	}
}

func TestSession(t *testing.T) {
	var printed strings.Builder
	e := Open(Options{Stdout: &printed})
	ctx := context.Background()
	if err := e.Exec(ctx, "CREATE VIEW pairs AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(n, s); EXPLAIN SELECT 1 AS x"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, script := range []string{"SHOW VIEWS", "SELECT s FROM pairs"} {
		summary, err := e.Query(ctx, script, func(r Row) error { got = append(got, r.Op().String()+r.Text(0)); return nil })
		if err != nil || summary.RowsOut == 0 {
			t.Fatalf("%s gives %d rows: %v", script, summary.RowsOut, err)
		}
	}
	if strings.Join(got, " ") != "+Ipairs +Ia +Ib" || !strings.HasPrefix(printed.String(), "Result\n") {
		t.Errorf("rows are %q, printed %q", got, printed.String())
	}
	for _, refused := range []string{"SHOW VIEWS", "DESCRIBE pairs"} {
		if err := e.Exec(ctx, refused); err == nil {
			t.Errorf("Exec takes %s, whose rows go nowhere", refused)
		}
	}
	if _, err := e.Query(ctx, "SHOW VIEWS; SELECT 1 AS x", nil); err == nil {
		t.Error("Query takes rows of two statements")
	}
}

// A limit of memory for state changes nothing of what a query gives.
func TestStateMemory(t *testing.T) {
	e := Open(Options{})
	var got []string
	_, err := e.Query(context.Background(), "SET 'execution.state.memory-limit' = '1'; SELECT x, COUNT(*) AS n FROM (VALUES (1), (2), (1)) AS t(x) GROUP BY x", func(r Row) error {
		got = append(got, fmt.Sprint(r.Op(), r.Int(0), r.Int(1)))
		return nil
	})
	if want := []string{"+I 1 1", "+I 2 1", "-U 1 1", "+U 1 2"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestYQL runs both languages in one script: a streaming query is run as an INSERT is, and a SELECT gives rows.
func TestYQL(t *testing.T) {
	ctx, e := context.Background(), Open(Options{})
	path := t.TempDir()
	if err := e.Exec(ctx, `CREATE TABLE numbers (n BIGINT NOT NULL) WITH ('connector' = 'datagen', 'number-of-rows' = '3', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '3');
CREATE TABLE words (word STRING) WITH ('connector' = 'filesystem', 'path' = '`+path+`', 'format' = 'raw');
CREATE STREAMING QUERY q AS DO BEGIN $more = SELECT n * 2 AS n FROM numbers; INSERT INTO words SELECT "n" || CAST(n AS String) FROM $more; END DO;`); err != nil {
		t.Fatal(err)
	}
	var got []string
	if _, err := e.Query(ctx, `$long = ($w) -> (Length($w)); SELECT word, $long(word) AS l FROM words;`, func(r Row) error {
		got = append(got, fmt.Sprint(r.Text(0), r.Int(1)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"n22", "n42", "n62"}; !slices.Equal(got, want) {
		t.Errorf("rows are %q, want %q", got, want)
	}
	var fault *Error
	if err := e.Exec(ctx, "SET 'sql.language' = 'yql'; SELECT nothing FROM words;"); !errors.As(err, &fault) || !strings.Contains(err.Error(), ":1:36:") {
		t.Errorf("got %v", err)
	}
}
