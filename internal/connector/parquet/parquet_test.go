package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var every = types.Schema{
	{Name: "b", Type: types.BooleanType}, {Name: "t", Type: types.Type{Kind: types.TinyInt}}, {Name: "h", Type: types.Type{Kind: types.SmallInt}},
	{Name: "i", Type: types.IntType}, {Name: "l", Type: types.BigIntType}, {Name: "f", Type: types.Type{Kind: types.Float}}, {Name: "d", Type: types.DoubleType},
	{Name: "s", Type: types.StringType}, {Name: "y", Type: types.Type{Kind: types.VarBinary, Length: types.BytesType.Length}}, {Name: "m", Type: types.DecimalOf(9, 2)}, {Name: "w", Type: types.DecimalOf(38, 10)},
	{Name: "date", Type: types.Type{Kind: types.Date}}, {Name: "time", Type: types.Type{Kind: types.Time, Precision: 3}},
	{Name: "t3", Type: types.TimestampType}, {Name: "t6", Type: types.Type{Kind: types.Timestamp, Precision: 6}},
	{Name: "z3", Type: types.TimestampLTZType}, {Name: "z6", Type: types.Type{Kind: types.TimestampLTZ, Precision: 6}},
}

// lines are rows of every as JSON, some of them NULL.
func lines(random *rand.Rand, schema types.Schema, n int) []byte {
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

// decode reads lines.
func decode(tb testing.TB, schema types.Schema, text []byte) *vector.Batch {
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

func rowsOf(schema types.Schema, b *vector.Batch) (rows []string) {
	e := format.NewJSONEncoder(schema, format.JSONOptions{})
	for i := range b.N {
		rows = append(rows, string(e.AppendRow(nil, b, i)))
	}
	return rows
}

// write makes a file of batches.
func write(tb testing.TB, schema types.Schema, o connector.Options, batches ...*vector.Batch) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "x.parquet")
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := Container.NewWriter(f, schema, o)
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
	_ = f.Close() // arrow-go has closed it
	return path
}

// read is all rows of a file, and the number of its row groups.
func read(schema types.Schema, needed []int, path string, maxRows int) (rows []string, groups int, err error) {
	if groups, err = Container.Pieces(path); err != nil {
		return nil, 0, err
	}
	var fields types.Schema
	for _, i := range needed {
		fields = append(fields, schema[i])
	}
	r := Container.NewReader(schema, needed, nil)
	for g := range groups {
		err := r.Read(path, g, &vector.Pool{}, maxRows, func(b *vector.Batch) error {
			if b.N > maxRows {
				return fmt.Errorf("a batch of %d rows", b.N)
			}
			rows = append(rows, rowsOf(fields, b)...)
			b.Release()
			return nil
		})
		if err != nil {
			return rows, groups, err
		}
	}
	return rows, groups, nil
}

func all(schema types.Schema) (needed []int) {
	for i := range schema {
		needed = append(needed, i)
	}
	return needed
}

func TestRoundTrips(t *testing.T) {
	row := types.RowOf(types.Schema{{Name: "x", Type: types.BigIntType}, {Name: "y", Type: types.ArrayOf(types.StringType)}, {Name: "m", Type: types.DecimalOf(20, 3)}})
	deep := append(every[:len(every):len(every)], types.Field{Name: "as", Type: types.ArrayOf(types.StringType)}, types.Field{Name: "ms", Type: types.MapOf(types.StringType, types.DoubleType)},
		types.Field{Name: "r", Type: row}, types.Field{Name: "ar", Type: types.ArrayOf(row)}, types.Field{Name: "mt", Type: types.MapOf(types.StringType, types.ArrayOf(types.TimestampType))})
	for _, codec := range codecNames() {
		for _, schema := range []types.Schema{every, deep} {
			random := rand.New(rand.NewPCG(1, 2))
			first, second := decode(t, schema, lines(random, schema, 300)), decode(t, schema, lines(random, schema, 5))
			want := append(rowsOf(schema, first), rowsOf(schema, second)...)
			path := write(t, schema, connector.Options{compressionKey: codec, blockKey: "1 b"}, first, second)
			for _, maxRows := range []int{7, 1000} {
				got, groups, err := read(schema, all(schema), path, maxRows)
				if err != nil || len(got) != len(want) {
					t.Fatalf("%s: %d rows of %d in %d groups, %v", codec, len(got), len(want), groups, err)
				}
				for i := range want {
					if got[i] != want[i] {
						t.Fatalf("%s row %d:\n got %s\nwant %s", codec, i, got[i], want[i])
					}
				}
				if groups < 2 {
					t.Errorf("%d row groups", groups)
				}
			}
		}
	}
}

