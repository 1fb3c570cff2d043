package tidemark

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/watermark"
)

// explained is what EXPLAIN says of table t.
func explained(t *testing.T, e *Engine, out *strings.Builder, query string) string {
	t.Helper()
	out.Reset()
	if err := e.Exec(context.Background(), "EXPLAIN "+query); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What the program says stays when the table is altered or renamed, and goes with it, with the zero Strategy, and not to tables made LIKE it.
func TestSetWatermarksFollowsTheTable(t *testing.T) {
	var out strings.Builder
	e := Open(Options{Stdout: &out})
	exec := func(script string) {
		t.Helper()
		if err := e.Exec(context.Background(), script); err != nil {
			t.Fatal(err)
		}
	}
	set := func(table string, s watermark.Strategy) {
		t.Helper()
		if err := e.SetWatermarks(table, s); err != nil {
			t.Fatal(err)
		}
	}
	const create = "CREATE TABLE a (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')"
	has := func(table string) bool {
		t.Helper()
		return strings.Contains(explained(t, e, &out, "SELECT * FROM "+table), "(program)")
	}
	exec(create)
	set("`default_catalog`.default_database.a", watermark.Monotonous())
	exec("CREATE VIEW v AS SELECT * FROM a; CREATE TABLE b LIKE a")
	if !has("a") || !has("v") || has("b") {
		t.Error("not the table, not a view of it, or one like it")
	}
	exec("DROP VIEW v; ALTER TABLE a SET ('rows-per-second' = '3'); ALTER TABLE a RENAME TO c")
	if !has("c") {
		t.Error("an altered table has lost it")
	}
	set("c", watermark.Strategy{})
	if has("c") {
		t.Error("it was not taken back")
	}
	set("c", watermark.Monotonous())
	exec("DROP TABLE c; " + create)
	if has("a") {
		t.Error("another table of that name has it")
	}
}

func TestSetWatermarksErrors(t *testing.T) {
	e := Open(Options{})
	err := e.Exec(context.Background(), `
		CREATE TABLE clicks (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
		CREATE TABLE plain (id BIGINT) WITH ('connector' = 'datagen');
		CREATE TABLE by_id (id BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'watermark.dimension' = 'id');
		CREATE VIEW v AS SELECT * FROM clicks`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		table string
		s     watermark.Strategy
		code  string
		want  string
	}{
		{"click", watermark.Monotonous(), "unknown-table", "did you mean 'clicks'?"},
		{"clicks s", watermark.Monotonous(), "syntax", "table:1:8"},
		{"v", watermark.Monotonous(), "unknown-table", "is a view"},
		{"plain", watermark.Monotonous(), "time-attribute", "WATERMARK FOR"},
		{"by_id", watermark.Monotonous(), "option", "not made by value"},
		{"clicks", watermark.BoundedOutOfOrderness(-time.Second), "option", "less than 0 out of order"},
		{"clicks", watermark.Strategy{Emission: watermark.OnEvent{}}, "option", "a gap of 0 rows"},
		{"clicks", watermark.Strategy{Emission: watermark.AtEnd{}}, "option", "sql.snapshot.mode"},
		{"clicks", watermark.Strategy{Idleness: watermark.Progressive{From: 1, To: 2}}, "option", "a Fixed one"},
		{"clicks", watermark.Strategy{Idleness: watermark.Stepped{Timeout: 1000, Step: 1000}}, "option", "Granular"},
		{"clicks", watermark.Strategy{Dimension: &watermark.Dimension{}}, "option", "watermark.dimension"},
		{"clicks", watermark.Strategy{Emission: watermark.Periodic{}, Candidates: watermark.Lookahead{}}, "option", "'watermark.generator' = 'lookahead'"},
		{"clicks", watermark.Strategy{Tick: 7}, "option", "a tick of"},
		{"clicks", watermark.Strategy{Alignment: watermark.Alignment{Drift: 1000}}, "option", "needs a group"},
	} {
		err := e.SetWatermarks(c.table, c.s)
		var fault *Error
		if !errors.As(err, &fault) || fault.Code() != c.code || !strings.Contains(fault.Render(), c.want) {
			t.Errorf("%s, %s: %v", c.table, c.want, err)
		}
	}
}

// broken is a generator with a bug.
type broken struct{}

func (broken) OnEvent(watermark.Event, watermark.Output) { panic("a bug of the program") }

func (broken) OnPeriodic(watermark.Output) {}

// A generator that panics stops its statement and nothing else.
func TestGeneratorThatPanics(t *testing.T) {
	e := Open(Options{})
	ctx := context.Background()
	err := e.Exec(ctx, "CREATE TABLE a (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json')")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetWatermarks("a", watermark.FromGenerator("broken", func() watermark.Generator { return broken{} })); err != nil {
		t.Fatal(err)
	}
	var stopped *RunError
	if _, err := e.Query(ctx, "SELECT who FROM a", nil); !errors.As(err, &stopped) || !strings.Contains(err.Error(), "a bug of the program") {
		t.Errorf("ended with %v", err)
	}
	if _, err := e.Query(ctx, "SELECT who FROM a /*+ OPTIONS('watermark.generator' = 'expression') */", nil); err != nil {
		t.Error(err)
	}
}
