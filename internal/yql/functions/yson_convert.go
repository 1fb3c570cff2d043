package functions

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
	"github.com/tidemark-sql/tidemark/internal/ysontext"
)

// ysonConversions take values of types out of documents.
var ysonConversions = slices.Concat([]Function{
	{
		Module: "Yson", Name: "ConvertTo", Signature: "Yson::ConvertTo(node, type [, options])",
		Doc:     "The document as a value of a type. A node that is none fails the query, or not strictly is NULL; an entity is NULL where there is room for it.",
		Example: `ListSum(Yson::ConvertTo(Yson::Parse("[1;2]"), List<Int32>))`, Result: "3",
		params: []param{paramNode, {name: "type", accept: acceptType}, paramOptions},
		apply: func(c *invocation) (Value, error) {
			return convertWith(c.args[0], c.args[1].Static.(TypeName).Type, optionsOf(c.args[2]), nil, "Yson::ConvertTo")
		},
	},
}, conversions("ConvertTo", "", "The node as %s; an entity is NULL.", nil),
	conversions("Lookup", ", key", "The value of a key of a map as %s; NULL if there is none.", lookupIn),
	conversions("YPath", ", path", "The node at a path as %s; NULL if there is none.", atPath))

// conversions are the rows of one way to find a node, for each type that it is taken for.
func conversions(way, more, doc string, find func(node, key []byte) []byte) []Function {
	var rows []Function
	for _, to := range []struct {
		name   string
		t      yqltype.Type
		sample string
		shown  string
	}{
		{"Bool", one, "%true", "true"},
		{"Int64", typeInt64, "5", "5"},
		{"Uint64", count64, "5u", "5"},
		{"Double", yqltype.Of(yqltype.Double), "1.5", "1.5"},
		{"String", typeString, "tide", "tide"},
		{"List", yqltype.ListOf(typeNode), "[1]", "1"},
		{"Dict", yqltype.DictOf(typeString, typeNode), "{a=1}", "1"},
		{"BoolList", yqltype.ListOf(one), "[%true]", "1"},
		{"Int64List", yqltype.ListOf(typeInt64), "[5]", "1"},
		{"Uint64List", yqltype.ListOf(count64), "[5u]", "1"},
		{"DoubleList", yqltype.ListOf(yqltype.Of(yqltype.Double)), "[1.5]", "1"},
		{"StringList", yqltype.ListOf(typeString), "[tide]", "1"},
		{"BoolDict", yqltype.DictOf(typeString, one), "{a=%true}", "1"},
		{"Int64Dict", yqltype.DictOf(typeString, typeInt64), "{a=5}", "1"},
		{"Uint64Dict", yqltype.DictOf(typeString, count64), "{a=5u}", "1"},
		{"DoubleDict", yqltype.DictOf(typeString, yqltype.Of(yqltype.Double)), "{a=1.5}", "1"},
		{"StringDict", yqltype.DictOf(typeString, typeString), "{a=tide}", "1"},
	} {
		if find != nil && to.t.IsContainer() && to.name != "List" && to.name != "Dict" {
			continue
		}
		name := "Yson::" + way + to.name
		f := Function{
			Module: "Yson", Name: way + to.name, Signature: name + "(node" + more + " [, options])", Doc: fmt.Sprintf(doc, to.t.String()),
			params: []param{paramNode},
		}
		call := name + `(Yson::Parse("` + to.sample + `"))`
		if find != nil {
			f.params = append(f.params, param{name: more[2:], accept: acceptText})
			key := "k"
			if way == "YPath" {
				key = "/k"
			}
			call = name + `(Yson::Parse("{k=` + to.sample + `}"), "` + key + `")`
		}
		f.Example, f.Result = call, to.shown
		switch to.t.Kind {
		case yqltype.List:
			f.Example = "ListLength(" + call + ")"
		case yqltype.Dict:
			f.Example = "DictLength(" + call + ")"
		}
		f.params = append(f.params, paramOptions)
		f.apply = func(c *invocation) (Value, error) {
			node := c.args[0]
			if find != nil {
				var err error
				if node, err = lookup("Yson::"+way, node, c.args[1], find); err != nil {
					return Value{}, err
				}
			}
			return convertWith(node, to.t.OrNull(), optionsOf(c.args[len(c.args)-1]), nil, c.name)
		}
		rows = append(rows, f)
	}
	return rows
}

func optionsOf(v Value) YsonOptions { return v.Static.(YsonOptions) }