// TestColumns: columns are found by name, what is not there is NULL, and what does not fit is refused.
func TestColumns(t *testing.T) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "w", Type: types.DecimalOf(38, 2)}, {Name: "r", Type: types.RowOf(types.Schema{{Name: "x", Type: types.BigIntType}})}}
	path := write(t, schema, nil, decode(t, schema, []byte(`{"l":300,"s":"a","w":123456.75,"r":{"x":1}}`+"\n")))
	notNull := types.StringType
	notNull.NotNull = true
	for _, c := range []struct {
		columns types.Schema
		want    string
	}{
		{types.Schema{}, `{}`},
		{types.Schema{{Name: "s", Type: types.StringType}, {Name: "l", Type: types.IntType}}, `{"s":"a","l":300}`},
		{types.Schema{{Name: "none", Type: types.DoubleType}}, `{"none":null}`},
		{types.Schema{{Name: "none", Type: notNull}}, `column 'none': the file has no such column, and it is NOT NULL`},
		{types.Schema{{Name: "none", Type: notNull}, {Name: "l", Type: types.BigIntType}}, `column 'none': the file has no such column, and it is NOT NULL`},
		{types.Schema{{Name: "s", Type: notNull}, {Name: "none", Type: types.IntType}}, `{"s":"a","none":null}`},
		{types.Schema{{Name: "l", Type: types.Type{Kind: types.TinyInt}}}, "300 is out of the range of TINYINT"},
		{types.Schema{{Name: "l", Type: types.StringType}}, "int64 in the file cannot be read as STRING"},
		{types.Schema{{Name: "s", Type: types.BigIntType}}, "utf8 in the file cannot be read as BIGINT"},
		{types.Schema{{Name: "w", Type: types.DecimalOf(8, 3)}}, "123456.75 is out of the range of DECIMAL(8, 3)"},
		{types.Schema{{Name: "w", Type: types.DecimalOf(9, 3)}}, `{"w":123456.750}`},
		{types.Schema{{Name: "r", Type: types.RowOf(types.Schema{{Name: "y", Type: types.StringType}, {Name: "x", Type: types.IntType}})}}, `{"r":{"y":null,"x":1}}`},
		{types.Schema{{Name: "r", Type: types.ArrayOf(types.IntType)}}, "cannot be read as ARRAY<INT>"},
	} {
		rows, _, err := read(c.columns, all(c.columns), path, 10)
		got := strings.Join(rows, "")
		if err != nil {
			got = err.Error()
			if fault.Of(err) != fault.Data {
				t.Errorf("%v: %v", c.columns, err)
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.columns, got, c.want)
		}
	}
}

// TestInt96 reads timestamps as Flink writes them unless told otherwise.
func TestInt96(t *testing.T) {
	schema := types.Schema{{Name: "t", Type: types.Type{Kind: types.Timestamp, Precision: 6}}}
	b := decode(t, schema, []byte("{\"t\":\"1969-12-31 23:59:59.000001\"}\n{\"t\":\"2026-01-01 00:00:00.123456\"}\n"))
	path := write(t, schema, nil, b)
	as, err := arrowSchema(schema)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := pqarrow.NewFileWriter(as, f, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties(pqarrow.WithDeprecatedInt96Timestamps(true)))
	if err != nil {
		t.Fatal(err)
	}
	rows := array.NewRecordBuilder(memory.DefaultAllocator, as)
	for i := range b.N {
		rows.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(b.Cols[0].Int(i)))
	}
	if err := errors.Join(files.Write(rows.NewRecordBatch()), files.Close()); err != nil {
		t.Fatal(err)
	}
	got, _, err := read(schema, []int{0}, path, 10)
	if err != nil || strings.Join(got, "") != strings.Join(rowsOf(schema, b), "") {
		t.Errorf("%q %v", got, err)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		schema types.Schema
		o      connector.Options
		want   string
	}{
		{types.Schema{{Name: "v", Type: types.Type{Kind: types.IntervalDay}}}, nil, "format 'parquet' has no INTERVAL"},
		{every, connector.Options{blockKey: "x"}, "'block.size' is 'x'"},
		{every, connector.Options{blockKey: "0"}, "'block.size' is '0'"},
	} {
		if err := Container.Check(c.schema, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v", err)
		}
	}
	if _, err := Container.Pieces(filepath.Join(t.TempDir(), "none")); fault.Of(err) != fault.External {
		t.Error(err)
	}
}

