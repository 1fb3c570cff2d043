package format

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
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
		if choice.Name == "raw" {
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
		c := vector.NewBuilder(b.Arena, vector.KindOf(f.Type), rows)
		for range rows {
			switch {
			case nulls && random.IntN(5) == 0:
				c.AppendNull()
			case f.Type.Kind == types.Boolean:
				c.AppendBool(random.IntN(2) == 0)
			case f.Type.Kind == types.Int:
				c.AppendInt(int64(int32(random.Uint64() >> random.IntN(64))))
			case f.Type.Kind == types.BigInt:
				c.AppendInt(int64(random.Uint64() >> random.IntN(64)))
			case f.Type.Kind == types.Double:
				c.AppendFloat([]float64{0, 1, -0.5, 1e300, 5e-324, math.Inf(-1), random.NormFloat64()}[random.IntN(7)])
			case f.Type.Kind == types.String:
				s := texts[random.IntN(len(texts))]
				for nulls && s == "NULL" { // is NULL
					s = texts[random.IntN(len(texts))]
				}
				c.AppendBytes([]byte(s))
			default:
				c.AppendInt((random.Int64N(4e14) - 2e14) / 1000 * 1000)
			}
		}
		b.Cols = append(b.Cols, c.Done())
	}
	return b
}
