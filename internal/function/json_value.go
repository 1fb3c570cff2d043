package function

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// resolveJSONValue resolves JSON_VALUE(json, path, NULL of the type, ON EMPTY word, default, ON ERROR word, default).
func resolveJSONValue(args []types.Type) (Overload, bool) {
	if len(args) != 7 || !isTextOrNull(args[0]) || !isTextOrNull(args[1]) {
		return Overload{}, false
	}
	t := args[2].Nullable()
	switch t.Kind {
	case types.String, types.Boolean, types.Int, types.Double:
	default:
		return Overload{}, false
	}
	for _, value := range []types.Type{args[4], args[6]} {
		if t.Kind != types.String && !types.Assignable(value.Nullable(), t) {
			return Overload{}, false
		}
	}
	str := types.StringType
	return Overload{
		Params: []types.Type{str, str, t, str, t, str, t}, Result: t, Nulls: NullAware,
		Bind: func(constants []*vector.Vector) (Kernel, error) { return bindJSONValue(t, constants) },
	}, true
}

func isTextOrNull(t types.Type) bool { return t.IsText() || t.Kind == types.Null }

func bindJSONValue(t types.Type, constants []*vector.Vector) (Kernel, error) {
	path, err := preparePath("JSON_VALUE", constants)
	if err != nil {
		return nil, err
	}
	onEmpty, err := constantWord(constants[3], "JSON_VALUE", "NULL", "ERROR", "DEFAULT")
	if err != nil {
		return nil, err
	}
	onError, err := constantWord(constants[5], "JSON_VALUE", "NULL", "ERROR", "DEFAULT")
	if err != nil {
		return nil, err
	}
	return func(c *Call) error {
		w := newJSONResult(c, t)
		paths := path(c)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			if c.Args[0].IsNull(i) || c.Args[1].IsNull(i) {
				w.null(i)
				continue
			}
			p, err := paths(i)
			if err != nil {
				return err
			}
			found := isWrong
			var value []byte
			if p != nil && p.Definite() {
				value, found = followPath(p, c.Args[0].Bytes(i))
			} else if p != nil {
				found = missing(p) // a list is no scalar
			}
			if found == isThere && !jsontext.IsScalar(value) {
				found = missing(p)
			}
			if found == isThere && w.scalar(i, value) {
				continue
			}
			word, otherwise, problem := onError, c.Args[6], "JSON_VALUE finds no %s at '%.80s'"
			if found == isEmpty {
				word, otherwise, problem = onEmpty, c.Args[4], "JSON_VALUE finds nothing for %s at '%.80s'"
			}
			switch {
			case word == "ERROR":
				return rowErrorf(i, problem, t, c.Args[1].Bytes(i))
			case word == "NULL" || otherwise.IsNull(i):
				w.null(i)
			default:
				w.copy(i, otherwise)
			}
		}
		w.done()
		return nil
	}, nil
}

// jsonResult writes the results of JSON_VALUE, of one of its types.
type jsonResult struct {
	c    *Call
	t    types.Type
	text text
}

func newJSONResult(c *Call, t types.Type) *jsonResult {
	w := &jsonResult{c: c, t: t}
	if t.Kind == types.String {
		w.text = newText(c, 16*c.Rows.Count())
	}
	return w
}

func (w *jsonResult) done() {
	if w.t.Kind == types.String {
		w.text.done()
	}
}

func (w *jsonResult) null(i int) {
	w.c.SetNull(i)
	w.c.Out.Zero(i & w.c.Out.Mask())
}

// scalar writes a scalar that is not null; false if it is not of the type.
func (w *jsonResult) scalar(i int, value []byte) bool {
	kind := jsontext.KindOf(value)
	switch w.t.Kind {
	case types.String:
		w.text.buf = jsontext.AppendText(w.text.buf, value)
		if w.t.Length > 0 {
			from := w.text.start
			w.text.buf = w.text.buf[:from+byteOffset(w.text.buf[from:], int(w.t.Length))]
		}
		w.text.end(i)
		return true
	case types.Boolean:
		if kind != jsontext.Bool {
			return false
		}
		w.c.Out.Bools[i] = bit(value[0] == 't')
		return true
	}
	if kind != jsontext.Number {
		return false
	}
	if w.t.Kind == types.Int {
		n, err := strconv.ParseInt(string(value), 10, 32)
		w.c.Out.Ints[i] = n
		return err == nil
	}
	f, err := strconv.ParseFloat(string(value), 64)
	w.c.Out.Floats[i] = f
	return err == nil
}

// copy writes a default.
func (w *jsonResult) copy(i int, v *vector.Vector) {
	switch w.t.Kind {
	case types.String:
		w.text.buf = append(w.text.buf, v.Bytes(i)...)
		w.text.end(i)
	case types.Boolean:
		w.c.Out.Bools[i] = bit(v.Bool(i))
	case types.Int:
		w.c.Out.Ints[i] = v.Int(i)
	default:
		w.c.Out.Floats[i] = v.Float(i)
	}
}
