package functions

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// optionalFunctions are about NULL, conditions and types.
var optionalFunctions = []Function{
	{
		Name: "Unwrap", Signature: "Unwrap(value [, message])",
		Doc:     "The value, which is not NULL: a NULL fails the query, with the message if there is one.",
		Example: `Unwrap(CAST("17" AS Int32))`, Result: "17",
		params: []param{{name: "value", accept: acceptValue}, {name: "message", accept: acceptText, absent: String("")}},
		apply:  unwrap,
	},
	{
		Name: "Just", Signature: "Just(value)",
		Doc:     "The value as an Optional.",
		Example: "Just(5)", Result: "5",
		params: []param{{name: "value", accept: acceptValue}},
		apply: func(c *invocation) (Value, error) {
			v := c.args[0]
			v.Type.Optional = v.Type.Kind != yqltype.Null
			return v, nil
		},
	},
	{
		Name: "Nothing", Signature: "Nothing(type)",
		Doc:     "NULL of an Optional type.",
		Example: "Nothing(Int32?) IS NULL", Result: "true",
		params: []param{{name: "type", accept: acceptType}},
		apply:  func(c *invocation) (Value, error) { return Null(c.args[0].Static.(TypeName).Type), nil },
	},
	{
		Name: "Coalesce", Aliases: []string{"Nvl"}, Signature: "Coalesce(value, …)",
		Doc:     "The first of the values that is not NULL, as ?? gives it.",
		Example: "Coalesce(NULL, 7)", Result: "7",
		params: []param{{name: "value", accept: acceptValue}}, rest: &acceptValue, Lazy: true,
		apply: func(c *invocation) (Value, error) { return Coalesce(c.args) },
	},
	{
		Name: "IF", Signature: "IF(condition, then [, otherwise])",
		Doc:     "One of two values. A condition that is NULL does not hold; without the third there is NULL.",
		Example: `IF(1 < 2, "ebb", "tide")`, Result: "ebb",
		params: []param{{name: "condition", accept: acceptBool}, {name: "then", accept: acceptValue}, {name: "otherwise", accept: acceptValue, absent: Bare()}}, Lazy: true,
		apply: func(c *invocation) (Value, error) { return If(c.args[0], c.args[1], c.args[2]) },
	},
	{
		Name: "NANVL", Signature: "NANVL(number, replacement)",
		Doc:     "The number, or the replacement if it is NaN.",
		Example: `NANVL(CAST("nan" AS Double), 0.5)`, Result: "0.5",
		params: []param{{name: "number", accept: acceptDouble}, {name: "replacement", accept: acceptDouble}},
		apply: gives(yqltype.Of(yqltype.Double), spec{kernel: floats(func(c *function.Call, i int) (float64, error) {
			if f := c.Args[0].Float(i); f == f {
				return f, nil
			}
			return c.Args[1].Float(i), nil
		})}),
	},
	{
		Name: "MIN_OF", Aliases: []string{"Least"}, Signature: "MIN_OF(value, …)",
		Doc:     "The least of the values; NULL if one is NULL.",
		Example: "MIN_OF(3, 1, 2)", Result: "1",
		params: []param{{name: "value", accept: acceptValue}}, rest: &acceptValue,
		apply: extremeOf("<"),
	},
	{
		Name: "MAX_OF", Aliases: []string{"Greatest"}, Signature: "MAX_OF(value, …)",
		Doc:     "The greatest of the values; NULL if one is NULL.",
		Example: "MAX_OF(3, 1, 2)", Result: "3",
		params: []param{{name: "value", accept: acceptValue}}, rest: &acceptValue,
		apply: extremeOf(">"),
	},
	{
		Name: "Ensure", Signature: "Ensure(value, condition [, message])",
		Doc:     "The value where the condition holds; where it does not the query fails, with the message if there is one.",
		Example: `Ensure(5, 5 > 1, "too small")`, Result: "5",
		params: []param{{name: "value", accept: acceptValue}, {name: "condition", accept: acceptBool}, {name: "message", accept: acceptText, absent: String("")}},
		apply:  ensure,
	},
	{
		Name: "Likely", Signature: "Likely(condition)",
		Doc:     "The condition: a hint to YDB's optimizer, which means nothing here.",
		Example: "Likely(1 = 1)", Result: "true",
		params: []param{{name: "condition", accept: acceptBool}},
		apply:  func(c *invocation) (Value, error) { return c.args[0], nil },
	},
	{
		Name: "FormatType", Signature: "FormatType(type)",
		Doc:     "The spelling of a type.",
		Example: "FormatType(TypeOf(AsTuple(1, 2ul)))", Result: "Tuple<Int32,Uint64>",
		params: []param{{name: "type", accept: acceptType}},
		apply:  func(c *invocation) (Value, error) { return String(c.args[0].Static.(TypeName).Type.String()), nil },
	},
	{
		Name: "TypeOf", Signature: "TypeOf(value)",
		Doc:     "The type of a value, for functions that take a type.",
		Example: `FormatType(TypeOf("tide"))`, Result: "String",
		params: []param{{name: "value", accept: acceptValue}},
		apply:  func(c *invocation) (Value, error) { return OfType(c.args[0].Type), nil },
	},
	refusal("", "Concat", "write a || b"),
	refusal("", "Random", "there is nothing random in a query whose answer is always the same; compute it where the events are made"),
	refusal("", "RandomNumber", "there is nothing random in a query whose answer is always the same; compute it where the events are made"),
	refusal("", "RandomUuid", "there is nothing random in a query whose answer is always the same; compute it where the events are made"),
	refusal("", "EnsureType", "a CAST gives a value of the type, and errors show the type that a value has"),
	refusal("", "EnsureConvertibleTo", "a CAST gives a value of the type, and errors show the type that a value has"),
	refusal("", "AssumeStrict", "it is a hint to another optimizer; leave it out"),
	refusal("", "TablePath", "a query over streams does not read tables by pattern"),
	refusal("", "TableName", "a query over streams does not read tables by pattern"),
	refusal("", "FileContent", "no files go with a query; join a table"),
	refusal("", "FilePath", "no files go with a query; join a table"),
	refusal("", "Variant", "there are no variants; use a Struct of Optional members"),
	refusal("", "AsTagged", "there are no tagged types; use the value itself"),
	refusal("", "Pickle", "write ToBytes(Yson::SerializeText(Yson::From(…)))"),
	refusal("", "Udf", "call the function by its name"),
}

