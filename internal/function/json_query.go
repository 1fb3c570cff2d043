package function

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/jsonpath"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var stringArray = types.ArrayOf(types.StringType)

// resolveJSONQuery resolves JSON_QUERY(json, path, NULL of the type, wrapper, ON EMPTY word, ON ERROR word).
func resolveJSONQuery(args []types.Type) (Overload, bool) {
	if len(args) != 6 || !isTextOrNull(args[0]) || !isTextOrNull(args[1]) {
		return Overload{}, false
	}
	t := args[2].Nullable()
	if t.Kind != types.String && !types.Same(t, stringArray) {
		return Overload{}, false
	}
	str := types.StringType
	return Overload{
		Params: []types.Type{str, str, t, str, str, str}, Result: t, Nulls: NullAware,
		Bind: func(constants []*vector.Vector) (Kernel, error) { return bindJSONQuery(t, constants) },
	}, true
}

func bindJSONQuery(t types.Type, constants []*vector.Vector) (Kernel, error) {
	q := jsonQuery{asArray: t.Kind == types.Array}
	var err error
	if q.path, err = preparePath("JSON_QUERY", constants); err != nil {
		return nil, err
	}
	if q.wrapper, err = constantWord(constants[3], "JSON_QUERY", "WITHOUT", "CONDITIONAL", "UNCONDITIONAL"); err != nil {
		return nil, err
	}
	words := []string{"NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT"}
	if q.asArray {
		words = words[:3]
	}
	if q.onEmpty, err = constantWord(constants[4], "JSON_QUERY", words...); err != nil {
		return nil, err
	}
	if q.onError, err = constantWord(constants[5], "JSON_QUERY", words...); err != nil {
		return nil, err
	}
	return q.eval, nil
}

type jsonQuery struct {
	path                      perRow[*jsonpath.Path]
	wrapper, onEmpty, onError string
	asArray                   bool
}

func (q *jsonQuery) eval(c *Call) error {
	var w jsontext.Writer
	result := newQueryResult(c, q.asArray)
	paths := q.path(c)
	var found []byte
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		if c.Args[0].IsNull(i) || c.Args[1].IsNull(i) {
			result.null(i)
			continue
		}
		p, err := paths(i)
		if err != nil {
			return err
		}
		var out outcome
		found, out, err = q.find(&w, found[:0], p, c.Args[0].Bytes(i))
		if err != nil {
			return rowErrorf(i, "JSON_QUERY at '%.80s': %w", c.Args[1].Bytes(i), err)
		}
		word := ""
		switch out {
		case isEmpty:
			word = q.onEmpty
		case isWrong:
			word = q.onError
		}
		switch word {
		case "ERROR":
			return rowErrorf(i, "JSON_QUERY finds no array or object at '%.80s'", c.Args[1].Bytes(i))
		case "NULL":
			result.null(i)
			continue
		case "EMPTY ARRAY":
			found = append(found[:0], "[]"...)
		case "EMPTY OBJECT":
			found = append(found[:0], "{}"...)
		}
		result.value(i, found)
	}
	result.done()
	return nil
}

// queryResult writes the results of JSON_QUERY, as JSON or as arrays of strings.
type queryResult struct {
	c       *Call
	asArray bool
	text    text
	arrays  arrays
}

func newQueryResult(c *Call, asArray bool) *queryResult {
	r := &queryResult{c: c, asArray: asArray}
	if asArray {
		r.arrays = newArrays(c)
	} else {
		r.text = newText(c, size(c.Args[0], c.Rows))
	}
	return r
}

func (r *queryResult) null(i int) {
	r.c.SetNull(i)
	r.end(i)
}

func (r *queryResult) end(i int) {
	if r.asArray {
		r.arrays.end()
	} else {
		r.text.end(i)
	}
}

// value writes an array or object, or the elements of an array: scalars as text, others as JSON.
func (r *queryResult) value(i int, value []byte) {
	if !r.asArray {
		r.text.buf = append(r.text.buf, value...)
		r.end(i)
		return
	}
	var scratch []byte
	jsontext.Elements(value, func(element []byte) bool {
		switch jsontext.KindOf(element) {
		case jsontext.Null:
			r.arrays.elems.AppendNull()
		case jsontext.String:
			scratch = jsontext.AppendText(scratch[:0], element)
			r.arrays.elems.AppendBytes(scratch)
		default:
			r.arrays.elems.AppendBytes(element)
		}
		return true
	})
	r.end(i)
}

func (r *queryResult) done() {
	if r.asArray {
		r.arrays.done(r.c)
	} else {
		r.text.done()
	}
}

// find writes the array or object that a path leads to, in its wrapper. The error is jsonpath.ErrTooMuch.
func (q *jsonQuery) find(w *jsontext.Writer, dst []byte, p *jsonpath.Path, doc []byte) ([]byte, outcome, error) {
	if p == nil {
		return dst, isWrong, nil
	}
	if p.Definite() {
		value, found := followPath(p, doc)
		if found != isThere {
			return dst, found, nil
		}
		dst = w.Append(dst, value)
	} else {
		root, ok := jsontext.Parse(doc)
		if !ok {
			return dst, missing(p), nil
		}
		dst = append(dst, '[')
		complete, err := p.All(root, func(value []byte) {
			if len(dst) > 1 {
				dst = append(dst, ',')
			}
			dst = w.Append(dst, value)
		})
		if err != nil {
			return dst, isWrong, err
		}
		if !complete && !p.Lax {
			return dst, isWrong, nil
		}
		dst = append(dst, ']')
	}
	if q.wrapper == "UNCONDITIONAL" || q.wrapper == "CONDITIONAL" && dst[0] != '[' {
		dst = append(slices.Insert(dst, 0, '['), ']')
	}
	if jsontext.IsScalar(dst) || q.asArray && dst[0] != '[' {
		return dst, missing(p), nil
	}
	return dst, isThere, nil
}
