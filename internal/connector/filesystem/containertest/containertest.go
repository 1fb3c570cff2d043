// Package containertest is what tests of the formats of whole files have in common.
package containertest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Every has a column of each type that is not nested.
var Every = types.Schema{
	{Name: "b", Type: types.BooleanType}, {Name: "t", Type: types.Type{Kind: types.TinyInt}}, {Name: "h", Type: types.Type{Kind: types.SmallInt}},
	{Name: "i", Type: types.IntType}, {Name: "l", Type: types.BigIntType}, {Name: "f", Type: types.Type{Kind: types.Float}}, {Name: "d", Type: types.DoubleType},
	{Name: "s", Type: types.StringType}, {Name: "y", Type: types.Type{Kind: types.VarBinary, Length: types.BytesType.Length}}, {Name: "m", Type: types.DecimalOf(9, 2)}, {Name: "w", Type: types.DecimalOf(38, 10)},
	{Name: "date", Type: types.Type{Kind: types.Date}}, {Name: "time", Type: types.Type{Kind: types.Time, Precision: 3}},
	{Name: "t3", Type: types.TimestampType}, {Name: "t6", Type: types.Type{Kind: types.Timestamp, Precision: 6}},
	{Name: "z3", Type: types.TimestampLTZType}, {Name: "z6", Type: types.Type{Kind: types.TimestampLTZ, Precision: 6}},
}

// Deep has these and columns with others inside.
var Deep = append(slices.Clone(Every), types.Field{Name: "as", Type: types.ArrayOf(types.StringType)}, types.Field{Name: "ms", Type: types.MapOf(types.StringType, types.DoubleType)},
	types.Field{Name: "r", Type: row}, types.Field{Name: "ar", Type: types.ArrayOf(row)}, types.Field{Name: "mt", Type: types.MapOf(types.StringType, types.ArrayOf(types.TimestampType))})

var row = types.RowOf(types.Schema{{Name: "x", Type: types.BigIntType}, {Name: "y", Type: types.ArrayOf(types.StringType)}, {Name: "m", Type: types.DecimalOf(20, 3)}})

// Lines are rows of a schema as JSON, some of them NULL.
func Lines(random *rand.Rand, schema types.Schema, n int) []byte {
	var text []byte
	for range n {
		text = append(text, '{')
		for k, f := range schema {
			if k > 0 {
				text = append(text, ',')
			}
			text = fmt.Appendf(text, "%q:", f.Name)
			if random.IntN(6) == 0 && !f.Type.NotNull {
				text = append(text, "null"...)
			} else {
				text = append(text, value(random, f.Type)...)
			}
		}
		text = append(text, "}\n"...)
	}
	return text
}

func value(random *rand.Rand, t types.Type) string {
	stamp := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", 1900+random.IntN(200), 1+random.IntN(12), 1+random.IntN(28), random.IntN(24), random.IntN(60), random.IntN(60))
	fraction := fmt.Sprintf(".%0*d", t.Precision, random.IntN(900)+100)
	switch t.Kind {
	case types.Boolean:
		return []string{"true", "false"}[random.IntN(2)]
	case types.String:
		return []string{`""`, `"a"`, `"潮"`, `"a\nb"`, `"long enough to be seen"`}[random.IntN(5)]
	case types.VarBinary:
		return []string{`""`, `"AAE="`, `"/w=="`}[random.IntN(3)]
	case types.Float, types.Double:
		return fmt.Sprint(float64(random.IntN(1000)-500) / 8)
	case types.Decimal:
		return fmt.Sprintf("%d.%02d", random.IntN(2000)-1000, random.IntN(100))
	case types.Date:
		return `"` + stamp[:10] + `"`
	case types.Time:
		return `"` + stamp[11:] + fraction + `"`
	case types.Timestamp:
		return `"` + stamp + fraction + `"`
	case types.TimestampLTZ:
		return `"` + stamp + fraction + `Z"`
	case types.Array:
		return "[" + value(random, t.Elem()) + ",null," + value(random, t.Elem()) + "]"
	case types.Map:
		return `{"k":` + value(random, t.Elem()) + `,"":null}`
	case types.Row:
		var parts []string
		for _, f := range t.Fields() {
			parts = append(parts, fmt.Sprintf("%q:%s", f.Name, value(random, f.Type)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return fmt.Sprint(random.IntN(100) - 50)
}

// Batch reads lines.
func Batch(tb testing.TB, schema types.Schema, text []byte) *vector.Batch {
	tb.Helper()
	d, err := format.NewJSONDecoder(schema, format.JSONOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	b, _, err := format.Decode(d, format.Lines, (&vector.Pool{}).Get(), bytes.Clone(text), 1<<30)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// Rows are those of a batch as JSON.
func Rows(schema types.Schema, b *vector.Batch) (rows []string) {
	e := format.NewJSONEncoder(schema, format.JSONOptions{})
	for i := range b.N {
		rows = append(rows, string(e.AppendRow(nil, b, i)))
	}
	return rows
}

// Write makes a file of batches.
func Write(tb testing.TB, c filesystem.Container, schema types.Schema, o connector.Options, batches ...*vector.Batch) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "x."+c.Name)
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := c.NewWriter(f, schema, o)
	if err != nil {
		tb.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	_ = f.Close() // the writer may have closed it
	return path
}

// Read is the rows of a file, and how many pieces it has.
func Read(c filesystem.Container, schema types.Schema, needed []int, path string, maxRows int) (rows []string, pieces int, err error) {
	if pieces, err = c.Pieces(path); err != nil {
		return nil, 0, err
	}
	var fields types.Schema
	for _, i := range needed {
		fields = append(fields, schema[i])
	}
	r := c.NewReader(schema, needed, nil)
	for p := range pieces {
		err := r.Read(path, p, &vector.Pool{}, maxRows, func(b *vector.Batch) error {
			if b.N > maxRows {
				return fmt.Errorf("a batch of %d rows", b.N)
			}
			rows = append(rows, Rows(fields, b)...)
			b.Release()
			return nil
		})
		if err != nil {
			return rows, pieces, err
		}
	}
	return rows, pieces, nil
}

// All is the indexes of a schema's columns.
func All(schema types.Schema) (needed []int) {
	for i := range schema {
		needed = append(needed, i)
	}
	return needed
}

// RoundTrip writes rows of a schema and reads the same, in batches of several sizes. It tells how many pieces the file has.
func RoundTrip(t *testing.T, c filesystem.Container, schema types.Schema, o connector.Options) (pieces int) {
	t.Helper()
	if err := c.Check(schema, o); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	first, second := Batch(t, schema, Lines(random, schema, 300)), Batch(t, schema, Lines(random, schema, 9))
	second.Sel = []int32{0, 3, 4, 8}
	want := Rows(schema, first)
	for _, i := range second.Sel {
		want = append(want, Rows(schema, second)[i])
	}
	path := Write(t, c, schema, o, first, second)
	for _, maxRows := range []int{1, 7, 1000} {
		var got []string
		var err error
		got, pieces, err = Read(c, schema, All(schema), path, maxRows)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v: %d rows of %d in %d pieces, %v", o, len(got), len(want), pieces, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%v row %d:\n got %s\nwant %s", o, i, got[i], want[i])
			}
		}
	}
	return pieces
}
