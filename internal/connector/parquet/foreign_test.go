package parquet

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tidemark-sql/tidemark/internal/connector/filesystem/containertest"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestEncodings reads columns in all the ways in which writers lay them out, with pages so small that batches go over many.
func TestEncodings(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for name, options := range map[string][]parquet.WriterProperty{
		"plain":             {parquet.WithDictionaryDefault(false)},
		"dictionary":        {parquet.WithDictionaryDefault(true)},
		"small dictionary":  {parquet.WithDictionaryDefault(true), parquet.WithDictionaryPageSizeLimit(64)},
		"version 2":         {parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithVersion(parquet.V2_LATEST)},
		"delta":             {parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("i", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("l", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("t3", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("s", parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("y", parquet.Encodings.DeltaLengthByteArray)},
		"byte stream split": {parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("f", parquet.Encodings.ByteStreamSplit), parquet.WithEncodingFor("d", parquet.Encodings.ByteStreamSplit), parquet.WithEncodingFor("w", parquet.Encodings.ByteStreamSplit)},
		// All in one page: in a second one the writer of runs would repeat what stood in the first.
		"runs": {parquet.WithDataPageSize(1 << 20), parquet.WithDictionaryDefault(false), parquet.WithEncodingFor("b", parquet.Encodings.RLE), parquet.WithDataPageVersion(parquet.DataPageV2)},
	} {
		for _, schema := range []types.Schema{containertest.Every, containertest.Deep} {
			b := containertest.Batch(t, schema, containertest.Lines(random, schema, 700))
			w, err := newWriter(io.Discard, schema, writeOptions{block: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			as, err := arrowSchema(schema)
			if err != nil {
				t.Fatal(err)
			}
			props := parquet.NewWriterProperties(append([]parquet.WriterProperty{parquet.WithDataPageSize(200), parquet.WithBatchSize(16)}, options...)...)
			in, err := pqarrow.ToParquet(as, props, pqarrow.DefaultWriterProps())
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "x.parquet")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			if w.file, err = file.NewParquetWriterWithError(f, in.Root(), file.WithWriterProps(props)); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Write(b), w.Close()); err != nil {
				t.Fatal(name, err)
			}
			want := containertest.Rows(schema, b)
			for _, maxRows := range []int{1000, 33, 7, 1} {
				got, _, err := containertest.Read(Container, schema, containertest.All(schema), path, maxRows)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s, batches of %d: %d rows of %d, %v", name, maxRows, len(got), len(want), err)
				}
			}
		}
	}
}

// TestTypes reads what other writers have and this one has not, as a column of another type where that can hold it. Of three values the second is NULL.
func TestTypes(t *testing.T) {
	stamps := func(unit arrow.TimeUnit, zone string) arrow.DataType {
		return &arrow.TimestampType{Unit: unit, TimeZone: zone}
	}
	micros := types.Type{Kind: types.Timestamp, Precision: 6}
	for _, c := range []struct {
		of     arrow.DataType
		values string // as JSON
		as     types.Type
		want   string
	}{
		{arrow.PrimitiveTypes.Uint8, `[255,null,0]`, types.SmallIntType, `255,null,0`},
		{arrow.PrimitiveTypes.Uint16, `[65535,null,0]`, types.IntType, `65535,null,0`},
		{arrow.PrimitiveTypes.Uint32, `[4294967295,null,0]`, types.BigIntType, `4294967295,null,0`},
		{arrow.PrimitiveTypes.Uint32, `[4294967295,null,0]`, types.IntType, `error: 4294967295 is out of the range of INT`},
		{arrow.PrimitiveTypes.Uint64, `[1,null,0]`, types.BigIntType, `error: uint64 in the file cannot be read as BIGINT`},
		{arrow.PrimitiveTypes.Int8, `[-128,null,127]`, types.BigIntType, `-128,null,127`},
		{arrow.PrimitiveTypes.Float32, `[0.5,null,-1]`, types.DoubleType, `0.5,null,-1.0`},
		{arrow.PrimitiveTypes.Float64, `[0.5,null,-1]`, types.Type{Kind: types.Float}, `error: float64 in the file cannot be read as FLOAT`},
		{stamps(arrow.Second, ""), `["2026-01-01T00:00:01",null,"1969-12-31T23:59:59"]`, types.TimestampType, `"2026-01-01 00:00:01.000",null,"1969-12-31 23:59:59.000"`},
		{stamps(arrow.Nanosecond, ""), `["2026-01-01T00:00:01.123456789",null,"1969-12-31T23:59:59.999999999"]`, micros, `"2026-01-01 00:00:01.123456",null,"1969-12-31 23:59:59.999999"`},
		{stamps(arrow.Nanosecond, "UTC"), `["2026-01-01T00:00:01.123456789Z",null,"1969-12-31T23:59:59.999999999Z"]`, types.TimestampLTZType, `"2026-01-01 00:00:01.123Z",null,"1969-12-31 23:59:59.999Z"`},
		{stamps(arrow.Microsecond, ""), `["2026-01-01T00:00:01.123456",null,"1969-12-31T23:59:59.999999"]`, types.TimestampType, `"2026-01-01 00:00:01.123",null,"1969-12-31 23:59:59.999"`},
		{arrow.FixedWidthTypes.Time64ns, `["23:59:59.123456789",null,"00:00:00"]`, types.Type{Kind: types.Time, Precision: 3}, `"23:59:59.123",null,"00:00:00.0"`},
		{arrow.FixedWidthTypes.Date32, `["2026-01-01",null,"1969-12-31"]`, types.IntType, `error: date32 in the file cannot be read as INT`},
		{arrow.BinaryTypes.LargeString, `["a",null,"潮"]`, types.StringType, `"a",null,"潮"`},
		{arrow.BinaryTypes.Binary, `["YQ==",null,""]`, types.StringType, `"a",null,""`},
		{arrow.BinaryTypes.Binary, `["/w==",null,""]`, types.StringType, `error: a string is not valid UTF-8`},
		{arrow.BinaryTypes.String, `["a",null,"b"]`, types.BytesType, `"YQ==",null,"Yg=="`},
		{&arrow.FixedSizeBinaryType{ByteWidth: 2}, `["AAE=",null,"//8="]`, types.BytesType, `"AAE=",null,"//8="`},
		{&arrow.Decimal128Type{Precision: 9, Scale: 2}, `["-1.25",null,"1.00"]`, types.DecimalOf(20, 3), `-1.250,null,1.000`},
		{&arrow.Decimal128Type{Precision: 18, Scale: 2}, `["-1.25",null,"1.00"]`, types.DecimalOf(5, 1), `-1.3,null,1.0`},
		{&arrow.Decimal128Type{Precision: 38, Scale: 0}, `["12345678901234567890123456789012345678",null,"-1"]`, types.DecimalOf(38, 0), `12345678901234567890123456789012345678,null,-1`},
		{&arrow.Decimal128Type{Precision: 18, Scale: 2}, `["1000.00",null,"1.00"]`, types.DecimalOf(5, 2), `error: 1000.00 is out of the range of DECIMAL(5, 2)`},
	} {
		for _, integers := range []bool{false, true} {
			props := parquet.NewWriterProperties(parquet.WithStoreDecimalAsInteger(integers))
			path := filepath.Join(t.TempDir(), "x.parquet")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			as := arrow.NewSchema([]arrow.Field{{Name: "v", Type: c.of, Nullable: true}}, nil)
			files, err := pqarrow.NewFileWriter(as, f, props, pqarrow.DefaultWriterProps())
			if err != nil {
				t.Fatal(c.of, err)
			}
			values, _, err := array.FromJSON(memory.DefaultAllocator, c.of, strings.NewReader(c.values))
			if err != nil {
				t.Fatal(c.of, err)
			}
			if err := errors.Join(files.Write(array.NewRecordBatch(as, []arrow.Array{values}, 3)), files.Close()); err != nil {
				t.Fatal(c.of, err)
			}
			table := types.Schema{{Name: "v", Type: c.as}}
			rows, _, err := containertest.Read(Container, table, []int{0}, path, 2)
			for i := range rows {
				rows[i] = strings.TrimSuffix(strings.TrimPrefix(rows[i], `{"v":`), "}")
			}
			got := strings.Join(rows, ",")
			if err != nil {
				got = fmt.Sprint("error: ", err)
			}
			if want, wrong := strings.CutPrefix(c.want, "error: "); got != c.want && (!wrong || !strings.Contains(got, want)) {
				t.Errorf("%s as %s: %s, want %s", c.of, c.as, got, c.want)
			}
		}
	}
}
