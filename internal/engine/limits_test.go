package engine

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// nested is an operand inside of so many openings and closings.
func nested(n int, opening, operand, closing string) string {
	return strings.Repeat(opening, n) + operand + strings.Repeat(closing, n)
}

func listed(n int, item string) string { return joined(n, item, ", ") }

func joined(n int, item, separator string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(item, i)
	}
	return strings.Join(items, separator)
}

// Short statements that come to very much are refused, wherever the doubling is.
func TestStatementsThatGrow(t *testing.T) {
	const table = "CREATE TABLE w (a INT, ok BOOLEAN) WITH ('connector' = 'datagen')"
	many := "CREATE TABLE many (" + listed(64, "c%d INT") + ") WITH ('connector' = 'datagen')"
	for _, c := range []struct{ query, want string }{
		{"SELECT " + nested(120, "NULLIF(", "a", ", 1)") + " FROM w", "more than 1000000 operations"},
		{"SELECT " + nested(120, "CASE ", "a", " WHEN 1 THEN 2 WHEN 2 THEN 3 END") + " FROM w", "more than 1000000 operations"},
		{"SELECT " + nested(120, "(", "ok", " BETWEEN FALSE AND TRUE)") + " FROM w", "more than 1000000 operations"},
		{"SELECT " + nested(120, "(", "ok", " BETWEEN SYMMETRIC FALSE AND TRUE)") + " FROM w", "more than 1000000 operations"},
		{"SELECT " + nested(120, "(", "ok", " NOT IN (FALSE, ok, NULL))") + " FROM w", "more than 1000000 operations"},
		{"SELECT x FROM " + nested(40, "(SELECT ROW(x, x) AS x FROM ", "(SELECT a AS x FROM w)", ")"), "more than 20000 parts"},
		{"SELECT x FROM " + nested(40, "(SELECT MAP[1, ROW(x, x)] AS x FROM ", "(SELECT a AS x FROM w)", ")"), "more than 20000 parts"},
		{"SELECT COUNT(*) FROM many GROUP BY ROLLUP (" + listed(64, "c%d") + ")", "takes 63 at most"},
		{"SELECT GROUPING(" + strings.Repeat("c0, ", 63) + "c0) FROM many GROUP BY CUBE (c0)", "has a bit for 63"},
		{"SELECT " + nested(100, "NULLIF(", "a", "") + strings.Repeat(", 1)", 100) + " FROM w WHERE a = 1", "more than 1000000 operations"},
	} {
		e := newEngine(t)
		for _, ddl := range []string{table, many} {
			if _, err := execute(e, source.Text{Name: "q.sql", Body: ddl}); err != nil {
				t.Fatal(render(err))
			}
		}
		_, err := execute(e, source.Text{Name: "q.sql", Body: c.query})
		if placed := (*source.Error)(nil); !errors.As(err, &placed) || placed.Code != "too-large" || !strings.Contains(placed.Message, c.want) {
			t.Errorf("%.60s…: %v, want %q", c.query, err, c.want)
		}
	}
}

// Long statements that come to no more than they say are planned.
func TestLongStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("plans 2,000 columns many times over")
	}
	e := newEngine(t)
	if _, err := execute(e, source.Text{Name: "q.sql", Body: "CREATE TABLE w (" + listed(2000, "c%d INT") + ") WITH ('connector' = 'datagen')"}); err != nil {
		t.Fatal(render(err))
	}
	for _, query := range []string{
		"SELECT * FROM w",
		"SELECT " + listed(2000, "c%[1]d + 1 AS d%[1]d") + " FROM w",
		"SELECT c0 FROM w WHERE c0 IN (" + listed(10_000, "%d") + ")",
		"SELECT c0 FROM w WHERE " + joined(10_000, "c0 = %[1]d", " OR "),
		"SELECT " + joined(10_000, "c0 <> %[1]d", " AND ") + " FROM w",
		"SELECT CASE c0 " + strings.ReplaceAll(listed(5000, "WHEN %[1]d THEN %[1]d"), ",", "") + " END FROM w",
		"SELECT MAP[" + listed(10_000, "%[1]d, %[1]d") + "] FROM w",
		strings.Repeat("SELECT c0 FROM w INTERSECT ", 200) + "SELECT c1 FROM w",
		strings.Repeat("SELECT c0 FROM w UNION ", 200) + "SELECT c1 FROM w",
		"SELECT " + nested(480, "ABS(", "c0", ")") + " FROM w",
	} {
		if _, err := execute(e, source.Text{Name: "q.sql", Body: query}); err != nil {
			t.Errorf("%.60s…: %.500s", query, render(err))
		}
	}
}

