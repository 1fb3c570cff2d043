package sql

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// eraseSpans sets every place in a tree to zero, so that trees can be compared.
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

// checkRoundTrip fails unless the canonical text of a statement parses to the same
// tree and is canonical itself.
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
	quoted := FormatQuoted(s)
	again, err = Parse(source.Text{Name: "quoted", Body: quoted})
	if err != nil || len(again.Statements) != 1 {
		t.Fatalf("quoted text does not parse:\n%s\n%s", quoted, render(err))
	}
	eraseSpans(reflect.ValueOf(again.Statements[0]))
	eraseQuotes(reflect.ValueOf(s))
	eraseQuotes(reflect.ValueOf(again.Statements[0]))
	if !reflect.DeepEqual(s, again.Statements[0]) {
		t.Fatalf("quoted text parses to another tree:\n%s", quoted)
	}
}

// eraseQuotes forgets which names stood in backticks.
func eraseQuotes(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eraseQuotes(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			eraseQuotes(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Ident]() {
			v.FieldByName("Quoted").SetBool(false)
			return
		}
		for i := range v.NumField() {
			eraseQuotes(v.Field(i))
		}
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

// goldenInputs returns the SQL of all golden files.
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
		{"INTERVAL '1' DAY ", "INTERVAL '1' DAY"},
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

// FuzzParse checks that no text panics and that whatever parses survives the way
// through its canonical form.
func FuzzParse(f *testing.F) {
	for _, input := range goldenInputs(f) {
		f.Add(input)
	}
	f.Fuzz(func(t *testing.T, body string) {
		script, err := Parse(source.Text{Name: "fuzz", Body: body})
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
