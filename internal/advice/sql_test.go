package advice

import (
	"io"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestAlter: the statement that is given to copy gives the table that delay, whatever its length.
func TestAlter(t *testing.T) {
	delays := append([]int64{1234 * milli, 150 * second, 100*minute + second, 1000 * hour, 400 * day, 123_456_789 * milli}, rungs...)
	for _, delay := range delays {
		for _, declared := range []bool{false, true} {
			clause, table := "", Table{Name: "t", Column: "`time`", Declared: declared}
			if declared {
				clause = ", WATERMARK FOR `time` AS `time` - INTERVAL '7' SECOND"
			}
			text := source.Text{Name: "advice", Body: "CREATE TABLE t (`time` TIMESTAMP(3)" + clause + ") WITH ('connector' = 'datagen'); " + table.alter(delay)}
			e := engine.New(engine.Options{Connectors: builtin.Connectors, Stdout: io.Discard, Stderr: io.Discard})
			parsed, err := sql.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, stmt := range parsed.Statements {
				if _, err := e.Execute(t.Context(), text, stmt); err != nil {
					t.Fatalf("%s: %v", text.Body, err)
				}
			}
			r, err := e.Reading(source.Text{Body: "t"}, source.Text{})
			if err != nil || !r.Constant || r.Delay != delay || r.Column != table.Column {
				t.Errorf("%s: a delay of %v (%v)", table.alter(delay), Length(r.Delay), err)
			}
		}
	}
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		length Length
		text   string
		json   string
	}{
		{0, "0", "0"}, {1, "1 us", "0.001"}, {1500, "1.5 ms", "1.5"}, {500 * Length(milli), "500 ms", "500"}, {1234 * Length(milli), "1.234 s", "1234"}, {Length(minute), "1 min", "60000"},
		{Length(90*second + milli), "1 min 30 s", "90001"}, {Length(2*hour + 5*minute), "2 h 5 min", "7500000"}, {Length(3 * day), "3 d", "259200000"}, {Length(-2 * second), "-2 s", "-2000"},
		{Length(40_000 * day), "109 years", "3456000000000"},
	} {
		json, err := c.length.MarshalJSON()
		if c.length.String() != c.text || string(json) != c.json || err != nil {
			t.Errorf("%d us is %v and %s, want %s and %s", int64(c.length), c.length, json, c.text, c.json)
		}
	}
	for _, c := range []struct{ length, rounded Length }{{0, 0}, {999, 999}, {1000, 1000}, {1004, 1000}, {1005, 1010}, {99_951, 100_000}, {123_456_789, 123_000_000}} {
		if got := c.length.rounded(); got != c.rounded {
			t.Errorf("%d is %d, want %d", c.length, got, c.rounded)
		}
	}
	for _, c := range []struct {
		part, of int64
		text     string
	}{{0, 7, "0 %"}, {7, 7, "100 %"}, {0, 0, "0 %"}, {1, 2, "50 %"}, {1, 8, "12 %"}, {1, 1000, "0.10 %"}, {999, 1000, "99.90 %"}, {1, 3_000_000, "0.000033 %"}, {1, 1_000_000_000_000, "1e-10 %"}} {
		if got := percent(c.part, c.of); got != c.text {
			t.Errorf("%d of %d are %s, want %s", c.part, c.of, got, c.text)
		}
	}
}
