package tidemark_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark"
)

// Changelogs of statements whose tasks update their results side by side are the same, row by row, whatever the parallelism: they are that of a single task.
func TestChangelogsInParallel(t *testing.T) {
	const table = `CREATE TABLE t (k INT, j INT, v BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '20000', 'rows-per-second' = '100000000',
  'fields.k.min' = '0', 'fields.k.max' = '500', 'fields.j.min' = '0', 'fields.j.max' = '30', 'fields.v.min' = '0', 'fields.v.max' = '3');`
	for _, query := range []string{
		"SELECT k, COUNT(*), SUM(v) FROM t GROUP BY k",
		"SELECT DISTINCT k, v FROM t",
		"SELECT n, COUNT(*), SUM(s) FROM (SELECT k, COUNT(*) AS n, SUM(v) AS s FROM t GROUP BY k) GROUP BY n",
		"SELECT m, COUNT(*) FROM (SELECT n, COUNT(*) AS m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) GROUP BY n) GROUP BY m",
		"SELECT x, COUNT(*) FROM (SELECT m, COUNT(*) AS x FROM (SELECT n, COUNT(*) AS m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) GROUP BY n) GROUP BY m) GROUP BY x",
		"SELECT COUNT(*), SUM(n) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k HAVING COUNT(*) > 3)",
		"SELECT j, n, COUNT(*) FROM (SELECT k, MAX(j) AS j, COUNT(*) AS n FROM t GROUP BY k) GROUP BY j, n",
	} {
		t.Run(query, func(t *testing.T) {
			want := changes(t, 1, table, query)
			for _, n := range []int{2, 3, 7} {
				got := changes(t, n, table, query)
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

// changes runs a query and lists its rows with their changes.
func changes(t *testing.T, parallelism int, table, query string) []string {
	t.Helper()
	ctx := context.Background()
	e := tidemark.Open(tidemark.Options{Parallelism: parallelism})
	if err := e.Exec(ctx, table); err != nil {
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
