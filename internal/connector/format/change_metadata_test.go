package format

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// keysOf are the metadata of a format.
func keysOf(name string) (keys []string) {
	for _, m := range find(name).Metadata {
		keys = append(keys, m.Key)
	}
	return keys
}

func TestMetadataOfChanges(t *testing.T) {
	const null = `"schema":null,"ingestion-timestamp":null,"source.timestamp":null,"source.database":null,"source.schema":null,"source.table":null,"source.properties":null`
	for _, c := range []struct{ format, message, want string }{
		{"debezium", `{"before":null,"after":{"id":1},"source":{"version":"3.0.0.Final","ts_ms":1767225600000,"db":"inventory","schema":"public","table":"pro\u0064ucts","server_id":7,"gtid":null,"x":{"y":[1]}},"op":"c","ts_ms":1767225600500,"transaction":null}`,
			`+I {"id":1,"schema":null,"ingestion-timestamp":"2026-01-01 00:00:00.500Z","source.timestamp":"2026-01-01 00:00:00.000Z","source.database":"inventory","source.schema":"public","source.table":"products",` +
				`"source.properties":{"version":"3.0.0.Final","ts_ms":"1767225600000","db":"inventory","schema":"public","table":"products","server_id":"7","gtid":null,"x":"{\"y\":[1]}"}}`},
		// Both rows of an update have what its message tells, wherever that stands.
		{"debezium", `{"ts_ms":"-1","source":{"table":"t"},"op":"u","after":{"id":2},"before":{"id":1}}`,
			`-U {"id":1,"schema":null,"ingestion-timestamp":"1969-12-31 23:59:59.999Z","source.timestamp":null,"source.database":null,"source.schema":null,"source.table":"t","source.properties":{"table":"t"}}|` +
				`+U {"id":2,"schema":null,"ingestion-timestamp":"1969-12-31 23:59:59.999Z","source.timestamp":null,"source.database":null,"source.schema":null,"source.table":"t","source.properties":{"table":"t"}}`},
		{"debezium", `{"before":{"id":1},"op":"d"}`, `-D {"id":1,` + null + `}`},
		{"debezium", `{"before":{"id":1},"op":"d","source":null,"ts_ms":null,"schema":null}`, `-D {"id":1,` + null + `}`},
		{"debezium", `{"before":{"id":1},"op":"d","schema":{"type": "struct"}}`, `-D {"id":1,` + strings.Replace(null, `"schema":null`, `"schema":"{\"type\": \"struct\"}"`, 1) + `}`},
		{"debezium", `{"after":{"id":1},"op":"c","source":5}`, `error: 'source' is no object`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"ts_ms":"x"}}`, `error: metadata 'source.timestamp': expected BIGINT, found "x"`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"ts_ms":1.5}}`, `error: metadata 'source.timestamp': expected BIGINT, found 1.5`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"ts_ms":9223372036854775807}}`, `error: metadata 'source.timestamp': 9223372036854775807 is out of the range of TIMESTAMP_LTZ(3)`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"ts_ms":1]}}`, `error: expected ',' or '}'`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"table":"a` + "\x01" + `"}}`, `error: a control character stands bare`},
		{"debezium", `{"after":{"id":1},"op":"c","source":{"table":"a"},}`, `error: expected a key`},
		{"canal", `{"data":[{"id":1},{"id":2}],"database":"inventory","es":1589373560000,"id":9,"isDdl":false,"mysqlType":{"id":"int"},"old":null,"pkNames":["id","n"],"sql":"","sqlType":{"id":4,"n":-5},"table":"products2","ts":1589373560798,"type":"INSERT"}`,
			`+I {"id":1,"database":"inventory","table":"products2","sql-type":{"id":4,"n":-5},"pk-names":["id","n"],"ingestion-timestamp":"2020-05-13 12:39:20.798Z","event-timestamp":"2020-05-13 12:39:20.000Z"}|` +
				`+I {"id":2,"database":"inventory","table":"products2","sql-type":{"id":4,"n":-5},"pk-names":["id","n"],"ingestion-timestamp":"2020-05-13 12:39:20.798Z","event-timestamp":"2020-05-13 12:39:20.000Z"}`},
		{"canal", `{"data":[{"id":1}],"type":"DELETE","pkNames":null}`, `-D {"id":1,"database":null,"table":null,"sql-type":null,"pk-names":null,"ingestion-timestamp":null,"event-timestamp":null}`},
		{"canal", `{"data":null,"type":"CREATE","es":"x"}`, ``},
		{"canal", `{"data":[{"id":1}],"type":"DELETE","sqlType":{"id":"x"}}`, `error: metadata 'sql-type': expected INT, found "x"`},
		{"canal", `{"data":[{"id":1}],"type":"DELETE","pkNames":{}}`, `error: metadata 'pk-names': expected ARRAY<STRING>, found {}`},
		{"maxwell", `{"database":"test","table":"e","type":"update","ts":1477053217,"xid":1,"commit":true,"primary_key_columns":["id"],"data":{"id":2},"old":{"id":1}}`,
			`-U {"id":1,"database":"test","table":"e","primary-key-columns":["id"],"ingestion-timestamp":"2016-10-21 12:33:37.000Z"}|` +
				`+U {"id":2,"database":"test","table":"e","primary-key-columns":["id"],"ingestion-timestamp":"2016-10-21 12:33:37.000Z"}`},
		{"maxwell", `{"type":"insert","data":{"id":2}}`, `+I {"id":2,"database":null,"table":null,"primary-key-columns":null,"ingestion-timestamp":null}`},
		{"maxwell", `{"type":"insert","data":{"id":2},"ts":9223372036854775}`, `error: metadata 'ingestion-timestamp': 9223372036854775 is out of the range`},
	} {
		name := c.format + "-json"
		got, _ := decodeChanges(t, connector.Options{"format": name}, changeColumns, []int{0}, c.message, 10, keysOf(name)...)
		if text := strings.Join(got, "|"); text != c.want && !(strings.HasPrefix(c.want, "error: ") && strings.HasPrefix(text, c.want)) {
			t.Errorf("%s %s\n got %s\nwant %s", c.format, c.message, text, c.want)
		}
		// The rows themselves are the same whatever else is read, and each value is whatever others are.
		if strings.HasPrefix(c.want, "error: ") {
			continue
		}
		for _, key := range keysOf(name) {
			one, _ := decodeChanges(t, connector.Options{"format": name}, changeColumns, []int{0}, c.message, 10, key)
			for i, row := range one {
				if _, value, _ := strings.Cut(row, `,`); !strings.Contains(got[i], strings.TrimSuffix(value, "}")) || strings.HasPrefix(row, "error") {
					t.Errorf("%s alone: %s\nnot in %s", key, row, got[i])
				}
			}
		}
	}
}

// TestMetadataThatIsWrong: with parse errors ignored a value is NULL where Flink 2.3 says so, and else the message is left out; its neighbours are read.
func TestMetadataThatIsWrong(t *testing.T) {
	for _, c := range []struct{ format, key, message, want string }{
		{"debezium", "ingestion-timestamp", `{"after":{"id":1},"op":"c","ts_ms":"x"}`, "null"},
		{"debezium", "source.timestamp", `{"after":{"id":1},"op":"c","source":{"ts_ms":"x"}}`, ""},
		{"debezium", "source.timestamp", `{"after":{"id":1},"op":"c","source":{"ts_ms":null}}`, "null"},
		{"debezium", "source.table", `{"before":{"id":0},"after":{"id":1},"op":"u","source":[1]}`, ""},
		{"canal", "pk-names", `{"data":[{"id":1}],"type":"INSERT","pkNames":1}`, "null"},
		{"canal", "sql-type", `{"data":[{"id":1}],"type":"INSERT","sqlType":{"a":"x"}}`, `{"a":null}`},
		{"maxwell", "ingestion-timestamp", `{"data":{"id":1},"type":"insert","ts":9223372036854775}`, ""},
	} {
		good := map[string]string{"debezium": `{"after":{"id":7},"op":"c"}`, "canal": `{"data":[{"id":7}],"type":"INSERT"}`, "maxwell": `{"data":{"id":7},"type":"insert"}`}[c.format]
		name := c.format + "-json"
		around := fmt.Sprintf(`+I {"id":7,"%s":null}`, c.key)
		want, left := []string{around, fmt.Sprintf(`+I {"id":1,"%s":%s}`, c.key, c.want), around}, int64(0)
		if c.want == "" {
			want, left = []string{around, around}, 1
		}
		got, skipped := decodeChanges(t, connector.Options{"format": name, name + ".ignore-parse-errors": "true"}, changeColumns, []int{0}, good+"\n"+c.message+"\n"+good, 100, c.key)
		if !slices.Equal(got, want) || skipped != left {
			t.Errorf("%s %s: %q, %d left out, want %q", c.key, c.message, got, skipped, want)
		}
	}
}

func TestMetadataOfMessagesWithTheirSchema(t *testing.T) {
	o := connector.Options{"format": "debezium-json", "debezium-json.schema-include": "true"}
	const text = `{"schema":{"type":"struct"},"payload":{"after":{"id":1},"source":{"db":"d"},"op":"c","ts_ms":1,"schema":"no"}}
{"payload":{"after":{"id":2},"op":"c"}}`
	got, _ := decodeChanges(t, o, changeColumns, []int{0}, text, 10, "source.database", "schema", "ingestion-timestamp")
	want := []string{`+I {"id":1,"source.database":"d","schema":"{\"type\":\"struct\"}","ingestion-timestamp":"1970-01-01 00:00:00.001Z"}`,
		`+I {"id":2,"source.database":null,"schema":null,"ingestion-timestamp":null}`}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestMetadataAlone: a query may read nothing else.
func TestMetadataAlone(t *testing.T) {
	got, _ := decodeChanges(t, connector.Options{"format": "canal-json"}, changeColumns, nil, `{"data":[{"id":1},{"id":2}],"table":"a","type":"INSERT"}`, 10, "table")
	if want := []string{`+I {"table":"a"}`, `+I {"table":"a"}`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestMetadataThatAFormatHasNot(t *testing.T) {
	for _, name := range []string{"json", "canal-json"} {
		_, err := choose(t, connector.Options{"format": name}).NewDecoder(changeColumns, indexes(1), "source.timestamp")
		if err == nil || err.Error() != "format '"+name+"' has no metadata 'source.timestamp'" {
			t.Error(err)
		}
	}
}

// TestKeysOfMetadata: a column of a table names what its format has, and finds it again.
func TestKeysOfMetadata(t *testing.T) {
	for _, prefix := range []string{"", "value."} {
		columns := Metadata(connector.Options{prefix + "format": "maxwell-json", "key.format": "json"})
		if len(columns) != 4 || columns[0].Key != "value.database" || columns[0].Writable || columns[3].Type != types.TimestampLTZType {
			t.Errorf("%+v", columns)
		}
		if key, ok := MetadataKey(columns[0].Key); key != "database" || !ok {
			t.Errorf("%s %v", key, ok)
		}
	}
	if _, ok := MetadataKey("timestamp"); ok {
		t.Error("the connector has it")
	}
	if got := Metadata(connector.Options{"format": "json"}); got != nil {
		t.Errorf("%+v", got)
	}
}

// fuzzMetadata: what is read beside rows does not change them, and depends on their message alone.
func fuzzMetadata(t *testing.T, o connector.Options, text string) {
	keys := keysOf(o["format"])
	var alone []string
	for line := range strings.SplitAfterSeq(text, "\n") {
		rows, _ := decodeChanges(t, o, changeColumns, []int{0}, line, 1, keys...)
		bare, _ := decodeChanges(t, o, changeColumns, []int{0}, line, 1)
		for i, row := range rows {
			if !strings.HasPrefix(row, "error: ") && !strings.HasPrefix(row, strings.TrimSuffix(bare[i], "}")) {
				t.Errorf("%q was read as %q, and with metadata as %q", line, bare, rows)
			}
		}
		alone = append(alone, rows...)
	}
	if got, _ := decodeChanges(t, o, changeColumns, []int{0}, text, 1000, keys...); !slices.Equal(got, alone) {
		t.Errorf("%v %q\n got %q\nwant %q", o, text, got, alone)
	}
}
