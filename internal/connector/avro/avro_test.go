package avro

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem/containertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// without is a schema without the columns of a type that Avro's older timestamps cannot have.
func without(schema types.Schema, k types.Kind) (rest types.Schema) {
	for _, f := range schema {
		if f.Type.Kind != k {
			rest = append(rest, f)
		}
	}
	return rest
}

func TestRoundTrips(t *testing.T) {
	for _, codec := range codecNames() {
		for _, schema := range []types.Schema{containertest.Every, containertest.Deep} {
			containertest.RoundTrip(t, Container, schema, connector.Options{codecKey: codec, legacyKey: "false"})
			containertest.RoundTrip(t, Container, without(schema, types.TimestampLTZ), connector.Options{codecKey: codec})
		}
	}
}

// TestPieces: every row is in one piece, wherever the markers lie.
func TestPieces(t *testing.T) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}}
	var text []byte
	for i := range 120_000 {
		text = fmt.Appendf(text, `{"l":%d,"s":"%030d"}`+"\n", i, i)
	}
	rows := containertest.Batch(t, schema, text)
	path := containertest.Write(t, Container, schema, connector.Options{codecKey: "null"}, rows)
	got, pieces, err := containertest.Read(Container, schema, []int{0}, path, 4096)
	if err != nil || pieces < 4 || len(got) != rows.N {
		t.Fatalf("%d rows of %d in %d pieces: %v", len(got), rows.N, pieces, err)
	}
	if bare, _, err := containertest.Read(Container, schema, nil, path, 4096); err != nil || len(bare) != rows.N {
		t.Errorf("%d rows counted: %v", len(bare), err)
	}
	for i, row := range got {
		if row != fmt.Sprintf(`{"l":%d}`, i) {
			t.Fatalf("row %d is %s", i, row)
		}
	}
}

func TestLongRows(t *testing.T) {
	for _, codec := range []string{"snappy", "zstandard"} {
		containertest.LongRows(t, Container, connector.Options{codecKey: codec})
	}
}

// file is a container put together by hand from the specification.
func file(meta map[string]string, blocks ...string) []byte {
	sized := func(b []byte, s string) []byte { return append(binary.AppendVarint(b, int64(len(s))), s...) }
	b := binary.AppendVarint([]byte("Obj\x01"), int64(len(meta)))
	for key, value := range meta {
		b = sized(sized(b, key), value)
	}
	b = append(b, "\x00sixteen bytes :)"...)
	for _, records := range blocks {
		count, text, _ := strings.Cut(records, "|")
		var n int64
		_, _ = fmt.Sscan(count, &n)
		b = sized(binary.AppendVarint(b, n), text)
		b = append(b, "sixteen bytes :)"...)
	}
	return b
}

