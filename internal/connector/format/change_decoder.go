package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// changeDecoder is the Decoder of messages that tell what became of rows of a database: JSON objects in which the rows are objects, too.
type changeDecoder struct {
	json    *JSONDecoder
	dialect *dialect
	around  *wanted     // of objects whose member 'payload', the first, is the message, beside its schema; nil if it stands alone
	members wanted      // of messages; the first are those of dialect.members
	told    *toldReader // nil if nothing but the rows is asked for

	buf     []byte
	ops     []vector.Op
	line    []byte // its beginning, as it came
	wrong   complaint
	skipped int64
}

// dialect is how a message tells changes.
type dialect struct {
	name string // of the format
	// members are those of a message that are looked at.
	members [3]string
	// read reads the message in d.parts, and reports whether it could.
	read func(d *changeDecoder) bool
	// told is what messages tell beside their rows.
	told []told
	// What stands around a row that is added or taken back when it is written.
	added, removed [2]string
}

// wanted is the members of an object that are looked for.
type wanted struct {
	layout        // whose indexes are those of parts
	parts  []part // of the object being read
}

// look makes w find members of that name, and tells their index.
func (w *wanted) look(name string) int32 {
	if i, known := w.byName[name]; known {
		return i
	}
	if w.byName == nil {
		w.byName = map[string]int32{}
	}
	i := int32(len(w.parts))
	w.byName[name], w.parts = i, append(w.parts, part{})
	return i
}

// part is a value in a message: where it begins and ends. It is nowhere if both are 0.
type part struct{ from, to int }

// complaint is what is wrong with a message that is well-formed JSON.
type complaint struct{ message, hint string }

// format makes the registry row of a dialect.
func (l *dialect) format(doc string, more ...connector.Spec) Format {
	f := Format{Name: l.name, Doc: doc, Specs: more, Changelog: connector.Retract}
	for _, s := range jsonFormat.Specs {
		if s.Key != "fail-on-missing-field" {
			f.Specs = append(f.Specs, s)
		}
	}
	for _, t := range l.told {
		f.Metadata = append(f.Metadata, t.MetadataColumn)
	}
	f.NewDecoder = func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
		return l.decoder(schema, needed, nil, o)
	}
	f.NewDecoderWith = l.decoder
	f.NewEncoder = func(schema types.Schema, o connector.Options) (Encoder, error) {
		options, err := readJSONOptions(o)
		if err != nil {
			return nil, err
		}
		if o[schemaInclude] == "true" {
			return nil, &connector.OptionError{Key: schemaInclude, Message: "option '" + schemaInclude + "' is 'true', and schemas are only read", Hint: "leave it out of a table that is written"}
		}
		options.format = l.name
		return &changeEncoder{NewJSONEncoder(schema, options), l}, nil
	}
	return f
}

