package format

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The formats of messages that begin with the names of their columns, as YDB has them.
var (
	csvNamedFormat = namedCSV("csv_with_names", "a line with the names of columns and lines of values, separated by commas, in quotes where needed", csvOptions{delimiter: ',', quote: '"', escape: -1, between: ";", named: true})
	tsvNamedFormat = namedCSV("tsv_with_names", `a line with the names of columns and lines of values, separated by tabs; a tab or a line feed in a value is \t or \n, and NULL is \N`, csvOptions{delimiter: '\t', quote: -1, escape: '\\', between: ";", named: true, null: &tsvNull})

	tsvNull = `\N`
)

func namedCSV(name, doc string, usual csvOptions) Format {
	specs := []connector.Spec{unsignedSpec}
	if usual.quote >= 0 {
		specs = append(specs, connector.Spec{Key: delimiterKey, Doc: "the character between values", Default: ","})
	}
	return Format{
		Name: name, Doc: doc, Marked: true, Whole: true, Specs: specs,
		NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
			options, err := usual.divided(o)
			if err != nil {
				return nil, err
			}
			if err := checkMarks(schema, o); err != nil {
				return nil, err
			}
			d, err := newCSVDecoder(schema, needed, options)
			if err != nil {
				return nil, err
			}
			mark(d.columns, o)
			for i := range d.columns {
				d.columns[i].iso = true
			}
			return &namedDecoder{csvDecoder: d}, nil
		},
		NewEncoder: func(schema types.Schema, o connector.Options) (Encoder, error) {
			options, err := usual.divided(o)
			if err != nil {
				return nil, err
			}
			rows, err := newCSVEncoder(schema, options)
			if err != nil {
				return nil, err
			}
			header := strings.Join(schema.Names(), string(options.delimiter)) + "\n"
			return &namedEncoder{rows, []byte(header)}, nil
		},
	}
}

const delimiterKey = "field-delimiter"

// divided is o with the delimiter that a table gives.
func (o csvOptions) divided(by connector.Options) (csvOptions, error) {
	v, ok := by[delimiterKey]
	if !ok {
		return o, nil
	}
	c, err := character(delimiterKey, v)
	if err == nil && c == o.quote {
		err = &connector.OptionError{Key: delimiterKey, Message: "the delimiter of the values is the quote around them", Hint: "write another character, such as ';'"}
	}
	o.delimiter = byte(c)
	return o, err
}

// namedDecoder reads records each of which has a header, which finds the columns, and rows.
type namedDecoder struct {
	*csvDecoder
	header  []byte // the last one, which places are for; nil before the first
	lacking []int  // columns that it does not name
}

// Read implements Decoder. Of a message with a row that cannot be read there are none.
func (d *namedDecoder) Read(start, end int) (rows int, err error) {
	if start == end {
		return 0, nil
	}
	first := d.n
	var framer Framer = csvFramer{d.csvOptions}
	if d.quote < 0 {
		framer = Lines
	}
	to, at, _ := framer.Next(d.buf[:end], start)
	if err := d.names(start, to); err != nil {
		return 0, err
	}
	for at < end {
		to, next, _ := framer.Next(d.buf[:end], at)
		n, err := d.csvDecoder.Read(at, to)
		if err != nil {
			for n := first; n < min(d.n+1, d.room); n++ {
				d.forget(n)
			}
			d.n = first
			return 0, err
		}
		if n == 1 {
			for _, k := range d.lacking {
				d.setNull(&d.columns[k], d.n-1)
			}
		}
		at = next
	}
	return d.n - first, nil
}

// names finds the columns by the header buf[start:end].
func (d *namedDecoder) names(start, end int) error {
	header := bytes.TrimRight(d.buf[start:end], "\r")
	if d.header != nil && bytes.Equal(header, d.header) {
		return nil
	}
	d.header = slices.Clone(header)
	d.from, d.to, d.wrong, d.places = start, start+len(header), nil, d.places[:0]
	d.lacking = d.lacking[:0]
	found := make([]bool, len(d.columns))
	for i := d.from; d.wrong == nil; {
		v, after := d.next(i)
		name := slices.Clone(d.buf[v.from:v.to])
		if v.coded {
			name = name[:d.decode(name, v.quoted)]
		}
		k := slices.IndexFunc(d.columns, func(c column) bool { return c.Name == string(name) })
		switch {
		case k < 0:
			k = notNeeded
		case found[k]:
			d.fail(i, string(name), "the header names the column twice", "name each column once")
		default:
			found[k] = true
		}
		d.places = append(d.places, int32(k))
		if after == d.to {
			break
		}
		i = after + 1
	}
	for k, c := range d.columns {
		if found[k] {
			continue
		}
		if c.Type.NotNull {
			d.fail(start, c.Name, "the header does not name the column", c.advised(types.FoundNothing, nil, "make the column nullable, or add it to the message"))
		}
		d.lacking = append(d.lacking, k)
	}
	if d.wrong != nil {
		d.header = nil
		return d.wrong
	}
	return nil
}

// namedEncoder writes each row behind a header.
type namedEncoder struct {
	rows   Encoder
	header []byte
}

func (e *namedEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	start := len(dst)
	dst, err := e.rows.Append(append(dst, e.header...), b, row)
	if err != nil {
		return dst[:start], err
	}
	return dst, nil
}
