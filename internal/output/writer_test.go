package output

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// forms are the writers and the ends of their golden files' names.
var forms = []struct {
	name string
	open func(io.Writer, types.Schema) Writer
}{
	{"jsonl", NewJSONL},
	{"csv", NewCSV},
	{"table", NewTable},
}

// row is an op and the values of its columns; nil is NULL.
type row struct {
	op     vector.Op
	values []any
}

func insert(values ...any) row { return row{vector.Insert, values} }

// batch makes a batch of rows in schema.
func batch(schema types.Schema, rows ...row) *vector.Batch {
	var pool vector.Pool
	a := pool.Get()
	b := &vector.Batch{N: len(rows), Arena: a}
	for c, f := range schema {
		column := vector.NewBuilder(a, vector.KindOf(f.Type), len(rows))
		for _, r := range rows {
			switch v := r.values[c].(type) {
			case nil:
				column.AppendNull()
			case bool:
				column.AppendBool(v)
			case int:
				column.AppendInt(int64(v))
			case float64:
				column.AppendFloat(v)
			case string:
				column.AppendBytes([]byte(v))
			}
		}
		b.Cols = append(b.Cols, column.Done())
	}
	for _, r := range rows {
		b.Ops = append(b.Ops, r.op)
	}
	return b
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

// newYear2026 is 2026-01-01 00:00:00 UTC in microseconds.
const newYear2026 = 1_767_225_600_000_000

// cases are what the golden files testdata/NAME.FORM show. A flush follows each batch.
var cases = []struct {
	name    string
	schema  types.Schema
	batches [][]row
}{
	{
		name: "windows",
		schema: types.Schema{
			{Name: "window_start", Type: notNull(types.TimestampType)},
			{Name: "seen", Type: types.TimestampLTZType},
			{Name: "net", Type: types.StringType},
			{Name: "quakes", Type: notNull(types.BigIntType)},
			{Name: "strongest", Type: types.DoubleType},
		},
		batches: [][]row{{
			insert(newYear2026, newYear2026+123_000, "us", 12, 4.7),
			insert(newYear2026-3_600_000_000, nil, "ak", 1007, nil),
		}},
	},
	{
		name:   "changelog",
		schema: types.Schema{{Name: "bidder", Type: types.IntType}, {Name: "bids", Type: notNull(types.BigIntType)}},
		batches: [][]row{{
			{vector.Insert, []any{7, 1}},
			{vector.UpdateBefore, []any{7, 1}},
			{vector.UpdateAfter, []any{7, 2}},
			{vector.Delete, []any{7, 2}},
		}},
	},
	{
		name: "types",
		schema: types.Schema{
			{Name: "b", Type: types.BooleanType},
			{Name: "d", Type: types.DoubleType},
			{Name: "micros", Type: types.Type{Kind: types.Timestamp, Precision: 6}},
			{Name: "seconds", Type: types.Type{Kind: types.TimestampLTZ}},
			{Name: "day", Type: types.IntervalDayType},
			{Name: "month", Type: types.IntervalMonthType},
			{Name: "nothing", Type: types.NullType},
		},
		batches: [][]row{{
			insert(true, math.NaN(), -1, 0, 93_784_005_000, 14, nil),
			insert(false, math.Inf(-1), 0, -1, -1_000, -1, nil),
			insert(nil, 1e10, nil, nil, nil, nil, nil),
		}},
	},
	{
		name:   "strings",
		schema: types.Schema{{Name: "op", Type: types.StringType}, {Name: "a,\"b\"", Type: types.StringType}},
		batches: [][]row{{
			insert("", nil),
			insert(`say "hi", twice`, "two\nlines\tand a tab"),
			insert("back\\slash \x01 \x7f", "broken \xff UTF-8"),
			insert("日本語", "e\u0301 combines"),
			insert("exactly forty characters, that is long..", "forty-one characters, that is one too much"),
			insert("日本語日本語日本語日本語日本語日本語日本語", "🌊"),
		}},
	},
	{
		name:    "empty",
		schema:  types.Schema{{Name: "id", Type: types.StringType}},
		batches: nil,
	},
	{
		// Wider values begin a new page, strings only until they are 40 cells wide; shorter ones do not end it.
		name:   "pages",
		schema: types.Schema{{Name: "n", Type: notNull(types.BigIntType)}, {Name: "s", Type: types.StringType}},
		batches: [][]row{
			{insert(1, "a"), insert(22, "b")},
			{insert(3, "c")},
			{insert(44_444_444, "d")},
			{insert(555_555_555, "e")},
			{insert(6_666_666_666, "e")},
			{insert(6, "this one is wider than forty cells, so it is cut")},
			{insert(7, "this one is also wider than forty cells but has no page of its own")},
		},
	},
}

func TestGolden(t *testing.T) {
	for _, c := range cases {
		for _, form := range forms {
			t.Run(c.name+"."+form.name, func(t *testing.T) {
				var got bytes.Buffer
				w := form.open(&got, c.schema)
				for _, rows := range c.batches {
					if err := errors.Join(w.WriteBatch(batch(c.schema, rows...)), w.Flush()); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("testdata", c.name+"."+form.name)
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), want) {
					t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
				}
			})
		}
	}
}

