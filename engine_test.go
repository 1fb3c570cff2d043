package tidemark

import (
	"context"
	"errors"
	"io"
	"strings"
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

// An accessor of the wrong type is a mistake in the program, not in the data.
func TestRowOfAnotherType(t *testing.T) {
	_, err := Open(Options{}).Query(context.Background(), everyType, func(r Row) error {
		defer func() {
			if got := recover(); got == nil || !strings.Contains(got.(string), "which Int does not read") {
				t.Errorf("panic is %v", got)
			}
		}()
		r.Int(4)
		return nil
	})
	if err != nil {
		t.Error(err)
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
func TestSession(t *testing.T) {
	var printed strings.Builder
	e := Open(Options{Stdout: &printed})
	ctx := context.Background()
	for _, script := range []string{
		"CREATE VIEW pairs AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(n, s)",
		"SHOW VIEWS",
	} {
		if err := e.Exec(ctx, script); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	if _, err := e.Query(ctx, "SELECT s FROM pairs", func(r Row) error { got = append(got, r.Text(0)); return nil }); err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != "a b" || printed.String() != "pairs\n" {
		t.Errorf("rows are %q, printed %q", got, printed.String())
	}
}
