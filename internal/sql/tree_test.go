package sql

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens/treetest"
)

// language is what treetest tests.
var language = treetest.Language{
	File: "q.sql",
	Parse: func(text source.Text) ([]treetest.Node, error) {
		script, err := Parse(text)
		if err != nil {
			return nil, err
		}
		return treetest.Nodes(script.Statements), nil
	},
	Expr:   func(text source.Text) (treetest.Node, error) { return ParseExpr(text) },
	Format: func(n treetest.Node) string { return Format(n) },
	Beyond: func(t *testing.T, l treetest.Language, s treetest.Node) {
		quoted := FormatQuoted(s.(Statement))
		l.Same(t, s, quoted, func(n treetest.Node) { treetest.Erase(n, func(id *Ident) { id.Quoted = false }) })
	},
}

func TestStatements(t *testing.T)  { language.Statements(t) }
func TestExpressions(t *testing.T) { language.Expressions(t) }
func TestErrors(t *testing.T)      { language.Errors(t) }
func TestRoundTrip(t *testing.T)   { language.RoundTrip(t, 150) }
func BenchmarkParse(b *testing.B)  { language.Benchmark(b) }

// TestSpans shows which text a node's place covers.
func TestSpans(t *testing.T) {
	language.Spans(t, [][2]string{
		{"  a.b  ", "a.b"},
		{" ( a ) ", "a"},
		{"(a) + (b)", "(a) + (b)"},
		{"COUNT(*) FILTER (WHERE a) ", "COUNT(*) FILTER (WHERE a)"},
		{"(SELECT 1)", "(SELECT 1)"},
		{"NOT a /* x */", "NOT a"},
		{"x IS NOT NULL ", "x IS NOT NULL"},
		{"INTERVAL '1' DAY ", "INTERVAL '1' DAY"},
	})
}

// TestLiteralValues reads times and intervals into numbers.
func TestLiteralValues(t *testing.T) {
	const second = 1_000_000
	for _, c := range []struct {
		expr           string
		months, micros int64
	}{
		{"INTERVAL '0.001' SECOND", 0, 1_000},
		{"INTERVAL '10' MINUTES", 0, 600 * second},
		{"INTERVAL -'1.5' SECOND", 0, -1_500_000},
		{"INTERVAL - '-2' HOUR", 0, 7200 * second},
		{"INTERVAL '1 02:03:04.5' DAY TO SECOND", 0, (86400+2*3600+3*60+4)*second + 500_000},
		{"INTERVAL '1 02' DAY TO HOUR", 0, (86400 + 2*3600) * second},
		{"INTERVAL '61:02' MINUTE TO SECOND", 0, (61*60 + 2) * second},
		{"INTERVAL '1' WEEK", 0, 7 * 86400 * second},
		{"INTERVAL '-2-3' YEAR TO MONTH", -27, 0},
		{"INTERVAL '2' QUARTERS", 6, 0},
		{"DATE '1969-12-31'", 0, -86400 * second},
		{"TIME '00:00:01.5'", 0, 1_500_000},
		{"TIMESTAMP '1970-01-01 00:00:00.000001'", 0, 1},
		{"TIMESTAMP '1969-12-31 23:59:59.9'", 0, -100_000},
	} {
		e, err := ParseExpr(source.Text{Body: c.expr})
		if err != nil {
			t.Error(err)
			continue
		}
		var months, micros int64
		switch e := e.(type) {
		case *IntervalLit:
			months, micros = e.Months, e.Micros
		case *DatetimeLit:
			micros = e.Micros
		}
		if months != c.months || micros != c.micros {
			t.Errorf("%s is %d months and %d µs, want %d and %d", c.expr, months, micros, c.months, c.micros)
		}
	}
}

// TestDepth shows that deep and long texts are refused or read, never fatal.
func TestDepth(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"parentheses", "SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000)},
		{"open parentheses", "SELECT " + strings.Repeat("(", 100_000)},
		{"subqueries", strings.Repeat("SELECT * FROM (", 10_000) + "SELECT 1" + strings.Repeat(")", 10_000)},
		{"queries in parentheses", strings.Repeat("(", 10_000) + "SELECT 1" + strings.Repeat(")", 10_000)},
		{"signs", "SELECT " + strings.Repeat("- ", 100_000) + "1"},
		{"negations", "SELECT " + strings.Repeat("NOT ", 100_000) + "TRUE"},
		{"calls", "SELECT " + strings.Repeat("f(", 100_000) + strings.Repeat(")", 100_000)},
		{"types", "SELECT CAST(a AS " + strings.Repeat("ARRAY<", 100_000) + "INT"},
		{"explanations", strings.Repeat("EXPLAIN ", 100_000) + "SELECT 1"},
		{"groupings", "SELECT 1 FROM t GROUP BY " + strings.Repeat("ROLLUP (", 100_000) + "a"},
		{"joins in parentheses", "SELECT 1 FROM " + strings.Repeat("(", 100_000) + "a"},
		{"a long sum", "SELECT 1" + strings.Repeat(" + 1", 100_000)},
		{"many elements", "SELECT a" + strings.Repeat("[1]", 100_000)},
		{"a long name", "SELECT a" + strings.Repeat(".a", 100_000)},
		{"many unions", "SELECT 1" + strings.Repeat(" UNION SELECT 1", 100_000)},
		{"many joins", "SELECT 1 FROM a" + strings.Repeat(", a", 100_000)},
		{"array types", "SELECT CAST(a AS INT" + strings.Repeat(" ARRAY", 100_000) + ")"},
	} {
		t.Run(c.name, func(t *testing.T) { language.TooDeep(t, c.text) })
	}
	if _, err := Parse(source.Text{Body: "SELECT 1" + strings.Repeat(" + 1", 9_000)}); err != nil {
		t.Errorf("a sum of 9,000 numbers is refused: %v", err)
	}
	if _, err := Parse(source.Text{Body: "SELECT " + strings.Repeat("(", 400) + "1" + strings.Repeat(")", 400)}); err != nil {
		t.Errorf("400 parentheses are refused: %v", err)
	}
}

// TestReservedWords checks that each reserved word is a name in backticks and only there.
func TestReservedWords(t *testing.T) {
	for _, set := range []map[string]bool{reservedWords, callableWords} {
		for word := range set {
			if _, err := ParseExpr(source.Text{Body: "`" + word + "`"}); err != nil {
				t.Errorf("`%s` is refused: %v", word, err)
			}
			if _, err := Parse(source.Text{Body: "SELECT 1 AS " + word}); err == nil {
				t.Errorf("%s is reserved but accepted as an alias", word)
			}
		}
	}
}

// FuzzParse checks that no text panics and that whatever parses survives the way through its canonical form.
func FuzzParse(f *testing.F) {
	for _, input := range treetest.Inputs(f) {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, body string) {
		language.Fuzz(t, body)
	})
}
