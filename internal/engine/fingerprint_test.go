package engine

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// TestFingerprint: statements whose state means the same agree, all others differ.
func TestFingerprint(t *testing.T) {
	const table = "CREATE TABLE t (k BIGINT, v BIGINT, w STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');"
	const query = "SELECT window_end, k, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k"
	base := fingerprints(t, table+query)
	same := map[string]string{
		"other result columns": table + "SELECT k AS who, SUM(v) AS total, window_start FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k HAVING SUM(v) > 3",
		"through a view":       table + "CREATE VIEW x AS SELECT ts AS at_time, k AS who, v AS much FROM t; SELECT window_end, who, SUM(much) FROM TUMBLE(TABLE x, DESCRIPTOR(at_time), INTERVAL '10' SECOND) GROUP BY window_start, window_end, who",
		"other strategy":       "SET 'table.exec.source.rowtime-null-handling' = 'DROP';" + table + query,
	}
	for name, script := range same {
		if got := fingerprints(t, script); got != base {
			t.Errorf("%s: %s, not %s", name, got, base)
		}
	}
	other := map[string]string{
		"other size":      table + "SELECT window_end, k, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '20' SECOND) GROUP BY window_start, window_end, k",
		"other offset":    table + "SELECT window_end, k, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '1' SECOND) GROUP BY window_start, window_end, k",
		"other key":       table + "SELECT window_end, w, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, w",
		"other aggregate": table + "SELECT window_end, k, MAX(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k",
		"other argument":  table + "SELECT window_end, k, SUM(v + 1) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k",
		"distinct":        table + "SELECT window_end, k, COUNT(DISTINCT v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k",
		"a filter below":  table + "SELECT window_end, k, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND) WHERE v > 100 GROUP BY window_start, window_end, k",
		"other type":      "CREATE TABLE t (k BIGINT, v INT, w STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');" + query,
		"computed column": "CREATE TABLE t (k BIGINT, u BIGINT, v AS u * 2, w STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');" + query,
		"instants":        "CREATE TABLE t (k BIGINT, v BIGINT, w STRING, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'json');" + query,
	}
	seen := map[string]string{base: "the base"}
	for name, script := range other {
		got := fingerprints(t, script)
		if twin, there := seen[got]; there {
			t.Errorf("%s has the fingerprint of %s: %s", name, twin, got)
		}
		seen[got] = name
	}
}

// fingerprints is those of all aggregations of the last query of a script.
func fingerprints(t *testing.T, script string) string {
	t.Helper()
	text := source.Text{Name: "q.sql", Body: script}
	parsed, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	e := New(Options{Connectors: []connector.Connector{filesystem.Connector}})
	var last *Query
	for _, stmt := range parsed.Statements {
		r, err := e.Execute(t.Context(), text, stmt)
		if err != nil {
			t.Fatal(err)
		}
		last = r.Query
	}
	all := ""
	var walk func(n plan.Node)
	walk = func(n plan.Node) {
		if a, ok := n.(*plan.WindowAggregate); ok {
			all += plan.Fingerprint(a)
		}
		for _, c := range n.Children() {
			walk(c)
		}
	}
	walk(last.Plans[0].Root)
	return all
}
