package function

import (
	"bytes"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JSONForm says how a value of JSON_OBJECT or JSON_ARRAY is written; it is the argument before the value.
const (
	JSONFormValue = "VALUE" // as JSON_STRING does
	JSONFormJSON  = "JSON"  // it is JSON in its one form already
)

// resolveJSONObject resolves JSON_OBJECT(NULL or ABSENT, key, form, value, …).
func resolveJSONObject(args []types.Type) (Overload, bool) {
	if len(args)%3 != 1 {
		return Overload{}, false
	}
	params := []types.Type{types.StringType}
	for i := 1; i < len(args); i += 3 {
		if !args[i].IsText() || !HasJSON(args[i+2]) {
			return Overload{}, false
		}
		params = append(params, types.StringType, types.StringType, args[i+2].Nullable())
	}
	return Overload{Params: params, Result: notNull(types.StringType), Nulls: NullAware, Bind: func(constants []*vector.Vector) (Kernel, error) {
		return bindJSONObject(params, constants)
	}}, true
}

// jsonMember is a member of the object that JSON_OBJECT makes.
type jsonMember struct {
	name  []byte // quoted, with the colon
	value jsonSource
}

// jsonSource writes a value from an argument.
type jsonSource struct {
	arg  int
	t    types.Type
	json bool
}

// jsonScratch is what writing needs beside the result.
type jsonScratch struct {
	writer jsontext.Writer
	buf    []byte
}

func (s jsonSource) append(dst []byte, w *jsonScratch, c *Call, i int) []byte {
	v := c.Args[s.arg]
	switch {
	case s.json && !v.IsNull(i):
		return append(dst, v.Bytes(i)...)
	case sorted(s.t):
		return appendJSON(dst, s.t, v, i)
	}
	w.buf = appendJSON(w.buf[:0], s.t, v, i)
	return w.writer.Append(dst, w.buf)
}

// bindJSONObject puts the keys, which are constant, in order; of equal ones the last stays.
func bindJSONObject(params []types.Type, constants []*vector.Vector) (Kernel, error) {
	absent, err := constantWord(constants[0], "JSON_OBJECT", "NULL", "ABSENT")
	if err != nil {
		return nil, err
	}
	type named struct {
		name   []byte
		member jsonMember
	}
	var list []named
	for k := 1; k < len(constants); k += 3 {
		if constants[k] == nil || constants[k].IsNullConst() {
			return nil, constantErrorf("write the key in quotes", "a key of JSON_OBJECT must be a constant string, and not NULL")
		}
		name := constants[k].Bytes(0)
		form := string(constants[k+1].Bytes(0))
		n := named{slices.Clone(name), jsonMember{append(jsontext.AppendQuoted(nil, name), ':'), jsonSource{k + 2, params[k+2], form == JSONFormJSON}}}
		list = slices.DeleteFunc(list, func(other named) bool { return bytes.Equal(other.name, name) })
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b named) int { return jsontext.CompareNames(a.name, b.name) })
	members := make([]jsonMember, len(list))
	for i, n := range list {
		members[i] = n.member
	}
	return func(c *Call) error {
		var w jsonScratch
		return writeJSON(c, func(dst []byte, i int) []byte {
			dst = append(dst, '{')
			first := true
			for _, m := range members {
				if absent == "ABSENT" && c.Args[m.value.arg].IsNull(i) {
					continue
				}
				if c.full(dst) {
					break
				}
				if !first {
					dst = append(dst, ',')
				}
				first = false
				dst = m.value.append(append(dst, m.name...), &w, c, i)
			}
			return append(dst, '}')
		})
	}, nil
}

// writeJSON writes the result of every row.
func writeJSON(c *Call, write func(dst []byte, i int) []byte) error {
	w := newText(c, 64*c.Rows.Count())
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		c.start = w.start
		w.buf = write(w.buf, i)
		w.end(i)
	}
	w.done()
	return nil
}

// resolveJSONArray resolves JSON_ARRAY(NULL or ABSENT, form, value, …).
func resolveJSONArray(args []types.Type) (Overload, bool) {
	if len(args)%2 != 1 {
		return Overload{}, false
	}
	params := []types.Type{types.StringType}
	for i := 1; i < len(args); i += 2 {
		if !HasJSON(args[i+1]) {
			return Overload{}, false
		}
		params = append(params, types.StringType, args[i+1].Nullable())
	}
	return Overload{Params: params, Result: notNull(types.StringType), Nulls: NullAware, Bind: func(constants []*vector.Vector) (Kernel, error) {
		return bindJSONArray(params, constants)
	}}, true
}

func bindJSONArray(params []types.Type, constants []*vector.Vector) (Kernel, error) {
	absent, err := constantWord(constants[0], "JSON_ARRAY", "NULL", "ABSENT")
	if err != nil {
		return nil, err
	}
	var sources []jsonSource
	for k := 1; k < len(constants); k += 2 {
		sources = append(sources, jsonSource{k + 1, params[k+1], string(constants[k].Bytes(0)) == JSONFormJSON})
	}
	return func(c *Call) error {
		var w jsonScratch
		return writeJSON(c, func(dst []byte, i int) []byte {
			dst = append(dst, '[')
			first := true
			for _, s := range sources {
				if absent == "ABSENT" && c.Args[s.arg].IsNull(i) {
					continue
				}
				if c.full(dst) {
					break
				}
				if !first {
					dst = append(dst, ',')
				}
				first = false
				dst = s.append(dst, &w, c, i)
			}
			return append(dst, ']')
		})
	}, nil
}

// jsonOfText puts JSON into its one form.
func jsonOfText(c *Call) error {
	var w jsontext.Writer
	result := newText(c, size(c.Args[0], c.Rows))
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		value, ok := jsontext.Parse(c.Args[0].Bytes(i))
		if !ok {
			return rowErrorf(i, "'%.60s' is no JSON", c.Args[0].Bytes(i))
		}
		result.buf = w.Append(result.buf, value)
		result.end(i)
	}
	result.done()
	return nil
}

func resolveJSONString(args []types.Type) (Overload, bool) {
	if len(args) != 1 || !HasJSON(args[0]) {
		return Overload{}, false
	}
	source := jsonSource{t: args[0].Nullable()}
	return Overload{Params: []types.Type{source.t}, Result: types.StringType, Kernel: func(c *Call) error {
		var w jsonScratch
		return writeJSON(c, func(dst []byte, i int) []byte { return source.append(dst, &w, c, i) })
	}}, true
}
