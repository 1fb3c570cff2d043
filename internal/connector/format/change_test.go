package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/cputime"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var changeColumns = types.Schema{{Name: "id", Type: types.BigIntType}, {Name: "name", Type: types.StringType}, {Name: "w", Type: types.DoubleType}, {Name: "tags", Type: types.ArrayOf(types.StringType)}}

// decodeChanges is the rows of text with their changes and metadata, each as JSON, with what went wrong in between.
func decodeChanges(t *testing.T, o connector.Options, schema types.Schema, needed []int, text string, maxRows int, metadata ...string) (rows []string, skipped int64) {
	t.Helper()
	d, err := choose(t, o).NewDecoder(schema, needed, metadata...)
	if err != nil {
		t.Fatal(err)
	}
	fields := pick(schema, needed)
	for _, key := range metadata {
		known := find(o["format"]).Metadata
		at := slices.IndexFunc(known, func(m connector.MetadataColumn) bool { return m.Key == key })
		fields = append(fields, types.Field{Name: key, Type: known[at].Type})
	}
	e := NewJSONEncoder(fields, JSONOptions{})
	var pool vector.Pool
	for buf := []byte(text); len(buf) > 0; {
		b, consumed, err := Decode(d, Lines, pool.Get(), buf, maxRows)
		if len(b.Ops) != b.N {
			t.Fatalf("%d rows and %d changes", b.N, len(b.Ops))
		}
		for i := range b.N {
			rows = append(rows, b.Ops[i].String()+" "+string(e.AppendRow(nil, b, i)))
		}
		if err != nil {
			rows = append(rows, "error: "+err.Error())
		}
		b.Release()
		buf = buf[consumed:]
	}
	return rows, d.Skipped()
}

