package flowspec

import (
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

func (r *reader) stream(name Word, n *Node) *Stream {
	s := &Stream{ID: name}
	f := r.fields(n, name.At, "stream '"+name.Text+"'")
	if strings.Contains(name.Text, "/") {
		r.fail(codeSpec, name.At, "a '/' is between a computation and its source or timer", "'%s' is no name of a stream", name.Text)
	}
	for _, key := range []string{"class_name", "migration_function"} {
		if f.take(key) != nil {
			r.warn(f.key(key), "'%s' says nothing here", key)
		}
	}
	schema := f.take("schema")
	s.MessageID = f.list("message_id")
	f.done()
	if schema == nil {
		r.fail(codeSpec, name.At, r.lacking(n, "write schema: [{name: …, type: …}]", "schema"), "stream '%s' has no schema", name.Text)
		return s
	}
	s.Schema = r.schema(schema, "stream '"+name.Text+"'")
	for _, w := range s.MessageID {
		if !slices.ContainsFunc(s.Schema, func(c Column) bool { return c.Name.Text == w.Text }) {
			r.fail(codeSpec, w.At, "name columns of its schema", "stream '%s' has no column '%s'", name.Text, w.Text)
		}
	}
	return s
}

// schema reads columns.
func (r *reader) schema(n *Node, what string) []Column {
	if n.Kind != List {
		r.fail(codeSpec, n.Span, "write [{name: …, type: …}]", "a schema is a list of columns, and this is %s", n.Kind)
		return nil
	}
	if len(n.Items) == 0 {
		r.fail(codeSpec, n.Span, "write [{name: …, type: …}]", "%s has no columns", what)
	}
	var all []Column
	for _, item := range n.Items {
		c, _ := r.column(item, what)
		for _, before := range all {
			if before.Name.Text == c.Name.Text {
				r.fail(codeSpec, c.Name.At, "rename one of them", "column '%s' is there twice", c.Name.Text)
			}
		}
		all = append(all, c)
	}
	return all
}

// column reads a column and the rest of its map.
func (r *reader) column(n *Node, what string) (Column, *Node) {
	f := r.fields(n, n.Span, "a column of "+what)
	c := Column{Name: f.word("name")}
	plain, v3 := f.take("type"), f.take("type_v3")
	required, expression := f.boolean("required", false), f.take("expression")
	for _, passed := range []string{"sort_order", "group", "lock"} {
		f.take(passed)
	}
	f.done()
	if c.Name.Text == "" {
		r.fail(codeSpec, n.Span, r.lacking(n, "write name: …", "name"), "a column of %s has no name", what)
	} else if strings.HasPrefix(c.Name.Text, "$") {
		r.fail(codeSpec, c.Name.At, "names that begin with $ are those of the timestamps of a message", "'%s' is no name of a column", c.Name.Text)
	}
	switch {
	case plain != nil && v3 != nil:
		r.fail(codeSpec, v3.Span, "write one of them", "column '%s' has two types", c.Name.Text)
	case v3 != nil:
		c.Type, c.Wording = r.typeOf(v3)
	case plain == nil:
		r.fail(codeSpec, n.Span, r.lacking(n, "write type: …", "type", "type_v3"), "column '%s' has no type", c.Name.Text)
	case f.scalar("type", plain, String):
		c.Type = r.simpleType(plain)
		c.Wording = wording{of: c.Type, name: plain.Text}
	}
	c.Type.NotNull = c.Type.NotNull || required
	return c, expression
}

// groupBy reads group_by_schema.
func (r *reader) groupBy(f *fields) []KeyColumn {
	n := f.take("group_by_schema")
	if n == nil {
		return nil
	}
	if n.Kind != List {
		r.fail(codeSpec, n.Span, "write [{name: hash, type: uint64, expression: …}, …]", "'group_by_schema' is a list of columns, and this is %s", n.Kind)
		return nil
	}
	var all []KeyColumn
	for i, item := range n.Items {
		c, expression := r.column(item, "group_by_schema")
		if expression != nil && expression.Kind != String {
			r.fail(codeSpec, expression.Span, "write it as a text, such as farm_hash(user)", "'expression' is a text, and this is %s", expression.Kind)
		}
		if i == 0 && r.err == nil && item.Get("type").typeName() != "uint64" {
			r.fail(codeSpec, item.Span, "begin with a column {name: hash, type: uint64, expression: \"farm_hash(…)\"}", "the first column of group_by_schema is a hash of type uint64")
		}
		for _, before := range all {
			if before.Name.Text == c.Name.Text {
				r.fail(codeSpec, c.Name.At, "name it once", "column '%s' is there twice", c.Name.Text)
			}
		}
		all = append(all, KeyColumn{c.Name, c.Type, expression})
	}
	return all
}

func (n *Node) typeName() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// simple are the types of YTsaurus that have no parts. Flow: a column may be null unless it is required.
var simple = map[string]types.Type{
	"string": types.StringType, "utf8": types.StringType, "any": types.StringType, "yson": types.StringType, "json": types.StringType, "uuid": types.StringType,
	"boolean": types.BooleanType, "bool": types.BooleanType,
	"int8": types.TinyIntType, "int16": types.SmallIntType, "int32": types.IntType, "int64": types.BigIntType,
	"uint8": types.SmallIntType, "uint16": types.IntType, "uint32": types.BigIntType, "uint64": types.BigIntType,
	"float": types.FloatType, "double": types.DoubleType, "date": types.DateType,
	"datetime":  {Kind: types.TimestampLTZ},
	"timestamp": {Kind: types.TimestampLTZ, Precision: 6},
	"interval":  types.IntervalDayType,
}

func (r *reader) simpleType(n *Node) types.Type {
	t, ok := simple[n.Text]
	if ok {
		return t
	}
	hint := "types are string, utf8, any, json, boolean, int8 to int64, uint8 to uint64, float, double, date, datetime, timestamp and interval"
	if near := source.Nearest(n.Text, slices.Sorted(maps.Keys(simple))); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	r.fail(codeUnknown, n.Span, hint, "there is no type '%s'", n.Text)
	return types.NullType
}

// typeOf reads a type in its newer notation, type_v3, in which it is required unless it is optional.
func (r *reader) typeOf(n *Node) (types.Type, wording) {
	w := wording{of: types.NullType, v3: true}
	if n == nil || r.err != nil {
		return w.of, w
	}
	if n.Kind == String {
		w.of, w.name = r.simpleType(n), n.Text
		w.of.NotNull = true
		return w.of, w
	}
	f := r.fields(n, n.Span, "a type")
	name := f.word("type_name")
	if r.err != nil {
		return w.of, w
	}
	switch name.Text {
	case "optional":
		t, of := r.typeOf(f.item("item"))
		return t.Nullable(), of
	case "list":
		t, of := r.typeOf(f.item("item"))
		w = nested(types.ArrayOf(t), "list", of)
	case "dict":
		key, ofKey := r.typeOf(f.item("key"))
		value, ofValue := r.typeOf(f.item("value"))
		w = nested(types.MapOf(key, value), "dict", ofKey, ofValue)
	case "struct":
		w = r.structOf(f)
	default:
		r.fail(codeUnknown, name.At, "types with parts are optional, list, dict and struct", "there is no type '%s' here", name.Text)
		return w.of, w
	}
	w.of.NotNull = true
	return w.of, w
}

func (f *fields) item(name string) *Node {
	n := f.take(name)
	if n == nil {
		f.fail(codeSpec, f.node.Span, "write "+name+": …", "the type has no '%s'", name)
	}
	return n
}

func (r *reader) structOf(f *fields) wording {
	members := f.take("members")
	if members == nil || members.Kind != List || len(members.Items) == 0 {
		r.fail(codeSpec, f.node.Span, "write members: [{name: …, type: …}]", "a struct lists its members")
		return wording{of: types.NullType}
	}
	var fields types.Schema
	var parts []wording
	for _, m := range members.Items {
		member := r.fields(m, m.Span, "a member")
		name := member.word("name").Text
		t, of := r.typeOf(member.item("type"))
		fields, parts = append(fields, types.Field{Name: name, Type: t}), append(parts, of)
	}
	return nested(types.RowOf(fields), "struct", parts...)
}