// decoder makes a decoder of the columns needed and of metadata.
func (l *dialect) decoder(schema types.Schema, needed []int, metadata []string, o connector.Options) (Decoder, error) {
	options, err := readJSONOptions(o)
	if err != nil {
		return nil, err
	}
	d := &changeDecoder{dialect: l}
	for _, name := range l.members {
		d.members.look(name)
	}
	payload, err := o.Bool(schemaInclude, false)
	if err != nil {
		return nil, err
	}
	if payload {
		d.around = &wanted{}
		d.around.look("payload")
	}
	options.format = l.name
	if d.json, err = NewJSONDecoder(pick(schema, needed), options); err != nil {
		return nil, &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type, such as STRING"}
	}
	if len(metadata) > 0 {
		if err := d.observe(metadata, options); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// schemaInclude is the option of messages that come with their schema.
const schemaInclude = "schema-include"

// Begin implements Decoder.
func (d *changeDecoder) Begin(a *vector.Arena, buf []byte, records int) {
	d.buf, d.ops = buf, make([]vector.Op, 0, records)
	d.json.Begin(a, buf, records)
	if d.told != nil {
		d.told.json.Begin(a, buf, records)
	}
}

// Read implements Decoder. Either all rows of a message are read or none is.
func (d *changeDecoder) Read(start, end int) (int, error) {
	for end > start && isSpace(d.buf[end-1]) {
		end--
	}
	for start < end && isSpace(d.buf[start]) {
		start++
	}
	if start == end {
		return 0, nil
	}
	first := d.json.n
	d.line = append(d.line[:0], d.buf[start:min(end, start+maxErrorLine)]...) // strings lose their escapes when their row is read
	d.wrong = complaint{}
	if d.message(start, end) && d.dialect.read(d) && (d.told == nil || d.told.read(d, d.json.n-first)) {
		return d.json.n - first, nil
	}
	for n := first; n < min(d.json.n+2, d.json.room); n++ {
		d.json.forget(n)
	}
	if d.told != nil && first < d.told.json.room {
		d.told.json.forget(first)
	}
	d.json.n, d.ops = first, d.ops[:first]
	if d.json.options.IgnoreParseErrors {
		d.skipped++
		return 0, nil
	}
	e := &RowError{Offset: start, Message: d.wrong.message, Hint: d.wrong.hint}
	if d.wrong.message == "" {
		e = d.json.explain(start, end)
	}
	e.Line = bytes.Clone(d.line)
	return 0, e
}

// message finds the parts of the message buf[start:end].
func (d *changeDecoder) message(start, end int) bool {
	if d.around != nil {
		if !d.find(start, end, d.around) {
			return false
		}
		start, end = d.around.parts[0].from, d.around.parts[0].to
		if start == end {
			return d.complain("the message has no 'payload'", "leave out 'debezium-json.schema-include' if the messages come without their schema")
		}
	}
	return d.find(start, end, &d.members)
}

// find finds the members of the object buf[start:end] that are wanted, and looks at nothing behind them. Of equal keys before that the last counts.
func (d *changeDecoder) find(start, end int, w *wanted) bool {
	clear(w.parts)
	switch {
	case d.buf[start] != '{':
		return d.json.fail(notAnObject, start)
	case d.buf[end-1] != '}' || end-start < 2:
		return d.json.unclosed(start, end)
	}
	j := d.json
	j.depth = 0
	for p, i, missing := 0, start, len(w.parts); missing > 0; p++ {
		field := int32(noMore)
		if p < len(w.members) && w.members[p].at(d.buf, i) {
			i += len(w.members[p].text)
			field = w.members[p].field
			i = j.space(i, end)
		} else if i, field = j.key(&w.layout, p, i, end); i < 0 {
			return false
		}
		if field == noMore {
			return true
		}
		after := j.skip(i, end)
		if after < 0 {
			return false
		}
		if field != notNeeded {
			if w.parts[field] == (part{}) {
				missing--
			}
			w.parts[field] = part{i, after}
		}
		if i = after; missing == 0 {
			return j.rest(i, end)
		}
	}
	return true
}

// text is a part as it is written, "" if it is nowhere.
func (d *changeDecoder) text(p part) string { return string(d.buf[p.from:p.to]) }

// missing reports whether there is no part or it is null.
func (d *changeDecoder) missing(p part) bool {
	t := d.buf[p.from:p.to]
	return len(t) == 0 || string(t) == "null"
}

func (d *changeDecoder) complain(message, hint string) bool {
	d.wrong = complaint{message, hint}
	return false
}

// unknown complains about a change that the dialect does not have.
func (d *changeDecoder) unknown(p part, hint string) bool {
	if p == (part{}) {
		return d.complain("the message does not tell what happened: it has no '"+d.dialect.members[2]+"'", "format '"+d.dialect.name+"' reads nothing else; if the rows stand there bare, use 'json'")
	}
	return d.complain("'"+d.dialect.members[2]+"' is "+string(d.buf[p.from:min(p.to, p.from+maxExcerpt)]), hint)
}

// add reads a part as one row.
func (d *changeDecoder) add(p part, op vector.Op) bool {
	d.reserve()
	if !d.row(p, d.json.n) {
		return false
	}
	d.ops = append(d.ops, op)
	d.json.n++
	return true
}

// replace reads two parts as an update. If the first is changed it only has the fields that became different.
func (d *changeDecoder) replace(before, after part, changed bool) bool {
	d.reserve()
	j := d.json
	if !d.row(after, j.n+1) {
		return false
	}
	j.partial = changed
	ok := d.row(before, j.n)
	j.partial = false
	if !ok {
		return false
	}
	if changed {
		for i := range j.columns {
			if c := &j.columns[i]; c.stamp != j.stamp {
				j.copyValue(c, j.n, j.n+1)
			}
		}
	}
	d.ops = append(d.ops, vector.UpdateBefore, vector.UpdateAfter)
	j.n += 2
	return true
}

// reserve makes room for two rows.
func (d *changeDecoder) reserve() {
	for d.json.n+2 > d.json.room {
		d.json.grow()
	}
}

// row reads a part into row n.
func (d *changeDecoder) row(p part, n int) bool {
	if !d.json.row(p.from, p.to, n) {
		return false
	}
	d.json.unescapeRow(n)
	return true
}

// End implements Decoder.
func (d *changeDecoder) End() *vector.Batch {
	b := d.json.End()
	b.Ops = d.ops
	if d.told != nil {
		b.Cols = append(b.Arena.Columns(len(b.Cols) + len(d.told.columns))[:0], b.Cols...)
		b.Cols = append(b.Cols, d.told.json.End().Cols...)
	}
	d.buf, d.ops = nil, nil
	return b
}

// Skipped implements Decoder.
func (d *changeDecoder) Skipped() int64 { return d.skipped + d.json.Skipped() }

// changeEncoder writes changes. Flink 2.3: an update is two messages, as if the row were deleted and another one added.
type changeEncoder struct {
	json    *JSONEncoder
	dialect *dialect
}

// Append implements Encoder.
func (e *changeEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	start, around := len(dst), e.dialect.added
	if b.Ops != nil && (b.Ops[row] == vector.UpdateBefore || b.Ops[row] == vector.Delete) {
		around = e.dialect.removed
	}
	if e.json.options.OmitNulls {
		around = withoutNulls(around)
	}
	dst, err := e.json.Append(append(dst, around[0]...), b, row)
	if err != nil {
		return dst[:start], err
	}
	return append(dst, around[1]...), nil
}
