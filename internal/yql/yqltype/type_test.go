package yqltype

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/types"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"int32":                            "Int32",
		"Utf8?":                            "Utf8?",
		"Optional<Optional<Int8>>":         "Int8?",
		"List<Optional<String>>":           "List<String?>",
		"Dict<Utf8, List<Double>>":         "Dict<Utf8,List<Double>>",
		"Struct<b:Int32, a:'x'>":           "a type is missing",
		"Struct<b:Int32, `a c` : Uint8?,>": "Struct<'a c':Uint8?,b:Int32>",
		"Struct<>":                         "Struct<>",
		"Tuple<Int8,Bool,>":                "Tuple<Int8,Bool>",
		"Decimal(22, 9)?":                  "Decimal(22,9)?",
		"Decimal(36,0)":                    "a Decimal has 1 to 35 digits",
		"Timestamp64":                      "Timestamp",
		"Resource<'Yson2.Node'>":           "Resource<'Yson2.Node'>",
		"List<Int32":                       `">" is missing`,
		"Int33":                            "did you mean Int32?",
		"TzDatetime":                       "not supported; use Datetime",
		"Int32 x":                          "the type ends before",
		"":                                 "a type is missing",
		"Struct<a:Int8,a:Int8>":            "two members a",
		strings.Repeat("List<", 1000):      "deeper than",
	} {
		got, err := Parse(text)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, not %q", text, err, want)
			}
			continue
		}
		if got.String() != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
		if again, err := Parse(got.String()); err != nil || !Equal(again, got) {
			t.Errorf("%q is not read as itself: %v %v", got, again, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"List<Struct<a:Int32,'b':Utf8?>>", "Decimal(1,0)", "Dict<Int8,Tuple<>>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(got.String())
		if err != nil || !Equal(again, got) {
			t.Fatalf("%q is read as %s, and that as %s: %v", text, got, again, err)
		}
		if _, ok := Common(got, again); !ok {
			t.Fatalf("%s has no common type with itself", got)
		}
		got.Physical()
	})
}

func TestCommon(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"Int32", "Int64", "Int64"},
		{"Int32", "Uint32", "Int64"},
		{"Int32", "Uint8", "Int32"},
		{"Int8", "Uint8", "Int16"},
		{"Uint64", "Int8", "Int64"},
		{"Uint8", "Uint64?", "Uint64?"},
		{"Float", "Int16", "Float"},
		{"Float", "Int32", "Double"},
		{"String", "Utf8", "String"},
		{"Date", "Timestamp", "Timestamp"},
		{"Null", "List<Int8>", "List<Int8>?"},
		{"EmptyList", "List<Int8>", "List<Int8>"},
		{"List<Int8>", "List<Int64?>", "List<Int64?>"},
		{"Struct<a:Int8>", "Struct<a:Int16>", "Struct<a:Int16>"},
		{"Struct<a:Int8>", "Struct<b:Int8>", ""},
		{"Tuple<Int8>", "Tuple<Int8,Int8>", ""},
		{"String", "Int32", ""},
		{"Timestamp", "Interval", ""},
		{"Decimal(5,2)", "Decimal(4,3)", "Decimal(6,3)"},
	} {
		for range 2 {
			got, ok := Common(must(t, c.a), must(t, c.b))
			if ok != (c.want != "") || ok && got.String() != c.want {
				t.Errorf("%s and %s: %s, not %s", c.a, c.b, got, c.want)
			}
			c.a, c.b = c.b, c.a
		}
	}
}

func TestPromote(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"Int32", "Uint32", "Int32"},
		{"Int8", "Uint16", "Uint16"},
		{"Int32", "Uint64?", "Uint64?"},
		{"Int64", "Uint64", "Int64"},
		{"Int64", "Float", "Float"},
		{"Float", "Double", "Double"},
		{"Null", "Int8", "Int8?"},
		{"String", "Int8", ""},
	} {
		got, ok := Promote(must(t, c.a), must(t, c.b))
		if ok != (c.want != "") || ok && got.String() != c.want {
			t.Errorf("%s and %s: %s, not %s", c.a, c.b, got, c.want)
		}
	}
}

func TestCast(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     Conversion
	}{
		{"Int32", "Int64", Sure},
		{"Int32", "Uint32", MayFail},
		{"Uint32", "Int32", MayFail},
		{"String", "Utf8", MayFail},
		{"Utf8", "String", Sure},
		{"Timestamp", "String", Sure},
		{"String", "Timestamp", MayFail},
		{"Double", "Int32", MayFail},
		{"Int32", "Double", Sure},
		{"List<Int32>", "List<String>", Sure},
		{"List<String>", "List<Int32>", MayFail},
		{"List<String>", "List<Int32?>", Sure},
		{"List<Int32>", "String", NoCast},
		{"Struct<a:Int8>", "Struct<a:Int8,b:Int8?>", Sure},
		{"Struct<a:Int8>", "Struct<a:Int8,b:Int8>", NoCast},
		{"Resource<'Yson2.Node'>", "String", NoCast},
		{"Bool", "Timestamp", NoCast},
	} {
		if got := Cast(must(t, c.from), must(t, c.to)); got != c.want {
			t.Errorf("CAST(%s AS %s): %d, not %d", c.from, c.to, got, c.want)
		}
	}
}

func TestPhysical(t *testing.T) {
	for text, want := range map[string]string{
		"Uint8":                   "SMALLINT NOT NULL",
		"Uint64?":                 "BIGINT",
		"Timestamp":               "TIMESTAMP_LTZ(6) NOT NULL",
		"List<Utf8?>?":            "ARRAY<STRING>",
		"Struct<b:Int8,a:String>": "ROW<`a` STRING NOT NULL, `b` TINYINT NOT NULL> NOT NULL",
		"Dict<String,Json>":       "MAP<STRING NOT NULL, STRING NOT NULL> NOT NULL",
		"Interval":                "INTERVAL DAY TO SECOND NOT NULL",
	} {
		if got := must(t, text).Physical().String(); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

func TestOfPhysical(t *testing.T) {
	for _, c := range []struct {
		p     types.Type
		want  string
		exact bool
	}{
		{types.StringType, "Utf8?", true},
		{types.BytesType, "String?", false},
		{types.TimestampLTZType, "Timestamp?", false},
		{types.ArrayOf(types.IntType), "List<Int32?>?", true},
		{types.RowOf(types.Schema{{Name: "b", Type: types.IntType}, {Name: "a", Type: types.DateType}}), "Struct<a:Date?,b:Int32?>?", false},
		{types.RowOf(types.Schema{{Name: "EXPR$0", Type: types.IntType}}), "Tuple<Int32?>?", true},
		{types.TimeType, "", false},
		{types.NullType, "Null?", true},
	} {
		got, exact, ok := OfPhysical(c.p)
		if ok != (c.want != "") || ok && (got.String() != c.want || exact != c.exact) {
			t.Errorf("%s: %s %v %v", c.p, got, exact, ok)
		}
	}
}

func must(t *testing.T, text string) Type {
	t.Helper()
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
