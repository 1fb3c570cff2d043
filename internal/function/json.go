package function

import (
	"errors"
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/jsonpath"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// The clauses of JSON functions are arguments: words such as NULL, ERROR and DEFAULT are constant strings, and RETURNING is a NULL of the type asked for.
// The binder fills in what is not said.
var jsonFunctions = append(jsonTests, []Scalar{
	{
		Name: "JSON_EXISTS", Family: FamilyJSON, Spell: spellJSONExists,
		Signatures: []string{"JSON_EXISTS(json, path [{TRUE | FALSE | UNKNOWN | ERROR} ON ERROR])"},
		Doc:        "Whether the path leads to a value that is not null. A path is 'lax $.a', or 'strict $.a', which is an error if nothing is there; strict unless said.",
		Example:    `JSON_EXISTS('{"tide":{"port":"Dover"}}', 'lax $.tide.port')`, ExampleResult: "TRUE",
		Overloads: []Overload{{Params: stringParams(3), Result: types.BooleanType, MayBeNull: true, Bind: bindJSONExists}},
	},
	{
		Name: "JSON_VALUE", Family: FamilyJSON, Spell: spellJSONValue,
		Signatures: []string{"JSON_VALUE(json, path [RETURNING type] [{NULL | ERROR | DEFAULT value} ON EMPTY] [{NULL | ERROR | DEFAULT value} ON ERROR])"},
		Doc: "The scalar that the path leads to, as STRING, VARCHAR(n), BOOLEAN, INT or DOUBLE. With lax it is empty if there is no scalar, with strict an error; " +
			"another type than that of RETURNING is an error.",
		Example: `JSON_VALUE('{"tide":{"height":6.5}}', '$.tide.height' RETURNING DOUBLE)`, ExampleResult: "6.5",
		Resolver: byTypes(resolveJSONValue),
	},
	{
		Name: "JSON_QUERY", Family: FamilyJSON, Spell: spellJSONQuery,
		Signatures: []string{"JSON_QUERY(json, path [RETURNING type] [{WITHOUT | WITH [CONDITIONAL]} WRAPPER] [{NULL | ERROR | EMPTY ARRAY | EMPTY OBJECT} ON EMPTY] " +
			"[{NULL | ERROR | EMPTY ARRAY | EMPTY OBJECT} ON ERROR])"},
		Doc:     "The array or object that the path leads to, as JSON in a STRING, or of an array as ARRAY<STRING>. A wrapper makes an array of one element of it.",
		Example: `JSON_QUERY('{"ports":[{"name":"Dover"},{"name":"Brest"}]}', '$.ports[*].name')`, ExampleResult: `["Dover","Brest"]`,
		Resolver: byTypes(resolveJSONQuery),
	},
	{
		Name: "JSON_OBJECT", Family: FamilyJSON, Spell: spellJSONObject,
		Signatures: []string{"JSON_OBJECT([[KEY] key VALUE value, …] [{NULL | ABSENT} ON NULL])"},
		Doc:        "A JSON object in a STRING, its keys in order. NULL becomes null (unless said) or is left out. JSON_OBJECT, JSON_ARRAY and JSON inside are not quoted.",
		Example:    "JSON_OBJECT('port' VALUE 'Dover', 'tide' VALUE JSON_OBJECT('height' VALUE 6.5))", ExampleResult: `{"port":"Dover","tide":{"height":6.5}}`,
		Resolver: byTypes(resolveJSONObject),
	},
	{
		Name: "JSON_ARRAY", Family: FamilyJSON, Spell: spellJSONArray,
		Signatures: []string{"JSON_ARRAY([value, …] [{NULL | ABSENT} ON NULL])"},
		Doc:        "A JSON array in a STRING. NULL is left out (unless said) or becomes null. JSON_OBJECT, JSON_ARRAY and JSON inside are not quoted.",
		Example:    "JSON_ARRAY(1, 'ebb', TRUE, JSON_ARRAY(2))", ExampleResult: `[1,"ebb",true,[2]]`,
		Resolver: byTypes(resolveJSONArray),
	},
	{
		Name: "JSON", Family: FamilyJSON,
		Signatures: []string{"JSON(string)"},
		Doc:        "JSON from a string, as a value of JSON_OBJECT or JSON_ARRAY.",
		Example:    `JSON_ARRAY(JSON('{"b": 1, "a": 2}'))`, ExampleResult: `[{"a":2,"b":1}]`,
		Overloads: ofStrings(1, types.StringType, jsonOfText),
	},
	{
		Name: "JSON_STRING", Family: FamilyJSON,
		Signatures: []string{"JSON_STRING(value)"},
		Doc:        "The value as JSON. An ARRAY becomes an array, a MAP with keys of text and a ROW become objects, bytes Base64, timestamps strings in ISO 8601.",
		Example:    "JSON_STRING('ebb')", ExampleResult: `"ebb"`,
		Resolver: byTypes(resolveJSONString),
	},
	{
		Name: "JSON_QUOTE", Family: FamilyJSON,
		Signatures: []string{"JSON_QUOTE(string)"},
		Doc:        "The string in quotes, with what is not ASCII, quotes, slashes and control characters escaped.",
		Example:    `JSON_QUOTE('a "quote"')`, ExampleResult: `"a \"quote\""`,
		Overloads: ofStrings(1, types.StringType, rewriting(jsonQuote)),
	},
	{
		Name: "JSON_UNQUOTE", Family: FamilyJSON,
		Signatures: []string{"JSON_UNQUOTE(string)"},
		Doc:        "What a string in quotes says; a string that is not in quotes, or has malformed escapes, as it is.",
		Example:    `JSON_UNQUOTE('"a \"quote\""')`, ExampleResult: `a "quote"`,
		Overloads: ofStrings(1, types.StringType, rewriting(jsonUnquote)),
	},
}...)

var jsonTests = []Scalar{
	jsonTest("IS JSON", "The string is JSON.", `'{"a":1}' IS JSON`, "TRUE", true, func([]byte) bool { return true }),
	jsonTest("IS NOT JSON", "The string is not JSON.", `'{a:1}' IS NOT JSON`, "TRUE", false, func([]byte) bool { return true }),
	jsonTest("IS JSON OBJECT", "The string is a JSON object.", `'{"a":1}' IS JSON OBJECT`, "TRUE", true, isJSONObject),
	jsonTest("IS NOT JSON OBJECT", "The string is no JSON object.", "'[1]' IS NOT JSON OBJECT", "TRUE", false, isJSONObject),
	jsonTest("IS JSON ARRAY", "The string is a JSON array.", "'[1]' IS JSON ARRAY", "TRUE", true, isJSONArray),
	jsonTest("IS NOT JSON ARRAY", "The string is no JSON array.", "'1' IS NOT JSON ARRAY", "TRUE", false, isJSONArray),
	jsonTest("IS JSON SCALAR", "The string is a JSON string, number, true, false or null.", "'1' IS JSON SCALAR", "TRUE", true, jsontext.IsScalar),
	jsonTest("IS NOT JSON SCALAR", "The string is no JSON string, number, true, false or null.", "'[1]' IS NOT JSON SCALAR", "TRUE", false, jsontext.IsScalar),
}

func isJSONObject(value []byte) bool { return value[0] == '{' }
func isJSONArray(value []byte) bool  { return value[0] == '[' }

// jsonTest is a test that is never NULL; NULL is no JSON.
func jsonTest(name, doc, example, result string, wanted bool, fits func(value []byte) bool) Scalar {
	kernel := deciding(func(c *Call, i int) bool {
		if c.Args[0].IsNull(i) {
			return !wanted
		}
		value, ok := jsontext.Parse(c.Args[0].Bytes(i))
		return (ok && fits(value)) == wanted
	})
	return Scalar{
		Name: name, Family: FamilyJSON, Notation: Postfix,
		Signatures: []string{"string " + name},
		Doc:        doc + " Never NULL; NULL is no JSON.",
		Example:    example, ExampleResult: result,
		Overloads: []Overload{{Params: stringParams(1), Result: notNull(types.BooleanType), Nulls: NullAware, Kernel: kernel}},
	}
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

// preparePath compiles the path of argument 1. A path that varies and is none is nil.
func preparePath(name string, constants []*vector.Vector) (perRow[*jsonpath.Path], error) {
	path, err := prepare(1, jsonpath.Compile, func(err error) bool {
		var e *jsonpath.Error
		return errors.As(err, &e) && !e.Unsupported
	}, constants)
	if err == nil {
		return path, nil
	}
	e := &ConstantError{Err: fmt.Errorf("%s: %w", name, err), Hint: "a path is written as 'lax $.a[0].b', and a name with blanks as $['a b']"}
	var reason *jsonpath.Error
	if e.Unsupported = errors.As(err, &reason) && reason.Unsupported; e.Unsupported {
		e.Hint = "there are .name, ['name'], [n], [n, m], [n:m], [*], .., length() and filters such as [?(@.a > 1 && @.b == 'x')]"
	}
	return nil, e
}

// outcome is what looking for a value comes to.
type outcome uint8

const (
	isThere outcome = iota
	isEmpty
	isWrong
)

// missing is the outcome if a path leads nowhere, or a document is none: with lax that is empty.
func missing(p *jsonpath.Path) outcome {
	if p != nil && p.Lax {
		return isEmpty
	}
	return isWrong
}

// followPath follows a definite path; null counts as missing.
func followPath(p *jsonpath.Path, doc []byte) ([]byte, outcome) {
	root, ok := jsontext.Parse(doc)
	if !ok {
		return nil, missing(p)
	}
	value, ok := p.One(root, root)
	if !ok || jsontext.KindOf(value) == jsontext.Null {
		return nil, missing(p)
	}
	return value, isThere
}

// bindJSONExists makes JSON_EXISTS(json, path, what to give for an error).
func bindJSONExists(constants []*vector.Vector) (Kernel, error) {
	path, err := preparePath("JSON_EXISTS", constants)
	if err != nil {
		return nil, err
	}
	onError, err := constantWord(constants[2], "JSON_EXISTS", "FALSE", "TRUE", "UNKNOWN", "ERROR")
	if err != nil {
		return nil, err
	}
	return func(c *Call) error {
		paths := path(c)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			p, err := paths(i)
			if err != nil {
				return err
			}
			found := pathExists(p, c.Args[0].Bytes(i))
			if found == isWrong && onError == "ERROR" {
				return rowErrorf(i, "JSON_EXISTS finds nothing at '%.80s'", c.Args[1].Bytes(i))
			}
			c.Out.Bools[i] = bit(found == isThere || found == isWrong && onError == "TRUE")
			if found == isWrong && onError == "UNKNOWN" {
				c.SetNull(i)
			}
		}
		return nil
	}, nil
}

// pathExists is there for a path to a list, even an empty one, unless its first steps lead nowhere and the path is strict. Flink 2.3.
func pathExists(p *jsonpath.Path, doc []byte) outcome {
	switch {
	case p == nil:
		return isWrong
	case p.Definite():
		_, found := followPath(p, doc)
		return found
	}
	root, ok := jsontext.Parse(doc)
	if !ok {
		return missing(p)
	}
	// Where a path branches too often it has branched, and so there is a list.
	if found, _ := p.All(root, func([]byte) {}); !found && !p.Lax {
		return isWrong
	}
	return isThere
}