// refusal is the row of a function that people may look for.
func refusal(module, name, why string) Function {
	return Function{Module: module, Name: name, Refused: why}
}

func unwrap(c *invocation) (Value, error) {
	v, message := c.args[0], "Unwrap found NULL"
	if constant(v) == nil {
		message += " in " + Text(v)
	}
	if l := constant(c.args[1]); l != nil && len(l.Value().Bytes(0)) > 0 {
		message = string(l.Value().Bytes(0))
	}
	if v.Type.Kind == yqltype.Null {
		return Value{}, errorf(CodeType, "Unwrap(NULL) has no value")
	}
	t := v.Type.Required()
	return Value{Expr: expr.NewPresent(v.Expr, "Unwrap", message, "write Coalesce(…, …), or leave such rows out with WHERE … IS NOT NULL"), Type: t}, nil
}

// maxShown is how much of an expression or a value an error shows, in bytes.
const maxShown = 120

// Text is the expression of v, for an error.
func Text(v Value) string {
	return short([]byte(v.Expr.String()))
}

// short is a value, or the beginning of it, for an error.
func short(text []byte) string {
	if len(text) <= maxShown {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:maxShown], nil)) + "…"
}

func extremeOf(op string) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		all, _, ok := Unify(c.args)
		if !ok {
			return Value{}, hintf(CodeType, "CAST some of them", "the values have no common type: %s", describe(c.args))
		}
		best := all[0]
		for _, v := range all[1:] {
			better, err := Binary(op, v, best)
			if err != nil {
				return Value{}, err
			}
			if v.Type.Optional {
				null, err := IsNull(v, false)
				if err != nil {
					return Value{}, err
				}
				if better, err = Binary("OR", null, better); err != nil {
					return Value{}, err
				}
			}
			if best, err = If(better, v, best); err != nil {
				return Value{}, err
			}
		}
		return best, nil
	}
}

func ensure(c *invocation) (Value, error) {
	message := "Ensure: the condition does not hold"
	if constant(c.args[1]) == nil {
		message = "Ensure: " + Text(c.args[1]) + " does not hold"
	}
	if l := constant(c.args[2]); l != nil && len(l.Value().Bytes(0)) > 0 {
		message = string(l.Value().Bytes(0))
	}
	holds, err := If(c.args[1], Bool(true), Null(yqltype.Of(yqltype.Bool)))
	if err != nil {
		return Value{}, err
	}
	sure := Value{Expr: expr.NewPresent(holds.Expr, "Ensure", message, "leave such rows out with WHERE"), Type: yqltype.Of(yqltype.Bool)}
	v := c.args[0]
	return If(sure, v, v)
}
