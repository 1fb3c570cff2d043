package format

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/registry"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// readAvroRecord reads one record of a writer's schema as a table of one column v.
func readAvroRecord(of types.Type, schema, record string) (string, error) {
	table := types.Schema{{Name: "v", Type: of}}
	d := NewAvroDecoder(table, []int{0})
	plan, err := d.Plan(schema)
	if err != nil {
		return "", err
	}
	d.Use(plan)
	d.Begin((&vector.Pool{}).Get(), []byte(record), 1)
	_, err = d.Read(0, len(record))
	b := d.End()
	if err != nil {
		return "", err
	}
	row := string(NewJSONEncoder(table, JSONOptions{}).AppendRow(nil, b, 0))
	return strings.TrimSuffix(strings.TrimPrefix(row, `{"v":`), "}"), nil
}

// TestAvroWriters: records of writers whose schema is not that of the table. The bytes are written out by hand from the specification.
func TestAvroWriters(t *testing.T) {
	record := func(fields string) string { return `{"type":"record","name":"r","fields":[` + fields + `]}` }
	v := func(of string) string { return record(`{"name":"v","type":` + of + `}`) }
	person := types.RowOf(types.Schema{{Name: "name", Type: types.StringType}, {Name: "age", Type: types.IntType}})
	for _, c := range []struct {
		of            types.Type
		schema, bytes string
		want          string
	}{
		{types.IntType, v(`"int"`), "\x03", `-2`},
		{types.BigIntType, v(`"long"`), "\x80\x01", `64`},
		{types.BigIntType, v(`"int"`), "\x02", `1`},
		{types.DoubleType, v(`"int"`), "\x02", `1.0`},
		{types.DoubleType, v(`"float"`), "\x00\x00\x00\x3f", `0.5`},
		{types.TinyIntType, v(`"int"`), "\x80\x02", `field 'v': 128 is out of the range of TINYINT; the schema may not be that of the writer`},
		{types.StringType, v(`["null","string"]`), "\x02\x06abc", `"abc"`},
		{types.StringType, v(`["string","null"]`), "\x02", `null`},
		{types.StringType, v(`["int","string"]`), "\x00\x02", `field 'v': a int, which is not STRING; the schema may not be that of the writer`},
		{types.StringType, v(`["null","string"]`), "\x04", `field 'v': branch 2 of a union of 2; the schema may not be that of the writer`},
		{types.StringType, v(`{"type":"enum","name":"e","symbols":["A","B"]}`), "\x02", `"B"`},
		{types.StringType, v(`{"type":"string","avro.java.string":"String"}`), "\x02x", `"x"`},
		{types.BytesType, v(`{"type":"fixed","name":"f","size":2}`), "\x00\x01", `"AAE="`},
		{types.DecimalOf(5, 2), v(`{"type":"bytes","logicalType":"decimal","precision":4,"scale":1}`), "\x02\xff", `-0.10`},
		{types.DecimalOf(30, 2), v(`{"type":"fixed","name":"f","size":10,"logicalType":"decimal","precision":20,"scale":2}`), "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe", `-0.02`},
		{types.DateType, v(`{"type":"int","logicalType":"date"}`), "\x02", `"1970-01-02"`},
		{types.Type{Kind: types.Time, Precision: 3}, v(`{"type":"long","logicalType":"time-micros"}`), "\xd0\x0f", `"00:00:00.001"`},
		{types.TimestampLTZType, v(`{"type":"long","logicalType":"timestamp-millis"}`), "\x01", `"1969-12-31 23:59:59.999Z"`},
		{types.ArrayOf(types.IntType), v(`{"type":"array","items":"int"}`), "\x03\x04\x02\x04\x02\x06\x00", `[1,2,3]`}, // two blocks, the first with its size
		{types.MapOf(types.StringType, types.BigIntType), v(`{"type":"map","values":"long"}`), "\x06\x02a\x02\x02b\x04\x02a\x06\x00", `{"a":3,"b":2}`},
		{person, v(`{"type":"record","name":"p","fields":[{"name":"more","type":{"type":"array","items":"string"}},{"name":"name","type":"string"}]}`), "\x02\x02x\x00\x04ab", `{"name":"ab","age":null}`},
		{types.IntType, record(`{"name":"a","type":{"type":"map","values":["null","double"]}},{"name":"v","type":"int"},{"name":"z","type":"boolean"}`), "\x04\x02k\x00\x02l\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x01", `1`},
		{types.IntType, record(`{"name":"a","type":"int"}`), "\x02", `null`},
		{types.IntType, `{"type":"record","name":"n.r","fields":[{"name":"a","type":{"type":"enum","name":"e","symbols":["X"]}},{"name":"b","type":"e"},{"name":"c","type":"n.e"},{"name":"v","type":"int"}]}`, "\x00\x00\x00\x02", `1`},

		{types.IntType, v(`"string"`), "", `column 'v': Avro's string cannot be read as INT`},
		{types.Type{Kind: types.Int, NotNull: true}, record(``), "", `column 'v' is NOT NULL, and the writer's schema has no such field`},
		{types.IntType, `"int"`, "", `the Avro schema is a int, and rows are records`},
		{types.IntType, " ", "", `the Avro schema is not valid: a type is missing`},
		{types.IntType, v(` [ ] `), "\x00", `field 'v': branch 0 of a union of 0; the schema may not be that of the writer`},
		{types.IntType, v(`"x.y"`), "", `the Avro schema is not valid: field 'v': there is no type 'x.y'`},
		{types.IntType, `{"type":"record","name":"r","fields":[{"name":"next","type":["null","r"]}]}`, "", `the Avro schema has a type that holds itself, and such values cannot be stepped over`},
		{types.IntType, v(`"int"`), "\x80", `the record is cut off or its bytes are not Avro; the schema may not be that of the writer`},
		{types.IntType, v(`"int"`), "\x02\x02", `1 bytes stand behind the record; the schema may not be that of the writer`},
		{types.StringType, v(`"string"`), "\x10abc", `the record is cut off or its bytes are not Avro; the schema may not be that of the writer`},
		{types.StringType, v(`"string"`), "\x02\xff", `field 'v': a string is not valid UTF-8; the schema may not be that of the writer`},
		{types.ArrayOf(types.IntType), v(`{"type":"array","items":"null"}`), "\xfe\xff\xff\xff\x0f\x00", `an array or map of 2147483647 items does not fit in the record; the schema may not be that of the writer`},
	} {
		got, err := readAvroRecord(c.of, c.schema, c.bytes)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s as %s: got %s, want %s", c.schema, c.of, got, c.want)
		}
	}
}

