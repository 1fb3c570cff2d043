package functions

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
	"github.com/tidemark-sql/tidemark/internal/ysontext"
)

var (
	typeNode = yqltype.Of(yqltype.Node)
	typeYson = yqltype.Of(yqltype.Yson)
	typeJson = yqltype.Of(yqltype.Json)

	// acceptNode takes a node, and what Yson::Parse and Yson::ParseJson would make one of.
	acceptNode = accept{"a node, Yson or Json", func(v Value) (Value, bool) {
		switch {
		case v.Static != nil:
			return v, false
		case v.Type.Kind == yqltype.Null:
			return Null(typeNode), true
		case v.Type.Kind == yqltype.Yson || v.Type.Kind == yqltype.Json:
			node, err := toNode(v)
			return node, err == nil
		}
		return v, v.Type.Kind == yqltype.Node
	}}
	paramNode = param{name: "node", accept: acceptNode}
	flagFalse = Bool(false)
)

// validYson reports whether text is a document.
func validYson(text []byte) bool {
	_, err := ysontext.Canonical(nil, text)
	return err == nil
}

// YsonOptions are what Yson::Options gives: how strictly nodes are taken for values of a type.
type YsonOptions struct {
	// Strict fails the query where a node is no such value; else that is NULL.
	Strict bool
	// AutoConvert makes numbers of strings, strings of numbers and the like.
	AutoConvert bool
}

func (o YsonOptions) describe() string { return "Yson::Options" }

// defaultOptions are those without Yson::Options.
var defaultOptions = YsonOptions{Strict: true}

var (
	acceptOptions = accept{"Yson::Options(…)", func(v Value) (Value, bool) { _, ok := v.Static.(YsonOptions); return v, ok }}
	paramOptions  = param{name: "options", accept: acceptOptions, absent: Value{Static: defaultOptions}}
)