// Only selected rows are written, and a constant column has its value in each of them.
func TestSelection(t *testing.T) {
	schema := types.Schema{{Name: "n", Type: types.BigIntType}, {Name: "c", Type: types.BigIntType}}
	b := batch(schema, insert(0, 0), insert(1, 0), insert(2, 0))
	b.Sel, b.Ops = []int32{0, 2}, nil
	b.Cols[1] = b.Arena.Constant(vector.Int64)
	b.Cols[1].Ints[0] = 9
	want := map[string]string{
		"jsonl": "{\"op\":\"+I\",\"n\":0,\"c\":9}\n{\"op\":\"+I\",\"n\":2,\"c\":9}\n",
		"csv":   "op,n,c\n+I,0,9\n+I,2,9\n",
		"table": "" +
			"┌────┬──────────┬──────────┐\n" +
			"│ op │        n │        c │\n" +
			"├────┼──────────┼──────────┤\n" +
			"│ +I │        0 │        9 │\n" +
			"│ +I │        2 │        9 │\n" +
			"└────┴──────────┴──────────┘\n",
	}
	for _, form := range forms {
		var got bytes.Buffer
		w := form.open(&got, schema)
		if err := errors.Join(w.WriteBatch(b), w.Close()); err != nil {
			t.Fatal(err)
		}
		if got.String() != want[form.name] {
			t.Errorf("%s: got\n%swant\n%s", form.name, got.String(), want[form.name])
		}
	}
}

// brokenPipe fails after the first write.
type brokenPipe struct{ writes int }

var errBroken = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	b.writes++
	if b.writes > 1 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestErrorStays(t *testing.T) {
	schema := types.Schema{{Name: "n", Type: types.BigIntType}}
	for _, form := range forms {
		pipe := &brokenPipe{}
		w := form.open(pipe, schema)
		b := batch(schema, insert(1))
		if err := errors.Join(w.WriteBatch(b), w.Flush()); err != nil {
			t.Fatalf("%s: %v", form.name, err)
		}
		if err := errors.Join(w.WriteBatch(b), w.Flush()); !errors.Is(err, errBroken) {
			t.Errorf("%s: got %v, want %v", form.name, err, errBroken)
		}
		if err := w.WriteBatch(b); !errors.Is(err, errBroken) {
			t.Errorf("%s: a later batch gives %v", form.name, err)
		}
		if err := w.Close(); !errors.Is(err, errBroken) {
			t.Errorf("%s: Close gives %v", form.name, err)
		}
		if pipe.writes > 2 {
			t.Errorf("%s: %d writes, though the second failed", form.name, pipe.writes)
		}
	}
}

// TestReadable writes texts of any bytes, as YQL has them: what comes out is UTF-8 in every form.
func TestReadable(t *testing.T) {
	schema := types.Schema{{Name: "s", Type: types.StringType}}
	for _, form := range forms {
		var out bytes.Buffer
		w := form.open(&out, schema)
		if err := errors.Join(w.WriteBatch(batch(schema, insert("a\xff\xfeb"))), w.Close()); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !utf8.ValidString(text) || !strings.Contains(text, "a��b") {
			t.Errorf("%s: %q", form.name, text)
		}
	}
}

// BenchmarkWrite writes rows of a windowed count; one operation is one row.
func BenchmarkWrite(b *testing.B) {
	const rows = 4096
	schema := cases[0].schema
	data := make([]row, rows)
	for i := range data {
		data[i] = insert(newYear2026+i*1000, newYear2026+i, "us", i, float64(i)/8)
	}
	bidders := batch(schema, data...)
	for _, form := range forms {
		b.Run(form.name, func(b *testing.B) {
			w := form.open(io.Discard, schema)
			b.ReportAllocs()
			for done := 0; done < b.N; done += rows {
				if err := w.WriteBatch(bidders); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPlain writes rows that are no changelog in every form: without ops, strings whole.
func TestPlain(t *testing.T) {
	schema := types.Schema{{Name: "name", Type: types.Type{Kind: types.String, NotNull: true}}, {Name: "op", Type: types.IntType}}
	long := "a string that is longer than what a table on a terminal shows of it"
	rows := batch(schema, insert("a,b", 1), insert(long, nil))
	for _, c := range []struct {
		open func(io.Writer, types.Schema) Writer
		want string
	}{
		{NewPlainJSONL, `{"name":"a,b","op":1}
{"name":"` + long + `","op":null}
`},
		{NewPlainCSV, `name,op
"a,b",1
` + long + `,
`},
		{NewPlainTable, `┌─────────────────────────────────────────────────────────────────────┬──────────┐
│ name                                                                │       op │
├─────────────────────────────────────────────────────────────────────┼──────────┤
│ a,b                                                                 │        1 │
│ ` + long + ` │     NULL │
└─────────────────────────────────────────────────────────────────────┴──────────┘
`},
	} {
		var out bytes.Buffer
		w := c.open(&out, schema)
		if err := errors.Join(w.WriteBatch(rows), w.Close()); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want {
			t.Errorf("got\n%s\nwant\n%s", out.String(), c.want)
		}
	}
}
