package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

func find(t testing.TB, body string) []Finding {
	t.Helper()
	findings, err := Text(t.Context(), engine.New(engine.Options{Connectors: builtin.Connectors}), source.Text{Name: "q.sql", Body: body}, language.Auto)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

// brief is a finding as "name: what it stands under".
func brief(f Finding) string { return f.Code + ": " + f.Text.Slice(f.Span) }

const declarations = `CREATE TABLE t (a INT, b STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'none.jsonl', 'format' = 'json');
CREATE TABLE u (a INT, b STRING) WITH ('connector' = 'datagen');
CREATE TABLE sink (a INT, b STRING) WITH ('connector' = 'blackhole');
INSERT INTO sink (a, b) SELECT t.a, t.b FROM t WHERE t.a < 0;
SELECT u.a + 1 FROM u WHERE u.b > 'x';
`

// TestLints has for every lint SQL in which it is found, where, and SQL next to that in which it is not. The statements need not run.
func TestLints(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range []struct{ lint, body, at string }{
		{"window-bound-missing", "SELECT window_start, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) AS w GROUP BY a, w.window_start", "w.window_start"},
		{"window-bound-missing", "SELECT 1 FROM x WHERE FALSE GROUP BY window_end", "window_end"},
		{"window-bound-missing", "SELECT COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_end, window_start", ""},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')", "ts"},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '0.000' SECOND) WITH ('connector' = 'datagen')", "ts - INTERVAL '0.000' SECOND"},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts + INTERVAL '1' SECOND) WITH ('connector' = 'datagen')", "ts + INTERVAL '1' SECOND"},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts + INTERVAL -'1' SECOND) WITH ('connector' = 'datagen')", ""},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '0.001' SECOND) WITH ('connector' = 'datagen')", ""},
		{"watermark-without-delay", "CREATE TABLE v (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MONTH) WITH ('connector' = 'datagen')", ""},
		{"unbounded-state", "INSERT INTO sink SELECT * FROM (SELECT a, b, COUNT(*) FROM lost GROUP BY a, b)", "a, b"},
		{"unbounded-state", "SELECT DISTINCT a FROM lost", "SELECT"},
		{"unbounded-state", "SELECT t.a FROM t JOIN lost ON t.a = lost.a", "lost"},
		{"unbounded-state", "SELECT a FROM (SELECT lost.a FROM t LEFT JOIN lost USING (a))", "lost"},
		{"unbounded-state", "SELECT t.a FROM t JOIN lost ON t.a = lost.a AND t.ts BETWEEN lost.ts - INTERVAL '1' HOUR AND lost.ts", ""},
		{"unbounded-state", "SELECT t.a FROM t JOIN lost ON t.a = lost.a AND t.ts > lost.ts - INTERVAL '1' HOUR", "lost"},
		{"unbounded-state", "SELECT t.a FROM t, lost WHERE t.a = lost.a AND t.ts < lost.ts + INTERVAL '1' HOUR AND t.ts > lost.ts", ""},
		{"unbounded-state", "SELECT l.a FROM lost l JOIN lost r ON l.a = r.a AND l.window_start = r.window_start AND l.window_end = r.window_end", ""},
		{"unbounded-state", "SELECT e FROM lost CROSS JOIN UNNEST(lost.list) AS x (e)", ""},
		{"unbounded-state", "SELECT lost.a FROM lost JOIN rates FOR SYSTEM_TIME AS OF lost.ts ON lost.a = rates.a", ""},
		{"unbounded-state", "(SELECT a FROM t) EXCEPT (SELECT a FROM lost)", "EXCEPT"},
		{"unbounded-state", "SELECT a FROM t INTERSECT ALL SELECT a FROM lost", "INTERSECT ALL"},
		{"unbounded-state", "SELECT a FROM t UNION SELECT a FROM lost", "UNION"},
		{"unbounded-state", "SELECT a FROM t UNION ALL SELECT a FROM lost", ""},
		{"unbounded-state", "SELECT window_start FROM lost GROUP BY window_start, window_end", ""},
		{"unbounded-state", "SELECT DISTINCT 1", ""},
		{"unbounded-state", "SELECT * FROM lost MATCH_RECOGNIZE (ORDER BY ts MEASURES a.a AS a PATTERN (a b* c) DEFINE b AS b.a = 1, c AS c.a = 2)", "b*"},
		{"unbounded-state", "SELECT * FROM lost MATCH_RECOGNIZE (ORDER BY ts MEASURES a.a AS a PATTERN (a b* c) WITHIN INTERVAL '1' HOUR DEFINE b AS b.a = 1, c AS c.a = 2)", ""},
		{"unbounded-state", "SELECT * FROM lost MATCH_RECOGNIZE (ORDER BY ts MEASURES a.a AS a PATTERN (a b{2,9} c) DEFINE b AS b.a = 1, c AS c.a = 2)", ""},
		{"clock-dependent", "SELECT a FROM t WHERE ts > CAST(NOW() AS TIMESTAMP(3))", "NOW()"},
		{"clock-dependent", "SELECT CURRENT_DATE FROM lost", "CURRENT_DATE"},
		{"clock-dependent", "CREATE TABLE c (current_date INT) WITH ('connector' = 'datagen'); SELECT current_date FROM c", ""},
		{"clock-dependent", "SELECT UNIX_TIMESTAMP('2026-01-01 00:00:00') FROM lost", ""},
		{"star-into-sink", "INSERT INTO sink WITH w AS (SELECT * FROM u) SELECT w.* FROM w", "w.*"},
		{"star-into-sink", "INSERT INTO sink SELECT a, b FROM (SELECT * FROM u)", ""},
		{"insert-order", "INSERT INTO sink SELECT 'x' AS b, a FROM lost", "'x' AS b, a"},
		{"insert-order", "INSERT INTO sink (b, a) SELECT a, b FROM lost", "a, b"},
		{"insert-order", "INSERT INTO sink (b, a) SELECT b, a FROM lost", ""},
		{"insert-order", "INSERT INTO sink SELECT a AS x, b FROM lost", ""},
		{"insert-loop", "INSERT INTO sink SELECT a, b FROM sink", "sink"},
		{"insert-loop", "INSERT INTO sink SELECT a, b FROM u", ""},
		{"duplicate-insert", "INSERT INTO sink SELECT a, b FROM u; INSERT INTO sink SELECT a, b  FROM u", "INSERT INTO sink SELECT a, b  FROM u"},
		{"duplicate-insert", "INSERT INTO sink VALUES (1, 'x'); INSERT INTO sink VALUES (1, 'x')", ""},
		{"unused-table", "CREATE TABLE v (a INT) WITH ('connector' = 'datagen')", "v"},
		{"unused-table", "CREATE TABLE v (a INT) WITH ('connector' = 'datagen'); SELECT a FROM t WHERE EXISTS (SELECT 1 FROM v)", ""},
		{"setting-without-effect", "SET state.backend.type = rocksdb", "SET state.backend.type = rocksdb"},
		{"setting-without-effect", "SET 'parallelism.default' = '2'", ""},
		{"unbounded-state", "SELECT COUNT(*) FROM lost GROUP BY a, tumble(ts, INTERVAL '1' MINUTE)", ""},
		{"unused-view", "CREATE VIEW v AS SELECT a FROM t", "v"},
		{"unused-view", "CREATE VIEW v AS SELECT a FROM t; SELECT a FROM (TABLE v)", ""},
		{"unused-with", "WITH x AS (SELECT 1 AS a), y AS (SELECT a FROM x) SELECT a FROM t", "y"},
		{"unused-with", "WITH x AS (SELECT 1 AS a), y AS (SELECT a FROM x) SELECT a FROM y", ""},
		{"with-hides-table", "WITH t AS (SELECT a FROM u) SELECT a FROM t", "t"},
		{"with-hides-table", "WITH v AS (SELECT a FROM u) SELECT a FROM v", ""},
		{"alias-hides-column", "SELECT UPPER(b) AS b FROM t WHERE b = 'X'", "b"},
		{"alias-hides-column", "SELECT a + 1 AS a FROM lost GROUP BY a", "a"},
		{"alias-hides-column", "SELECT UPPER(b) AS b FROM t WHERE t.b = 'X'", ""},
		{"alias-hides-column", "SELECT t.b AS b FROM t WHERE b = 'X'", ""},
		{"null-comparison", "SELECT a FROM t WHERE NULL <> a", "NULL <> a"},
		{"null-comparison", "SELECT a FROM t WHERE a IN (1, NULL)", "NULL"},
		{"null-comparison", "SELECT CASE a WHEN NULL THEN 1 END FROM t", "NULL"},
		{"null-comparison", "SELECT CASE WHEN a IS NULL THEN NULL END FROM t", ""},
		{"not-in-query", "SELECT a FROM t WHERE a NOT IN (SELECT a FROM u)", "a NOT IN (SELECT a FROM u)"},
		{"not-in-query", "SELECT a FROM t WHERE a NOT IN (1, 2)", ""},
		{"like-without-wildcard", "SELECT a FROM t WHERE b NOT LIKE 'x'", "b NOT LIKE 'x'"},
		{"like-without-wildcard", "SELECT a FROM t WHERE b LIKE '_' OR b LIKE a OR b SIMILAR TO 'x'", ""},
		{"implicit-cross-join", "SELECT 1 FROM t AS x /* , */ , u WHERE x.a > 5", ","},
		{"implicit-cross-join", "SELECT 1 FROM t AS x, u WHERE x.a = u.a", ""},
		{"implicit-cross-join", "SELECT 1 FROM t CROSS JOIN u", ""},
		{"implicit-cross-join", "SELECT 1 FROM t, UNNEST(t.b)", ""},
		{"order-without-limit", "SELECT a FROM (SELECT a, b FROM lost ORDER BY a, b DESC)", "a, b DESC"},
		{"order-without-limit", "WITH x AS (SELECT a FROM lost ORDER BY a) SELECT a FROM x", "a"},
		{"order-without-limit", "WITH x AS (SELECT a FROM lost) SELECT a FROM x UNION ALL (SELECT a FROM lost ORDER BY 1)", "1"},
		{"order-without-limit", "SELECT a FROM (SELECT a FROM lost ORDER BY a LIMIT 5)", ""},
		{"order-without-limit", "SELECT a FROM lost ORDER BY a LIMIT 5", ""},
		{"limit-without-order", "SELECT a FROM lost LIMIT 5", "5"},
		{"limit-without-order", "SELECT a FROM lost ORDER BY a LIMIT 5", ""},
		{"interval-digits", "SELECT ts - INTERVAL '-100' SECOND FROM t", "INTERVAL '-100' SECOND"},
		{"interval-digits", "SELECT ts - INTERVAL '100' SECOND(3), ts - INTERVAL '0.180' SECOND, ts - INTERVAL '001 10:00:00.123' DAY TO SECOND(3) FROM t", ""},
		{"late-set", "SET 'parallelism.default' = '2'", "SET 'parallelism.default' = '2'"},
		{"late-set", "SET 'parallelism.default' = '2'; SELECT 1", ""},
		{"unknown-lint", "-- tidemark:ignore star-into-sinks\nSELECT 1", "star-into-sinks"},
		{"unknown-lint", "-- tidemark:ignore star-into-sink because of this\nSELECT 1", ""},
	} {
		tested[c.lint] = true
		var got []string
		text := source.Text{Name: "q.sql", Body: declarations + c.body}
		statements, errors := parse(text, language.Auto)
		if errors != nil {
			t.Fatal(errors)
		}
		for _, f := range lint(text, statements) {
			if f.Code == c.lint {
				got = append(got, f.Text.Slice(f.Span))
				if f.Severity == Error || f.Hint == "" {
					t.Errorf("%s: %+v", c.body, f)
				}
			}
		}
		if c.at == "" && got != nil || c.at != "" && !slices.Equal(got, []string{c.at}) {
			t.Errorf("%s in\n%s\nstands at %q, want %q", c.lint, c.body, got, c.at)
		}
	}
	for _, l := range Lints {
		if !tested[l.Name] && !isAdvised(l) {
			t.Errorf("%s is not tested", l.Name)
		}
	}
}

// TestIgnore silences lints for a statement and for no other.
func TestIgnore(t *testing.T) {
	const compare = "SELECT a FROM t WHERE a = NULL"
	for _, c := range []struct {
		body string
		want int
	}{
		{compare + ";\n" + compare, 2},
		{"-- tidemark:ignore null-comparison\n" + compare + ";\n" + compare, 1},
		{compare + ";\n-- tidemark:ignore null-comparison: it is a joke\n" + compare, 1},
		{compare + "; -- tidemark:ignore null-comparison\n" + compare, 1},
		{"SELECT a -- tidemark:ignore null-comparison, order-without-limit\nFROM t WHERE a = NULL", 0},
		{"/* tidemark:ignore null-comparison */ " + compare + "; " + compare, 1},
		{"-- tidemark:ignore order-without-limit\n" + compare, 1},
	} {
		n := 0
		for _, f := range find(t, declarations+c.body) {
			if f.Code == "null-comparison" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s\nis found %d times, want %d", c.body, n, c.want)
		}
	}
}

// TestAllErrors finds every error of a script, not only the first, and none that follows from another.
func TestAllErrors(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		{"SELEC é 1;\nSELECT x; SELECT 1 +; CREATE VIEW v AS SELECT 1 AS a; SELECT b FROM v", []string{"syntax: SELEC", "unknown-column: x", "syntax: ;", "unknown-column: b"}},
		{"CREATE TABLE `my t` (a INTT) WITH ('connector' = 'datagen'); SELECT a FROM `my t`; SELECT a FROM other", []string{"unsupported: INTT", "unknown-table: other"}},
		{"SELECT 1; SELECT 'é", []string{"syntax: '"}},
		{"SET 'x' = 'y'; SET 'parallelism.default' = 'many'", []string{"setting: 'x'", "setting: 'many'"}},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'datagen'); CREATE TABLE t (a INT) WITH ('connector' = 'datagen'); SELECT a FROM t", []string{"duplicate-name: t"}},
		{"", nil},
		{"-- nothing", nil},
	} {
		var got []string
		for _, f := range find(t, c.body) {
			if f.Severity == Error {
				got = append(got, brief(f))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\nhas %q, want %q", c.body, got, c.want)
		}
	}
}

