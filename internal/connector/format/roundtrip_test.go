package format

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// TestRoundTrips: what a format writes it reads back alike, in every configuration.
func TestRoundTrips(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		columns string
		nulls   bool
	}{
		{connector.Options{"format": "json"}, "bildstz", true},
		{connector.Options{"format": "json", "json.timestamp-format.standard": "ISO-8601", "json.encode.ignore-null-fields": "true"}, "bildstz", true},
		{connector.Options{"format": "csv"}, "bildstz", false},
		{connector.Options{"format": "csv"}, "s", false},
		{connector.Options{"format": "csv", "csv.null-literal": "NULL"}, "sbildtzs", true},
		{connector.Options{"format": "csv", "csv.allow-comments": "true", "csv.quote-character": "'", "csv.field-delimiter": "|"}, "sbs", false},
		{connector.Options{"format": "csv", "csv.escape-character": "\\"}, "sbs", false},
		{connector.Options{"format": "csv", "csv.escape-character": "\\", "csv.disable-quote-character": "true"}, "lsbs", false},
		{connector.Options{"format": "avro"}, "bildst", true},
		{connector.Options{"format": "avro", "avro.timestamp_mapping.legacy": "false"}, "bildstz", true},
		{connector.Options{"format": "json_each_row"}, "bildstz", true},
		{connector.Options{"format": "json_list"}, "bildstz", true},
		{connector.Options{"format": "csv_with_names"}, "lbisdtz", false},
		{connector.Options{"format": "tsv_with_names"}, "lbisdtz", true},
		{connector.Options{"format": "raw"}, "s", false},
		{connector.Options{"format": "raw", "raw.charset": "UTF-16"}, "s", false},
		{connector.Options{"format": "raw", "raw.charset": "UTF-16LE"}, "s", false},
		{connector.Options{"format": "raw", "raw.charset": "UTF-16BE"}, "s", false},
		{connector.Options{"format": "raw"}, "b", false},
		{connector.Options{"format": "raw"}, "i", false},
		{connector.Options{"format": "raw", "raw.endianness": "little-endian"}, "l", false},
		{connector.Options{"format": "raw", "raw.endianness": "big-endian"}, "d", false},
	} {
		schema := columns(c.columns)
		random := rand.New(rand.NewPCG(1, 2))
		const rows = 300
		b := randomBatch(random, schema, rows, c.nulls)
		choice := choose(t, c.options)
		e, err := choice.NewEncoder(schema)
		if err != nil {
			t.Fatal(err)
		}
		// Once side by side, as messages; once framed, as a file, if the format has lines.
		var text, file []byte
		var ends []int
		for i := range rows {
			if text, err = e.Append(text, b, i); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, len(text))
			file, _ = e.Append(file, b, i)
			file = append(file, '\n')
		}
		d, err := choice.NewDecoder(schema, indexes(len(schema)))
		if err != nil {
			t.Fatal(err)
		}
		got, errs := readEach(d, string(text), ends)
		if len(errs) > 0 {
			t.Errorf("%v: %v", c.options, errs[0])
		}
		compareBatches(t, c.options, schema, got, b)
		if choice.Name == "raw" || choice.Messages || choice.Whole {
			continue // any byte may be a line feed
		}
		f, err := choice.NewFramer()
		if err != nil {
			t.Fatal(err)
		}
		got, consumed, err := Decode(d, f, (&vector.Pool{}).Get(), file, rows+1)
		if err != nil || consumed != len(file) {
			t.Errorf("%v: %d of %d bytes, %v", c.options, consumed, len(file), err)
		}
		compareBatches(t, c.options, schema, got, b)
	}
}

func compareBatches(t *testing.T, o connector.Options, schema types.Schema, got, want *vector.Batch) {
	t.Helper()
	if got.N != want.N {
		t.Errorf("%v: %d rows, want %d", o, got.N, want.N)
		return
	}
	e := NewJSONEncoder(schema, JSONOptions{})
	for i := range want.N {
		if g, w := string(e.AppendRow(nil, got, i)), string(e.AppendRow(nil, want, i)); g != w {
			t.Errorf("%v row %d:\n got %s\nwant %s", o, i, g, w)
			return
		}
	}
}

