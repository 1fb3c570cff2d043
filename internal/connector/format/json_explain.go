package format

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// flaw is why a row was given up, in few words: it is turned into sentences only if somebody is going to read them.
type flaw struct {
	kind   flawKind
	at     int     // index in the buffer
	end    int     // end of the value, for flaws of a value
	column *column // whose value is at fault; nil if the line is
}

type flawKind uint8

const (
	notAnObject flawKind = iota
	cutOff
	trailing
	wantKey
	wantColon
	wantComma
	wantCommaOrBracket
	wantValue
	openString
	controlCharacter
	wrongEscape
	notUTF8
	missingField
	nullInNotNull
	wrongValue
	outOfRange
	aList
	noList
	wantLineFeed
)

// lineFaults are the sentences for flaws of the line; those of a value depend on its column.
var lineFaults = [...]struct{ message, hint string }{
	notAnObject:        {"expected a JSON object", "the format reads one object in braces a line"},
	cutOff:             {"the line ends before its object does", "each object stands whole on one line"},
	trailing:           {"unexpected text behind the object", "end the line after the object's last brace"},
	wantKey:            {"expected a key in double quotes", ""},
	wantColon:          {"expected ':' after the key", ""},
	wantComma:          {"expected ',' or '}' after the value", ""},
	wantCommaOrBracket: {"expected ',' or ']' after the value", ""},
	wantValue:          {"expected a value", ""},
	openString:         {"a string is not closed", "each object stands whole on one line, with line feeds in strings written as \\n"},
	controlCharacter:   {"a control character stands bare in a string", "write it as an escape such as \\t or \\u0009"},
	wrongEscape:        {"JSON knows no such escape", "write a backslash as \\\\"},
	aList:              {"expected an object, found an array", "the format reads objects with line feeds between them; read an array of objects with 'json_list'"},
	noList:             {"expected an array of objects", "the format reads one array a record; read objects with 'json_each_row'"},
	wantLineFeed:       {"unexpected text behind the object", "write a line feed between two objects"},
	notUTF8:            {"a string is not valid UTF-8", "convert the file to UTF-8"},
}

// fail notes a flaw of the line and returns false.
func (d *JSONDecoder) fail(kind flawKind, at int) bool {
	d.flaw = flaw{kind: kind, at: at, end: at}
	return false
}

// failAt notes a flaw and returns -1, the index of nowhere.
func (d *JSONDecoder) failAt(kind flawKind, at int) int {
	d.fail(kind, at)
	return -1
}

// invisible says what stands in front of an object if nobody sees it: marks of an encoding.
func (d *JSONDecoder) invisible(e *RowError) {
	switch {
	case ByteOrderMark(e.Line) > 0:
		e.Message, e.Hint = "a byte order mark stands in front of the object", "write UTF-8 without one"
	case bytes.HasPrefix(e.Line, []byte("\xff\xfe")), bytes.HasPrefix(e.Line, []byte("\xfe\xff")):
		e.Message, e.Hint = "the object is in UTF-16", "write it in UTF-8"
	}
}

// maxErrorLine is how many bytes of a line an error carries.
const maxErrorLine = 200

