package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The formats of messages of JSON that YDB has. They are stricter with strings than Flink's json, and a message can be several rows.
var (
	jsonEachRowFormat = jsonMessages("json_each_row", "objects with line feeds between them, each a row; times are ISO-8601 with Z", objects)
	jsonListFormat    = jsonMessages("json_list", "an array of objects, each a row, otherwise as json_each_row", list)

	jsonAsStringFormat = Format{
		Name: "json_as_string", Marked: true,
		Doc: "objects with line feeds between them, or an array of objects, each the text of one column",
		NewDecoder: func(schema types.Schema, needed []int, _ connector.Options) (Decoder, error) {
			if err := oneText(schema, "json_as_string"); err != nil {
				return nil, err
			}
			return newJSONMessages(pick(schema, needed), nil, unparsed)
		},
		NewEncoder: func(schema types.Schema, _ connector.Options) (Encoder, error) {
			if err := oneText(schema, "json_as_string"); err != nil {
				return nil, err
			}
			return textEncoder{}, nil
		},
	}
)

// The options of columns whose type in a table does not say all.
const (
	verbatimKey = "json-fields"
	unsignedKey = "unsigned-fields"
)

var (
	verbatimSpec = connector.Spec{Key: verbatimKey, Doc: "columns, divided by semicolons, that get a value of any kind as the JSON that stands there; what is inside of others is a.b, a[], a[key]", Default: "none"}
	unsignedSpec = connector.Spec{Key: unsignedKey, Doc: "columns of numbers without a sign, with how many bits they have: a=8;b.c=64", Default: "none"}
)

func jsonMessages(name, doc string, s shape) Format {
	f := Format{
		Name: name, Marked: true, Doc: doc, Whole: s == list,
		Specs: []connector.Spec{verbatimSpec, unsignedSpec},
		NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
			if err := checkMarks(schema, o); err != nil {
				return nil, err
			}
			return newJSONMessages(pick(schema, needed), o, s)
		},
		NewEncoder: func(schema types.Schema, _ connector.Options) (Encoder, error) {
			e := NewJSONEncoder(schema, JSONOptions{TimestampFormat: ISO8601, format: name})
			if s == list {
				return listEncoder{e}, nil
			}
			return e, nil
		},
	}
	return f
}

func newJSONMessages(fields types.Schema, o connector.Options, s shape) (Decoder, error) {
	d, err := NewJSONDecoder(fields, JSONOptions{TimestampFormat: ISO8601, shape: s, texts: true, tuples: true})
	if err != nil {
		return nil, &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type, such as one for text, and convert it"}
	}
	mark(d.columns, o)
	return d, nil
}

// checkMarks refuses options of columns that are not there, or not of a type for them.
func checkMarks(schema types.Schema, o connector.Options) error {
	for _, name := range splitNames(o[verbatimKey]) {
		if t, ok := partOf(schema, name); !ok || !t.IsText() {
			return &connector.OptionError{Key: verbatimKey, Message: fmt.Sprintf("option '%s' names '%s', which is no column of text", verbatimKey, name), Hint: "name columns of type STRING"}
		}
	}
	for _, entry := range splitNames(o[unsignedKey]) {
		name, bits, _ := strings.Cut(entry, "=")
		t, ok := partOf(schema, name)
		n, err := strconv.ParseUint(bits, 10, 7)
		if !ok || !t.IsInteger() || err != nil || n < 1 || n > 64 {
			return &connector.OptionError{Key: unsignedKey, Message: fmt.Sprintf("option '%s' has '%s', which is no column of whole numbers with a number of bits", unsignedKey, entry), Hint: "write name=bits, such as a=8;b=64"}
		}
	}
	return nil
}

// mark notes what the options say of columns.
func mark(columns []column, o connector.Options) {
	verbatim, unsigned := splitNames(o[verbatimKey]), splitNames(o[unsignedKey])
	set := func(c *column) {
		c.verbatim = slices.Contains(verbatim, c.Name)
		for _, entry := range unsigned {
			if name, bits, _ := strings.Cut(entry, "="); name == c.Name {
				n, _ := strconv.ParseUint(bits, 10, 7)
				c.unsigned = uint8(n)
			}
		}
	}
	for i := range columns {
		set(&columns[i])
		if n := columns[i].node; n != nil {
			n.each(set)
		}
	}
}

// partOf is the type of a column, or of what is inside of one, by the name that node gives it: a, a.b, a[], a[key].
func partOf(schema types.Schema, name string) (t types.Type, ok bool) {
	for _, f := range schema {
		switch {
		case f.Name == name:
			return f.Type, true
		case f.Type.IsNested() && strings.HasPrefix(name, f.Name):
			newNode(f).each(func(c *column) {
				if c.Name == name {
					t, ok = c.Type, true
				}
			})
			if ok {
				return t, true
			}
		}
	}
	return t, false
}

func splitNames(list string) []string {
	return slices.DeleteFunc(strings.Split(list, ";"), func(name string) bool { return name == "" })
}

// oneText wants a table of one column of text.
func oneText(schema types.Schema, format string) error {
	if len(schema) == 1 && schema[0].Type.IsText() {
		return nil
	}
	return &connector.OptionError{Message: fmt.Sprintf("format '%s' has one column of text, and the table has: %s", format, strings.Join(schema.Names(), ", ")), Hint: "declare one column, and take it apart in the query"}
}

// listEncoder writes each row as an array of one object.
type listEncoder struct{ Encoder }

func (e listEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	start := len(dst)
	dst, err := e.Encoder.Append(append(dst, '['), b, row)
	if err != nil {
		return dst[:start], err
	}
	return append(dst, ']'), nil
}

// textEncoder writes the text of the one column as it is.
type textEncoder struct{}

func (textEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	if b.Cols[0].IsNull(row) {
		return dst, nil
	}
	return append(dst, b.Cols[0].Bytes(row)...), nil
}
