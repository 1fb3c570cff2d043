package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// kinds accepts values of some kinds, Optional or not, as they are, and NULL as one of the first.
func kinds(what string, list ...yqltype.Kind) accept {
	return accept{what, func(v Value) (Value, bool) {
		switch {
		case v.Static != nil:
			return v, false
		case v.Type.Kind == yqltype.Null && list[0] < yqltype.List:
			return Null(yqltype.Of(list[0])), true
		}
		return v, slices.Contains(list, v.Type.Kind)
	}}
}

// converted accepts what is converted to t without a CAST.
func converted(what string, t yqltype.Type) accept {
	return accept{what, func(v Value) (Value, bool) {
		if v.Static != nil {
			return v, false
		}
		to := t
		to.Optional = v.Type.Optional || v.Type.Kind == yqltype.Null
		fitted, err := Fit(v, to)
		return fitted, err == nil
	}}
}

var (
	acceptText     = kinds("a String", yqltype.String, yqltype.Utf8)
	acceptUnicode  = kinds("Utf8", yqltype.Utf8)
	acceptBytes    = kinds("a String, Json or Yson", yqltype.String, yqltype.Utf8, yqltype.Json, yqltype.Yson)
	acceptBool     = kinds("Bool", yqltype.Bool)
	acceptInterval = kinds("an Interval", yqltype.Interval)
	acceptDict     = kinds("a Dict", yqltype.Dict, yqltype.EmptyDict)
	acceptStruct   = kinds("a Struct", yqltype.Struct)
	acceptDouble   = converted("a number", yqltype.Of(yqltype.Double))
	acceptNumber   = kinds("a number", yqltype.Int64, yqltype.Int8, yqltype.Int16, yqltype.Int32, yqltype.Uint8, yqltype.Uint16, yqltype.Uint32, yqltype.Uint64,
		yqltype.Float, yqltype.Double, yqltype.Decimal)
	acceptWhole = accept{"a whole number", func(v Value) (Value, bool) {
		if v.Static != nil || v.Type.Kind != yqltype.Null && !v.Type.IsInteger() {
			return v, false
		}
		to := yqltype.Of(yqltype.Int64)
		to.Optional = v.Type.Optional || v.Type.Kind == yqltype.Null
		w, err := relabel(v, to)
		return w, err == nil
	}}
	acceptValue    = accept{"a value", func(v Value) (Value, bool) { return v, v.Static == nil }}
	acceptType     = accept{"a type", func(v Value) (Value, bool) { _, ok := v.Static.(TypeName); return v, ok }}
	acceptCallable = accept{"a lambda", func(v Value) (Value, bool) { _, ok := v.Static.(*Callable); return v, ok }}
	acceptList     = kinds("a List", yqltype.List, yqltype.EmptyList)
)
