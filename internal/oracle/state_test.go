package oracle

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/compile"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// stateful are queries that have, between them, every operator that has state, over two tables of rows and one of upserts.
var stateful = []string{
	"SELECT k, COUNT(*), SUM(DISTINCT k), LAST_VALUE(s), LISTAGG(s) FROM a GROUP BY k",
	"SELECT COUNT(*) FROM a",
	"SELECT k, window_end, COUNT(*), MAX(s) FROM HOP(TABLE a, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND) GROUP BY window_start, window_end, k",
	"SELECT k, window_end, COUNT(*) FROM SESSION(TABLE a PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND) GROUP BY window_start, window_end, k",
	"SELECT k, s, window_end FROM TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '20' SECOND) QUALIFY ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY k) <= 2",
	"SELECT k, s FROM a QUALIFY ROW_NUMBER() OVER (PARTITION BY s ORDER BY k) <= 2",
	"SELECT k, SUM(k) OVER (PARTITION BY s ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM a",
	"SELECT k, COUNT(*) OVER (PARTITION BY s ORDER BY ts RANGE BETWEEN INTERVAL '5' SECOND PRECEDING AND CURRENT ROW) FROM a",
	"SELECT k, LAG(k) OVER (PARTITION BY s ORDER BY ts) FROM a",
	"SELECT a.k, b.s FROM a FULL JOIN b ON a.k = b.k",
	"SELECT a.k, a.s FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE a.k = b.k)",
	"SELECT a.k, b.s FROM a FULL JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts + INTERVAL '20' SECOND",
	`SELECT a.k, b.s FROM (SELECT * FROM TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '20' SECOND)) AS a FULL JOIN (SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '20' SECOND)) AS b
	ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end`,
	"SELECT a.k, u.s FROM a LEFT JOIN u FOR SYSTEM_TIME AS OF a.ts ON a.k = u.k",
	"SELECT * FROM a MATCH_RECOGNIZE (PARTITION BY s ORDER BY ts MEASURES FIRST(x.k) AS f, LAST(y.k) AS l, COUNT(y.k) AS n PATTERN (x y+? z) WITHIN INTERVAL '1' MINUTE DEFINE x AS x.k > 0, y AS y.k >= x.k, z AS z.k < 0)",
	"SELECT k FROM a EXCEPT ALL SELECT k FROM b",
	"SELECT k, s, ts FROM a ORDER BY ts",
	"SELECT k FROM a LIMIT 50",
	"SELECT k, s FROM u",
	"SET 'sql.snapshot.mode' = 'now'; SELECT k, COUNT(*) AS n FROM a GROUP BY k ORDER BY n",
	"PRAGMA SimpleColumns; SELECT a.k AS k, b.s AS s FROM a LEFT JOIN b ON a.k = b.k",
	`PRAGMA SimpleColumns; SELECT s, COUNT(*) AS n, MAX(k) AS m FROM a GROUP BY s, HOP(ts, "PT5S", "PT10S", "PT5S")`,
}

// holder is an operator with state, and what it held in the middle of a run.
type holder struct {
	query string
	make  func() dataflow.Stateful
	held  []byte
}

// holders runs the stateful queries a bit and saves them.
func holders(t testing.TB) []holder {
	tables := []*table{heldTable("a", ""), heldTable("b", ""), heldTable("u", "upsert")}
	var all []holder
	for _, query := range stateful {
		m := &memory{tables: map[string]*memoryTable{}}
		body := ""
		for _, x := range tables {
			body += x.sql()
			m.tables[x.name] = &memoryTable{splits: x.splits, changelog: changelogs[x.changelog]}
		}
		q, err := prepareText(body+query, m)
		if err != nil {
			t.Fatalf("%s: %s", query, err)
		}
		x := &execution{query: q, memory: m, way: way{workers: 1, tasks: 1, batchRows: 3}, clock: newStoppedClock(), sink: &rowSink{schema: q.Schema()}}
		if _, err := x.crash(context.Background(), crash{kept: 8}); err != nil {
			t.Fatalf("%s: %s", query, err)
		}
		graph, err := compile.Graph([]compile.Output{{Root: q.Plans[0].Root, Sink: x.sink}}, compile.Options{Parallelism: 1, Zone: time.UTC,
			Open: func(s *plan.Scan, _ []int) (connector.Source, error) { return &memorySource{memory: m}, nil }})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range graph.Fragments {
			for _, spec := range f.Chain {
				if _, ok := spec.New().(dataflow.Stateful); ok {
					all = append(all, holder{query, func() dataflow.Stateful { return spec.New().(dataflow.Stateful) }, x.saved.Operators[spec.ID].Parts[0]})
					found = true
				}
			}
		}
		if !found {
			t.Errorf("%s has no state", query)
		}
	}
	return all
}

