package format

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

func field(t types.Type) types.Schema { return types.Schema{{Name: "v", Type: t}} }

func TestJSONTypes(t *testing.T) {
	address := types.RowOf(types.Schema{{Name: "city", Type: types.StringType}, {Name: "zip", Type: types.Type{Kind: types.Int, NotNull: true}},
		{Name: "tags", Type: types.ArrayOf(types.StringType)}})
	ints := types.ArrayOf(types.IntType)
	for _, c := range []struct {
		t    types.Type
		text string
		want string // of v, or the error
	}{
		{types.DecimalOf(5, 2), `1`, `1.00`},
		{types.DecimalOf(5, 2), `-1.005`, `-1.01`},
		{types.DecimalOf(5, 2), `"123.454"`, `123.45`},
		{types.DecimalOf(5, 2), `1.5e1`, `15.00`},
		{types.DecimalOf(5, 2), `12e-4`, `0.00`},
		{types.DecimalOf(5, 2), `5e-3`, `0.01`},
		{types.DecimalOf(5, 2), `999.994`, `999.99`},
		{types.DecimalOf(5, 2), `999.995`, `field 'v': 999.995 is out of the range of DECIMAL(5, 2); declare the column DECIMAL with more digits`},
		{types.DecimalOf(5, 2), `1e99`, `field 'v': 1e99 is out of the range of DECIMAL(5, 2); declare the column DECIMAL with more digits`},
		{types.DecimalOf(5, 2), `1e-99`, `0.00`},
		{types.DecimalOf(5, 2), `"1x"`, `field 'v': expected DECIMAL(5, 2), found "1x"; declare the column STRING to read any value as text`},
		{types.DecimalOf(38, 0), `99999999999999999999999999999999999999`, `99999999999999999999999999999999999999`},
		{types.DecimalOf(38, 0), `99999999999999999999999999999999999999.5`, `field 'v': 99999999999999999999999999999999999999.5 is out of the range of DECIMAL(38, 0); declare the column DECIMAL with more digits`},
		{types.DecimalOf(38, 38), `0.` + strings.Repeat("1", 60), `0.` + strings.Repeat("1", 38)},
		{types.DecimalOf(20, 0), `0000`, `field 'v': expected DECIMAL(20, 0), found 0000; declare the column STRING to read any value as text`},
		{types.TinyIntType, `-128`, `-128`},
		{types.TinyIntType, `128`, `field 'v': 128 is out of the range of TINYINT; declare the column BIGINT`},
		{types.FloatType, `0.1`, `0.1`},
		{types.FloatType, `1e39`, `field 'v': 1e39 is out of the range of FLOAT`},
		{types.DateType, `"2026-02-28"`, `"2026-02-28"`},
		{types.DateType, `"1969-12-31"`, `"1969-12-31"`},
		{types.DateType, `"2026-02-29"`, `field 'v': expected DATE, found "2026-02-29"; write it as 1970-01-01`},
		{types.Type{Kind: types.Time, Precision: 3}, `"12:34:56.7891"`, `"12:34:56.789"`},
		{types.TimeType, `"12:34"`, `field 'v': expected TIME(0), found "12:34"; write it as 00:00:00`},
		{types.TimeType, `"12:34:56Z"`, `field 'v': expected TIME(0), found "12:34:56Z"; write it as 00:00:00`},
		{types.BytesType, `"AAEC"`, `"AAEC"`},
		{types.BytesType, `"A"`, `field 'v': expected BYTES, found "A"; write bytes in Base64`},
		{ints, `[]`, `[]`},
		{ints, `[ 1 , null,3]`, `[1,null,3]`},
		{ints, `null`, `null`},
		{ints, `[1,"2"]`, `[1,2]`},
		{ints, `[1,"x"]`, `field 'v[]': expected INT, found "x"; declare the column STRING to read any value as text`},
		{ints, `[1,tru]`, `field 'v[]': expected INT, found tru; declare the column STRING to read any value as text`},
		{ints, `[1 2]`, `expected ',' or ']' after the value`},
		{ints, `[1,]`, `expected a value`},
		{ints, `{"a":1}`, `field 'v': expected ARRAY<INT>, found {"a":1}; declare the column STRING to read any value as text`},
		{types.ArrayOf(ints), `[[1],[],null,[2,3]]`, `[[1],[],null,[2,3]]`},
		{types.ArrayOf(types.StringType), `["a\nb",[1,{}],1,true]`, `["a\nb","[1,{}]","1","true"]`},
		{types.ArrayOf(types.DoubleType), `[1.5,"NaN"]`, `[1.5,"NaN"]`},
		{types.ArrayOf(types.TimestampType), `["2026-01-01 00:00:00"]`, `["2026-01-01 00:00:00.000"]`},
		{address, `{"zip":1,"more":[{"zip":2}],"city":"a\"b","tags":["x"]}`, `{"city":"a\"b","zip":1,"tags":["x"]}`},
		{address, `{ "zip" : 1 , "zip" : 2 }`, `{"city":null,"zip":2,"tags":null}`},
		{address, `{"city":"x"}`, `field 'v.zip': the row has no such field; make the column nullable`},
		{address, `{"zip":null}`, `field 'v.zip': null in a column of type INT NOT NULL; make the column nullable`},
		{address, `{"zip":1,"tags":"x"}`, `field 'v.tags': expected ARRAY<STRING>, found "x"; declare the column STRING to read any value as text`},
		{address, `{"zip" 1}`, `expected ':' after the key`},
		{address, `{zip:1}`, `expected a key in double quotes`},
		{address, `{"zip":1,}`, `expected a key in double quotes`},
		{types.RowOf(nil), `{"a":1}`, `{}`},
		{types.MapOf(types.StringType, ints), `{"a":[1],"b\n":null,"a":[2,3],"":[]}`, `{"a":[2,3],"b\n":null,"":[]}`},
		{types.MultisetOf(types.StringType), `{"a":2}`, `{"a":2}`},
	} {
		rows, _, err := decodeAll(t, field(c.t), JSONOptions{}, `{"v":`+c.text+`}`+"\n"+`{"v":null}`, 10)
		got := ""
		if err != nil {
			got = err.Error()
		} else if len(rows) == 2 {
			got = strings.TrimSuffix(strings.TrimPrefix(rows[0], `{"v":`), "}")
		}
		if got != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.t, c.text, got, c.want)
		}
	}
}