// texts are strings that formats find hard.
var texts = []string{"", " ", "a", " a ", "NULL", "null", "#", "# a", ",", ";|'\"\\", "a\nb", "\r\n", "\r", "\"", "'", "\\", "\\n", "潮", "🌊 tide", "\x01\x00", "1,2", "{\"a\":1}", "a,\"b\"\n"}

func randomBatch(random *rand.Rand, schema types.Schema, rows int, nulls bool) *vector.Batch {
	b := &vector.Batch{N: rows, Arena: (&vector.Pool{}).Get()}
	for _, f := range schema {
		b.Cols = append(b.Cols, randomColumn(random, b.Arena, f.Type, rows, nulls, texts))
	}
	return b
}

// randomColumn makes values of any type, strings from texts.
func randomColumn(random *rand.Rand, a *vector.Arena, t types.Type, rows int, nulls bool, texts []string) *vector.Vector {
	if t.IsNested() {
		return randomNested(random, a, t, rows, nulls, texts)
	}
	c := vector.NewBuilder(a, vector.KindOf(t), rows)
	for range rows {
		if nulls && !t.NotNull && random.IntN(5) == 0 {
			c.AppendNull()
			continue
		}
		switch t.Kind {
		case types.Boolean:
			c.AppendBool(random.IntN(2) == 0)
		case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
			least, greatest := t.Range()
			v := int64(random.Uint64() >> random.IntN(64))
			if v < least || v > greatest {
				v = []int64{least, greatest}[random.IntN(2)]
			}
			c.AppendInt(v)
		case types.Decimal:
			v := int128.From(int64(random.Uint64() >> random.IntN(64)))
			if t.Precision > types.SmallDigits {
				v, _ = v.Mul(int128.From(1e9 + 7))
				_, v = v.DivMod(int128.Pow10(int(t.Precision)))
				c.AppendWide(v)
				continue
			}
			_, v = v.DivMod(int128.Pow10(int(t.Precision)))
			n, _ := v.Int64()
			c.AppendInt(n)
		case types.Float:
			c.AppendFloat(float64(float32([]float64{0, 1, -0.5, math.Inf(-1), random.NormFloat64()}[random.IntN(5)])))
		case types.Double:
			c.AppendFloat([]float64{0, 1, -0.5, 1e300, 5e-324, math.Inf(-1), random.NormFloat64()}[random.IntN(7)])
		case types.Char, types.String, types.Binary, types.VarBinary:
			s := texts[random.IntN(len(texts))]
			for nulls && s == "NULL" { // is NULL
				s = texts[random.IntN(len(texts))]
			}
			c.AppendBytes([]byte(s))
		case types.Date:
			c.AppendInt(random.Int64N(40000) - 20000)
		case types.Time:
			c.AppendInt(random.Int64N(86_400) * 1e6)
		default:
			c.AppendInt((random.Int64N(4e14) - 2e14) / 1000 * 1000)
		}
	}
	return c.Done()
}

func randomNested(random *rand.Rand, a *vector.Arena, t types.Type, rows int, nulls bool, texts []string) *vector.Vector {
	out := a.Flat(vector.Bytes, rows)
	all := vector.All(rows)
	switch t.Kind {
	case types.Row:
		var cols []*vector.Vector
		for _, f := range t.Fields() {
			cols = append(cols, randomColumn(random, a, f.Type, rows, nulls, texts))
		}
		nested.PackRows(a, cols, all, out)
	case types.Array: // of at least two, since CSV cannot tell [NULL] from NULL
		ends := randomEnds(random, rows, 2)
		nested.Pack(a, randomColumn(random, a, t.Elem(), int(ends[rows-1]), nulls, texts), ends, all, out)
	default: // keys are strings and differ within a map
		ends := randomEnds(random, rows, 0)
		total := int(ends[rows-1])
		keys := vector.NewBuilder(a, vector.Bytes, total)
		for i := range total {
			keys.AppendBytes(fmt.Appendf(nil, "%s %d", texts[random.IntN(len(texts))], i))
		}
		value := types.IntType
		if t.Kind == types.Map {
			value = t.Elem()
		}
		nested.PackMap(a, keys.Done(), randomColumn(random, a, value, total, nulls && t.Kind == types.Map, texts), ends, all, out)
	}
	if nulls && !t.NotNull {
		out.Valid = a.AllValid(rows)
		for i := range rows {
			if random.IntN(7) == 0 {
				out.Valid.Clear(i)
			}
		}
	}
	return out
}