// explain makes the error for d.flaw in the line buf[start:end].
func (d *JSONDecoder) explain(start, end int) *RowError {
	f := d.flaw
	e := &RowError{Offset: start, Column: f.at - start, Line: bytes.Clone(d.buf[start:min(end, start+maxErrorLine)])}
	if f.column == nil {
		e.Message, e.Hint = lineFaults[f.kind].message, lineFaults[f.kind].hint
		switch {
		case f.kind == notAnObject:
			d.invisible(e)
		case f.kind == trailing && f.at < end && d.buf[f.at] == '{':
			e.Hint = lineFaults[wantLineFeed].hint
		}
		return e
	}
	e.Field = f.column.Name
	t := f.column.Type
	switch f.kind {
	case missingField:
		e.Message, e.Hint = "the row has no such field", "make the column nullable"
		if d.options.FailOnMissingField {
			e.Hint = "'json.fail-on-missing-field' = 'false' reads it as NULL"
		}
		e.Hint = f.column.advised(types.FoundNothing, nil, e.Hint)
	case nullInNotNull:
		e.Message = f.column.refusesNull("null")
		e.Hint = f.column.advised(types.FoundNothing, nil, "make the column nullable")
	case outOfRange:
		e.Message = fmt.Sprintf("%s is out of the range of %s", d.excerpt(f), f.column.written())
		if f.column.unsigned != 0 && f.column.Wording == nil {
			e.Message = fmt.Sprintf("%s is no number of %d bits without a sign", d.excerpt(f), f.column.unsigned)
			return e
		}
		switch t.Kind {
		case types.TinyInt, types.SmallInt, types.Int:
			e.Hint = "declare the column BIGINT"
		case types.Decimal:
			e.Hint = "declare the column DECIMAL with more digits"
		}
		e.Hint = f.column.advised(foundJSON(d.buf[f.at:f.end]), d.buf[f.at:f.end], e.Hint)
	default:
		e.Message = fmt.Sprintf("expected %s, found %s", f.column.written(), d.excerpt(f))
		e.Hint = f.column.advised(foundJSON(d.buf[f.at:f.end]), d.buf[f.at:f.end], d.advise(f))
	}
	return e
}

// maxExcerpt is how many bytes of a value a message shows.
const maxExcerpt = 40

// excerpt is the value at fault as it stands in the line.
func (d *JSONDecoder) excerpt(f flaw) string {
	text := d.buf[f.at:f.end]
	if len(text) <= maxExcerpt {
		return string(text)
	}
	text = text[:maxExcerpt]
	for len(text) > 0 && !utf8.Valid(text) {
		text = text[:len(text)-1]
	}
	return string(text) + "…"
}

// advise says how a value that its column does not take can be read.
func (d *JSONDecoder) advise(f flaw) string {
	t := f.column.Type
	text := d.buf[f.at:f.end]
	isNumber := text[0] == '-' || text[0]-'0' <= 9
	switch {
	case t.IsTime() && isNumber:
		return fmt.Sprintf("declare the column BIGINT and compute TO_TIMESTAMP_LTZ(%s, 3) from its milliseconds", f.column.Name)
	case t.IsTime() && text[0] == '"':
		return d.adviseTimestamp(t, text[1:len(text)-1])
	case t.Kind == types.Date:
		return "write it as 1970-01-01"
	case t.Kind == types.Time:
		return "write it as 00:00:00"
	case t.IsBytes():
		return "write bytes in Base64"
	case t.IsInteger() && isNumber && !bytes.ContainsAny(text, ".eE"):
		return "the value does not fit; declare the column STRING or DOUBLE"
	case t.IsInteger() && isNumber:
		return "declare the column DOUBLE"
	case t.IsText() && d.options.texts && text[0] != '"':
		return "write a string in quotes, or declare the column with the type of what is there"
	case t.IsText():
		return "the value is not JSON"
	}
	return "declare the column STRING to read any value as text"
}

// adviseTimestamp names the option and the type that would read text, which t does not.
func (d *JSONDecoder) adviseTimestamp(t types.Type, text []byte) string {
	_, zoned, ok := timefmt.ParseTimestamp(text)
	if !ok {
		shape := timefmt.AppendTimestamp(nil, 0, 3, d.options.TimestampFormat.separator(), t.Kind == types.TimestampLTZ)
		return "write it as " + string(shape)
	}
	if zoned && text[len(text)-1] != 'Z' {
		return "write it in UTC with a trailing Z instead of an offset, or declare the column STRING and convert it"
	}
	hint := ""
	if text[10] != d.options.TimestampFormat.separator() {
		hint = fmt.Sprintf("set '%s' = '%s'", d.options.key(timestampSpec.Key), 1-d.options.TimestampFormat)
	}
	if zoned == (t.Kind == types.TimestampLTZ) {
		return hint
	}
	if hint != "" {
		hint += " and "
	}
	if zoned {
		return hint + fmt.Sprintf("declare the column TIMESTAMP_LTZ(%d), which ends in Z", t.Precision)
	}
	return hint + fmt.Sprintf("declare the column TIMESTAMP(%d), which has no Z", t.Precision)
}
