package format

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/registry/registrytest"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// framed is a message with the number of a schema.
func framed(id uint32, record string) string {
	return string(binary.BigEndian.AppendUint32([]byte{0}, id)) + record
}

func TestRegisteredRoundTrips(t *testing.T) {
	for _, c := range []struct{ format, columns, kind, schema string }{
		{"avro-confluent", "bildst", "AVRO", `"local-timestamp-millis"`},
		{"avro-registry", "bildstz", "AVRO", `"timestamp-millis"`},
		{"json-registry", "bilds", "JSON", `"connect.type":"int64"`},
	} {
		r := registrytest.Start(t)
		schema := columns(c.columns)
		if c.format != "avro-confluent" {
			schema = append(schema, types.Field{Name: "tags", Type: types.ArrayOf(types.StringType)}, types.Field{Name: "m", Type: types.MapOf(types.StringType, types.DoubleType)},
				types.Field{Name: "r", Type: types.RowOf(types.Schema{{Name: "x", Type: types.BigIntType}})})
		}
		b := randomBatch(rand.New(rand.NewPCG(3, 4)), schema, 200, true)
		o := WithSubjects(connector.Options{"value.format": c.format, "value." + c.format + ".url": r.URL}, "orders")
		choice, _, err := Choose(o, "value.")
		if err != nil {
			t.Fatal(err)
		}
		e, err := choice.NewEncoder(schema)
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		var ends []int
		for i := range b.N {
			if text, err = e.Append(text, b, i); err != nil {
				t.Fatal(err)
			}
			ends = append(ends, len(text))
		}
		d, err := choice.NewDecoder(schema, indexes(len(schema)))
		if err != nil {
			t.Fatal(err)
		}
		got, errs := readEach(d, string(text), ends)
		if len(errs) > 0 {
			t.Fatalf("%s: %v", c.format, errs[0])
		}
		compareBatches(t, o, schema, got, b)
		kept := r.Schemas()
		if len(kept) != 1 || kept[0].Subject != "orders-value" || (kept[0].Type != c.kind && (kept[0].Type != "" || c.kind != "AVRO")) || !json.Valid([]byte(kept[0].Text)) {
			t.Errorf("%s: registered %+v", c.format, kept)
		}
		if has := strings.Contains(kept[0].Text, c.schema); has != (c.format != "avro-confluent") {
			t.Errorf("%s: %s", c.format, kept[0].Text)
		}
		if n := len(r.Requests()); n > 2 {
			t.Errorf("%s: %d requests", c.format, n)
		}
	}
}

// TestWritersOfARegistry: every record is read by the schema that it names, and what it names wrong is the record's fault.
func TestWritersOfARegistry(t *testing.T) {
	r := registrytest.Start(t)
	record := func(fields string) string { return `{"type":"record","name":"r","fields":[` + fields + `]}` }
	r.Add(registrytest.Schema{Text: record(`{"name":"l","type":"long"}`)})
	r.Add(registrytest.Schema{Text: record(`{"name":"s","type":"string"},{"name":"l","type":["null","int"]}`)})
	r.Add(registrytest.Schema{Text: record(`{"name":"l","type":"string"}`)})
	r.Add(registrytest.Schema{Text: `{}`, Type: "JSON"})
	r.Add(registrytest.Schema{Text: record(""), References: []json.RawMessage{[]byte(`{"name":"a","subject":"b","version":1}`)}})
	r.Add(registrytest.Schema{Text: `{"type":`})
	o := connector.Options{"format": "avro-registry", "avro-registry.url": r.URL}
	messages := []struct{ message, want string }{
		{framed(1, "\x02"), `{"l":1,"s":null}`},
		{framed(2, "\x02a\x02\x04"), `{"l":2,"s":"a"}`},
		{framed(1, "\x04"), `{"l":2,"s":null}`},
		{framed(1, ""), "error: the record is cut off"},
		{framed(3, "\x02a"), "error: schema 3: column 'l': Avro's string cannot be read as BIGINT"},
		{framed(4, ""), "error: schema 4: the registry knows no such schema: number 4 is JSON"},
		{framed(5, ""), "error: schema 5: the registry knows no such schema that stands by itself"},
		{framed(6, ""), "error: schema 6: the Avro schema is not valid"},
		{framed(77, ""), "error: schema 77: the registry knows no such schema"},
		{"\x01\x00\x00\x00\x01\x02", "error: the message does not begin with the number of a schema"},
		{"\x00\x00\x00", "error: the message does not begin with the number of a schema"},
	}
	for _, ignore := range []bool{false, true} {
		if ignore {
			o["error-handling.mode"] = "ignore"
		}
		d, err := choose(t, o).NewDecoder(columns("ls"), indexes(2))
		if err != nil {
			t.Fatal(err)
		}
		before := len(r.Requests())
		for _, m := range messages {
			b, errs := readEach(d, m.message+m.message, []int{len(m.message), 2 * len(m.message)})
			got := ""
			switch {
			case len(errs) > 0:
				got = "error: " + errs[0].Error()
				if _, ok := errors.AsType[*RowError](errs[0]); !ok {
					t.Errorf("%q: not the record's fault: %v", m.message, errs[0])
				}
			case b.N == 2:
				got = string(NewJSONEncoder(columns("ls"), JSONOptions{}).AppendRow(nil, b, 1))
			}
			if want := m.want; !strings.HasPrefix(got, want) && !(ignore && got == "" && strings.HasPrefix(want, "error")) {
				t.Errorf("%q: %s", m.message, got)
			}
		}
		if n := len(r.Requests()) - before; n != 7 {
			t.Errorf("%d requests for 7 schemas", n)
		}
		if ignore && d.Skipped() != 16 {
			t.Errorf("%d skipped", d.Skipped())
		}
	}
}

