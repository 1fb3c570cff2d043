package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// waning ends when it has been asked left times whether it has, so that a test can end what is planned at each place where that is looked at.
type waning struct {
	context.Context
	left int
}

func (w *waning) Err() error {
	if w.left--; w.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestPlanningEnds ends the context of a statement at every place where planning looks at it: the error is that of the context, without a place in the text, nothing is declared, and the statement runs when it is
// executed again.
func TestPlanningEnds(t *testing.T) {
	const tables = `CREATE TABLE s (a INT, b STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '1');
		CREATE TABLE hole (a INT) WITH ('connector' = 'blackhole');
		CREATE VIEW v AS SELECT a + 1 AS a, b FROM s WHERE a BETWEEN 1 AND 2 OR b LIKE 'x%';`
	for name, text := range map[string]string{
		"SELECT":        "SELECT CASE WHEN x.a IN (1, 2) THEN UPPER(x.b) ELSE CAST(x.a AS STRING) END FROM v AS x JOIN s AS y ON x.a = y.a AND NULLIF(x.a, 2) > 0 ORDER BY x.a LIMIT 3",
		"GROUP BY":      "SELECT window_end, COUNT(*) FILTER (WHERE a > 1) AS n, SUM(a * 2) FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end HAVING SUM(a * 2) > 1",
		"OVER":          "SELECT a, SUM(a) OVER (PARTITION BY b ORDER BY ts) FROM s WHERE a > 1",
		"WITH":          "WITH q AS (SELECT a FROM v), r AS (VALUES (1 + 1), (2)) SELECT * FROM q UNION ALL SELECT * FROM r",
		"INSERT":        "INSERT INTO hole SELECT a FROM v",
		"set":           "EXECUTE STATEMENT SET BEGIN INSERT INTO hole SELECT a FROM v; INSERT INTO hole SELECT a FROM s; END",
		"table as":      "CREATE TABLE made WITH ('connector' = 'blackhole') AS SELECT a + 1 AS a FROM v",
		"view":          "CREATE VIEW made AS SELECT a + 1 AS a FROM v",
		"EXPLAIN":       "EXPLAIN SELECT a + 1 FROM v",
		"YQL":           "$q = (SELECT a * 2 AS a FROM s WHERE b LIKE 'x%'); SELECT ListMap(AsList(1, 2), ($x) -> ($x + a)) AS l, IF(a IN (1, 2), 'x'u, 'y'u) AS i FROM $q AS q",
		"YQL GROUP BY":  "SELECT b, SUM(a + 1) AS n, COUNT_IF(a > 1) AS c FROM s GROUP BY b HAVING SUM(a + 1) > 3",
		"YQL INSERT":    "INSERT INTO hole SELECT a FROM s WHERE $f(a) > 1",
		"YQL constants": "SELECT Just(1) AS j, ToDict(AsList((1, 'x'))) AS d, DateTime::FromSeconds(1u) AS t",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(text, "$f") {
				text = "$f = ($x) -> ($x + 1); " + text
			}
			as := language.SQL
			if strings.HasPrefix(name, "YQL") {
				as = language.YQL
			}
			e := New(Options{Connectors: []connector.Connector{datagen.Connector, blackhole.Connector}})
			run := func(ctx context.Context, body string, as language.Language) error {
				in := source.Text{Name: "x", Body: body}
				all, err := language.Parse(in, as)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range all {
					if _, err := e.Execute(ctx, in, s); err != nil {
						return err
					}
				}
				return nil
			}
			if err := run(t.Context(), tables, language.SQL); err != nil {
				t.Fatal(err)
			}
			for n := 0; ; n++ {
				before := len(e.Names())
				err := run(&waning{t.Context(), n}, text, as)
				if err == nil {
					if n < 4 {
						t.Errorf("it was asked %d times whether to go on", n)
					}
					return
				}
				var placed *source.Error
				if errors.As(err, &placed) || !errors.Is(err, context.Canceled) {
					t.Fatalf("after %d times: %v", n, err)
				}
				if len(e.Names()) != before {
					t.Fatalf("after %d times there is %v", n, e.Names())
				}
				if n%5 == 0 && name != "table as" && name != "view" {
					if err := run(t.Context(), text, as); err != nil {
						t.Fatalf("and then: %v", err)
					}
				}
			}
		})
	}
}

// TestPlanningLooksWhetherItEnded plans texts in which one thing stands a hundred times: what is planned of it can be ended as often.
func TestPlanningLooksWhetherItEnded(t *testing.T) {
	const n = 100
	for name, text := range map[string]string{
		"expressions":         "SELECT " + strings.Repeat("1 + 1, ", n) + "1",
		"queries":             strings.Repeat("SELECT 1 AS a UNION ALL ", n) + "SELECT 1 AS a",
		"statements of a set": "CREATE TABLE hole (a INT) WITH ('connector' = 'blackhole'); EXECUTE STATEMENT SET BEGIN " + strings.Repeat("INSERT INTO hole VALUES (1); ", n) + "END",
		"expressions of YQL":  "--!syntax_v1\nSELECT AsList(" + strings.Repeat("1 + 1, ", n) + "1) AS l",
		"queries of YQL":      "--!syntax_v1\n" + strings.Repeat("SELECT 1 AS a UNION ALL ", n) + "SELECT 1 AS a",
		"definitions":         strings.Repeat("$a = 1 + 1; ", n) + "SELECT $a AS a",
		"applications of YQL": "$f = ($x) -> ($x + 1); SELECT " + strings.Repeat("$f(", n) + "1" + strings.Repeat(")", n) + " AS a",
	} {
		t.Run(name, func(t *testing.T) {
			as := language.Auto
			if strings.HasPrefix(text, "--!syntax") {
				as = language.YQL
			}
			in := source.Text{Name: "x", Body: text}
			all, err := language.Parse(in, as)
			if err != nil {
				t.Fatal(err)
			}
			e := New(Options{Connectors: []connector.Connector{blackhole.Connector}})
			ctx := &waning{t.Context(), 1 << 30}
			for _, s := range all {
				if _, err := e.Execute(ctx, in, s); err != nil {
					t.Fatal(err)
				}
			}
			if asked := 1<<30 - ctx.left; asked < n {
				t.Errorf("it was asked %d times", asked)
			}
		})
	}
}
