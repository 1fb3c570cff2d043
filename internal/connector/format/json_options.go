package format

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// timestampSpec is of every format that writes timestamps as text in Flink's two forms.
var timestampSpec = connector.Spec{Key: "timestamp-format.standard", Values: []string{SQL.String(), ISO8601.String()},
	Doc: "how timestamps are written: SQL (2026-01-01 00:00:00.123) or ISO-8601 (2026-01-01T00:00:00.123)", Default: SQL.String()}

var jsonFormat = Format{
	Name:   "json",
	Marked: true,
	Doc:    "one object a record",
	Specs: []connector.Spec{
		timestampSpec,
		{Key: "fail-on-missing-field", Doc: "true: a record without one of the columns is an error; false reads it as NULL", Default: "false"},
		{Key: "ignore-parse-errors", Doc: "true: a bad value becomes NULL and a malformed record is left out; false stops", Default: "false"},
		{Key: "decode.json-parser.enabled", Doc: "accepted and of no effect: there is one parser", Default: "true"},
		{Key: "map-null-key.mode", Values: []string{"FAIL", "DROP", "LITERAL"}, Doc: "what becomes of a NULL key of a MAP that is written: FAIL stops, DROP leaves the entry out, " +
			"LITERAL writes the text of map-null-key.literal", Default: "FAIL"},
		{Key: "map-null-key.literal", Doc: "the key that stands for NULL", Default: "null"},
		{Key: "encode.decimal-as-plain-number", Doc: "accepted and of no effect: a DECIMAL is always written without an exponent", Default: "false"},
		{Key: "encode.ignore-null-fields", Doc: "true: a NULL is left out when a row is written; false writes null", Default: "false"},
	},
	NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
		options, err := readJSONOptions(o)
		if err != nil {
			return nil, err
		}
		d, err := NewJSONDecoder(pick(schema, needed), options)
		if err != nil {
			return nil, &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type, such as STRING"}
		}
		return d, nil
	},
	NewEncoder: func(schema types.Schema, o connector.Options) (Encoder, error) {
		options, err := readJSONOptions(o)
		if err != nil {
			return nil, err
		}
		return NewJSONEncoder(schema, options), nil
	},
}

func readJSONOptions(o connector.Options) (r JSONOptions, err error) {
	if o[timestampSpec.Key] == ISO8601.String() {
		r.TimestampFormat = ISO8601
	}
	if r.FailOnMissingField, err = o.Bool("fail-on-missing-field", false); err != nil {
		return r, err
	}
	if r.IgnoreParseErrors, err = o.Bool("ignore-parse-errors", false); err != nil {
		return r, err
	}
	if r.FailOnMissingField && r.IgnoreParseErrors {
		return r, &connector.OptionError{Key: "ignore-parse-errors", Message: "'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true",
			Hint: "set one of them to 'false'"}
	}
	for _, ignored := range []string{"encode.decimal-as-plain-number", "decode.json-parser.enabled"} {
		if _, err = o.Bool(ignored, false); err != nil {
			return r, err
		}
	}
	switch o["map-null-key.mode"] {
	case "DROP":
		r.NullKeys = DropNullKey
	case "LITERAL":
		r.NullKeys = LiteralNullKey
	}
	r.NullKey = "null"
	if v, ok := o["map-null-key.literal"]; ok {
		r.NullKey = v
	}
	r.OmitNulls, err = o.Bool("encode.ignore-null-fields", false)
	return r, err
}

// pick is the columns of schema at the indexes in needed.
func pick(schema types.Schema, needed []int) types.Schema {
	fields := make(types.Schema, len(needed))
	for i, k := range needed {
		fields[i] = schema[k]
	}
	return fields
}

// TimestampFormat is the shape in which TIMESTAMP and TIMESTAMP_LTZ stand in JSON text.
type TimestampFormat uint8

// The shapes. A TIMESTAMP_LTZ ends in Z, a TIMESTAMP has nothing after its seconds.
const (
	SQL     TimestampFormat = iota // 2026-01-01 00:00:00.123
	ISO8601                        // 2026-01-01T00:00:00.123
)

// String spells f as 'json.timestamp-format.standard' does.
func (f TimestampFormat) String() string { return [...]string{"SQL", "ISO-8601"}[f] }

// JSONOptions are the options of the json format; the zero value holds Flink's defaults.
type JSONOptions struct {
	// TimestampFormat is 'json.timestamp-format.standard'.
	TimestampFormat TimestampFormat
	// FailOnMissingField is 'json.fail-on-missing-field': a needed field that a row lacks is an error, not NULL.
	FailOnMissingField bool
	// IgnoreParseErrors is 'json.ignore-parse-errors': a bad value becomes NULL, a malformed line is skipped. As in
	// Flink it cannot be combined with FailOnMissingField.
	IgnoreParseErrors bool
	// OmitNulls is 'json.encode.ignore-null-fields': a NULL is left out instead of written as null.
	OmitNulls bool
	// NullKeys is 'json.map-null-key.mode', and NullKey the key that stands for NULL in mode Literal.
	NullKeys NullKeyMode
	NullKey  string

	format string // whose options they are, for messages; empty is json
	shape  shape  // what a record is
	texts  bool   // a STRING takes strings only
	tuples bool   // a ROW takes an array too, by position
}

// shape is what a record of JSON is.
type shape uint8

const (
	anyShape shape = iota // an object, or an array of objects
	objects               // objects with line feeds between them
	list                  // an array of objects
	unparsed              // either, each object the text of one column
)

// key is the name of an option in a table.
func (o *JSONOptions) key(name string) string {
	if o.format == "" {
		return "json." + name
	}
	return o.format + "." + name
}

// NullKeyMode says what becomes of a NULL key of a MAP.
type NullKeyMode uint8

// The modes of 'json.map-null-key.mode'.
const (
	FailOnNullKey NullKeyMode = iota
	DropNullKey
	LiteralNullKey
)

// separator stands between the date and the time of day.
func (f TimestampFormat) separator() byte { return " T"[f] }