// TestAvroWritersInTurn: the writer may change between records of a batch, and symbols stand beside strings.
func TestAvroWritersInTurn(t *testing.T) {
	d := NewAvroDecoder(columns("s"), []int{0})
	var plans []*AvroPlan
	for _, of := range []string{`"string"`, `{"type":"enum","name":"e","symbols":["red","green"]}`} {
		p, err := d.Plan(`{"type":"record","name":"r","fields":[{"name":"s","type":` + of + `}]}`)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	text := "\x02a\x02\x02b\x00"
	d.Begin((&vector.Pool{}).Get(), []byte(text), 1)
	for i, span := range [][2]int{{0, 2}, {2, 3}, {3, 5}, {5, 6}} {
		d.Use(plans[i%2])
		if _, err := d.Read(span[0], span[1]); err != nil {
			t.Fatal(err)
		}
	}
	b := d.End()
	var got []string
	for i := range b.N {
		got = append(got, string(b.Cols[0].Bytes(i)))
	}
	if fmt.Sprint(got) != "[a green b red]" {
		t.Errorf("got %s", got)
	}
}

// TestAvroSchema: the schema of a table is JSON, and a plan of it reads what the format writes.
func TestAvroSchema(t *testing.T) {
	schema := append(scalars[:len(scalars):len(scalars)], avroDeep[2:5]...)
	text, err := AvroSchema(schema, true, AvroRecord)
	if err != nil || !json.Valid([]byte(text)) {
		t.Fatal(text, err)
	}
	e, err := choose(t, connector.Options{"format": "avro"}).NewEncoder(schema)
	if err != nil {
		t.Fatal(err)
	}
	b := randomBatch(rand.New(rand.NewPCG(5, 6)), schema, 1, false)
	record, err := e.Append(nil, b, 0)
	if err != nil {
		t.Fatal(err)
	}
	d := NewAvroDecoder(schema, indexes(len(schema)))
	plan, err := d.Plan(text)
	if err != nil {
		t.Fatal(err)
	}
	d.Use(plan)
	got, errs := readEach(d, string(record), []int{len(record)})
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	compareBatches(t, connector.Options{"format": "avro"}, schema, got, b)
}

// TestAvroNames: records are called as Flink and Confluent call them, and what may be null is so by default.
func TestAvroNames(t *testing.T) {
	schema := types.Schema{{Name: "a", Type: types.RowOf(types.Schema{{Name: "b", Type: types.IntType}})}}
	const inner = `"fields":[{"name":"a","type":["null",{"type":"record","name":"%s_a","fields":[{"name":"b","type":["null","int"],"default":null}]}],"default":null}]}`
	for _, c := range []struct {
		format        registeredFormat
		subject, want string
	}{
		{registeredFormat{name: "avro-confluent", legacy: true}, "orders-value", `{"type":"record","name":"record","namespace":"org.apache.flink.avro.generated",` + fmt.Sprintf(inner, "record")},
		{registeredFormat{name: "avro-registry"}, "my.orders-value", `{"type":"record","name":"my_orders_value","namespace":"org.apache.flink.avro.generated.record",` + fmt.Sprintf(inner, "my_orders_value")},
	} {
		c.format.kind = registry.Avro
		if got, err := c.format.schema(schema, c.subject); err != nil || got != c.want {
			t.Errorf("%s %v", got, err)
		}
	}
}

func TestAvroRefuses(t *testing.T) {
	if err := choose(t, connector.Options{"format": "avro"}).Check(types.Schema{{Name: "a-b", Type: types.IntType}}); err == nil || !strings.Contains(err.Error(), "no name 'a-b'") {
		t.Error(err)
	}
	for _, c := range []struct {
		of      types.Type
		options connector.Options
		want    string
	}{
		{types.TimestampLTZType, nil, "has no TIMESTAMP_LTZ(3) unless 'avro.timestamp_mapping.legacy' is false"},
		{types.Type{Kind: types.Time, Precision: 6}, nil, "the most precise is TIME(3)"},
		{types.MapOf(types.IntType, types.IntType), nil, "only if its keys are strings"},
		{types.IntervalDayType, nil, "has no INTERVAL DAY"},
		{types.IntType, connector.Options{"avro.encoding": "json"}, "option 'avro.encoding' cannot be 'json'"},
	} {
		o := connector.Options{"format": "avro"}
		for k, v := range c.options {
			o[k] = v
		}
		if err := choose(t, o).Check(field(c.of)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.of, c.options, err)
		}
	}
	for _, s := range FileSpecs()[:1] {
		if strings.Contains(fmt.Sprint(s.Values), "avro") {
			t.Error("files can be avro")
		}
	}
}

