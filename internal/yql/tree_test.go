package yql

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// eraseSpans sets every place in a tree to zero, and the text of bodies, so that trees can be compared.
func eraseSpans(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eraseSpans(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			eraseSpans(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Located]() {
			v.SetZero()
			return
		}
		if v.Type() == reflect.TypeFor[Body]() {
			v.FieldByName("Text").SetString("")
		}
		for i := range v.NumField() {
			eraseSpans(v.Field(i))
		}
	}
}

// eachSpan calls visit with the place of every node and that of the node around it.
func eachSpan(v reflect.Value, around source.Span, visit func(node string, at, around source.Span)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachSpan(v.Elem(), around, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachSpan(v.Index(i), around, visit)
		}
	case reflect.Struct:
		if located := v.FieldByName("Located"); located.IsValid() {
			at := located.Interface().(Located).At
			visit(v.Type().Name(), at, around)
			around = at
		}
		for i := range v.NumField() {
			eachSpan(v.Field(i), around, visit)
		}
	}
}

// checkRoundTrip fails unless the canonical text of a statement parses to the same tree and is canonical itself.
func checkRoundTrip(t *testing.T, s Statement) {
	t.Helper()
	text := Format(s)
	again, err := Parse(source.Text{Name: "canonical", Body: text})
	if err != nil {
		t.Fatalf("canonical text does not parse:\n%s\n%s", text, render(err))
	}
	if len(again.Statements) != 1 {
		t.Fatalf("canonical text holds %d statements:\n%s", len(again.Statements), text)
	}
	if second := Format(again.Statements[0]); second != text {
		t.Fatalf("canonical text changes:\n%s\nto\n%s", text, second)
	}
	eraseSpans(reflect.ValueOf(s))
	eraseSpans(reflect.ValueOf(again.Statements[0]))
	if !reflect.DeepEqual(s, again.Statements[0]) {
		t.Fatalf("canonical text parses to another tree:\n%s", text)
	}
}

// checkSpans fails unless every node stands inside the node around it.
func checkSpans(t *testing.T, s Statement, length int) {
	t.Helper()
	eachSpan(reflect.ValueOf(s), source.Span{Start: 0, End: length}, func(node string, at, around source.Span) {
		if at.Start < around.Start || at.End > around.End || at.Start > at.End {
			t.Errorf("%s at %v is not inside %v", node, at, around)
		}
	})
}

// goldenInputs returns the texts of all golden files.
func goldenInputs(t testing.TB) []string {
	var inputs []string
	for _, folder := range []string{"parse", "errors", "expr"} {
		paths, err := filepath.Glob("testdata/" + folder + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			for _, c := range readGolden(t, path) {
				input := strings.TrimSuffix(c.input, "\n")
				if folder == "expr" {
					input = "SELECT " + input
				}
				inputs = append(inputs, input)
			}
		}
	}
	return inputs
}

// TestRoundTrip formats and parses every statement of the golden files.
func TestRoundTrip(t *testing.T) {
	statements := 0
	for _, input := range goldenInputs(t) {
		script, err := Parse(source.Text{Body: input})
		if err != nil {
			continue
		}
		for _, s := range script.Statements {
			statements++
			checkSpans(t, s, len(input))
			checkRoundTrip(t, s)
		}
	}
	if statements < 150 {
		t.Errorf("only %d statements went round", statements)
	}
}

// TestSpans shows which text a node's place covers.
func TestSpans(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
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
	} {
		text := source.Text{Body: c.expr}
		e, err := ParseExpr(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := text.Slice(e.Span()); got != c.want {
			t.Errorf("%q covers %q, want %q", c.expr, got, c.want)
		}
	}
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
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(source.Text{Body: c.text})
			var fault *source.Error
			if !errors.As(err, &fault) || fault.Code != "too-deep" {
				t.Errorf("got %v, want a refusal for depth", err)
			}
		})
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
	for _, input := range goldenInputs(f) {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, body string) {
		text := source.Text{Name: "fuzz", Body: body}
		at := 0
		for _, token := range Tokens(text) {
			if token.Span.Start < at || token.Span.End < token.Span.Start || token.Span.End > len(body) {
				t.Fatalf("token at %v behind %d", token.Span, at)
			}
			at = token.Span.End
		}
		script, err := Parse(text)
		if err != nil {
			var fault *source.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error is not a source.Error: %v", err)
			}
			if !strings.Contains(fault.Render(), "^") {
				t.Fatalf("no caret in\n%s", fault.Render())
			}
			return
		}
		for _, s := range script.Statements {
			checkSpans(t, s, len(body))
			checkRoundTrip(t, s)
		}
	})
}