func TestChanges(t *testing.T) {
	for _, c := range []struct{ format, message, want string }{
		{"debezium", `{"before":null,"after":{"id":1,"name":"a\n","w":1.5,"tags":["x"]},"source":{"op":"d"},"op":"c","ts_ms":1}`, `+I {"id":1,"name":"a\n","w":1.5,"tags":["x"]}`},
		{"debezium", ` {"op" : "r" , "after" : {"id":"2"} }`, `+I {"id":2,"name":null,"w":null,"tags":null}`},
		{"debezium", `{"before":{"id":1,"name":"\u0061\t"},"after":{"id":1,"name":"\u0062\t"},"op":"u"}`, `-U {"id":1,"name":"a\t","w":null,"tags":null}|+U {"id":1,"name":"b\t","w":null,"tags":null}`},
		{"debezium", `{"before":{"id":1},"after":null,"op":"d"}`, `-D {"id":1,"name":null,"w":null,"tags":null}`},
		{"debezium", `{"op":"c","op":"d","before":{"id":1},"after":{"id":2}}`, `-D {"id":1,"name":null,"w":null,"tags":null}`}, // Flink 2.3: the last counts
		{"debezium", `{"before":null,"after":{"id":1},"op":"u"}`, `error: 'before' of an update is null`},
		{"debezium", `{"before":null,"op":"d"}`, `error: 'before' of a deletion is null`},
		{"debezium", `{"after":null,"op":"c"}`, `error: 'after' of a row that is new is null`},
		{"debezium", `{"before":{"id":1},"op":"u"}`, `error: 'after' of an update is null`},
		{"debezium", `{"after":{"id":1},"op":"t"}`, `error: 'op' is "t"; it can be c, r, u or d`},
		{"debezium", `{"id":1}`, `error: the message does not tell what happened: it has no 'op'`},
		{"debezium", `{"after":{"id":"x"},"op":"c"}`, `error: field 'id': expected BIGINT, found "x"`},
		{"debezium", `{"before":{"id":1,"name":"\n"},"after":{"id":"x"},"op":"u"}`, `error: field 'id': expected BIGINT, found "x"`},
		{"debezium", `{"after":[1],"op":"c"}`, `error: expected a JSON object`},
		{"debezium", `{"after":{"id":1},"op":"c"} x}`, `error: unexpected text behind the object`},
		{"debezium", `{"after":{"id":1},"op":"c"} x`, `error: unexpected text behind the object`},
		{"debezium", `{"after":{"id":1},"op":"c"`, `error: the line ends before its object does`},
		{"debezium", `[1]`, `error: expected a JSON object`},
		{"debezium", `{"after":{"id":1} "op":"c"}`, `error: expected ',' or '}'`},
		{"canal", `{"data":[{"id":"1","name":"a"},{"id":"2","tags":["b"]}],"old":null,"type":"INSERT","isDdl":false}`, `+I {"id":1,"name":"a","w":null,"tags":null}|+I {"id":2,"name":null,"w":null,"tags":["b"]}`},
		{"canal", `{"data":[{"id":"1","name":"b\n","w":2.5,"tags":["y"]},{"id":2,"w":7}],"old":[{"name":"a\n"},{"w":null}],"type":"UPDATE"}`,
			`-U {"id":1,"name":"a\n","w":2.5,"tags":["y"]}|+U {"id":1,"name":"b\n","w":2.5,"tags":["y"]}|-U {"id":2,"name":null,"w":null,"tags":null}|+U {"id":2,"name":null,"w":7.0,"tags":null}`},
		{"canal", `{"data":[{"id":1}],"type":"DELETE"}`, `-D {"id":1,"name":null,"w":null,"tags":null}`},
		{"canal", `{"data":[ ],"type":"DELETE"}`, ``},
		{"canal", `{"data":null,"type":"CREATE"}`, ``},
		{"canal", `{"data":[{"id":1},{"id":"x"}],"type":"INSERT"}`, `error: field 'id'`},
		{"canal", `{"data":[{"id":1} {"id":2}],"type":"INSERT"}`, `error: expected ',' or ']'`},
		{"canal", `{"data":[{"id":1},],"type":"INSERT"}`, `error: expected a JSON object`},
		{"canal", `{"data":[{"id":1}],"old":[],"type":"UPDATE"}`, `error: 'old' of an update has not as many rows`},
		{"canal", `{"data":null,"type":"INSERT"}`, `error: 'data' or 'old' is no array`},
		{"canal", `{"data":[{"id":1}],"type":"ALTER"}`, `error: 'type' is "ALTER"`},
		{"maxwell", `{"data":{"id":1,"name":"a"},"type":"insert"}`, `+I {"id":1,"name":"a","w":null,"tags":null}`},
		{"maxwell", `{"data":{"id":1,"name":"b","w":2.5},"old":{"name":"a","w":null},"type":"update"}`, `-U {"id":1,"name":"a","w":null,"tags":null}|+U {"id":1,"name":"b","w":2.5,"tags":null}`},
		{"maxwell", `{"data":{"id":1},"type":"delete"}`, `-D {"id":1,"name":null,"w":null,"tags":null}`},
		{"maxwell", `{"data":{"id":1},"old":null,"type":"update"}`, `error: 'data' or 'old' of an update is null`},
		{"maxwell", `{"type":"delete"}`, `error: 'data' is null`},
		{"maxwell", `{"data":{"id":1},"type":"bootstrap-start"}`, `error: 'type' is "bootstrap-start"`},
	} {
		options := connector.Options{"format": c.format + "-json"}
		got, _ := decodeChanges(t, options, changeColumns, indexes(4), c.message, 10)
		if text := strings.Join(got, "|"); text != c.want && !(strings.HasPrefix(c.want, "error: ") && strings.HasPrefix(text, c.want)) {
			t.Errorf("%s %s\n got %s\nwant %s", c.format, c.message, text, c.want)
		}
		// A bad message is left out, and those around it are read.
		good := map[string]string{"debezium": `{"after":{"id":7},"op":"c"}`, "canal": `{"data":[{"id":7}],"type":"INSERT"}`, "maxwell": `{"data":{"id":7},"type":"insert"}`}[c.format]
		if !strings.HasPrefix(c.want, "error: ") || strings.Contains(c.want, "field") {
			continue
		}
		for _, ignoring := range []connector.Options{{"format": c.format + "-json", c.format + "-json.ignore-parse-errors": "true"}, {"format": c.format + "-json", "error-handling.mode": "ignore"}} {
			rows, skipped := decodeChanges(t, ignoring, changeColumns, []int{0}, good+"\n"+c.message+"\n\n"+good, 100)
			if strings.Join(rows, "|") != `+I {"id":7}|+I {"id":7}` || skipped != 1 {
				t.Errorf("%v %s: %q, %d skipped", ignoring, c.message, rows, skipped)
			}
		}
	}
}

