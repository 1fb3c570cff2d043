package yql

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens/treetest"
)

// language is what treetest tests.
var language = treetest.Language{
	File: "q.yql",
	Parse: func(text source.Text) ([]treetest.Node, error) {
		script, err := Parse(text)
		if err != nil {
			return nil, err
		}
		return treetest.Nodes(script.Statements), nil
	},
	Expr:   func(text source.Text) (treetest.Node, error) { return ParseExpr(text) },
	Format: func(n treetest.Node) string { return Format(n) },
	Loose:  func(n treetest.Node) { treetest.Erase(n, func(b *Body) { b.Text = "" }) },
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
		{"$x ", "$x"},
		{" ($x) -> ($x) -- ", "($x) -> ($x)"},
		{"String::Strip(a) ", "String::Strip(a)"},
		{"f(a)(b) ", "f(a)(b)"},
		{"\"a\"u ", "\"a\"u"},
		{"@@a@@ ", "@@a@@"},
		{"Int64? ", "Int64?"},
		{"t.0 ", "t.0"},
	})
}

// TestBodyText checks that the text of a streaming query is kept to the byte.
func TestBodyText(t *testing.T) {
	const body = "\n  -- read\n  $x = SELECT `end` FROM t; ;\n  INSERT INTO o SELECT \"END DO\" FROM $x -- last\n"
	script, err := Parse(source.Text{Body: "CREATE STREAMING QUERY q AS DO BEGIN" + body + "END DO;"})
	if err != nil {
		t.Fatal(err)
	}
	got := script.Statements[0].(*CreateStreamingQuery).Body
	if got.Text != body || len(got.Statements) != 2 {
		t.Errorf("got %d statements and the text %q", len(got.Statements), got.Text)
	}
}

// TestDepth shows that deep and long texts are refused or read, never fatal.
func TestDepth(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"parentheses", "SELECT " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000)},
		{"open parentheses", "SELECT " + strings.Repeat("(", 100_000)},
		{"lists", "SELECT " + strings.Repeat("[", 100_000)},
		{"dicts", "SELECT " + strings.Repeat("{", 100_000)},
		{"structs", "SELECT " + strings.Repeat("<|a:", 100_000)},
		{"lambdas", "$f = " + strings.Repeat("($x) -> (", 100_000) + "1" + strings.Repeat(")", 100_000)},
		{"lambdas in braces", "$f = " + strings.Repeat("($x) -> { RETURN ", 100_000)},
		{"subqueries", strings.Repeat("SELECT * FROM (", 10_000) + "SELECT 1" + strings.Repeat(")", 10_000)},
		{"queries in parentheses", strings.Repeat("(", 10_000) + "SELECT 1" + strings.Repeat(")", 10_000)},
		{"signs", "SELECT " + strings.Repeat("- ", 100_000) + "1"},
		{"negations", "SELECT " + strings.Repeat("NOT ", 100_000) + "TRUE"},
		{"calls", "SELECT " + strings.Repeat("f(", 100_000) + strings.Repeat(")", 100_000)},
		{"calls of calls", "SELECT f" + strings.Repeat("(1)", 100_000)},
		{"coalesced", "SELECT a" + strings.Repeat(" ?? a", 100_000)},
		{"types", "SELECT CAST(a AS " + strings.Repeat("List<", 100_000) + "Int64"},
		{"optional types", "SELECT CAST(a AS Int64" + strings.Repeat("?", 100_000) + ")"},
		{"queries in queries", strings.Repeat("CREATE STREAMING QUERY q AS DO BEGIN ", 100_000)},
		{"groupings", "SELECT 1 FROM t GROUP BY " + strings.Repeat("ROLLUP (", 100_000) + "a"},
		{"a long sum", "SELECT 1" + strings.Repeat(" + 1", 100_000)},
		{"many elements", "SELECT a" + strings.Repeat("[1]", 100_000)},
		{"a long name", "SELECT a" + strings.Repeat(".a", 100_000)},
		{"many unions", "SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 100_000)},
		{"many joins", "SELECT 1 FROM a" + strings.Repeat(", a", 100_000)},
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

// TestReservedWords checks that each reserved word is a name in backticks, and not without.
func TestReservedWords(t *testing.T) {
	for word := range reservedWords {
		if _, err := ParseExpr(source.Text{Body: "`" + word + "`"}); err != nil {
			t.Errorf("`%s` is refused: %v", word, err)
		}
		e, err := ParseExpr(source.Text{Body: word})
		if _, column := e.(*ColumnRef); err == nil && column {
			t.Errorf("%s is reserved but read as a column", word)
		}
	}
}

// TestStatementsOfText cuts texts at the semicolons that end statements.
func TestStatementsOfText(t *testing.T) {
	const query = "CREATE STREAMING QUERY q AS DO BEGIN $x = 1; INSERT INTO o SELECT 1; END DO"
	for _, c := range []struct {
		text     string
		want     []string
		complete bool
	}{
		{"SELECT 1; SELECT 2 -- x;\n;", []string{"SELECT 1", "SELECT 2"}, true},
		{query + "; SELECT 1", []string{query, "SELECT 1"}, false},
		{"CREATE STREAMING QUERY q AS DO BEGIN $x = 1; ", []string{"CREATE STREAMING QUERY q AS DO BEGIN $x = 1;"}, false},
		{"$f = ($x) -> { $y = $x; RETURN $y; }; SELECT 1;", []string{"$f = ($x) -> { $y = $x; RETURN $y; }", "SELECT 1"}, true},
		{`$a = "b;c"; $d = @@e;f@@; $g = "\";"`, []string{`$a = "b;c"`, "$d = @@e;f@@", `$g = "\";"`}, false},
		{"DEFINE ACTION $a() AS SELECT 1; END DEFINE; DO $a()", []string{"DEFINE ACTION $a() AS SELECT 1; END DEFINE", "DO $a()"}, false},
		{" -- nothing\n", nil, true},
		{"SELECT \"open; x", []string{"SELECT \"open; x"}, false},
	} {
		text := source.Text{Name: "q.yql", Body: c.text}
		var got []string
		for _, at := range Statements(text) {
			got = append(got, text.Slice(at))
		}
		if !reflect.DeepEqual(got, c.want) || Complete(text) != c.complete {
			t.Errorf("%s\ngot  %q, %t\nwant %q, %t", c.text, got, Complete(text), c.want, c.complete)
		}
	}
}

// FuzzParse checks that no text panics and that whatever parses survives the way through its canonical form.
func FuzzParse(f *testing.F) {
	for _, input := range treetest.Inputs(f) {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, body string) {
		text := source.Text{Name: "fuzz", Body: body}
		at := 0
		for _, token := range Lexemes(text) {
			if token.Span.Start < at || token.Span.End < token.Span.Start || token.Span.End > len(body) {
				t.Fatalf("token at %v behind %d", token.Span, at)
			}
			at = token.Span.End
		}
		language.Fuzz(t, body)
	})
}
