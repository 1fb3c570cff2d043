package functions

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
	"github.com/tidemark-sql/tidemark/internal/ysontext"
)

// documented checks that values of t can be put into a document. YQL: instants and intervals cannot; they are CAST to String first.
func documented(t yqltype.Type) error {
	switch {
	case t.IsInstant() || t.Kind == yqltype.Interval || t.Kind == yqltype.Moment:
		return hintf(CodeType, "CAST it to String", "a document does not hold %s", t)
	case t.Kind == yqltype.Dict && !t.Key().IsText():
		return hintf(CodeType, "the keys have to be String or Utf8", "a document does not hold %s", t)
	case t.Kind >= yqltype.List && t.Kind <= yqltype.Tuple:
		for _, part := range t.Elems() {
			if err := documented(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// writer writes values of a type as a document, YSON or JSON at once. It serves one batch at a time: what it reads inside of a value is kept in it.
type writer struct {
	kind  yqltype.Kind
	typ   yqltype.Type
	json  *ysontext.JSON // nil for YSON
	names [][]byte       // of a Struct: the key and what stands behind it
	parts []*writer

	array, values *nested.Array
	fields        *nested.Row
	kinds         []vector.Kind // of the parts
}

func newWriter(t yqltype.Type, json *ysontext.JSON) *writer {
	w := &writer{kind: t.Kind, typ: t, json: json, array: new(nested.Array), values: new(nested.Array), fields: new(nested.Row)}
	if t.Kind < yqltype.List || t.Kind > yqltype.Tuple {
		return w
	}
	for _, part := range t.Elems() {
		w.parts, w.kinds = append(w.parts, newWriter(part, json)), append(w.kinds, kindOf(part))
	}
	if t.Kind == yqltype.Struct {
		for _, m := range t.Members() {
			w.names = append(w.names, w.key([]byte(m.Name)))
		}
	}
	return w
}

func (w *writer) key(name []byte) []byte {
	if w.json != nil {
		return append(jsontext.AppendQuoted(nil, name), ':')
	}
	return append(ysontext.AppendQuoted(nil, name), '=')
}

// separator is what stands between items.
func (w *writer) separator() byte {
	if w.json != nil {
		return ','
	}
	return ';'
}

// write appends value i of v.
func (w *writer) write(dst []byte, v vector.Values, i int) ([]byte, error) {
	if v.IsNull(i) || w.kind == yqltype.Null {
		return w.null(dst), nil
	}
	switch w.kind {
	case yqltype.Bool:
		if w.json == nil {
			return ysontext.AppendBool(dst, v.Bool(i)), nil
		}
		return strconv.AppendBool(dst, v.Bool(i)), nil
	case yqltype.Float, yqltype.Double:
		f := v.Float(i)
		if w.json != nil {
			return w.json.AppendFloat(dst, f)
		}
		return ysontext.AppendFloat(dst, f), nil
	case yqltype.Json:
		return w.jsonText(dst, v.Bytes(i))
	case yqltype.Yson, yqltype.Node:
		return w.ysonText(dst, v.Bytes(i))
	case yqltype.String, yqltype.Utf8, yqltype.Uuid:
		if w.json != nil {
			return jsontext.AppendQuoted(dst, v.Bytes(i)), nil
		}
		return ysontext.AppendQuoted(dst, v.Bytes(i)), nil
	case yqltype.Decimal:
		return w.decimal(dst, v, i), nil
	case yqltype.List, yqltype.EmptyList:
		return w.list(dst, v.Bytes(i))
	case yqltype.Dict, yqltype.EmptyDict:
		return w.dict(dst, v.Bytes(i))
	case yqltype.Struct, yqltype.Tuple:
		return w.row(dst, v.Bytes(i))
	}
	if w.json == nil && w.typ.IsUnsigned() {
		return ysontext.AppendUint(dst, uint64(v.Int(i))), nil
	}
	return strconv.AppendInt(dst, v.Int(i), 10), nil
}

func (w *writer) null(dst []byte) []byte {
	if w.json != nil {
		return append(dst, "null"...)
	}
	return append(dst, '#')
}

// jsonText puts a Json into the document.
func (w *writer) jsonText(dst, text []byte) ([]byte, error) {
	value, ok := jsontext.Parse(text)
	if !ok {
		return nil, hintf(CodeValue, "leave such rows out with WHERE", "%q is no Json", short(text))
	}
	if w.json == nil {
		return ysontext.FromJSON(dst, value), nil
	}
	return w.json.Append(dst, ysontext.FromJSON(nil, value))
}

// ysonText puts a Yson or a node, which is canonical, into the document.
func (w *writer) ysonText(dst, text []byte) ([]byte, error) {
	if w.kind == yqltype.Yson {
		var err error
		if text, err = ysontext.Canonical(nil, text); err != nil {
			return nil, err
		}
	}
	if w.json != nil {
		return w.json.Append(dst, text)
	}
	return append(dst, text...), nil
}

// decimal writes a Decimal as a string, in which no digit is lost.
func (w *writer) decimal(dst []byte, v vector.Values, i int) []byte {
	one := vector.Vector{Kind: kindOf(w.typ), Const: true}
	if one.Kind == vector.Int128 {
		one.Wides = append(one.Wides, v.Wide(i))
	} else {
		one.Ints = append(one.Ints, v.Int(i))
	}
	return append(valuefmt.Append(append(dst, '"'), w.typ.Physical(), &one, 0), '"')
}

func (w *writer) list(dst, list []byte) ([]byte, error) {
	dst = append(dst, '[')
	if w.kind == yqltype.List {
		*w.array = nested.ReadArray(list, w.kinds[0])
		for e := range w.array.Len() {
			if e > 0 {
				dst = append(dst, w.separator())
			}
			var err error
			if dst, err = w.parts[0].write(dst, w.array, e); err != nil {
				return nil, err
			}
		}
	}
	return append(dst, ']'), nil
}

func (w *writer) dict(dst, dict []byte) ([]byte, error) {
	dst = append(dst, '{')
	if w.kind == yqltype.Dict {
		*w.array, *w.values = nested.ReadMap(dict, w.kinds[0], w.kinds[1])
		first := true
		for e := range w.array.Len() {
			if w.skips(w.values, e) {
				continue
			}
			if !first {
				dst = append(dst, w.separator())
			}
			first = false
			dst = append(dst, w.key(w.array.Bytes(e))...)
			var err error
			if dst, err = w.parts[1].write(dst, w.values, e); err != nil {
				return nil, err
			}
		}
	}
	return append(dst, '}'), nil
}

// skips reports whether an entry is left out because its value is NULL.
func (w *writer) skips(v vector.Values, i int) bool {
	return w.json != nil && w.json.SkipEntities && v.IsNull(i)
}

func (w *writer) row(dst, row []byte) ([]byte, error) {
	open, end := byte('{'), byte('}')
	if w.kind == yqltype.Tuple {
		open, end = '[', ']'
	}
	dst = append(dst, open)
	fields := w.fields
	*fields = nested.ReadRow(row, len(w.parts))
	first := true
	for f, part := range w.parts {
		if w.kind == yqltype.Struct && w.skips(fields, f) {
			continue
		}
		if !first {
			dst = append(dst, w.separator())
		}
		first = false
		if w.kind == yqltype.Struct {
			dst = append(dst, w.names[f]...)
		}
		var err error
		if dst, err = part.write(dst, fields, f); err != nil {
			return nil, err
		}
	}
	return append(dst, end), nil
}