// The memory that planning takes grows as the statement does, wherever it is long.
func TestLongStatementsTakeWhatTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("plans statements of a thousand items")
	}
	e := newEngine(t)
	if _, err := execute(e, source.Text{Name: "q.sql", Body: "CREATE TABLE w (a INT, s STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')"}); err != nil {
		t.Fatal(render(err))
	}
	const few, times = 250, 4
	for _, query := range []func(n int) string{
		func(n int) string { return "SELECT a FROM w WHERE " + joined(n, "a = %d", " OR ") },
		func(n int) string { return "SELECT a FROM w WHERE " + joined(n, "a <> %d", " AND ") },
		func(n int) string { return "SELECT " + joined(n, "a <> %d", " AND ") + " FROM w" },
		func(n int) string {
			return "SELECT a FROM w WHERE " + joined(n, "(a = %[1]d AND s <> '%[1]d')", " OR ")
		},
		func(n int) string {
			return "SELECT 1 FROM w AS l JOIN w AS r ON " + joined(n, "l.a = r.a + %d", " OR ")
		},
		func(n int) string { return "SELECT a FROM w WHERE a NOT IN (" + listed(n, "%d") + ")" },
		func(n int) string { return "SELECT a FROM w WHERE a IN (" + listed(n, "a + %d") + ")" },
		func(n int) string {
			return "SELECT CASE " + joined(n, "WHEN a = %[1]d THEN 'x%[1]d'", " ") + " END FROM w"
		},
		func(n int) string { return "SELECT COALESCE(" + listed(n, "a + %d") + ") FROM w" },
		func(n int) string { return "SELECT ARRAY[" + listed(n, "a + %d") + "] FROM w" },
		func(n int) string { return "SELECT " + listed(n, "SUM(a + %d)") + " FROM w" },
		func(n int) string {
			return "SELECT " + listed(n, "SUM(a + %d) OVER x") + " FROM w WINDOW x AS (ORDER BY ts)"
		},
		func(n int) string { return "SELECT a FROM w WINDOW " + listed(n, "x%d AS (ORDER BY ts)") },
		func(n int) string {
			chain := "x0 AS (ORDER BY ts)"
			for i := 1; i < n; i++ {
				chain += fmt.Sprintf(", x%d AS (x%d)", i, i-1)
			}
			return fmt.Sprintf("SELECT SUM(a) OVER x%d FROM w WINDOW %s", n-1, chain)
		},
		func(n int) string { return "SELECT " + listed(n, "a + %[1]d AS c%[1]d") + " FROM w" },
		func(n int) string { return "SELECT * FROM (SELECT " + listed(n, "a + %[1]d AS c%[1]d") + " FROM w)" },
		func(n int) string { return "SELECT COUNT(*) FROM w GROUP BY " + listed(n, "a + %d") },
		func(n int) string { return "SELECT DISTINCT " + listed(n, "a + %d") + " FROM w" },
		func(n int) string {
			columns := "(SELECT " + listed(n, "a + %[1]d AS c%[1]d") + " FROM w)"
			return "SELECT 1 FROM " + columns + " AS l JOIN " + columns + " AS r USING (" + listed(n, "c%d") + ")"
		},
		func(n int) string {
			return "SELECT 1 FROM w GROUP BY GROUPING SETS (" + strings.Repeat("(a, s), ", n) + "(a))"
		},
		func(n int) string { return "WITH " + listed(n, "c%d AS (SELECT a FROM w)") + " SELECT * FROM c1" },
		func(n int) string { return joined(n, "SELECT a + %d FROM w", " UNION ALL ") },
		func(n int) string { return "SELECT " + strings.Repeat("s || ", n) + "s" + " FROM w" },
		func(n int) string { return "SELECT " + strings.Repeat("a + ", n) + "a" + " FROM w" },
		func(n int) string { return "SELECT ROW(" + listed(n, "a + %d") + ") FROM w" },
		func(n int) string { return "SELECT MAP[" + listed(n, "a + %d, s") + "] FROM w" },
		func(n int) string {
			return "SELECT a FROM w QUALIFY ROW_NUMBER() OVER (PARTITION BY " + listed(n, "a + %d") + " ORDER BY s) = 1"
		},
		func(n int) string {
			return "SELECT a FROM w QUALIFY " + joined(n, "ROW_NUMBER() OVER (PARTITION BY s ORDER BY a) <= 1 + %d", " AND ")
		},
		func(n int) string {
			return "CREATE TEMPORARY TABLE IF NOT EXISTS w2 (" + listed(n, "c%d INT") + ") WITH ('connector' = 'datagen')"
		},
		func(n int) string {
			return "CREATE TEMPORARY TABLE IF NOT EXISTS w2 (a INT, " + listed(n, "c%d AS a + 1") + ") WITH ('connector' = 'datagen')"
		},
		func(n int) string {
			return "SELECT COUNT(*) FROM w GROUP BY a HAVING " + joined(n, "SUM(a + %d) > 1", " OR ")
		},
		func(n int) string { return "SELECT * FROM (VALUES " + listed(n, "(%[1]d, 'x%[1]d')") + ") AS v (a, b)" },
	} {
		if short, long := planned(t, e, query(few)), planned(t, e, query(times*few)); long > 2*times*short {
			t.Errorf("%.80s…: %d bytes, and %d for a statement that is %d times as long", query(few), short, long, times)
		}
	}
}

// planned is how many bytes are allocated while query is planned.
func planned(t *testing.T, e *Engine, query string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := execute(e, source.Text{Name: "q.sql", Body: query}); err != nil {
		t.Fatalf("%.80s…: %.500s", query, render(err))
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