// FuzzRead damages a file: whatever its bytes, an error at worst.
func FuzzRead(f *testing.F) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "m", Type: types.DecimalOf(20, 3)}, {Name: "a", Type: types.ArrayOf(types.StringType)}}
	path := write(f, schema, connector.Options{compressionKey: "UNCOMPRESSED"}, decode(f, schema, lines(rand.New(rand.NewPCG(3, 4)), schema, 20)))
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(0), []byte{})
	f.Add(uint16(4), []byte{0xff, 0xff})
	f.Add(uint16(len(whole)-40), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, at uint16, with []byte) {
		damaged := bytes.Clone(whole)
		if copy(damaged[int(at)%len(damaged):], with); len(with) > 0 && with[0] == 0 {
			damaged = damaged[:int(at)%len(damaged)]
		}
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := read(schema, all(schema), path, 8); err != nil && fault.Of(err) == fault.Internal {
			t.Error(err)
		}
	})
}

// BenchmarkDecode reads rows of Parquet and the same rows of JSON; one operation is one row.
func BenchmarkDecode(b *testing.B) {
	const rows = 1 << 16
	random := rand.New(rand.NewPCG(5, 6))
	schema := types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "t", Type: types.TimestampLTZType}, {Name: "price", Type: types.DoubleType}, {Name: "city", Type: types.StringType}, {Name: "m", Type: types.DecimalOf(10, 2)}}
	text := bytes.ReplaceAll(lines(random, schema, rows), []byte(`\n`), []byte("-")) // a decoder takes escapes out where they are
	path := write(b, schema, nil, decode(b, schema, text))
	for needed := range len(schema) + 1 {
		columns := all(schema)[:needed]
		b.Run(fmt.Sprintf("parquet/needed=%d", needed), func(b *testing.B) {
			r := Container.NewReader(schema, columns, nil)
			var pool vector.Pool
			for done := 0; done < b.N; done += rows {
				if err := r.Read(path, 0, &pool, 4096, func(b *vector.Batch) error { b.Release(); return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("json/needed=%d", needed), func(b *testing.B) {
			d, err := format.NewJSONDecoder(schema[:needed], format.JSONOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			for done := 0; done < b.N; done += rows {
				for rest := text; len(rest) > 0; {
					batch, n, err := format.Decode(d, format.Lines, pool.Get(), rest, 4096)
					if err != nil {
						b.Fatal(err)
					}
					batch.Release()
					rest = rest[n:]
				}
			}
		})
	}
}

// BenchmarkEncode writes them; one operation is one row.
func BenchmarkEncode(b *testing.B) {
	schema := types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "t", Type: types.TimestampLTZType}, {Name: "price", Type: types.DoubleType}, {Name: "city", Type: types.StringType}, {Name: "m", Type: types.DecimalOf(10, 2)}}
	batch := decode(b, schema, lines(rand.New(rand.NewPCG(5, 6)), schema, 4096))
	b.Run("parquet", func(b *testing.B) {
		w, err := newWriter(discard{}, schema, writeOptions{codec: codecs[1].codec, block: 16 << 20})
		if err != nil {
			b.Fatal(err)
		}
		for done := 0; done < b.N; done += batch.N {
			if err := w.Write(batch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json", func(b *testing.B) {
		e := format.NewJSONEncoder(schema, format.JSONOptions{})
		var buf []byte
		for done := 0; done < b.N; done += batch.N {
			buf = buf[:0]
			for i := range batch.N {
				buf = e.AppendRow(buf, batch, i)
			}
		}
	})
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
