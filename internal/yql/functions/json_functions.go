package functions

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	acceptJson = kinds("a Json", yqltype.Json, yqltype.String, yqltype.Utf8)
	paramJson  = param{name: "json", accept: acceptJson}
	paramPath  = param{name: "path", accept: acceptText}
)

// jsonFunctions look into Json by paths of SQL/JSON: "$.a.b[0]", with lax or strict before it.
var jsonFunctions = []Function{
	{
		Name: "JSON_VALUE", Signature: `JSON_VALUE(json, path)`,
		Doc:     "The scalar at a path as Utf8; NULL if there is none.",
		Example: `JSON_VALUE(Json(@@{"a": {"b": 7}}@@), "$.a.b")`, Result: "7",
		params: []param{paramJson, paramPath},
		apply:  jsonAt("JSON_VALUE", yqltype.Of(yqltype.Utf8)),
	},
	{
		Name: "JSON_EXISTS", Signature: `JSON_EXISTS(json, path)`,
		Doc:     "Whether there is something at a path.",
		Example: `JSON_EXISTS(Json(@@{"a": 1}@@), "$.b")`, Result: "false",
		params: []param{paramJson, paramPath},
		apply:  jsonAt("JSON_EXISTS", one),
	},
	{
		Name: "JSON_QUERY", Signature: `JSON_QUERY(json, path)`,
		Doc:     "The object or array at a path; NULL if there is none.",
		Example: `JSON_QUERY(Json(@@{"a": [1, 2]}@@), "$.a")`, Result: "[1,2]",
		params: []param{paramJson, paramPath},
		apply:  jsonAt("JSON_QUERY", yqltype.Of(yqltype.Json)),
	},
	{
		Module: "Json", Name: "Parse", Signature: "Json::Parse(string)",
		Doc:     "The String as Json; NULL if it is none.",
		Example: `Json::Parse("[1]")`, Result: "[1]",
		params: []param{paramString},
		apply:  func(c *invocation) (Value, error) { return Cast(c.args[0], typeJson) },
	},
	{
		Module: "Json", Name: "Serialize", Signature: "Json::Serialize(json)",
		Doc:     "The text of a Json.",
		Example: `Json::Serialize(Json("[1]"))`, Result: "[1]",
		params: []param{{name: "json", accept: kinds("a Json", yqltype.Json)}},
		apply:  func(c *invocation) (Value, error) { return Cast(c.args[0], typeString) },
	},
	{
		Module: "Json", Name: "GetField", Signature: "Json::GetField(json, name)",
		Doc:     "The values that members of a name have, of a Json that is an object, as a List.",
		Example: `ListConcat(ListMap(Json::GetField(Json(@@{"a": 7}@@), "a"), Json::Serialize))`, Result: "7",
		params: []param{paramJson, paramName},
		apply: func(c *invocation) (Value, error) {
			node, err := toNode(asJson(c.args[0]))
			if err != nil {
				return Value{}, err
			}
			part, err := lookup("Yson::Lookup", node, c.args[1], lookupIn)
			if err != nil {
				return Value{}, err
			}
			text, err := convertWith(part, typeJson.OrNull(), defaultOptions, nil, "Yson::ConvertTo")
			if err != nil {
				return Value{}, err
			}
			list, err := List([]Value{text})
			if err != nil {
				return Value{}, err
			}
			return notNull(list)
		},
	},
}

// asJson takes a text for Json.
func asJson(v Value) Value { v.Type.Kind = yqltype.Json; return v }

// jsonAt applies a function of Tidemark for SQL/JSON, of which nothing found and a fault are NULL. A path is lax unless it says otherwise, as in YQL.
func jsonAt(name string, t yqltype.Type) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		path := c.args[1]
		if l := constant(path); l != nil && !l.IsNull() {
			text := string(l.Value().Bytes(0))
			if !strings.HasPrefix(text, "lax ") && !strings.HasPrefix(text, "strict ") {
				path = String("lax " + text)
			}
		}
		null, word := Null(typeString).Expr, String("NULL").Expr
		args := []expr.Expr{c.args[0].Expr, path.Expr}
		switch name {
		case "JSON_VALUE":
			args = append(args, null, word, null, word, null)
		case "JSON_QUERY":
			args = append(args, null, String("WITHOUT").Expr, word, word)
		case "JSON_EXISTS":
			args = append(args, String("FALSE").Expr)
		}
		e, err := expr.NewCall(function.MustScalar(name), args)
		if err != nil {
			return Value{}, own(name, c.args, err)
		}
		t := t
		t.Optional = !e.Type().NotNull
		return Value{Expr: e, Type: t}, nil
	}
}