// convertWith takes nodes for values of type t, of which prepare finds the part that is meant.
func convertWith(node Value, t yqltype.Type, o YsonOptions, prepare func(node []byte) []byte, name string) (Value, error) {
	if err := convertible(t); err != nil {
		return Value{}, err
	}
	if !o.Strict {
		t.Optional = true
	}
	k := kindOf(t)
	s := spec{variant: fmt.Sprint(o), spell: func(args []string, _ []types.Type) string { return name + "(" + args[0] + ", " + t.String() + ")" }, mayBeNull: t.Optional,
		kernel: func(c *function.Call) error {
			r := reader{arena: c.Arena, options: o}
			return picking(k, func(b *vector.Builder, c *function.Call, i int) error {
				text := c.Args[0].Bytes(i)
				if prepare != nil {
					text = prepare(text)
				}
				return r.top(b, t, text)
			})(c)
		}}
	return call(name, s, t, node)
}

// convertible checks that a document can hold values of t.
func convertible(t yqltype.Type) error {
	if t.Kind == yqltype.Interval || t.IsInstant() || t.Kind == yqltype.Moment || t.Kind == yqltype.Decimal || t.Kind == yqltype.Null {
		return hintf(CodeType, "convert to String or Int64, and CAST that", "a node is not taken for %s", t)
	}
	if t.Kind == yqltype.Dict && !t.Key().IsText() {
		return hintf(CodeType, "the keys of a document are strings", "a node is not taken for %s", t)
	}
	if t.Kind >= yqltype.List && t.Kind <= yqltype.Tuple {
		for _, part := range t.Elems() {
			if err := convertible(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// reader takes nodes for values of types.
type reader struct {
	arena   *vector.Arena
	options YsonOptions
}

// mismatch is the error of a node that is no value of a type.
type mismatch struct {
	t    yqltype.Type
	node []byte
}

func (e *mismatch) Error() string {
	return fmt.Sprintf("the node %s is %s and no %s; with Yson::Options(FALSE AS Strict) it is NULL", short(e.node), ysontext.KindOf(e.node), e.t.Required())
}

// top appends a value; what does not fit is NULL unless that is an error.
func (r *reader) top(b *vector.Builder, t yqltype.Type, node []byte) error {
	if r.options.Strict {
		return r.read(b, t, node)
	}
	// A part of a container that does not fit makes the whole NULL, of which some is written already: so it is read beside, and then put in.
	aside := vector.NewBuilder(r.arena, kindOf(t), 1)
	if err := r.read(aside, t, node); err != nil {
		b.AppendNull()
		return nil
	}
	b.AppendFrom(aside.Done(), 0)
	return nil
}

func (r *reader) read(b *vector.Builder, t yqltype.Type, node []byte) error {
	kind := ysontext.KindOf(node)
	if kind == ysontext.Entity && t.Kind != yqltype.Node && t.Kind != yqltype.Json && t.Kind != yqltype.Yson {
		if !t.Optional {
			return &mismatch{t, node}
		}
		b.AppendNull()
		return nil
	}
	switch {
	case t.Kind == yqltype.Node, t.Kind == yqltype.Yson:
		b.AppendBytes(node)
	case t.Kind == yqltype.Json:
		text, err := ysontext.JSON{}.Append(nil, node)
		if err != nil {
			return err
		}
		b.AppendBytes(text)
	case t.Kind == yqltype.Bool:
		return r.bool(b, t, node, kind)
	case t.IsInteger():
		return r.integer(b, t, node, kind)
	case t.IsApproximate():
		return r.float(b, t, node, kind)
	case vectorBytes(t):
		return r.text(b, t, node, kind)
	case t.Kind == yqltype.List && kind == ysontext.List:
		return r.list(b, t, node)
	case t.Kind == yqltype.Dict && kind == ysontext.Map:
		return r.dict(b, t, node)
	case t.Kind == yqltype.Struct && kind == ysontext.Map, t.Kind == yqltype.Tuple && kind == ysontext.List:
		return r.row(b, t, node)
	default:
		return &mismatch{t, node}
	}
	return nil
}

func (r *reader) bool(b *vector.Builder, t yqltype.Type, node []byte, kind ysontext.Kind) error {
	switch {
	case kind == ysontext.Bool:
		b.AppendBool(ysontext.BoolOf(node))
	case r.options.AutoConvert && kind == ysontext.Int:
		b.AppendBool(ysontext.IntOf(node) != 0)
	case r.options.AutoConvert && kind == ysontext.Uint:
		b.AppendBool(ysontext.UintOf(node) != 0)
	case r.options.AutoConvert && kind == ysontext.String && slices.Contains([]string{"true", "false"}, string(ysontext.AppendText(nil, node))):
		b.AppendBool(string(ysontext.AppendText(nil, node)) == "true")
	default:
		return &mismatch{t, node}
	}
	return nil
}

func (r *reader) integer(b *vector.Builder, t yqltype.Type, node []byte, kind ysontext.Kind) error {
	least, greatest := t.Range()
	n, ok := int64(0), true
	switch {
	case kind == ysontext.Int:
		n = ysontext.IntOf(node)
	case kind == ysontext.Uint:
		u := ysontext.UintOf(node)
		n, ok = int64(u), u <= math.MaxInt64
	case r.options.AutoConvert && kind == ysontext.Bool:
		if ysontext.BoolOf(node) {
			n = 1
		}
	case r.options.AutoConvert && kind == ysontext.Double:
		f := math.Trunc(ysontext.FloatOf(node))
		n, ok = int64(f), f >= math.MinInt64 && f < math.MaxInt64
	case r.options.AutoConvert && kind == ysontext.String:
		var err error
		n, err = strconv.ParseInt(string(ysontext.AppendText(nil, node)), 10, 64)
		ok = err == nil
	default:
		ok = false
	}
	if !ok || n < least || n > greatest {
		return &mismatch{t, node}
	}
	b.AppendInt(n)
	return nil
}

func (r *reader) float(b *vector.Builder, t yqltype.Type, node []byte, kind ysontext.Kind) error {
	f, ok := 0.0, true
	switch {
	case kind == ysontext.Double:
		f = ysontext.FloatOf(node)
	case kind == ysontext.Int:
		f = float64(ysontext.IntOf(node))
	case kind == ysontext.Uint:
		f = float64(ysontext.UintOf(node))
	case r.options.AutoConvert && kind == ysontext.String:
		f, ok = readFloat(string(ysontext.AppendText(nil, node)), 64)
	default:
		ok = false
	}
	if !ok {
		return &mismatch{t, node}
	}
	if t.Kind == yqltype.Float {
		f = float64(float32(f))
	}
	b.AppendFloat(f)
	return nil
}

func (r *reader) text(b *vector.Builder, t yqltype.Type, node []byte, kind ysontext.Kind) error {
	switch {
	case kind == ysontext.String:
		b.AppendBytes(ysontext.AppendText(nil, node))
	case r.options.AutoConvert && kind < ysontext.String:
		text, err := ysontext.JSON{NumbersAsText: true}.Append(nil, node)
		if err != nil {
			return err
		}
		if len(text) > 0 && text[0] == '"' {
			text = jsontext.AppendUnquoted(nil, text)
		}
		b.AppendBytes(text)
	default:
		return &mismatch{t, node}
	}
	return nil
}

func (r *reader) list(b *vector.Builder, t yqltype.Type, node []byte) error {
	k := kindOf(t.Elem())
	items := vector.NewBuilder(r.arena, k, 16)
	for item := range ysontext.Elements(node) {
		if err := r.read(items, t.Elem(), item); err != nil {
			return err
		}
	}
	b.AppendBytes(nested.AppendArray(nil, k, items.Done(), 0, items.Len()))
	return nil
}

func (r *reader) dict(b *vector.Builder, t yqltype.Type, node []byte) error {
	v := kindOf(t.Value())
	keys, values := vector.NewBuilder(r.arena, vector.Bytes, 16), vector.NewBuilder(r.arena, v, 16)
	for key, item := range ysontext.Entries(node) {
		keys.AppendBytes(ysontext.AppendText(nil, key))
		if err := r.read(values, t.Value(), item); err != nil {
			return err
		}
	}
	b.AppendBytes(nested.AppendMap(nil, vector.Bytes, keys.Done(), v, values.Done(), 0, keys.Len()))
	return nil
}

// row reads a Struct, whose members are found by their names, or a Tuple. What is missing is NULL.
func (r *reader) row(b *vector.Builder, t yqltype.Type, node []byte) error {
	parts := make([]*vector.Vector, len(t.Elems()))
	for f, part := range t.Elems() {
		var item []byte
		if t.Kind == yqltype.Struct {
			item = ysontext.Lookup(ysontext.Bytes(node), []byte(t.Members()[f].Name))
		} else {
			item = ysontext.At(ysontext.Bytes(node), f)
		}
		column := vector.NewBuilder(r.arena, kindOf(part), 1)
		switch {
		case item != nil:
			if err := r.read(column, part, item); err != nil {
				return err
			}
		case part.Optional:
			column.AppendNull()
		default:
			return &mismatch{t, node}
		}
		parts[f] = column.Done()
	}
	b.AppendBytes(nested.AppendRow(nil, parts, 0))
	return nil
}
