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
	_, err = e.Query(ctx, "SELECT who FROM a", nil)
	if want := "the watermark generator of table 'a' (broken), code of the program, panicked: a bug of the program"; !errors.As(err, &stopped) || err.Error() != want {
		t.Fatalf("ended with %v, want %s", err, want)
	}
	if stopped.Class != ClassUser || !strings.Contains(stopped.Stack(), "broken.OnEvent") {
		t.Errorf("class %s, stack %s", stopped.Class, stopped.Stack())
	}
	if _, err := e.Query(ctx, "SELECT who FROM a /*+ OPTIONS('watermark.generator' = 'expression') */", nil); err != nil {
		t.Error(err)
	}
}

// silent is a generator that panics when it is asked by the clock, with an error of the program's.
type silent struct{}

var errSilent = errors.New("nothing to say")

func (silent) OnEvent(watermark.Event, watermark.Output) {}

func (silent) OnPeriodic(watermark.Output) { panic(errSilent) }

// Whatever the program brings along and however the engine calls it, a panic there is the program's.
func TestCodeThatPanics(t *testing.T) {
	const clicks = "CREATE TABLE a (who STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'docs/clicks.jsonl', 'format' = 'json');"
	for _, c := range []struct {
		name, script, want string
		make               func() watermark.Generator
		o                  Options
	}{
		{"the generator cannot be made", clicks + "SELECT who FROM a", "the watermark generator of table 'a' (mine), code of the program, panicked: no more", func() watermark.Generator { panic("no more") }, Options{}},
		{"no generator is made", clicks + "SELECT who FROM a", "the watermark generator of table 'a' (mine), code of the program, panicked: New returned nil", func() watermark.Generator { return nil }, Options{}},
		{"it panics with an error", clicks + "SELECT who FROM a", "the watermark generator of table 'a' (mine), code of the program, panicked: nothing to say", func() watermark.Generator { return silent{} }, Options{}},
		{"Stdin", "CREATE TABLE s (n INT) WITH ('connector' = 'stdin', 'format' = 'csv'); SELECT n FROM s", "Options.Stdin, code of the program, panicked: Read", nil, Options{Stdin: angry{}}},
		{"Stdout", clicks + "CREATE TABLE p (who STRING) WITH ('connector' = 'print'); INSERT INTO p SELECT who FROM a; SELECT who FROM a", "Options.Stdout, code of the program, panicked: Write", nil, Options{Stdout: angry{}}},
		{"Stdout by itself", clicks + "EXPLAIN SELECT who FROM a; SELECT who FROM a", "Options.Stdout, code of the program, panicked: Write", nil, Options{Stdout: angry{}}},
	} {
		e := Open(c.o)
		first, rest, _ := strings.Cut(c.script, ";")
		if err := e.Exec(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		if c.make != nil {
			if err := e.SetWatermarks("a", watermark.FromGenerator("mine", c.make)); err != nil {
				t.Fatal(err)
			}
		}
		var stopped *RunError
		_, err := e.Query(t.Context(), rest, nil)
		if !errors.As(err, &stopped) || stopped.Class != ClassUser || !strings.Contains(err.Error(), c.want) || stopped.Stack() == "" {
			t.Errorf("%s: ended with %v", c.name, err)
		}
		if _, ok := err.(*RunError); ok && c.name == "it panics with an error" && !errors.Is(err, errSilent) {
			t.Errorf("%s: the program's error is lost", c.name)
		}
	}
}

// angry is a Reader and a Writer with a bug.
type angry struct{}

func (angry) Read([]byte) (int, error) { panic("Read") }

func (angry) Write([]byte) (int, error) { panic("Write") }