// TestRefusedAnyway: where a statement is refused, no lint says something else about the same place.
func TestRefusedAnyway(t *testing.T) {
	findings := find(t, declarations+"SELECT a FROM t WHERE nowhere = NULL")
	if len(findings) != 1 || findings[0].Severity != Error {
		t.Errorf("got %v", findings)
	}
}

// TestOrder: findings come in the order of the script, and errors first where they meet.
func TestOrder(t *testing.T) {
	findings := find(t, declarations+"SELECT c FROM t WHERE a = NULL; SELECT a FROM t WHERE b LIKE 'x' AND a = NULL; SELECT x")
	if !slices.IsSortedFunc(findings, func(a, b Finding) int { return a.Span.Start - b.Span.Start }) || len(findings) != 5 {
		t.Errorf("got %v", findings)
	}
}

func ExampleFinding_Render() {
	e := engine.New(engine.Options{Connectors: builtin.Connectors})
	findings, _ := Text(context.Background(), e, source.Text{Name: "q.sql", Body: "SELECT 1 WHERE 1 = NULL"}, language.Auto)
	fmt.Print(strings.TrimSpace(findings[0].Render()))
	// Output:
	// warning [null-comparison]: a comparison with NULL is never true
	//   --> q.sql:1:16
	//    |
	//  1 | SELECT 1 WHERE 1 = NULL
	//    |                ^^^^^^^^
	//    = write IS NULL or IS NOT NULL
}

