package tidemark_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark"
)

// Changelogs of statements whose tasks update their results side by side are the same, row by row, whatever the parallelism: they are that of a single task.
func TestChangelogsInParallel(t *testing.T) {
	tables := fmt.Sprintf(`CREATE TABLE t (k INT, j INT, v BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
CREATE TABLE u (k INT, w BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');`, randomRows(t, 20000, "k", 500, "j", 30, "v", 4), randomRows(t, 3000, "k", 700, "w", 4))
	for _, query := range []string{
		"SELECT t.k, v, w FROM t JOIN u ON t.k = u.k AND v = w",
		"SELECT x.k, n, m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) AS x FULL JOIN (SELECT k, SUM(w) AS m FROM u GROUP BY k) AS y ON x.k = y.k",
		"SELECT w, COUNT(*) FROM (SELECT t.j, w FROM (SELECT DISTINCT k, j FROM t) AS t LEFT JOIN u ON t.k = u.k) GROUP BY w",
		"SELECT x, COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) CROSS JOIN UNNEST(ARRAY[n, n + 1, n % 3]) AS u (x) GROUP BY x",
		"SELECT k, v FROM t WHERE k IN (SELECT k FROM u WHERE u.w = t.v)",
		"SELECT k, v FROM t WHERE NOT EXISTS (SELECT * FROM u WHERE u.k = t.k) AND v < 2",
		"SELECT k, j, (SELECT COUNT(*) FROM u WHERE u.k = t.j) AS n, (SELECT MAX(w) FROM u) AS m FROM t WHERE v = 1",
		"SELECT k, v FROM t INTERSECT SELECT k, w FROM u",
		"SELECT k, v FROM t EXCEPT ALL SELECT k, w FROM u",
		"SELECT k, COUNT(*) FROM (SELECT k, v FROM t UNION SELECT k, w FROM u) GROUP BY k",
		"SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k",
		"SELECT DISTINCT k, v FROM t",
		"SELECT n, COUNT(*), SUM(s) FROM (SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY k) GROUP BY n",
		"SELECT m, COUNT(*) FROM (SELECT n, COUNT(*) AS m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) GROUP BY n) GROUP BY m",
		"SELECT x, COUNT(*) FROM (SELECT m, COUNT(*) AS x FROM (SELECT n, COUNT(*) AS m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) GROUP BY n) GROUP BY m) GROUP BY x",
		"SELECT COUNT(*), SUM(n) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k HAVING COUNT(*) > 3)",
		"SELECT j, n, COUNT(*) FROM (SELECT k, MAX(j) AS j, COUNT(*) AS n FROM t GROUP BY k) GROUP BY j, n",
	} {
		t.Run(query, func(t *testing.T) {
			want := changes(t, 1, tables, query)
			for _, n := range []int{2, 3, 7} {
				got := changes(t, n, tables, query)
				if !slices.Equal(got, want) {
					at := 0
					for at < min(len(got), len(want)) && got[at] == want[at] {
						at++
					}
					t.Fatalf("%d tasks: %d rows, want %d; from row %d on: %v", n, len(got), len(want), at, got[at:min(at+3, len(got))])
				}
			}
			checkFolds(t, want)
		})
	}
}

// randomRows writes a file of n JSON lines with whole numbers: names, each with a number that it stays below. The numbers are the same in every run.
func randomRows(t *testing.T, n int, columns ...any) string {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), 7))
	var b strings.Builder
	for range n {
		for i := 0; i < len(columns); i += 2 {
			fmt.Fprintf(&b, `%c"%s":%d`, "{,"[min(i, 1)], columns[i], r.IntN(columns[i+1].(int)))
		}
		b.WriteString("}\n")
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// changes runs a query and lists its rows with their changes.
func changes(t *testing.T, parallelism int, tables, query string) []string {
	t.Helper()
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{Parallelism: parallelism})
	if err := e.Exec(ctx, tables); err != nil {
		t.Fatal(err)
	}
	var rows []string
	if _, err := e.Query(ctx, query, func(r tidemark.Row) error {
		cells := make([]string, r.Len())
		for i := range cells {
			cells[i] = r.Text(i)
		}
		rows = append(rows, fmt.Sprintf("%s %s", r.Op(), strings.Join(cells, ", ")))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return rows
}

// checkFolds wants every row that is taken back to be there.
func checkFolds(t *testing.T, rows []string) {
	t.Helper()
	there := map[string]int{}
	for i, row := range rows {
		op, values, _ := strings.Cut(row, " ")
		if op == "+I" || op == "+U" {
			there[values]++
			continue
		}
		if there[values]--; there[values] < 0 {
			t.Fatalf("row %d takes back %s, which is not there", i, values)
		}
	}
}
