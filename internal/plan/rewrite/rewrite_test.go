package rewrite

import (
	"slices"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const tables = `CREATE TABLE t (a BIGINT, b INT, s STRING, ts TIMESTAMP(3), c AS a + b, WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
CREATE TABLE u (a BIGINT, b INT, s STRING) WITH ('connector' = 'datagen');
CREATE TABLE v (a BIGINT, b INT, s STRING) WITH ('connector' = 'datagen');
`

// queries have every node, and columns that are unread, read twice, reordered and computed upon.
var queries = []string{
	"SELECT * FROM t",
	"SELECT s, a, a AS again FROM t",
	"SELECT 1 AS x FROM t",
	"SELECT a + 1 AS x FROM (SELECT b AS a, s FROM (SELECT * FROM t WHERE c > 1) WHERE s = 'x')",
	"SELECT x * x AS y, z FROM (SELECT a * 2 AS x, s || s AS z FROM t)",
	"SELECT x FROM (SELECT UPPER(s) AS x, x2 FROM (SELECT s, LOWER(s) AS x2 FROM t))",
	"VALUES (1, 'a'), (2, NULL)",
	"SELECT a FROM (SELECT s, a FROM t UNION ALL SELECT UPPER(s), b FROM t WHERE b > 1)",
	"SELECT s FROM (SELECT a, s FROM t UNION ALL SELECT a, s FROM (SELECT s, a FROM t) UNION ALL VALUES (CAST(1 AS BIGINT), 'x'))",
	"SELECT ts, window_start, a FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND)",
	"SELECT window_time AS w FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND)",
	"SELECT window_end, s, n FROM (SELECT s, window_end, SUM(a) AS m, COUNT(*) AS n, MIN(b) AS k FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, s)",
	"SELECT COUNT(*) AS n FROM (SELECT window_start, window_end, MAX(c) AS m FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '2' SECOND) GROUP BY window_start, window_end, b) GROUP BY window_start, window_end",
	"SELECT MAX(window_end) AS e, s || 'x' AS k FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, s || 'x' HAVING SUM(b) > 1",
	"SELECT a, window_end FROM SESSION(TABLE t PARTITION BY a, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY a, window_start, window_end",
	"SELECT window_end, SUM(m) AS m FROM TUMBLE(TABLE (SELECT window_time AS w, MAX(a) AS m, COUNT(s) AS k FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND) GROUP BY window_start, window_end, window_time), DESCRIPTOR(w), INTERVAL '2' SECOND) GROUP BY window_start, window_end",
}

func bound(t *testing.T, query string) plan.Node {
	t.Helper()
	text := source.Text{Name: "q.sql", Body: tables + query}
	script, err := sql.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	session := catalog.NewSession()
	b := bind.New(session, []connector.Connector{datagen.Connector}, text)
	last := len(script.Statements) - 1
	for _, create := range script.Statements[:last] {
		made, err := b.Table(create.(*sql.CreateTable))
		if err != nil {
			t.Fatal(err)
		}
		session.Put(made)
	}
	s, err := b.Query(script.Statements[last].(*sql.QueryStatement).Query)
	if err != nil {
		t.Fatal(err)
	}
	return s.Root
}

// rewritten applies all rules.
func rewritten(t *testing.T, root plan.Node) plan.Node {
	t.Helper()
	return allRewritten(t, []plan.Node{root})[0]
}

func allRewritten(t *testing.T, roots []plan.Node) []plan.Node {
	t.Helper()
	out, err := Plans(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRulesKeepTheResult applies every rule to plans of every kind: the columns of the result stay, and every node reads columns that its input has.
func TestRulesKeepTheResult(t *testing.T) {
	for _, query := range allQueries(t) {
		t.Run(query, func(t *testing.T) {
			n := bound(t, query)
			want := n.Columns()
			checkReads(t, n)
			for _, rule := range Rules {
				n = rule.Apply(n)
				if got := n.Columns(); !slices.Equal(got, want) {
					t.Errorf("%s changes the columns\n from %v\n   to %v\n%s", rule.Name, want, got, plan.Print(n))
				}
				checkReads(t, n)
			}
		})
	}
}

// TestRulesLeaveTheirInputAlone applies rules to a plan that goes on being used, as EXPLAIN of what was written does.
func TestRulesLeaveTheirInputAlone(t *testing.T) {
	for _, query := range allQueries(t) {
		n := bound(t, query)
		before := plan.Print(n)
		rewritten(t, n)
		if after := plan.Print(n); after != before {
			t.Errorf("%s\nwas\n%s\nand is\n%s", query, before, after)
		}
	}
}

// TestPruneIsThorough expects that pruning twice finds nothing more.
func TestPruneIsThorough(t *testing.T) {
	for _, query := range allQueries(t) {
		once := rewritten(t, bound(t, query))
		if twice := prune(once); plan.Print(twice) != plan.Print(once) {
			t.Errorf("%s\nonce:\n%s\ntwice:\n%s", query, plan.Print(once), plan.Print(twice))
		}
	}
}

// checkReads wants every reference of a node to be to a column of its input, of the type that it says.
func checkReads(t *testing.T, n plan.Node) {
	t.Helper()
	in := []plan.Column(nil)
	if c := n.Children(); len(c) > 0 {
		in = c[0].Columns()
	}
	column := func(what string, i int) {
		if i < 0 || i >= len(in) {
			t.Errorf("%s: %s is column %d of %d", plan.Describe(n), what, i, len(in))
		}
	}
	switch n := n.(type) {
	case *plan.Filter:
		checkExpr(t, n, n.Condition, in)
	case *plan.Project:
		for i, e := range n.Exprs {
			checkExpr(t, n, e, in)
			if !types.Same(e.Type(), n.Cols[i].Type) {
				t.Errorf("%s: column %d is %s and its expression %s", plan.Describe(n), i, n.Cols[i].Type, e.Type())
			}
		}
	case *plan.WindowAssign:
		column("the time", n.Time)
		if !in[n.Time].Rowtime {
			t.Errorf("%s: its time is no time attribute", plan.Describe(n))
		}
	case *plan.WindowAggregate:
		for _, k := range n.Keys {
			column("a key", k)
		}
		for _, a := range n.Aggregates {
			for _, c := range a.Reads() {
				column("an argument", c)
			}
		}
		if n.Attached() {
			column("the start", n.Start)
			column("the end", n.End)
			if in[n.Start].Edge != plan.StartEdge || in[n.End].Edge != plan.EndEdge {
				t.Errorf("%s: its windows are in columns that are no edges", plan.Describe(n))
			}
		} else {
			column("the time", n.Time)
			if !in[n.Time].Rowtime {
				t.Errorf("%s: its time is no time attribute", plan.Describe(n))
			}
		}
		if got, want := len(n.Cols), len(n.Keys)+len(n.Aggregates)+3; got != want {
			t.Errorf("%s has %d columns, want %d", plan.Describe(n), got, want)
		}
	case *plan.Union:
		for _, c := range n.Inputs {
			if got, want := plan.SchemaOf(c), plan.SchemaOf(n); !sameLayout(got, want) {
				t.Errorf("UNION ALL of %v has an input of %v", want, got)
			}
		}
	}
	for _, c := range n.Children() {
		checkReads(t, c)
	}
}

// sameLayout leaves out what needs no conversion, such as INT among BIGINT.
func sameLayout(a, b types.Schema) bool {
	return slices.EqualFunc(a, b, func(x, y types.Field) bool { return vector.KindOf(x.Type) == vector.KindOf(y.Type) })
}

func checkExpr(t *testing.T, n plan.Node, e expr.Expr, in []plan.Column) {
	t.Helper()
	if c, ok := e.(*expr.Column); ok {
		if c.Index >= len(in) {
			t.Errorf("%s: '%s' is column %d of %d", plan.Describe(n), c.Name, c.Index, len(in))
		} else if !types.Same(c.Type(), in[c.Index].Type) {
			t.Errorf("%s: '%s' is read as %s and is %s", plan.Describe(n), c.Name, c.Type(), in[c.Index].Type)
		}
	}
	for _, child := range e.Children() {
		checkExpr(t, n, child, in)
	}
}