// TestNestedIgnoringErrors: what is bad becomes NULL, as little as possible of it.
func TestNestedIgnoringErrors(t *testing.T) {
	notNull := types.Type{Kind: types.Int, NotNull: true}
	for _, c := range []struct {
		t          types.Type
		text, want string
	}{
		{types.ArrayOf(types.IntType), `[1,"x",[7],3]`, `[1,null,null,3]`},
		{types.ArrayOf(notNull), `[1,"x",3]`, `null`},
		{types.ArrayOf(types.ArrayOf(notNull)), `[[1],[2,"x"],[3]]`, `[[1],null,[3]]`},
		{types.MapOf(types.StringType, types.ArrayOf(types.IntType)), `{"a":[1,2],"b":7,"c":[3]}`, `{"a":[1,2],"b":null,"c":[3]}`},
		{types.RowOf(types.Schema{{Name: "a", Type: types.ArrayOf(types.StringType)}, {Name: "b", Type: types.BytesType}}), `{"b":"!","a":["x",nil]}`, `{"a":["x",null],"b":null}`},
	} {
		rows, _, err := decodeAll(t, field(c.t), JSONOptions{IgnoreParseErrors: true}, `{"v":`+c.text+`}`, 10)
		if want := `{"v":` + c.want + `}`; err != nil || len(rows) != 1 || rows[0] != want {
			t.Errorf("%s: got %s, %v; want %s", c.text, rows, err, want)
		}
	}
}