// FuzzText checks any text without a panic, and every finding can be drawn.
func FuzzText(f *testing.F) {
	f.Add(declarations)
	f.Add("-- tidemark:ignore x\nSELEC 1; WITH x AS (SELECT 1) SELECT a FROM t, u ORDER BY 1")
	f.Fuzz(func(t *testing.T, body string) {
		for _, found := range find(t, body) {
			if !strings.Contains(found.Render(), "^") {
				t.Errorf("no caret in %s", found.Render())
			}
		}
	})
}

// TestPassedOver: what a pipeline says about its spec when it runs is found before it does, where it stands.
func TestPassedOver(t *testing.T) {
	findings := find(t, `{computations: {read: {computation_class_name: TSwiftPassthroughOrderedSourceComputation, output_stream_ids: [s],
  sources: {q: {source_class_name: TQueueSource, parameters: {connector: datagen}}},
  watermark_strategy: {event_timestamp_assigner: {column: ts}, watermark_generator: {out_of_order_bound: 5s}},
  sinks: {out: {sink_class_name: TQueueSink, input_stream_ids: [s], parameters: {connector: print}}}}},
streams: {s: {schema: [{name: ts, type: timestamp}]}}}`)
	var got []string
	for _, f := range findings {
		if f.Code == engine.CodeNote {
			got = append(got, brief(f))
		}
		if f.Severity != Note {
			t.Error(f.Render())
		}
	}
	if !slices.Contains(got, "spec: out_of_order_bound") {
		t.Errorf("got %q", got)
	}
}