// ysonFunctions make documents and take them apart; conversions to types are in yson_convert.go. A node is the canonical text of its document.
var ysonFunctions = []Function{
	{
		Module: "Yson", Name: "From", Signature: "Yson::From(value)",
		Doc:     "The value as a node of a document: a Struct or Dict is a map, a List or Tuple a list, NULL an entity. Instants are CAST to String before.",
		Example: `Yson::SerializeText(Yson::From(AsStruct(1 AS b, "x" AS a)))`, Result: `{"a"="x";"b"=1}`,
		params: []param{{name: "value", accept: acceptValue}},
		apply:  from,
	},
	{
		Module: "Yson", Name: "Parse", Signature: "Yson::Parse(text)",
		Doc:     "The document that a Yson or a String is; NULL if the String is none.",
		Example: `Yson::LookupInt64(Yson::Parse("{a=5}"), "a")`, Result: "5",
		params: []param{{name: "text", accept: kinds("a Yson or String", yqltype.String, yqltype.Yson, yqltype.Utf8)}},
		apply: func(c *invocation) (Value, error) {
			return call(c.name, spec{mayBeNull: c.args[0].Type.Kind != yqltype.Yson, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
				out, err := ysontext.Canonical(dst, c.Args[0].Bytes(i))
				if err != nil {
					return nil, errNull
				}
				return out, nil
			})}, typeNode, c.args...)
		},
	},
	{
		Module: "Yson", Name: "ParseJson", Aliases: []string{"ParseJsonDecodeUtf8"}, Signature: "Yson::ParseJson(text)",
		Doc:     "The document that a Json or a String with JSON is; NULL if the String is none.",
		Example: `Yson::LookupInt64(Yson::ParseJson(@@{"a": 5}@@), "a")`, Result: "5",
		params: []param{{name: "text", accept: kinds("a Json or String", yqltype.String, yqltype.Json, yqltype.Utf8)}},
		apply: func(c *invocation) (Value, error) {
			return call(c.name, spec{mayBeNull: c.args[0].Type.Kind != yqltype.Json, kernel: texts(parseJSON)}, typeNode, c.args...)
		},
	},
	{
		Module: "Yson", Name: "Options", Signature: "Yson::Options([FALSE AS AutoConvert, TRUE AS Strict])",
		Doc:     "How strictly other functions of Yson take nodes: not strictly, what does not fit is NULL; with AutoConvert numbers, strings and booleans are made of each other.",
		Example: `Yson::ConvertToInt64(Yson::From("7"), Yson::Options(TRUE AS AutoConvert))`, Result: "7",
		params: []param{{name: "AutoConvert", accept: acceptBool, absent: flagFalse}, {name: "Strict", accept: acceptBool, absent: Bool(true)}},
		apply: func(c *invocation) (Value, error) {
			var flags [2]bool
			for i, v := range c.args {
				l := constant(v)
				if l == nil || l.IsNull() {
					return Value{}, about(i, errorf(CodeValue, "options are constants"))
				}
				flags[i] = l.Value().Bools[0] != 0
			}
			return Value{Static: YsonOptions{AutoConvert: flags[0], Strict: flags[1]}}, nil
		},
	},
	{
		Module: "Yson", Name: "SerializeJson", Signature: "Yson::SerializeJson(node [, options, FALSE AS SkipMapEntity, FALSE AS EncodeUtf8, FALSE AS WriteNanAsString])",
		Doc:     "The document as Json, without blanks. It is Optional: Unwrap it. SkipMapEntity leaves entries out that are NULL; without WriteNanAsString a number that JSON has not fails the query.",
		Example: `ToBytes(Unwrap(Yson::SerializeJson(Yson::From(AsStruct(1.5 AS kwh, "m1" AS meter, NULL AS note)))))`, Result: `{"kwh":1.5,"meter":"m1","note":null}`,
		params: []param{paramNode, paramOptions, {name: "SkipMapEntity", accept: acceptBool, absent: flagFalse}, {name: "EncodeUtf8", accept: acceptBool, absent: flagFalse},
			{name: "WriteNanAsString", accept: acceptBool, absent: flagFalse}},
		apply: serializeJSON,
	},
	serializes("Serialize", `Yson::Serialize(Yson::Parse("[1; 2;]"))`, "[1;2]", "The document as Yson.", func(dst, node []byte) []byte { return append(dst, node...) }),
	serializes("SerializeText", `Yson::SerializeText(Yson::Parse("{ a = 1; }"))`, `{"a"=1}`, "The document as Yson in its text form, without blanks.",
		func(dst, node []byte) []byte { return append(dst, node...) }),
	serializes("SerializePretty", `Yson::SerializePretty(Yson::Parse("[1]"))`, "[\n    1;\n]", "The document as Yson over several lines.", ysontext.AppendPretty),
	{
		Module: "Yson", Name: "Contains", Signature: "Yson::Contains(node, key)",
		Doc:     "Whether a map has a key.",
		Example: `Yson::Contains(Yson::Parse("{a=1}"), "a")`, Result: "true",
		params: []param{paramNode, {name: "key", accept: acceptText}},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			node := c.Args[0].Bytes(i)
			return ysontext.KindOf(node) == ysontext.Map && ysontext.Lookup(ysontext.Bytes(node), c.Args[1].Bytes(i)) != nil, nil
		})}),
	},
	{
		Module: "Yson", Name: "Lookup", Signature: "Yson::Lookup(node, key)",
		Doc:     "The value of a key of a map, as a node; NULL if there is none.",
		Example: `Yson::SerializeText(Yson::Lookup(Yson::Parse("{a=[1;2]}"), "a"))`, Result: "[1;2]",
		params: []param{paramNode, {name: "key", accept: acceptText}, paramOptions},
		apply:  func(c *invocation) (Value, error) { return lookup(c.name, c.args[0], c.args[1], lookupIn) },
	},
	{
		Module: "Yson", Name: "YPath", Signature: "Yson::YPath(node, path)",
		Doc:     "The node at a path of keys and numbers of items: /a/0/b; NULL if there is none.",
		Example: `Yson::SerializeText(Yson::YPath(Yson::Parse("{a=[1;{b=7}]}"), "/a/1/b"))`, Result: "7",
		params: []param{paramNode, {name: "path", accept: acceptText}, paramOptions},
		apply:  func(c *invocation) (Value, error) { return lookup(c.name, c.args[0], c.args[1], atPath) },
	},
	{
		Module: "Yson", Name: "Attributes", Signature: "Yson::Attributes(node)",
		Doc:     "The attributes of a node as a Dict of nodes.",
		Example: `DictLength(Yson::Attributes(Yson::Parse("<a=1>x")))`, Result: "1",
		params: []param{paramNode},
		apply: func(c *invocation) (Value, error) {
			return convertWith(c.args[0], yqltype.DictOf(typeString, typeNode), defaultOptions, func(node []byte) []byte {
				attributes, _ := ysontext.Split(node)
				if attributes == nil {
					return []byte("{}")
				}
				return append(append([]byte{'{'}, attributes[1:len(attributes)-1]...), '}')
			}, c.name)
		},
	},
	{
		Module: "Yson", Name: "GetLength", Signature: "Yson::GetLength(node)",
		Doc:     "How many items a list or map has, or how many bytes a string; NULL for anything else.",
		Example: `Yson::GetLength(Yson::Parse("[1;2]"))`, Result: "2",
		params: []param{paramNode},
		apply: gives(count64, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			node := c.Args[0].Bytes(i)
			if ysontext.KindOf(node) < ysontext.String {
				return 0, errNull
			}
			return int64(ysontext.Len(node)), nil
		})}),
	},
	{
		Module: "Yson", Name: "Equals", Signature: "Yson::Equals(node, other)",
		Doc:     "Whether two documents are written the same, but for blanks.",
		Example: `Yson::Equals(Yson::Parse("[1;2]"), Yson::Parse("[1; 2;]"))`, Result: "true",
		params: []param{paramNode, {name: "other", accept: acceptNode}},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			return string(c.Args[0].Bytes(i)) == string(c.Args[1].Bytes(i)), nil
		})}),
	},
	isKind("IsEntity", "#", ysontext.Entity),
	isKind("IsBool", "%true", ysontext.Bool),
	isKind("IsInt64", "5", ysontext.Int),
	isKind("IsUint64", "5u", ysontext.Uint),
	isKind("IsDouble", "1.5", ysontext.Double),
	isKind("IsString", "tide", ysontext.String),
	isKind("IsList", "[1]", ysontext.List),
	isKind("IsDict", "{a=1}", ysontext.Map),
	refusal("Yson", "WithAttributes", "a Struct has no attributes; write the text of the document"),
	refusal("Yson", "GetHash", "write Digest::Md5Hex(ToBytes(Yson::SerializeText(…)))"),
}