// TestChangesOfNotNullColumns: an old row that tells only what became different need not have the columns that are NOT NULL.
func TestChangesOfNotNullColumns(t *testing.T) {
	id := types.BigIntType
	id.NotNull = true
	schema := types.Schema{{Name: "id", Type: id}, {Name: "name", Type: types.StringType}}
	got, _ := decodeChanges(t, connector.Options{"format": "maxwell-json"}, schema, indexes(2), `{"data":{"id":1,"name":"b"},"old":{"name":"a"},"type":"update"}`, 10)
	if want := []string{`-U {"id":1,"name":"a"}`, `+U {"id":1,"name":"b"}`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestChangesWithTheirSchema(t *testing.T) {
	o := connector.Options{"format": "debezium-json", "debezium-json.schema-include": "true"}
	const text = `{"schema":{"op":"x","payload":1},"payload":{"before":null,"after":{"id":1},"op":"c"}}
{"before":null,"after":{"id":1},"op":"c"}
{"payload":null}`
	got, _ := decodeChanges(t, o, changeColumns, []int{0}, text, 10)
	if len(got) != 3 || got[0] != `+I {"id":1}` || !strings.Contains(got[1], "has no 'payload'") || !strings.Contains(got[2], "expected a JSON object") {
		t.Errorf("%q", got)
	}
	if _, err := choose(t, o).NewEncoder(changeColumns); err == nil || !strings.Contains(err.Error(), "'debezium-json.schema-include' is 'true'") {
		t.Error(err)
	}
}

// TestChangesAreWrittenAsFlinkDoes: an update is a deletion and a row that is new.
func TestChangesAreWrittenAsFlinkDoes(t *testing.T) {
	b := randomBatch(rand.New(rand.NewPCG(1, 2)), columns("l"), 4, false)
	b.Cols[0].Ints = []int64{1, 2, 3, 4}
	b.Ops = []vector.Op{vector.Insert, vector.UpdateBefore, vector.UpdateAfter, vector.Delete}
	for _, c := range []struct{ format, want string }{
		{"debezium-json", `{"before":null,"after":{"l":1},"op":"c"}|{"before":{"l":2},"after":null,"op":"d"}|{"before":null,"after":{"l":3},"op":"c"}|{"before":{"l":4},"after":null,"op":"d"}`},
		{"debezium-json omitting", `{"after":{"l":1},"op":"c"}|{"before":{"l":2},"op":"d"}|{"after":{"l":3},"op":"c"}|{"before":{"l":4},"op":"d"}`},
		{"canal-json", `{"data":[{"l":1}],"type":"INSERT"}|{"data":[{"l":2}],"type":"DELETE"}|{"data":[{"l":3}],"type":"INSERT"}|{"data":[{"l":4}],"type":"DELETE"}`},
		{"maxwell-json", `{"data":{"l":1},"type":"insert"}|{"data":{"l":2},"type":"delete"}|{"data":{"l":3},"type":"insert"}|{"data":{"l":4},"type":"delete"}`},
	} {
		name, omitting, _ := strings.Cut(c.format, " ")
		o := connector.Options{"format": name}
		if omitting != "" {
			o[name+".encode.ignore-null-fields"] = "true"
		}
		e, err := choose(t, o).NewEncoder(columns("l"))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for i := range b.N {
			line, err := e.Append(nil, b, i)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%s: %s", c.format, got)
		}
		// What is written is read: the same rows, each added or taken back.
		rows, _ := decodeChanges(t, o, columns("l"), indexes(1), strings.Join(lines, "\n"), 3)
		if want := []string{`+I {"l":1}`, `-D {"l":2}`, `+I {"l":3}`, `-D {"l":4}`}; !slices.Equal(rows, want) {
			t.Errorf("%s read again: %q", c.format, rows)
		}
	}
}

// FuzzChanges: whatever the messages, they do not influence each other, and a message that is read is an object.
func FuzzChanges(f *testing.F) {
	for i, seed := range []string{
		`{"before":{"id":1,"name":"\n"},"after":{"id":2},"op":"u"}` + "\n" + `{"op":"d","before":{"id":1}}`,
		`{"data":[{"id":1,"tags":["\t"]},{"id":2}],"old":[{"tags":null},{}],"type":"UPDATE"}`,
		`{"data":{"id":1},"old":{"name":"\""},"type":"update"}`,
		`{"payload":{"op":"c","after":{}}}`,
		`{"after":{"id":1},"source":{"ts_ms":1,"table":"\u0061","db":null},"ts_ms":"2","schema":{"a":[1]},"op":"c"}`,
		`{"database":"\t","table":"t","sqlType":{"id":-5},"pkNames":["id"],"ts":1,"es":2,"data":[{"id":1},{"id":2}],"type":"INSERT"}`,
		`{"database":"d","ts":1,"primary_key_columns":[],"data":{"id":1},"type":"insert"}`,
		`{"data":[]}`, `{"data":[`, "{\"after\":{\"id\":1,\"name\":\"\\u12\"},\"op\":\"c\"}",
	} {
		f.Add(uint8(i), seed)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		name := []string{"debezium-json", "canal-json", "maxwell-json"}[which%3]
		o := connector.Options{"format": name}
		if name == "debezium-json" && which >= 128 {
			o["debezium-json.schema-include"] = "true"
		}
		var alone []string
		for line := range strings.SplitAfterSeq(text, "\n") {
			rows, _ := decodeChanges(t, o, changeColumns, indexes(4), line, 1)
			alone = append(alone, rows...)
			if len(rows) > 0 && !strings.HasPrefix(rows[0], "error: ") && strings.TrimSpace(line)[0] != '{' {
				t.Errorf("%q was read as %q", line, rows)
			}
		}
		if got, _ := decodeChanges(t, o, changeColumns, indexes(4), text, 1000); !slices.Equal(got, alone) {
			t.Errorf("%s %q\n got %q\nwant %q", name, text, got, alone)
		}
		fuzzMetadata(t, o, text)
		for _, row := range alone {
			if _, object, ok := strings.Cut(row, " "); !strings.HasPrefix(row, "error: ") && (!ok || !json.Valid([]byte(object))) {
				t.Errorf("%q is no row", row)
			}
		}
	})
}

// BenchmarkDecodeChanges reads rows that are new or updated, as Debezium tells them, and the same rows as bare JSON; one operation is one row.
func BenchmarkDecodeChanges(b *testing.B) {
	const rows = 4096
	row := func(i int) string {
		return fmt.Sprintf(`{"id":%d,"name":"name %d","w":%d.25,"tags":null}`, i, i%100, i)
	}
	var bare, added, updated bytes.Buffer
	const source = `"source":{"version":"3.0.0.Final","connector":"mysql","name":"dbserver1","ts_ms":1767225600000,"snapshot":"false","db":"inventory","table":"products","server_id":223344,"gtid":null,"file":"mysql-bin.000003","pos":362,"row":0,"thread":2,"query":null}`
	for i := range rows {
		fmt.Fprintf(&bare, "%s\n", row(i))
		fmt.Fprintf(&added, `{"before":null,"after":%s,%s,"op":"c","ts_ms":1767225600000,"transaction":null}`+"\n", row(i), source)
		if i%2 == 1 {
			fmt.Fprintf(&updated, `{"before":%s,"after":%s,%s,"op":"u","ts_ms":1767225600000,"transaction":null}`+"\n", row(i-1), row(i), source)
		}
	}
	for _, c := range []struct {
		name, format string
		text         []byte
		metadata     []string
	}{{"bare", "json", bare.Bytes(), nil}, {"added", "debezium-json", added.Bytes(), nil}, {"updated", "debezium-json", updated.Bytes(), nil},
		{"updated with source.timestamp", "debezium-json", updated.Bytes(), []string{"source.timestamp"}},
		{"updated with four", "debezium-json", updated.Bytes(), []string{"source.timestamp", "source.table", "source.database", "ingestion-timestamp"}},
		{"updated with source.properties", "debezium-json", updated.Bytes(), []string{"source.properties"}}} {
		b.Run(c.name, func(b *testing.B) {
			choice, _, err := Choose(connector.Options{"format": c.format}, "")
			if err != nil {
				b.Fatal(err)
			}
			d, err := choice.NewDecoder(changeColumns, indexes(3), c.metadata...)
			if err != nil {
				b.Fatal(err)
			}
			var pool vector.Pool
			b.SetBytes(int64(len(c.text) / rows))
			b.ReportAllocs()
			from, done := cputime.Used(), 0
			for ; done < b.N; done += rows {
				batch, _, err := Decode(d, Lines, pool.Get(), c.text, rows)
				if err != nil || batch.N != rows {
					b.Fatal(batch.N, err)
				}
				batch.Release()
			}
			b.ReportMetric(float64((cputime.Used()-from).Nanoseconds())/float64(done), "cpu-ns/row")
		})
	}
}
