package format

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The formats of what tools tell that capture the changes of databases.
var (
	debeziumFormat = debezium.format("changes of a database as Debezium tells them, the rows in before and after",
		connector.Spec{Key: schemaInclude, Doc: "true: every message comes with its schema, and the changes are in payload", Default: "false"})
	canalFormat   = canal.format("changes of a MySQL database as Canal tells them, the rows in data and old")
	maxwellFormat = maxwell.format("changes of a MySQL database as Maxwell tells them, the row in data and old")
)

var debezium = dialect{
	name: "debezium-json", members: [3]string{"before", "after", "op"}, read: readDebezium, told: toldByDebezium,
	added:   [2]string{`{"before":null,"after":`, `,"op":"c"}`},
	removed: [2]string{`{"before":`, `,"after":null,"op":"d"}`},
}

func readDebezium(d *changeDecoder) bool {
	before, after, op := d.members.parts[0], d.members.parts[1], d.members.parts[2]
	const identity = "the database has to write whole rows: in PostgreSQL, ALTER TABLE … REPLICA IDENTITY FULL"
	switch d.text(op) {
	case `"c"`, `"r"`:
		if d.missing(after) {
			return d.complain("'after' of a row that is new is null", "the message is not Debezium's")
		}
		return d.add(after, vector.Insert)
	case `"u"`:
		if d.missing(before) {
			return d.complain("'before' of an update is null, so nothing tells which row it takes back", identity)
		}
		if d.missing(after) {
			return d.complain("'after' of an update is null", "the message is not Debezium's")
		}
		return d.replace(before, after, false)
	case `"d"`:
		if d.missing(before) {
			return d.complain("'before' of a deletion is null, so nothing tells which row it takes back", identity)
		}
		return d.add(before, vector.Delete)
	}
	return d.unknown(op, "it can be c, r, u or d")
}

var canal = dialect{
	name: "canal-json", members: [3]string{"data", "old", "type"}, read: readCanal, told: toldByCanal,
	added:   [2]string{`{"data":[`, `],"type":"INSERT"}`},
	removed: [2]string{`{"data":[`, `],"type":"DELETE"}`},
}

func readCanal(d *changeDecoder) bool {
	data, old, kind := d.members.parts[0], d.members.parts[1], d.members.parts[2]
	switch d.text(kind) {
	case `"CREATE"`: // Flink 2.3: of a table, which is no row
		return true
	case `"INSERT"`, `"DELETE"`, `"UPDATE"`:
	default:
		return d.unknown(kind, "it can be INSERT, UPDATE, DELETE or CREATE")
	}
	rows, ok := d.elements(data)
	if !ok {
		return false
	}
	switch d.text(kind) {
	case `"UPDATE"`:
		olds, ok := d.elements(old)
		if !ok {
			return false
		}
		if len(olds) != len(rows) {
			return d.complain("'old' of an update has not as many rows as 'data'", "the message is not Canal's")
		}
		for i, after := range rows {
			if !d.replace(olds[i], after, true) {
				return false
			}
		}
		return true
	case `"DELETE"`:
		return d.each(rows, vector.Delete)
	}
	return d.each(rows, vector.Insert)
}

func (d *changeDecoder) each(rows []part, op vector.Op) bool {
	for _, r := range rows {
		if !d.add(r, op) {
			return false
		}
	}
	return true
}

// elements are those of an array of objects.
func (d *changeDecoder) elements(p part) (all []part, ok bool) {
	if d.missing(p) || d.buf[p.from] != '[' {
		return nil, d.complain("'data' or 'old' is no array of rows", "the message is not Canal's")
	}
	j, end := d.json, p.to
	i := j.space(p.from+1, end)
	if d.buf[i] == ']' && i == end-1 {
		return nil, true
	}
	for {
		if d.buf[i] != '{' {
			return nil, j.fail(notAnObject, i)
		}
		after := j.skipNested(i, end)
		if after < 0 {
			return nil, false
		}
		all = append(all, part{i, after})
		if i = j.space(after, end); i == end-1 && d.buf[i] == ']' {
			return all, true
		}
		if i == end || d.buf[i] != ',' {
			return nil, j.fail(wantCommaOrBracket, i)
		}
		if i = j.space(i+1, end); i == end {
			return nil, j.fail(cutOff, i)
		}
	}
}

var maxwell = dialect{
	name: "maxwell-json", members: [3]string{"data", "old", "type"}, read: readMaxwell, told: toldByMaxwell,
	added:   [2]string{`{"data":`, `,"type":"insert"}`},
	removed: [2]string{`{"data":`, `,"type":"delete"}`},
}

func readMaxwell(d *changeDecoder) bool {
	data, old, kind := d.members.parts[0], d.members.parts[1], d.members.parts[2]
	op := vector.Insert
	switch d.text(kind) {
	case `"insert"`:
	case `"delete"`:
		op = vector.Delete
	case `"update"`:
		if d.missing(old) || d.missing(data) {
			return d.complain("'data' or 'old' of an update is null", "the message is not Maxwell's")
		}
		return d.replace(old, data, true)
	default:
		return d.unknown(kind, "it can be insert, update or delete")
	}
	if d.missing(data) {
		return d.complain("'data' is null", "the message is not Maxwell's")
	}
	return d.add(data, op)
}

// withoutNulls is around without members that are null.
func withoutNulls(around [2]string) [2]string {
	return [2]string{strings.Replace(around[0], `"before":null,`, "", 1), strings.Replace(around[1], `,"after":null`, "", 1)}
}