// heldTable has rows whose times go back and forth; every second one of upserts ends a row.
func heldTable(name, changelog string) *table {
	x := &table{name: name, rowtime: "ts", watermark: "ts - INTERVAL '3' SECOND", changelog: changelog,
		columns: []column{{name: "k", typ: types.BigIntType}, {name: "s", typ: types.StringType}, {name: "ts", typ: types.TimestampType}}}
	var chunks [][]Row
	for i := range int64(12) {
		row := Row{{Int: i*i%5 - 1}, {Text: []string{"", "x", "a long string beyond any inline limit"}[i%3]}, {Int: (i + 3*(i%3)) * second}}
		switch {
		case changelog != "":
			x.key = []string{"k"}
			row = append(row, Value{Int: int64([]vector.Op{vector.Insert, vector.UpdateAfter, vector.Delete}[i%3])})
		case i == 4:
			row[0], row[1] = Value{Null: true}, Value{Null: true}
		}
		chunks = append(chunks, []Row{row})
	}
	x.splits = [][][]Row{chunks}
	return x
}

// everything is the owner of all keys.
func everything(uint64) bool { return true }

// hold wants an operator to refuse a state, or to take it and give back one that it takes for the same.
func hold(t *testing.T, h holder, held []byte) (taken bool) {
	t.Helper()
	if h.make().Restore([][]byte{held}, func(hash uint64) bool { return hash%2 == 0 }) != nil {
		return false
	}
	op := h.make()
	if op.Restore([][]byte{held}, everything) != nil {
		return false
	}
	said := op.Snapshot(nil)
	op = h.make()
	if err := op.Restore([][]byte{said}, everything); err != nil {
		t.Errorf("%s: %T took %x, and does not take what it made of it, %x: %s", h.query, op, held, said, err)
		return true
	}
	if again := op.Snapshot(nil); !bytes.Equal(said, again) {
		t.Errorf("%s: %T makes %x of %x", h.query, op, again, said)
	}
	return true
}

// TestStates changes every byte of every state, and leaves out and adds some.
func TestStates(t *testing.T) {
	kinds := map[string]bool{}
	for _, h := range holders(t) {
		kinds[strings.TrimPrefix(fmt.Sprintf("%T", h.make()), "*operator.")] = true
		if !hold(t, h, h.held) {
			t.Errorf("%s: %T refuses its own state", h.query, h.make())
		}
		for n := range h.held {
			if hold(t, h, h.held[:n]) {
				t.Errorf("%s: %T takes %d of %d bytes for its state", h.query, h.make(), n, len(h.held))
			}
		}
		if hold(t, h, append(slices.Clip(h.held), 0)) {
			t.Errorf("%s: %T takes a byte too many for its state", h.query, h.make())
		}
		for i := range h.held {
			for _, x := range []byte{0, 1, 2, 0x7F, 0x80, 0xFF} {
				changed := slices.Clone(h.held)
				changed[i] = x
				hold(t, h, changed)
			}
		}
	}
	for _, name := range restored(t) {
		if !kinds[name] {
			t.Errorf("no state of a %s is tried", name)
		}
	}
}

// restored are the operators that have state, by the text of their package.
func restored(t *testing.T) []string {
	method := regexp.MustCompile(`(?m)^func \(\w+ \*(\w+)\) Restore\(parts`)
	files, err := filepath.Glob("../operator/*_state.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no operators", err)
	}
	var names []string
	for _, file := range append(files, "../operator/limit.go") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range method.FindAllStringSubmatch(string(text), -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// FuzzState does so with any bytes.
func FuzzState(f *testing.F) {
	all := holders(f)
	for i, h := range all {
		f.Add(uint8(i), h.held)
	}
	f.Fuzz(func(t *testing.T, i uint8, held []byte) { hold(t, all[int(i)%len(all)], held) })
}
