package format

import (
	"bytes"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
)

var csvFormat = Format{
	Name:   "csv",
	Marked: true,
	Doc:    "values by position, separated by commas, in quotes where needed (RFC 4180)",
	Specs: []connector.Spec{
		{Key: "field-delimiter", Doc: "the character between values; '\\t' is a tab", Default: ","},
		{Key: "quote-character", Doc: "the character around values that hold the delimiter, a line feed or itself, which is then doubled", Default: "\""},
		{Key: "disable-quote-character", Doc: "true: no value is in quotes", Default: "false"},
		{Key: "escape-character", Doc: "the character that takes its meaning from the next one", Default: "none"},
		{Key: "allow-comments", Doc: "true: a line that begins with # is left out", Default: "false"},
		{Key: "ignore-parse-errors", Doc: "true: a bad value becomes NULL and a malformed record is left out; false stops", Default: "false"},
		{Key: "null-literal", Doc: "the text that is NULL, and that NULL is written as", Default: "none: no text is NULL, and NULL is written as no text"},
		{Key: "array-element-delimiter", Doc: "the text between the elements of an ARRAY and the fields of a ROW", Default: ";"},
		{Key: "trim-spaces", Doc: "true: blanks around a value that is not in quotes are left out", Default: "false"},
		{Key: "empty-string-as-null", Doc: "true: a value without text is NULL", Default: "false"},
		{Key: "allow-trailing-comma", Doc: "true: a delimiter may stand behind the last value", Default: "true"},
		{Key: "ignore-trailing-unmappable", Doc: "true: values behind those of the table's columns are left out; false: they are an error", Default: "false"},
		{Key: "fail-on-missing-columns", Doc: "true: a record with too few values is malformed even if parse errors are ignored; false: the others are then NULL", Default: "false"},
		{Key: "write-bigdecimal-in-scientific-notation", Doc: "accepted and of no effect: a DECIMAL is always written without an exponent", Default: "false"},
		{Key: "skip-header", Doc: "true: the first record of every file is its header and is left out. Flink has no such option", Default: "false"},
	},
	NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
		options, err := readCSVOptions(o)
		if err != nil {
			return nil, err
		}
		d, err := newCSVDecoder(schema, needed, options)
		if err != nil {
			return nil, err
		}
		return d, nil
	},
	NewEncoder: func(schema types.Schema, o connector.Options) (Encoder, error) {
		options, err := readCSVOptions(o)
		if err != nil {
			return nil, err
		}
		return newCSVEncoder(schema, options)
	},
	NewFramer: func(o connector.Options) (Framer, error) {
		options, err := readCSVOptions(o)
		if err != nil {
			return nil, err
		}
		if options.quote < 0 && options.escape < 0 {
			return Lines, nil
		}
		return csvFramer{options}, nil
	},
	Header: func(o connector.Options) bool { return o["skip-header"] == "true" },
}

// csvOptions are the options of the csv format.
type csvOptions struct {
	delimiter     byte
	quote, escape int // bytes, -1: there is none
	comments      bool
	ignore        bool
	null          *string
	between       string // elements
	named         bool   // a record begins with the names of its columns; a value without text is NULL if it may be, and no text in quotes

	trim, emptyIsNull, trailing, extra, wantAll bool
}

// readCSVOptions reads them. Flink 2.3: a delimiter may be any character; here it is one byte, as all are that anybody uses.
func readCSVOptions(o connector.Options) (r csvOptions, err error) {
	r = csvOptions{delimiter: ',', quote: '"', escape: -1, between: ";"}
	if v, ok := o["field-delimiter"]; ok {
		c, err := character("field-delimiter", v)
		if err != nil {
			return r, err
		}
		r.delimiter = byte(c)
	}
	disabled, err := o.Bool("disable-quote-character", false)
	if err != nil {
		return r, err
	}
	v, quoted := o["quote-character"]
	switch {
	case quoted && disabled:
		return r, &connector.OptionError{Key: "quote-character", Message: "'csv.quote-character' is given although 'csv.disable-quote-character' is true", Hint: "leave one of them out"}
	case disabled:
		r.quote = -1
	case quoted:
		if r.quote, err = character("quote-character", v); err != nil {
			return r, err
		}
	}
	if v, ok := o["escape-character"]; ok {
		if r.escape, err = character("escape-character", v); err != nil {
			return r, err
		}
	}
	if r.quote == int(r.delimiter) || r.escape == int(r.delimiter) || r.escape >= 0 && r.escape == r.quote {
		return r, &connector.OptionError{Key: "field-delimiter", Message: "the delimiter, the quote and the escape of format 'csv' are not three different characters",
			Hint: "give each a character of its own"}
	}
	if r.comments, err = o.Bool("allow-comments", false); err != nil {
		return r, err
	}
	if r.ignore, err = o.Bool("ignore-parse-errors", false); err != nil {
		return r, err
	}
	if v, ok := o["null-literal"]; ok {
		r.null = &v
	}
	if v, ok := o["array-element-delimiter"]; ok {
		if v == "" {
			return r, &connector.OptionError{Key: "array-element-delimiter", Message: "option 'array-element-delimiter' is empty", Hint: "write what stands between elements, such as ';'"}
		}
		r.between = v
	}
	ignored := false // is looked at elsewhere, or has no effect
	for _, flag := range []struct {
		key      string
		to       *bool
		fallback bool
	}{{"trim-spaces", &r.trim, false}, {"empty-string-as-null", &r.emptyIsNull, false}, {"allow-trailing-comma", &r.trailing, true},
		{"ignore-trailing-unmappable", &r.extra, false}, {"fail-on-missing-columns", &r.wantAll, false}, {"skip-header", &ignored, false},
		{"write-bigdecimal-in-scientific-notation", &ignored, false}} {
		if *flag.to, err = o.Bool(flag.key, flag.fallback); err != nil {
			return r, err
		}
	}
	return r, nil
}

// comment reports whether a line is left out. As the library that Flink reads CSV with has it, blanks may stand before the #.
func (o *csvOptions) comment(line []byte) bool {
	if !o.comments {
		return false
	}
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && line[0] == '#'
}

// character reads an option of one character, which may be a Java escape as in Flink.
func character(key, v string) (int, error) {
	switch v {
	case `\t`:
		return '\t', nil
	case `\\`:
		return '\\', nil
	}
	if len(v) == 1 && v[0] < 0x80 && v[0] != '\n' && v[0] != '\r' {
		return int(v[0]), nil
	}
	if len(v) == 6 && v[:2] == `\u` {
		if r, ok := jsontext.Hex4([]byte(v[2:])); ok && r < 0x80 && r != '\n' && r != '\r' {
			return int(r), nil
		}
	}
	return 0, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s'", key, v), Hint: "write one ASCII character that is no line feed, such as ';', '\\t' or '\\u0001'"}
}