// FuzzAvroDecode: whatever the bytes and the schema, a row comes or an error, and reading ends.
func FuzzAvroDecode(f *testing.F) {
	all := append(scalars[:len(scalars):len(scalars)], avroDeep...)
	schema, err := AvroSchema(all, true, AvroRecord)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(schema, []byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add(`{"type":"record","name":"r","fields":[{"name":"strings","type":{"type":"array","items":["null","string"]}},{"name":"x","type":"long"}]}`, []byte("\x02\x02\x02a\x00\x02"))
	f.Add(`{"type":"record","name":"r","fields":[{"name":"x","type":{"type":"array","items":{"type":"array","items":"null"}}}]}`, []byte("\x02\x06\x00\x00"))
	f.Add(" ", []byte{})
	f.Add(`{"type":["null",{"type":"record","name":"r","fields":[{"name":"a","type":"r"}]}]}`, []byte{})
	f.Fuzz(func(t *testing.T, schema string, record []byte) {
		if len(record) > 1000 || len(schema) > 3000 {
			return
		}
		d := NewAvroDecoder(all, indexes(len(all)))
		plan, err := d.Plan(schema)
		if err != nil {
			return
		}
		d.Use(plan)
		b, errs := readEach(d, string(record)+string(record), []int{len(record), 2 * len(record)})
		if b.N+len(errs) != 2 {
			t.Fatalf("%d rows and %d errors", b.N, len(errs))
		}
		e := NewJSONEncoder(all, JSONOptions{})
		for i := range b.N {
			if row := e.AppendRow(nil, b, i); !json.Valid(row) {
				t.Errorf("%s", row)
			}
		}
	})
}

// BenchmarkDecodeAvro reads rows of Avro, and the same rows of JSON; one operation is one row.
func BenchmarkDecodeAvro(b *testing.B) {
	const rows = 4096
	schema := types.Schema{
		{Name: "id", Type: types.BigIntType},
		{Name: "at", Type: types.TimestampType},
		{Name: "celsius", Type: types.DoubleType},
		{Name: "price", Type: types.DecimalOf(10, 2)},
		{Name: "city", Type: types.StringType},
		{Name: "tags", Type: types.ArrayOf(types.StringType)},
	}
	batch := randomBatch(rand.New(rand.NewPCG(7, 8)), schema, rows, false)
	for i, at := range batch.Cols[1].Ints {
		batch.Cols[1].Ints[i] = 1_767_225_600_000_000 + at%timefmt.Day/1000*1000
	}
	for i := range batch.Cols[2].Floats {
		batch.Cols[2].Floats[i] = float64(i%400) / 10
	}
	for _, name := range []string{"avro", "json"} {
		c := choose(b, connector.Options{"format": name})
		e, err := c.NewEncoder(schema)
		if err != nil {
			b.Fatal(err)
		}
		var text []byte
		ends := make([]int, rows)
		for i := range rows {
			if text, err = e.Append(text, batch, i); err != nil {
				b.Fatal(err)
			}
			ends[i] = len(text)
		}
		again := make([]byte, len(text))
		for needed := 1; needed <= len(schema); needed++ {
			b.Run(fmt.Sprintf("%s/to=%s", name, schema[needed-1].Name), func(b *testing.B) {
				d, err := c.NewDecoder(schema, indexes(needed))
				if err != nil {
					b.Fatal(err)
				}
				var pool vector.Pool
				b.SetBytes(int64(len(text) / rows))
				b.ReportAllocs()
				for done := 0; done < b.N; done += rows {
					copy(again, text) // JSON takes escapes out where they are
					d.Begin(pool.Get(), again, rows)
					start := 0
					for _, end := range ends {
						if _, err := d.Read(start, end); err != nil {
							b.Fatal(err)
						}
						start = end
					}
					d.End().Release()
				}
			})
		}
	}
}
