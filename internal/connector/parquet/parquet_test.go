package parquet

import (
	"bytes"
	"errors"
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
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem/containertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

func TestLongRows(t *testing.T) { containertest.LongRows(t, Container, nil) }

func TestRoundTrips(t *testing.T) {
	for _, codec := range codecNames() {
		for _, schema := range []types.Schema{containertest.Every, containertest.Deep} {
			if groups := containertest.RoundTrip(t, Container, schema, connector.Options{compressionKey: codec, blockKey: "1 b"}); groups < 2 {
				t.Errorf("%d row groups", groups)
			}
		}
	}
}

// TestNotNull: a type that is NOT NULL has no levels, and no NULL is written as one.
func TestNotNull(t *testing.T) {
	var schema types.Schema
	for _, f := range containertest.Deep {
		f.Type.NotNull = true
		schema = append(schema, f)
	}
	containertest.RoundTrip(t, Container, schema, nil)
	b := containertest.Batch(t, types.Schema{{Name: "l", Type: types.BigIntType}}, []byte(`{"l":null}`))
	w, err := Container.NewWriter(discard{}, types.Schema{{Name: "l", Type: types.Type{Kind: types.BigInt, NotNull: true}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(b); fault.Of(err) != fault.Data {
		t.Error(err)
	}
}

// TestDamage: whatever a file has become, an error at worst.
func TestDamage(t *testing.T) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "b", Type: types.BooleanType}, {Name: "m", Type: types.DecimalOf(20, 3)}, {Name: "a", Type: types.ArrayOf(types.StringType)}}
	rows := containertest.Batch(t, schema, containertest.Lines(rand.New(rand.NewPCG(3, 4)), schema, 6))
	whole, err := os.ReadFile(containertest.Write(t, Container, schema, connector.Options{compressionKey: "UNCOMPRESSED"}, rows))
	if err != nil {
		t.Fatal(err)
	}
	containertest.Damage(t, Container, schema, whole, rows.N)
}

// TestColumns: columns are found by name, what is not there is NULL, and what does not fit is refused.
func TestColumns(t *testing.T) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "w", Type: types.DecimalOf(38, 2)}, {Name: "r", Type: types.RowOf(types.Schema{{Name: "x", Type: types.BigIntType}})}}
	path := containertest.Write(t, Container, schema, nil, containertest.Batch(t, schema, []byte(`{"l":300,"s":"a","w":123456.75,"r":{"x":1}}`+"\n")))
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
		rows, _, err := containertest.Read(Container, c.columns, containertest.All(c.columns), path, 10)
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
	b := containertest.Batch(t, schema, []byte("{\"t\":\"1969-12-31 23:59:59.000001\"}\n{\"t\":\"2026-01-01 00:00:00.123456\"}\n"))
	path := containertest.Write(t, Container, schema, nil, b)
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
	got, _, err := containertest.Read(Container, schema, []int{0}, path, 10)
	if err != nil || strings.Join(got, "") != strings.Join(containertest.Rows(schema, b), "") {
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
		{containertest.Every, connector.Options{blockKey: "x"}, "'block.size' is 'x'"},
		{containertest.Every, connector.Options{blockKey: "0"}, "'block.size' is '0'"},
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
	path := containertest.Write(f, Container, schema, connector.Options{compressionKey: "UNCOMPRESSED"}, containertest.Batch(f, schema, containertest.Lines(rand.New(rand.NewPCG(3, 4)), schema, 20)))
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
		if _, _, err := containertest.Read(Container, schema, containertest.All(schema), path, 8); err != nil && fault.Of(err) == fault.Internal {
			t.Error(err)
		}
	})
}

func BenchmarkDecode(b *testing.B) { containertest.BenchmarkDecode(b, Container) }

func BenchmarkEncode(b *testing.B) { containertest.BenchmarkEncode(b, Container) }

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func TestResume(t *testing.T) {
	containertest.Resume(t, Container, connector.Options{blockKey: "512 kb"})
}
