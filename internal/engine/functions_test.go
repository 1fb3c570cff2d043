package engine

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestScalarExamples runs the example of every function as a statement, and reads back what a plan writes of it.
func TestScalarExamples(t *testing.T) {
	e := newEngine(t)
	for _, f := range function.Scalars {
		if got := value(t, e, "SELECT CAST("+f.Example+" AS STRING)"); got != f.ExampleResult {
			t.Errorf("%s: %s is %s, the row says %s", f.Name, f.Example, got, f.ExampleResult)
		}
		results, err := execute(e, source.Text{Name: "q.sql", Body: "SELECT " + f.Example})
		if err != nil {
			t.Fatal(render(err))
		}
		l, ok := results[0].Query.Bound[0].(*plan.Project).Exprs[0].(*expr.Literal)
		if !ok {
			continue
		}
		if again, err := selected(e, l.String()); err != nil || again != l.String() {
			t.Errorf("%s: %s is written as %s, which is read as %s, %v", f.Name, f.Example, l, again, err)
		}
	}
}

// TestAggregateExamples runs the example of every aggregate over one window of the values 1, 2, 2 and NULL, and that of every function before OVER.
func TestAggregateExamples(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	const rows = `{"x":1,"ts":"2026-01-01 00:00:00"}
{"x":2,"ts":"2026-01-01 00:00:01"}
{"x":2,"ts":"2026-01-01 00:00:02"}
{"x":null,"ts":"2026-01-01 00:00:03"}
`
	if err := os.WriteFile(path, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	table := "CREATE TABLE xs (x BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '" + path + "')"
	if _, err := execute(e, source.Text{Name: "q.sql", Body: table}); err != nil {
		t.Fatal(render(err))
	}
	for _, f := range function.Aggregates {
		got := value(t, e, "SELECT CAST("+f.Example+" AS STRING) FROM TUMBLE(TABLE xs, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end")
		if got != f.ExampleResult {
			t.Errorf("%s: %s is %s, the row says %s", f.Name, f.Example, got, f.ExampleResult)
		}
	}
	for _, f := range function.OverFunctions {
		got := value(t, e, "SELECT CAST(y AS STRING) FROM (SELECT ts, "+f.Example+" OVER (ORDER BY ts) AS y FROM xs) WHERE ts = TIMESTAMP '2026-01-01 00:00:03'")
		if got != f.ExampleResult {
			t.Errorf("%s: %s is %s, the row says %s", f.Name, f.Example, got, f.ExampleResult)
		}
	}
}

// value runs a query and gives its one value as text, or what is wrong.
func value(t *testing.T, e *Engine, query string) string {
	t.Helper()
	results, err := execute(e, source.Text{Name: "q.sql", Body: query})
	if err != nil {
		return render(err)
	}
	return only(t, results[0].Query)
}

// only runs a query that gives one row of one value.
func only(t *testing.T, q *Query) string {
	t.Helper()
	sink := &texts{schema: q.Schema()}
	job, err := q.Start(sink, 1, runtime.Options{Workers: 1})
	if err == nil {
		err = job.Run(context.Background())
	}
	switch {
	case err != nil:
		return render(err)
	case len(sink.got) != 1:
		t.Errorf("there are %d rows", len(sink.got))
		return ""
	}
	return sink.got[0]
}

// texts keeps the first column of the rows written to it, as text.
type texts struct {
	schema types.Schema
	got    []string
}

func (s *texts) Write(b *vector.Batch) error {
	for k := range b.Rows().Count() {
		s.got = append(s.got, string(valuefmt.Append(nil, s.schema[0].Type, b.Cols[0], b.Rows().At(k))))
	}
	return nil
}

func (s *texts) Flush() error { return nil }
func (s *texts) Close() error { return nil }
