package treetest

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// walk calls visit with every struct in a tree, outer ones first, until it returns false for one.
func walk(v reflect.Value, visit func(v reflect.Value) bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), visit)
		}
	case reflect.Struct:
		if visit(v) {
			for i := range v.NumField() {
				walk(v.Field(i), visit)
			}
		}
	}
}

// Erase sets what a tree has of one type to what change makes of it.
func Erase[T any](n Node, change func(*T)) {
	walk(reflect.ValueOf(n), func(v reflect.Value) bool {
		if v.Type() != reflect.TypeFor[T]() {
			return true
		}
		change(v.Addr().Interface().(*T))
		return false
	})
}

// loosen sets every place in a tree to zero, and what else its canonical text need not bring back, so that trees can be compared.
func (l Language) loosen(n Node) {
	Erase(n, func(at *source.Span) { *at = source.Span{} })
	if l.Loose != nil {
		l.Loose(n)
	}
}

// Places fails unless every node of a statement stands inside the node around it, and all in a text of so many bytes.
func Places(t *testing.T, statement Node, length int) {
	t.Helper()
	places(t, reflect.ValueOf(statement), source.Span{Start: 0, End: length})
}

func places(t *testing.T, v reflect.Value, around source.Span) {
	t.Helper()
	walk(v, func(v reflect.Value) bool {
		located := v.FieldByName("Located")
		if !located.IsValid() {
			return true
		}
		at := located.Interface().(Node).Span()
		if at.Start < around.Start || at.End > around.End || at.Start > at.End {
			t.Errorf("%s at %v is not inside %v", v.Type().Name(), at, around)
		}
		for i := range v.NumField() {
			places(t, v.Field(i), at)
		}
		return false
	})
}

// roundTrip fails unless the canonical text of a statement parses to the same tree and is canonical itself. It erases the places of the statement.
func (l Language) roundTrip(t *testing.T, s Node) {
	t.Helper()
	text := l.Format(s)
	again := l.one(t, text)
	if second := l.Format(again); second != text {
		t.Fatalf("canonical text changes:\n%s\nto\n%s", text, second)
	}
	l.loosen(s)
	l.loosen(again)
	if !reflect.DeepEqual(s, again) {
		t.Fatalf("canonical text parses to another tree:\n%s", text)
	}
	if l.Beyond != nil {
		l.Beyond(t, l, s)
	}
}

// one parses a text that holds one statement.
func (l Language) one(t *testing.T, text string) Node {
	t.Helper()
	statements, err := l.Parse(source.Text{Name: "canonical", Body: text})
	if err != nil {
		t.Fatalf("canonical text does not parse:\n%s\n%s", text, Render(err))
	}
	if len(statements) != 1 {
		t.Fatalf("canonical text holds %d statements:\n%s", len(statements), text)
	}
	return statements[0]
}

// Same fails unless a text holds one statement that is s, whose places are erased already, but for what change does to both.
func (l Language) Same(t *testing.T, s Node, text string, change func(n Node)) {
	t.Helper()
	again := l.one(t, text)
	l.loosen(again)
	change(s)
	change(again)
	if !reflect.DeepEqual(s, again) {
		t.Fatalf("the text parses to another tree:\n%s", text)
	}
}

// RoundTrip formats and parses every statement of the golden files, of which there are so many at least.
func (l Language) RoundTrip(t *testing.T, least int) {
	statements := 0
	for _, input := range Inputs(t) {
		parsed, err := l.Parse(source.Text{Body: input})
		if err != nil {
			continue
		}
		for _, s := range parsed {
			statements++
			Places(t, s, len(input))
			l.roundTrip(t, s)
		}
	}
	if statements < least {
		t.Errorf("only %d statements went round", statements)
	}
}

// Spans checks which text the place of an expression covers.
func (l Language) Spans(t *testing.T, cases [][2]string) {
	for _, c := range cases {
		text := source.Text{Body: c[0]}
		e, err := l.Expr(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := text.Slice(e.Span()); got != c[1] {
			t.Errorf("%q covers %q, want %q", c[0], got, c[1])
		}
	}
}

// TooDeep checks that a text is refused for its depth or length, and is not fatal.
func (l Language) TooDeep(t *testing.T, text string) {
	t.Helper()
	_, err := l.Parse(source.Text{Body: text})
	var fault *source.Error
	if !errors.As(err, &fault) || fault.Code != "too-deep" {
		t.Errorf("got %v, want a refusal for depth", err)
	}
}

// Fuzz checks that no text panics and that whatever parses survives the way through its canonical form.
func (l Language) Fuzz(t *testing.T, body string) {
	statements, err := l.Parse(source.Text{Name: "fuzz", Body: body})
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
	for _, s := range statements {
		Places(t, s, len(body))
		l.roundTrip(t, s)
	}
}

// Benchmark parses the texts of all golden files, wrong ones too: what is wrong costs its error, as it does for a user.
func (l Language) Benchmark(b *testing.B) {
	var texts []source.Text
	size := 0
	for _, input := range Inputs(b) {
		texts = append(texts, source.Text{Name: l.File, Body: input})
		size += len(input)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			_, _ = l.Parse(text)
		}
	}
}