func parseJSON(dst []byte, c *function.Call, i int) ([]byte, error) {
	value, ok := jsontext.Parse(c.Args[0].Bytes(i))
	if !ok {
		return nil, errNull
	}
	return ysontext.FromJSON(dst, value), nil
}

// toNode makes a document of a Yson or Json, or of any other value.
func toNode(v Value) (Value, error) {
	if v.Type.Kind == yqltype.Node {
		return v, nil
	}
	if err := documented(v.Type); err != nil {
		return Value{}, err
	}
	t := typeNode
	return call("Yson::From", spec{nulls: function.NullAware, kernel: func(c *function.Call) error {
		w := newWriter(v.Type, nil)
		return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) { return w.write(dst, c.Args[0], i) })(c)
	}}, t, v)
}

// from is Yson::From. What is made of its argument is kept, so that SerializeJson need not read what was written.
func from(c *invocation) (Value, error) {
	node, err := toNode(c.args[0])
	if err == nil && c.args[0].Type.Kind != yqltype.Node {
		node.document = &c.args[0]
	}
	return node, err
}

func serializeJSON(c *invocation) (Value, error) {
	var flags [5]bool
	for i := 2; i < 5; i++ {
		l := constant(c.args[i])
		if l == nil || l.IsNull() {
			return Value{}, about(i, errorf(CodeValue, "options are constants"))
		}
		flags[i] = l.Value().Bools[0] != 0
	}
	options := &ysontext.JSON{SkipEntities: flags[2], NumbersAsText: flags[4]}
	v, nulls := c.args[0], function.Strict
	if v.document != nil {
		v, nulls = *v.document, function.NullAware
	}
	t := typeJson
	t.Optional = true
	return call(c.name, spec{variant: fmt.Sprint(flags), nulls: nulls, mayBeNull: nulls == function.Strict, kernel: func(c *function.Call) error {
		w := newWriter(v.Type, options)
		return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) { return w.write(dst, c.Args[0], i) })(c)
	}}, t, v)
}

func serializes(name, example, result, doc string, write func(dst, node []byte) []byte) Function {
	return Function{
		Module: "Yson", Name: name, Signature: "Yson::" + name + "(node)", Doc: doc, Example: example, Result: result,
		params: []param{paramNode},
		apply: gives(typeYson, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return write(dst, c.Args[0].Bytes(i)), nil
		})}),
	}
}

func isKind(name, example string, kind ysontext.Kind) Function {
	return Function{
		Module: "Yson", Name: name, Signature: "Yson::" + name + "(node)", Doc: "Whether the node is " + kind.String() + ".",
		Example: "Yson::" + name + `(Yson::Parse("` + example + `"))`, Result: "true",
		params: []param{paramNode},
		apply: gives(one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
			return ysontext.KindOf(c.Args[0].Bytes(i)) == kind, nil
		})}),
	}
}

// lookup is a part of a node, found by find, which gives nil for none.
func lookup(name string, node, key Value, find func(node, key []byte) []byte) (Value, error) {
	return call(name, spec{mayBeNull: true, kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		part := find(c.Args[0].Bytes(i), c.Args[1].Bytes(i))
		if part == nil {
			return nil, errNull
		}
		return append(dst, part...), nil
	})}, typeNode, node, key)
}

// lookupIn is the value of a key of a map.
func lookupIn(node, key []byte) []byte {
	if ysontext.KindOf(node) != ysontext.Map {
		return nil
	}
	return ysontext.Lookup(ysontext.Bytes(node), key)
}
