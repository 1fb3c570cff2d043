package rowfmt

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/server/api"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// kinds are types with cells of each, as Confluent Cloud writes them.
var kinds = []struct {
	t     types.Type
	cells []string
	bad   []string
}{
	{types.NullType, nil, []string{`"1"`}},
	{types.BooleanType, []string{`"TRUE"`, `"FALSE"`}, []string{`"yes"`, `true`}},
	{types.TinyIntType, []string{`"-128"`}, []string{`"x"`}},
	{types.SmallIntType, []string{`"32767"`}, []string{`1`}},
	{types.IntType, []string{`"0"`}, []string{`[]`}},
	{types.BigIntType, []string{`"-9223372036854775808"`}, []string{`"9223372036854775808"`}},
	{types.DecimalOf(10, 2), []string{`"1.50"`, `"-0.07"`}, []string{`"123456789.00"`, `"x"`}},
	{types.DecimalOf(38, 10), []string{`"1234567890123456789012345678.0123456789"`}, []string{`""`}},
	{types.FloatType, []string{`"0.25"`, `"NaN"`, `"Infinity"`}, []string{`"x"`}},
	{types.DoubleType, []string{`"0.1"`, `"1.0E100"`, `"-Infinity"`}, []string{`""`}},
	{types.Type{Kind: types.Char, Length: 3}, []string{`"abc"`}, []string{`3`}},
	{types.StringType, []string{`""`, `"Änn \"x\" \\"`}, nil},
	{types.Type{Kind: types.String, Length: 5}, []string{`"abc"`}, nil},
	{types.Type{Kind: types.Binary, Length: 2}, []string{`"x'0aff'"`}, []string{`"0aff"`}},
	{types.BytesType, []string{`"x''"`, `"x'00'"`}, []string{`"x'0'"`, `"x'00"`}},
	{types.DateType, []string{`"2026-01-02"`, `"1969-12-31"`}, []string{`"then"`}},
	{types.Type{Kind: types.Time, Precision: 3}, []string{`"01:02:03.004"`}, []string{`"25:00:00"`}},
	{types.TimestampType, []string{`"2026-01-02 03:04:05.678"`}, []string{`"yesterday"`}},
	{types.Type{Kind: types.TimestampLTZ, Precision: 6}, []string{`"1970-01-01 00:00:00.000001"`}, []string{`"1970-01-01T00:00:00Z"`}},
	{types.IntervalDayType, []string{`"+1 02:03:04.005"`, `"-0 00:00:01.000"`}, []string{`"1"`}},
	{types.IntervalMonthType, []string{`"+1-02"`}, []string{`"1"`}},
	{types.ArrayOf(types.IntType), []string{`[]`, `["1",null,"3"]`}, []string{`["x"]`, `"1"`, `{}`}},
	{types.ArrayOf(types.ArrayOf(types.StringType)), []string{`[["a"],null,[]]`}, []string{`["a"]`}},
	{types.MapOf(types.StringType, types.DecimalOf(38, 1)), []string{`[["a","1.0"],["b",null]]`}, []string{`[["a"]]`, `["a"]`}},
	{types.MultisetOf(types.StringType), []string{`[["a","2"]]`}, nil},
	{types.RowOf(types.Schema{{Name: "x", Type: types.IntType}, {Name: "y", Type: types.ArrayOf(types.BooleanType)}}), []string{`["1",["TRUE"]]`, `[null,null]`}, []string{`["1"]`, `["1",null,null]`}},
}

// TestRoundTrip: what is read is written as it was, and so is its type.
func TestRoundTrip(t *testing.T) {
	for _, k := range kinds {
		for _, notNull := range []bool{false, true} {
			want := k.t
			want.NotNull = notNull
			text, err := json.Marshal(TypeOf(want))
			if err != nil {
				t.Fatal(err)
			}
			var a api.Type
			if err := json.Unmarshal(text, &a); err != nil {
				t.Fatal(err)
			}
			if got, err := ReadType(&a); err != nil || got != want {
				t.Errorf("%s goes over the wire as %s and is read as %s, %v", want, text, got, err)
			}
		}
		schema := types.Schema{{Name: "a", Type: k.t}, {Name: "b", Type: types.IntType}}
		r := NewReader(schema)
		var rows []api.Row
		for i, c := range append(k.cells, "null") {
			rows = append(rows, api.Row{Op: i % 4, Row: json.RawMessage(`[` + c + `,"7"]`)})
		}
		b, err := r.Batch(rows)
		if err != nil {
			t.Errorf("%s: %v", k.t, err)
			continue
		}
		for i, row := range rows {
			if got := AppendRow(nil, schema, b, i); string(got) != string(row.Row) || b.Ops != nil && b.Ops[i] != vector.Op(row.Op) {
				t.Errorf("%s: %s is read and written as %s", k.t, row.Row, got)
			}
		}
		b.Release()
		for _, bad := range k.bad {
			if _, err := r.Batch([]api.Row{{Row: json.RawMessage(`[` + bad + `,"7"]`)}}); err == nil {
				t.Errorf("%s: %s is read", k.t, bad)
			}
		}
	}
}

func TestStrange(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, a := range []api.Type{
		{}, {Type: "JSON"}, {Type: "DECIMAL", Precision: number(39)}, {Type: "DECIMAL", Precision: number(3), Scale: number(4)}, {Type: "TIMESTAMP_WITHOUT_TIME_ZONE", Precision: number(10)},
		{Type: "ARRAY"}, {Type: "ARRAY", ElementType: &api.Type{Type: "x"}}, {Type: "MAP", KeyType: &api.Type{Type: "INTEGER"}}, {Type: "ROW"}, {Type: "ROW", Fields: []api.Field{{}}},
	} {
		if got, err := ReadType(&a); err == nil {
			t.Errorf("%+v is read as %s", a, got)
		}
	}
	r := NewReader(types.Schema{{Name: "a", Type: types.IntType}})
	for _, row := range []api.Row{{Op: 4, Row: json.RawMessage(`["1"]`)}, {Op: -1, Row: json.RawMessage(`["1"]`)}, {}, {Row: json.RawMessage(`null`)}, {Row: json.RawMessage(`[]`)}, {Row: json.RawMessage(`["1","2"]`)}} {
		if _, err := r.Batch([]api.Row{row}); err == nil {
			t.Errorf("%+v is read", row)
		}
	}
}

func FuzzBatch(f *testing.F) {
	var schema types.Schema
	for _, k := range kinds {
		schema = append(schema, types.Field{Type: k.t})
		for _, c := range append(k.cells, k.bad...) {
			f.Add(c)
		}
	}
	f.Fuzz(func(t *testing.T, cell string) {
		for _, field := range schema {
			one := types.Schema{field}
			b, err := NewReader(one).Batch([]api.Row{{Row: json.RawMessage("[" + cell + "]")}})
			if err != nil {
				continue
			}
			AppendRow(nil, one, b, 0)
			b.Release()
		}
	})
}

// Places are counted as JavaScript counts them.
func TestUnits(t *testing.T) {
	text := "a'é🙂'b"
	for _, c := range []struct{ units, bytes int }{{-1, 0}, {0, 0}, {1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {6, 9}, {7, 10}, {8, 10}, {1 << 40, 10}} {
		if got := FromUnits(text, c.units); got != c.bytes {
			t.Errorf("%d units are %d bytes, want %d", c.units, got, c.bytes)
		}
	}
	for _, at := range []int{0, 1, 2, 4, 8, 9, 10} {
		if got := FromUnits(text, Units(text[:at])); got != at {
			t.Errorf("%d bytes come back as %d", at, got)
		}
	}
}
