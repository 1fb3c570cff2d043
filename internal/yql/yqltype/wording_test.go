package yqltype

import (
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestWording: what is said of values that a column does not take is about types and functions of YQL, and leads to a type that takes the value.
func TestWording(t *testing.T) {
	for _, c := range []struct {
		typ    string
		kind   types.FoundKind
		text   string
		name   string
		advice string
	}{
		{"String", types.FoundNothing, "", "String", "declare it Optional<String>, without NOT NULL"},
		{"List<Int32>", types.FoundNothing, "", "List<Int32>", "declare it Optional<List<Int32>>, without NOT NULL"},
		{"String?", types.FoundInteger, "5", "String", "send it in quotes, or declare it Int64"},
		{"Utf8", types.FoundFraction, "5.5", "Utf8", "send it in quotes, or declare it Double"},
		{"Utf8", types.FoundBoolean, "true", "Utf8", "declare it Bool"},
		{"String", types.FoundObject, "{}", "String", "declare it Json, or with the type of what is there"},
		{"Int64", types.FoundList, "[]", "Int64", "declare it Json, or with the type of what is there"},
		{"Uint8", types.FoundInteger, "300", "Uint8", "declare it Int64"},
		{"Uint64", types.FoundInteger, "-1", "Uint64", "declare it Int64"},
		{"Uint64", types.FoundInteger, "18446744073709551615", "Uint64", "declare it Double, or String and send it in quotes"},
		{"Int64", types.FoundInteger, "-99999999999999999999", "Int64", "declare it Double, or String and send it in quotes"},
		{"Int32", types.FoundFraction, "1.5", "Int32", "declare it Double"},
		{"Float", types.FoundInteger, "1", "Float", "declare it Double"},
		{"Decimal(5,2)", types.FoundInteger, "10000", "Decimal(5,2)", "declare it Decimal with more digits in front of the point"},
		{"Int32", types.FoundText, `"x"`, "Int32", "declare it String, and CAST it"},
		{"Bool", types.FoundInteger, "1", "Bool", "declare it String, and CAST it"},
		{"Uuid", types.FoundText, `"x"`, "Uuid", "declare it String, and CAST it"},
		{"Timestamp", types.FoundInteger, "1", "Timestamp", "declare it Uint64, and write DateTime::FromMilliseconds(at), or FromSeconds, or FromMicroseconds"},
		{"Timestamp", types.FoundText, `"now"`, "Timestamp", "send it as 1970-01-01T00:00:00Z, or declare it String and write DateTime::MakeTimestamp(DateTime::ParseIso8601(at))"},
		{"Datetime", types.FoundText, `"now"`, "Datetime", "send it as 1970-01-01T00:00:00Z, or declare it String and write DateTime::MakeDatetime(DateTime::ParseIso8601(at))"},
		{"Date", types.FoundText, `"now"`, "Date", "send it as 1970-01-01, or declare it String and write DateTime::MakeDate(DateTime::ParseIso8601(at))"},
		{"List<Int32>", types.FoundText, `"x"`, "List<Int32>", "send a list in brackets"},
		{"Dict<String,Int32>", types.FoundText, `"x"`, "Dict<String,Int32>", "send an object in braces"},
	} {
		typ, err := Parse(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		w := typ.Wording()
		if got := w.String(); got != c.name {
			t.Errorf("%s is called %s, want %s", c.typ, got, c.name)
		}
		if got := w.Advice("at", types.Found{Kind: c.kind, Text: c.text}); got != c.advice {
			t.Errorf("%s, %q: got %q, want %q", c.typ, c.text, got, c.advice)
		}
	}
	if got := ListOf(StructOf([]Member{{"b", Of(Int8)}, {"a", Of(Utf8).OrNull()}})).Wording().Part(0).Part(0).String(); got != "Utf8" {
		t.Errorf("the first member is called %s", got)
	}
	if got := Of(Timestamp).Wording().Advice("l[]", types.Found{Kind: types.FoundInteger}); got != "declare it Uint64, and write DateTime::FromMilliseconds(…), or FromSeconds, or FromMicroseconds" {
		t.Errorf("inside of another: %q", got)
	}
}
