package format

import (
	"encoding/binary"
	"math"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var avroFormat = Format{
	Name: "avro",
	Doc:  "Avro's binary encoding without a schema, for messages; the writer's schema is that of the table, as Flink derives it",
	Specs: []connector.Spec{
		{Key: "timestamp_mapping.legacy", Doc: "true: TIMESTAMP is written as an instant, and there is no TIMESTAMP_LTZ; false: TIMESTAMP is written as a local time", Default: "true"},
		{Key: "encoding", Values: []string{"binary", "json"}, Doc: "binary is all there is; json is refused", Default: "binary"},
		{Key: "codec", NotYet: "leave it out: it is about files"},
	},
	Messages: true,
	NewDecoder: func(schema types.Schema, needed []int, o connector.Options) (Decoder, error) {
		w, err := readAvroOptions(schema, o)
		if err != nil {
			return nil, err
		}
		d := NewAvroDecoder(schema, needed)
		plan, err := d.planOf(w)
		if err != nil {
			return nil, &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type"}
		}
		d.Use(plan)
		return d, nil
	},
	NewEncoder: func(schema types.Schema, o connector.Options) (Encoder, error) {
		w, err := readAvroOptions(schema, o)
		if err != nil {
			return nil, err
		}
		return &avroEncoder{schema, w}, nil
	},
}

// readAvroOptions is the schema with which a table is written.
func readAvroOptions(schema types.Schema, o connector.Options) (*avroType, error) {
	if o["encoding"] == "json" {
		return nil, &connector.OptionError{Key: "encoding", Message: "option 'encoding' cannot be 'json'", Hint: "use format 'json'"}
	}
	legacy, err := o.Bool("timestamp_mapping.legacy", true)
	if err != nil {
		return nil, err
	}
	w, err := avroOf(schema, legacy)
	if err != nil {
		return nil, &connector.OptionError{Message: err.Error(), Hint: "declare the column with another type"}
	}
	return w, nil
}

// NewAvroEncoder makes an encoder of rows of schema, which are read with AvroSchema. The error says which column has no form in Avro.
func NewAvroEncoder(schema types.Schema, legacy bool) (Encoder, error) {
	w, err := avroOf(schema, legacy)
	return &avroEncoder{schema, w}, err
}

type avroEncoder struct {
	schema types.Schema
	as     *avroType
}

// Append implements Encoder.
func (e *avroEncoder) Append(dst []byte, b *vector.Batch, row int) ([]byte, error) {
	start := len(dst)
	for i, f := range e.schema {
		var err error
		if dst, err = appendAvro(dst, e.as.fields[i].of, f.Type, b.Cols[i], row); err != nil {
			return dst[:start], err
		}
	}
	return dst, nil
}

// appendAvro appends value i of v, of type t, as w.
func appendAvro(dst []byte, w *avroType, t types.Type, v vector.Values, i int) ([]byte, error) {
	if w.kind == "union" {
		if v.IsNull(i) {
			return binary.AppendVarint(dst, 0), nil
		}
		dst, w = binary.AppendVarint(dst, 1), w.branches[1]
	}
	switch t.Kind {
	case types.Boolean:
		if v.Bool(i) {
			return append(dst, 1), nil
		}
		return append(dst, 0), nil
	case types.Float:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v.Float(i)))), nil
	case types.Double:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float(i))), nil
	case types.Char, types.String, types.Binary, types.VarBinary:
		return appendSized(dst, v.Bytes(i)), nil
	case types.Decimal:
		digits := valuefmt.Digits(t, v, i)
		var b [16]byte
		binary.BigEndian.PutUint64(b[:8], uint64(digits.Hi))
		binary.BigEndian.PutUint64(b[8:], digits.Lo)
		return appendSized(dst, shortest(b[:])), nil
	case types.Array:
		a := nested.ReadArray(v.Bytes(i), vector.KindOf(t.Elem()))
		return appendItems(dst, a.Len(), func(dst []byte, k int) ([]byte, error) { return appendAvro(dst, w.items, t.Elem(), a, k) })
	case types.Map, types.Multiset:
		return appendEntries(dst, w, t, v.Bytes(i))
	case types.Row:
		r := nested.ReadRow(v.Bytes(i), len(t.Fields()))
		for k, f := range t.Fields() {
			var err error
			if dst, err = appendAvro(dst, w.fields[k].of, f.Type, r, k); err != nil {
				return dst, err
			}
		}
		return dst, nil
	}
	n := v.Int(i)
	if w.logical == "time-millis" || w.logical == "timestamp-millis" || w.logical == "local-timestamp-millis" {
		n = timefmt.FloorDiv(n, timefmt.Millisecond)
	}
	return binary.AppendVarint(dst, n), nil
}

func appendEntries(dst []byte, w *avroType, t types.Type, b []byte) ([]byte, error) {
	key, value := t.Elem(), types.IntType
	if t.Kind == types.Map {
		key, value = t.Key(), t.Elem()
	}
	keys, values := nested.ReadMap(b, vector.KindOf(key), vector.KindOf(value))
	return appendItems(dst, keys.Len(), func(dst []byte, k int) ([]byte, error) {
		if keys.IsNull(k) {
			return dst, fault.Errorf(fault.Data, "a %s has a key that is NULL, which Avro cannot hold", t.Nullable())
		}
		return appendAvro(appendSized(dst, keys.Bytes(k)), w.items, value, values, k)
	})
}

// appendItems appends n items as one block and the end.
func appendItems(dst []byte, n int, item func(dst []byte, k int) ([]byte, error)) ([]byte, error) {
	if n > 0 {
		dst = binary.AppendVarint(dst, int64(n))
	}
	for k := range n {
		var err error
		if dst, err = item(dst, k); err != nil {
			return dst, err
		}
	}
	return append(dst, 0), nil
}

func appendSized(dst, b []byte) []byte { return append(binary.AppendVarint(dst, int64(len(b))), b...) }

// shortest leaves out the bytes in front that only repeat the sign.
func shortest(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}