// randomEnds divides elements into rows, least to least+3 of them each.
func randomEnds(random *rand.Rand, rows, least int) []int32 {
	ends := make([]int32, rows)
	at := int32(0)
	for i := range ends {
		at += int32(least + random.IntN(4))
		ends[i] = at
	}
	return ends
}

var (
	scalars = types.Schema{{Name: "tiny", Type: types.TinyIntType}, {Name: "small", Type: types.SmallIntType}, {Name: "f", Type: types.FloatType},
		{Name: "dec", Type: types.DecimalOf(10, 3)}, {Name: "wide", Type: types.DecimalOf(38, 20)}, {Name: "date", Type: types.DateType},
		{Name: "time", Type: types.TimeType}, {Name: "bytes", Type: types.BytesType}, {Name: "char", Type: types.Type{Kind: types.Char, Length: 4}},
		{Name: "micros", Type: types.Type{Kind: types.Timestamp, Precision: 6}}}
	flatRow    = types.RowOf(append(scalars[:7:7], types.Field{Name: "l", Type: types.BigIntType}))
	flatNested = types.Schema{{Name: "ints", Type: types.ArrayOf(types.IntType)}, {Name: "dates", Type: types.ArrayOf(types.DateType)}, {Name: "row", Type: flatRow}}
	deep       = nestedOf("a\"b")
	avroDeep   = nestedOf("ab") // which has no such names
)

// nestedOf is columns with others inside; one of the fields is called name.
func nestedOf(name string) types.Schema {
	return types.Schema{
		{Name: "strings", Type: types.ArrayOf(types.StringType)},
		{Name: "rows", Type: types.ArrayOf(types.RowOf(types.Schema{{Name: name, Type: types.StringType}, {Name: "m", Type: types.MapOf(types.StringType, types.ArrayOf(types.DecimalOf(20, 2)))}}))},
		{Name: "map", Type: types.MapOf(types.StringType, types.RowOf(scalars))},
		{Name: "multi", Type: types.MultisetOf(types.StringType)},
		{Name: "arrays", Type: types.ArrayOf(types.ArrayOf(types.BooleanType))},
		{Name: "blobs", Type: types.ArrayOf(types.BytesType)},
	}
}

// TestNestedRoundTrips does for other types what TestRoundTrips does.
func TestNestedRoundTrips(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		schema  types.Schema
		nulls   bool
	}{
		{connector.Options{"format": "json"}, append(append(scalars[:len(scalars):len(scalars)], deep...), flatNested...), true},
		{connector.Options{"format": "json", "json.encode.ignore-null-fields": "true"}, deep, true},
		{connector.Options{"format": "csv", "csv.null-literal": "NULL"}, append(scalars[:len(scalars):len(scalars)], flatNested...), true},
		{connector.Options{"format": "csv", "csv.array-element-delimiter": "||"}, flatNested, false},
		{connector.Options{"format": "csv", "csv.array-element-delimiter": ","}, flatNested, false},
		{connector.Options{"format": "avro"}, append(append(scalars[:len(scalars):len(scalars)], avroDeep...), flatNested...), true},
		{connector.Options{"format": "raw"}, scalars[0:1], false},
		{connector.Options{"format": "raw"}, scalars[1:2], false},
		{connector.Options{"format": "raw", "raw.endianness": "little-endian"}, scalars[2:3], false},
		{connector.Options{"format": "raw"}, scalars[7:8], false},
	} {
		const rows = 200
		b := randomBatch(rand.New(rand.NewPCG(3, 4)), c.schema, rows, c.nulls)
		choice := choose(t, c.options)
		e, err := choice.NewEncoder(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		var ends []int
		for i := range rows {
			if text, err = e.Append(text, b, i); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, len(text))
		}
		d, err := choice.NewDecoder(c.schema, indexes(len(c.schema)))
		if err != nil {
			t.Fatal(err)
		}
		got, errs := readEach(d, string(text), ends)
		if len(errs) > 0 {
			t.Errorf("%v: %v", c.options, errs[0])
		}
		compareBatches(t, c.options, c.schema, got, b)
	}
}
