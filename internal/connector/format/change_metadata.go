package format

import (
	"fmt"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// told is something that a message tells beside its rows, and where it stands.
type told struct {
	connector.MetadataColumn
	member  string // of the message
	inner   string // of the object that the member is; "" for the member itself
	unit    int64  // of a number that is an instant: its microseconds; 0 for other values
	outside bool   // the member is beside 'payload', if there is one
}

const (
	millis  = 1_000
	seconds = 1_000_000
)

// The types of metadata that are not STRING. Flink 2.3: all can be NULL.
var (
	instant    = types.TimestampLTZType
	properties = types.MapOf(types.StringType, types.StringType)
	keyNames   = types.ArrayOf(types.StringType)
	typeCodes  = types.MapOf(types.StringType, types.IntType)
)

func tell(key string, t types.Type, doc string) connector.MetadataColumn {
	return connector.MetadataColumn{Key: key, Type: t, Doc: doc}
}

// What the messages tell. Flink 2.3 names the keys.
var (
	toldByDebezium = []told{
		{MetadataColumn: tell("schema", types.StringType, "the schema of the message as JSON, if it comes with it"), member: "schema", outside: true},
		{MetadataColumn: tell("ingestion-timestamp", instant, "when Debezium handled the change: ts_ms"), member: "ts_ms", unit: millis},
		{MetadataColumn: tell("source.timestamp", instant, "when the database made the change: ts_ms of source"), member: "source", inner: "ts_ms", unit: millis},
		{MetadataColumn: tell("source.database", types.StringType, "the database of the row: db of source"), member: "source", inner: "db"},
		{MetadataColumn: tell("source.schema", types.StringType, "the schema that the table is in: schema of source"), member: "source", inner: "schema"},
		{MetadataColumn: tell("source.table", types.StringType, "the table of the row: table of source"), member: "source", inner: "table"},
		{MetadataColumn: tell("source.properties", properties, "all members of source, as text"), member: "source"},
	}
	toldByCanal = []told{
		{MetadataColumn: tell("database", types.StringType, "the database of the row"), member: "database"},
		{MetadataColumn: tell("table", types.StringType, "the table of the row"), member: "table"},
		{MetadataColumn: tell("sql-type", typeCodes, "the number of the type of each column, as in java.sql.Types: sqlType"), member: "sqlType"},
		{MetadataColumn: tell("pk-names", keyNames, "the columns of the primary key: pkNames"), member: "pkNames"},
		{MetadataColumn: tell("ingestion-timestamp", instant, "when Canal handled the change: ts"), member: "ts", unit: millis},
		{MetadataColumn: tell("event-timestamp", instant, "when the database made the change: es"), member: "es", unit: millis},
	}
	toldByMaxwell = []told{
		{MetadataColumn: tell("database", types.StringType, "the database of the row"), member: "database"},
		{MetadataColumn: tell("table", types.StringType, "the table of the row"), member: "table"},
		{MetadataColumn: tell("primary-key-columns", keyNames, "the columns of the primary key: primary_key_columns"), member: "primary_key_columns"},
		{MetadataColumn: tell("ingestion-timestamp", instant, "when the database made the change, to the second: ts"), member: "ts", unit: seconds},
	}
)

// toldReader makes columns of what messages tell.
type toldReader struct {
	json    *JSONDecoder // whose columns they are; its rows are those of the changeDecoder
	columns []toldColumn
	object  int32  // the member of the message of which members are read
	inner   wanted // of that object; nothing if there is none
}

type toldColumn struct {
	*told
	in *wanted
	at int32 // in it
}

// observe makes d read what keys name, each once, beside its rows.
func (d *changeDecoder) observe(keys []string, o JSONOptions) error {
	r := &toldReader{}
	var fields types.Schema
	for _, key := range keys {
		i := slices.IndexFunc(d.dialect.told, func(t told) bool { return t.Key == key })
		if i < 0 {
			return UnknownMetadata(d.dialect.name, key)
		}
		c := toldColumn{told: &d.dialect.told[i], in: &d.members}
		if c.outside && d.around != nil {
			c.in = d.around
		}
		c.at = c.in.look(c.member)
		if c.inner != "" {
			r.object = c.at
			c.in, c.at = &r.inner, r.inner.look(c.inner)
		}
		r.columns = append(r.columns, c)
		field := types.Field{Name: key, Type: c.Type}
		if c.unit > 0 {
			field.Type = types.BigIntType
		}
		fields = append(fields, field)
	}
	var err error
	r.json, err = NewJSONDecoder(fields, o)
	d.told = r
	return err
}

// UnknownMetadata is the error of a format that does not know a metadata column. It is met when the format of a table changes.
func UnknownMetadata(format, key string) error {
	return &connector.OptionError{Message: fmt.Sprintf("format '%s' has no metadata '%s'", format, key), Hint: "a hint does not take a table with such a column to another format; make another table"}
}

// read gives the last rows of d, of which there are n, what their message tells. It reports false if that cannot be read.
func (r *toldReader) read(d *changeDecoder, n int) bool {
	if n == 0 {
		return true
	}
	if len(r.inner.parts) > 0 && !r.open(d) {
		return false
	}
	j := r.json
	for j.n+n > j.room {
		j.grow()
	}
	j.depth, j.escaped = 0, j.escaped[:0]
	for i := range r.columns {
		if !r.value(d, &r.columns[i], &j.columns[i]) {
			return false
		}
	}
	j.unescapeRow(j.n)
	for i := range j.columns {
		for k := 1; k < n; k++ {
			j.copyValue(&j.columns[i], j.n+k, j.n)
		}
	}
	j.n += n
	return true
}

// open finds the members of the object.
func (r *toldReader) open(d *changeDecoder) bool {
	p := d.members.parts[r.object]
	switch {
	case d.missing(p):
		clear(r.inner.parts)
		return true
	case d.buf[p.from] != '{':
		return d.complain("'source' is no object", "the message is not Debezium's")
	}
	return d.find(p.from, p.to, &r.inner)
}

// value reads one value into the row behind those that are whole.
func (r *toldReader) value(d *changeDecoder, t *toldColumn, c *column) bool {
	j, p := r.json, t.in.parts[t.at]
	if p == (part{}) {
		j.setNull(c, j.n)
		return true
	}
	switch after := j.value(c, p.from, p.to, j.n); {
	case after < 0 && j.flaw.column == nil:
		d.json.flaw = j.flaw
		return false
	case after < 0:
		return d.complain("metadata '"+t.Key+"': "+j.explain(p.from, p.to).Message, "the message is not what '"+d.dialect.name+"' reads; '"+j.options.key("ignore-parse-errors")+"' = 'true' lets it pass")
	case after < p.to:
		return d.json.fail(wantComma, after)
	case t.unit == 0:
		return true
	case c.vector.IsNull(j.n):
		// Flink 2.3: with parse errors ignored, a wrong instant is NULL; but one within an object is an error of the message.
		return t.inner == "" || d.missing(p)
	}
	v := c.vector.Ints[j.n]
	if v > math.MaxInt64/t.unit || v < math.MinInt64/t.unit {
		return d.complain(fmt.Sprintf("metadata '%s': %d is out of the range of %s", t.Key, v, t.Type), "the message is not what '"+d.dialect.name+"' reads")
	}
	c.vector.Ints[j.n] = v * t.unit
	return true
}