func deflated(s string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 9)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// TestFiles reads files of other writers, and what is wrong with some.
func TestFiles(t *testing.T) {
	table := types.Schema{{Name: "s", Type: types.StringType}, {Name: "l", Type: types.BigIntType}, {Name: "more", Type: types.DoubleType}}
	const record = `{"type":"record","name":"x.y","fields":[{"name":"l","type":"int"},{"name":"other","type":["null","double"]},{"name":"s","type":"string"}]}`
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{file(map[string]string{schemaKey: record}, "2|\x02\x00\x02a\x04\x00\x02b", "1|\x06\x00\x02c"), `{"s":"a","l":1,"more":null}{"s":"b","l":2,"more":null}{"s":"c","l":3,"more":null}`},
		{file(map[string]string{schemaKey: record, codecField: "null", "user.key": "x"}, "0|"), ``},
		{file(map[string]string{schemaKey: record}), ``},
		{file(map[string]string{schemaKey: record, codecField: "deflate"}, "1|"+deflated("\x02\x00\x02a")), `{"s":"a","l":1,"more":null}`},
		{file(map[string]string{schemaKey: record, codecField: "bzip2"}, "1|"+bzipped), `{"s":"a","l":1,"more":null}`},
		{file(map[string]string{schemaKey: record, codecField: "xz"}, "1|x"), "compressed with 'xz', which is not supported; write it with one of: null, deflate, snappy, zstandard"},
		{file(map[string]string{schemaKey: record, codecField: "snappy"}, "1|x"), "the file is damaged"},
		{file(map[string]string{schemaKey: record, codecField: "snappy"}, "1|\x04\x0c\x02\x00\x02a\x00\x00\x00\x00"), "checksum of a block does not match"},
		{file(map[string]string{}), "the file has no schema"},
		{file(map[string]string{schemaKey: `{"type":"record","name":"r","fields":[{"name":"l","type":"string"}]}`}), `column 'l': Avro's string cannot be read as BIGINT`},
		{file(map[string]string{schemaKey: `"int"`}), `the Avro schema is a int, and rows are records`},
		{file(map[string]string{schemaKey: record}, "2|\x02\x00\x02a"), `{"s":"a","l":1,"more":null}read PATH: row 2 of the block at byte`},
		{file(map[string]string{schemaKey: record}, "1|\x02\x00\x02a\x04"), `{"s":"a","l":1,"more":null}read PATH: the block at byte 174 has more than its 1 rows; the file is damaged`},
		{file(map[string]string{schemaKey: `{"type":"record","name":"r","fields":[]}`}, "3|"), `{"s":null,"l":null,"more":null}{"s":null,"l":null,"more":null}{"s":null,"l":null,"more":null}`},
		{file(map[string]string{schemaKey: `{"type":"record","name":"r","fields":[]}`}, "4000000000|"), "4000000000 rows do not fit in it"},
		{[]byte("PAR1"), "is not an Avro container"},
		{nil, "is not an Avro container"},
		{[]byte("Obj\x01"), "cut off or damaged"},
		{[]byte("Obj\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), "cut off or damaged"},
	} {
		path := filepath.Join(t.TempDir(), "x.avro")
		if err := os.WriteFile(path, c.bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := containertest.Read(Container, table, containertest.All(table), path, 10)
		got := strings.Join(rows, "")
		if err != nil {
			if fault.Of(err) != fault.Data || !strings.Contains(err.Error(), path) {
				t.Errorf("%q: %v", c.bytes, err)
			}
			got += strings.ReplaceAll(err.Error(), path, "PATH")
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q: %s, want %s", c.bytes, got, c.want)
		}
	}
}

// bzipped is the bytes 2, 0, 2 and an a, compressed by bzip2.
const bzipped = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x8c\x77\x4f\x72\x00\x00\x00\xc1\x00\x50\x00\x20\x00\x20\x00\x30\xcc\x0c\x7a\x98\x71\x77\x24\x53\x85\x09\x08\xc7\x74\xf7\x20"

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		of      types.Type
		options connector.Options
		want    string
	}{
		{types.TimestampLTZType, nil, "has no TIMESTAMP_LTZ(3) unless 'avro.timestamp_mapping.legacy' is false"},
		{types.MapOf(types.IntType, types.IntType), nil, "only if its keys are strings"},
		{types.IntType, connector.Options{encodingKey: "json"}, "option 'encoding' cannot be 'json'"},
		{types.IntType, connector.Options{legacyKey: "maybe"}, "'timestamp_mapping.legacy' is 'maybe'"},
	} {
		if err := Container.Check(types.Schema{{Name: "v", Type: c.of}}, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.of, c.options, err)
		}
	}
	if _, err := Container.Pieces(filepath.Join(t.TempDir(), "none")); fault.Of(err) != fault.External {
		t.Error(err)
	}
}

// TestDamage: whatever a file has become, an error at worst.
func TestDamage(t *testing.T) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "b", Type: types.BooleanType}, {Name: "m", Type: types.DecimalOf(20, 3)}, {Name: "a", Type: types.ArrayOf(types.StringType)}}
	rows := containertest.Batch(t, schema, containertest.Lines(rand.New(rand.NewPCG(3, 4)), schema, 6))
	for _, codec := range []string{"null", "snappy"} {
		whole, err := os.ReadFile(containertest.Write(t, Container, schema, connector.Options{codecKey: codec}, rows))
		if err != nil {
			t.Fatal(err)
		}
		containertest.Damage(t, Container, schema, whole, rows.N)
	}
}

// FuzzRead reads any bytes: rows come or an error of the data, and reading ends.
func FuzzRead(f *testing.F) {
	schema := types.Schema{{Name: "l", Type: types.BigIntType}, {Name: "s", Type: types.StringType}, {Name: "a", Type: types.ArrayOf(types.StringType)}}
	rows := containertest.Batch(f, schema, containertest.Lines(rand.New(rand.NewPCG(3, 4)), schema, 4))
	for _, codec := range codecNames() {
		whole, err := os.ReadFile(containertest.Write(f, Container, schema, connector.Options{codecKey: codec}, rows))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(whole)
	}
	f.Add(file(map[string]string{schemaKey: `{"type":"record","name":"r","fields":[{"name":"n","type":["null","r"]}]}`}, "1|\x02\x02\x00"))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		path := filepath.Join(t.TempDir(), "x.avro")
		if err := os.WriteFile(path, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := containertest.Read(Container, schema, containertest.All(schema), path, 8); err != nil && fault.Of(err) != fault.Data {
			t.Error(err)
		}
	})
}

func BenchmarkDecode(b *testing.B) { containertest.BenchmarkDecode(b, Container) }

func BenchmarkEncode(b *testing.B) { containertest.BenchmarkEncode(b, Container) }

func TestResume(t *testing.T) {
	containertest.Resume(t, Container, connector.Options{codecKey: "null"})
}