func TestNullKeys(t *testing.T) {
	a := (&vector.Pool{}).Get()
	schema := field(types.ArrayOf(types.MapOf(types.StringType, types.IntType)))
	b := &vector.Batch{N: 1, Arena: a, Cols: []*vector.Vector{nullKey(a)}}
	for mode, want := range map[string]string{"": "error", "FAIL": "error", "DROP": `{"v":[{"a":1}]}`, "LITERAL": `{"v":[{"nil":0,"a":1}]}`} {
		o := connector.Options{"format": "json", "json.map-null-key.literal": "nil"}
		if mode != "" {
			o["json.map-null-key.mode"] = mode
		}
		e, err := choose(t, o).NewEncoder(schema)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Append(nil, b, 0)
		if want == "error" {
			if err == nil || len(got) > 0 || !strings.Contains(err.Error(), "a MAP has a key that is NULL") {
				t.Errorf("%s: %s, %v", mode, got, err)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v", mode, got, err)
		}
	}
}

// nullKey is an array of a map with a NULL key.
func nullKey(a *vector.Arena) *vector.Vector {
	keys, values, maps := vector.NewBuilder(a, vector.Bytes, 2), vector.NewBuilder(a, vector.Int64, 2), vector.NewBuilder(a, vector.Bytes, 1)
	keys.AppendNull()
	keys.AppendBytes([]byte("a"))
	values.AppendInt(0)
	values.AppendInt(1)
	maps.AppendBytes(appendTestMap(keys.Done(), values.Done()))
	arrays := vector.NewBuilder(a, vector.Bytes, 1)
	arrays.AppendBytes(appendTestArray(maps.Done()))
	return arrays.Done()
}

func TestRefusedTypes(t *testing.T) {
	for _, bad := range []types.Type{types.IntervalDayType, types.ArrayOf(types.IntervalMonthType), types.MapOf(types.IntType, types.IntType), types.MultisetOf(types.DateType)} {
		for _, name := range []string{"json", "csv", "raw"} {
			if err := choose(t, connector.Options{"format": name}).Check(field(bad)); err == nil {
				t.Errorf("%s takes %s", name, bad)
			}
		}
	}
	if err := choose(t, connector.Options{"format": "csv"}).Check(field(types.ArrayOf(types.ArrayOf(types.IntType)))); err == nil {
		t.Error("csv takes arrays of arrays")
	}
}

// FuzzJSONNested: whatever the text, a row comes or an error, and what comes is read back alike.
func FuzzJSONNested(f *testing.F) {
	for _, seed := range []string{`{"strings":["a",null,1],"rows":[{"a\"b":"x","m":{"k":[1.5]}},null],"map":{"a":{"tiny":1,"bytes":"AA=="}},"multi":{"x":2},"arrays":[[true],[]]}`,
		`{"strings":[`, `{"arrays":[[null,]]}`, `{"map":{"a":{"date":"2026-01-01","wide":1e5}}}`, `[{"rows":[]},{"multi":{}}]`, `{"strings":[1]]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []JSONOptions{{}, {IgnoreParseErrors: true}} {
			first, _, _ := decodeAll(t, deep, o, text, 10)
			if len(first) == 0 {
				continue
			}
			again, _, err := decodeAll(t, deep, o, strings.Join(first, "\n"), 10)
			if err != nil || fmt.Sprint(again) != fmt.Sprint(first) {
				t.Errorf("%q: got %s, then %s, %v", text, first, again, err)
			}
		}
	})
}

// BenchmarkDecodeNested reads rows with a ROW, an ARRAY and a DECIMAL; one operation is one row.
func BenchmarkDecodeNested(b *testing.B) {
	const rows = 4096
	schema := types.Schema{
		{Name: "id", Type: types.BigIntType},
		{Name: "price", Type: types.DecimalOf(10, 2)},
		{Name: "address", Type: types.RowOf(types.Schema{{Name: "city", Type: types.StringType}, {Name: "zip", Type: types.IntType}})},
		{Name: "tags", Type: types.ArrayOf(types.StringType)},
		{Name: "day", Type: types.DateType},
	}
	var text []byte
	for i := range rows {
		text = fmt.Appendf(text, `{"id":%d,"price":%d.%02d,"address":{"city":"Springfield","zip":%d},"tags":["red","green","blue"],"day":"2026-01-%02d"}`+"\n", i, i, i%100, 10000+i, i%28+1)
	}
	for needed := 2; needed <= len(schema); needed++ {
		b.Run(fmt.Sprintf("to=%s", schema[needed-1].Name), func(b *testing.B) {
			d, err := NewJSONDecoder(schema[:needed], JSONOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.SetBytes(int64(len(text) / rows))
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				batch, _, err := Decode(d, Lines, pool.Get(), text, rows)
				if err != nil || batch.N != rows {
					b.Fatal(batch.N, err)
				}
				batch.Release()
			}
		})
	}
}
