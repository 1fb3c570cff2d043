package functions

import (
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var textFunctions = []Function{
	{
		Name: "ToBytes", Signature: "ToBytes(value)",
		Doc:     "The bytes of a Json, Yson, Utf8 or String as a String; of a number or instant its text.",
		Example: `ToBytes(Json(@@{"a": 1}@@))`, Result: `{"a": 1}`,
		params: []param{{name: "value", accept: acceptValue}},
		apply:  func(c *invocation) (Value, error) { return Cast(c.args[0], yqltype.Of(yqltype.String)) },
	},
	{
		Name: "Length", Aliases: []string{"LEN"}, Signature: "Length(string)",
		Doc:     "How many bytes a string has.",
		Example: `Length("tide")`, Result: "4",
		params: []param{{name: "string", accept: acceptBytes}},
		apply: gives(yqltype.Of(yqltype.Uint32), spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			return int64(len(c.Args[0].Bytes(i))), nil
		})}),
	},
}