// TestRegistryThatFails: what is wrong with the registry is not the record's fault, and no mode leaves it out.
func TestRegistryThatFails(t *testing.T) {
	r := registrytest.Start(t)
	r.Add(registrytest.Schema{Text: `{"type":"record","name":"r","fields":[{"name":"l","type":"long"}]}`})
	for status, want := range map[int]string{500: "answers with status 500", 401: "lets nobody in with this login"} {
		r.Break(status)
		o := connector.Options{"format": "avro-confluent", "avro-confluent.url": r.URL, "error-handling.mode": "ignore", "avro-confluent.subject": "s"}
		d, err := choose(t, o).NewDecoder(columns("l"), indexes(1))
		if err != nil {
			t.Fatal(err)
		}
		_, errs := readEach(d, framed(1, "\x02"), []int{6})
		if len(errs) != 1 || fault.Of(errs[0]) != fault.External || !strings.Contains(errs[0].Error(), want) {
			t.Errorf("%d: %v", status, errs)
		}
		e, err := choose(t, o).NewEncoder(columns("l"))
		if err != nil {
			t.Fatal(err)
		}
		b := randomBatch(rand.New(rand.NewPCG(1, 1)), columns("l"), 1, false)
		if _, err := e.Append(nil, b, 0); fault.Of(err) != fault.External || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", status, err)
		}
		r.Break(0)
		if line, err := e.Append(nil, b, 0); err != nil || len(line) < 6 {
			t.Errorf("after it was mended: %q %v", line, err)
		}
	}
	r.Break(http.StatusConflict)
	e, err := choose(t, connector.Options{"format": "avro-confluent", "avro-confluent.url": r.URL, "avro-confluent.subject": "s"}).NewEncoder(columns("s"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Append(nil, randomBatch(rand.New(rand.NewPCG(1, 1)), columns("s"), 1, false), 0); fault.Of(err) != fault.User || !strings.Contains(err.Error(), "not compatible") {
		t.Error(err)
	}
}

func TestLoginsOfARegistry(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{{"basic-auth.user-info", "me:se:cret", "Basic bWU6c2U6Y3JldA=="}, {"bearer-auth.token", "abc", "Bearer abc"}} {
		r := registrytest.Start(t)
		o := connector.Options{"format": "avro-registry", "avro-registry.url": r.URL + "," + r.URL, "avro-registry." + c.key: c.value}
		d, err := choose(t, o).NewDecoder(columns("l"), indexes(1))
		if err != nil {
			t.Fatal(err)
		}
		readEach(d, framed(1, ""), []int{5})
		if q := r.Requests(); len(q) == 0 || q[0].Header.Get("Authorization") != c.want {
			t.Errorf("%s: %v", c.key, q)
		}
	}
}

func TestRegisteredRefuses(t *testing.T) {
	for _, c := range []struct {
		options connector.Options
		columns string
		writes  bool
		want    string
	}{
		{connector.Options{"format": "avro-registry"}, "l", false, "needs the option 'avro-registry.url'"},
		{connector.Options{"format": "avro-registry", "avro-registry.url": " ,"}, "l", false, "needs the option 'avro-registry.url'"},
		{connector.Options{"format": "avro-registry", "avro-registry.url": "x"}, "l", true, "needs the option 'avro-registry.subject'"},
		{connector.Options{"format": "avro-registry", "avro-registry.url": "x", "avro-registry.basic-auth.user-info": "x"}, "l", false, "'avro-registry.basic-auth.user-info' has no colon"},
		{connector.Options{"format": "avro-confluent", "avro-confluent.url": "x"}, "z", false, "format 'avro-confluent' has no TIMESTAMP_LTZ(3)"},
		{connector.Options{"format": "json-registry", "json-registry.url": "x"}, "t", false, "format 'json-registry' has no TIMESTAMP(3)"},
	} {
		choice := choose(t, c.options)
		_, err := choice.NewDecoder(columns(c.columns), indexes(1))
		if c.writes {
			_, err = choice.NewEncoder(columns(c.columns))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.options, err)
		}
	}
	if specs := Specs("value."); !slices.ContainsFunc(specs, func(s connector.Spec) bool { return s.Key == "value.avro-confluent.url" }) {
		t.Error("no option value.avro-confluent.url")
	}
}
