package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Aggregates lists every aggregate. All leave NULLs out but COUNT(*).
var Aggregates = slices.Concat(basicAggregates, listAggregates, statisticAggregates, otherAggregates)

var basicAggregates = []Aggregate{
	{
		Name: "COUNT", Signature: "COUNT(*), COUNT(value)",
		Doc:     "How many rows there are, or how many values that are not NULL.",
		Example: "COUNT(x)", Result: "3",
		params: []param{{name: "value", accept: acceptValue, absent: Bool(true)}},
		make: func(c *invocation) (*Aggregation, error) {
			t := yqltype.Of(yqltype.Uint64)
			if c.args[0].Expr.Type().NotNull {
				return over("COUNT", t)
			}
			return over("COUNT", t, c.args[0])
		},
	},
	{
		Name: "COUNT_IF", Signature: "COUNT_IF(condition)",
		Doc:     "How many rows there are in which the condition holds.",
		Example: "COUNT_IF(x > 1)", Result: "2",
		params: []param{{name: "condition", accept: acceptBool}},
		make: func(c *invocation) (*Aggregation, error) {
			a, err := over("COUNT", yqltype.Of(yqltype.Uint64))
			return filtered(a, c.args[0], err)
		},
	},
	{
		Name: "SUM", Signature: "SUM(number)",
		Doc:     "The sum: of whole numbers an Int64 or Uint64, of Float a Double.",
		Example: "SUM(x)", Result: "5",
		params: []param{{name: "number", accept: acceptSummed}},
		make:   func(c *invocation) (*Aggregation, error) { return sum(c.args[0]) },
	},
	{
		Name: "SUM_IF", Signature: "SUM_IF(number, condition)",
		Doc:     "The sum over the rows in which the condition holds.",
		Example: "SUM_IF(x, x > 1)", Result: "4",
		params: []param{{name: "number", accept: acceptSummed}, {name: "condition", accept: acceptBool}},
		make: func(c *invocation) (*Aggregation, error) {
			a, err := sum(c.args[0])
			return filtered(a, c.args[1], err)
		},
	},
	{
		Name: "AVG", Signature: "AVG(number)",
		Doc:     "The mean as a Double.",
		Example: "AVG(x) * 3.0", Result: "5",
		params: []param{{name: "number", accept: acceptDouble}},
		make:   func(c *invocation) (*Aggregation, error) { return same("AVG", c.args[0]) },
	},
	{
		Name: "AVG_IF", Signature: "AVG_IF(number, condition)",
		Doc:     "The mean over the rows in which the condition holds.",
		Example: "AVG_IF(x, x > 1)", Result: "2",
		params: []param{{name: "number", accept: acceptDouble}, {name: "condition", accept: acceptBool}},
		make: func(c *invocation) (*Aggregation, error) {
			a, err := same("AVG", c.args[0])
			return filtered(a, c.args[1], err)
		},
	},
	{
		Name: "MIN", Signature: "MIN(value)",
		Doc:     "The least value.",
		Example: "MIN(x)", Result: "1",
		params: []param{{name: "value", accept: acceptOrdered}},
		make:   func(c *invocation) (*Aggregation, error) { return same("MIN", c.args[0]) },
	},
	{
		Name: "MAX", Signature: "MAX(value)",
		Doc:     "The greatest value.",
		Example: "MAX(x)", Result: "2",
		params: []param{{name: "value", accept: acceptOrdered}},
		make:   func(c *invocation) (*Aggregation, error) { return same("MAX", c.args[0]) },
	},
	{
		Name: "SOME", Aliases: []string{"ANY_VALUE"}, Signature: "SOME(value)",
		Doc:     "One of the values: the first.",
		Example: "SOME(x)", Result: "1",
		params: []param{{name: "value", accept: acceptValue}},
		make: func(c *invocation) (*Aggregation, error) {
			a, err := same("FIRST_VALUE", c.args[0])
			return withoutNulls(a, c.args[0], err)
		},
	},
}

var (
	acceptSummed = accept{"a number or an Interval", func(v Value) (Value, bool) {
		if v.Type.Kind == yqltype.Interval {
			return v, v.Static == nil
		}
		return acceptNumber.take(v)
	}}
	acceptOrdered = accept{"a value that has an order", func(v Value) (Value, bool) {
		if v.Static != nil || v.Type.Kind == yqltype.Null {
			return v, false
		}
		_, ordered := yqltype.Comparable(v.Type, v.Type)
		return v, ordered && !v.Type.IsContainer()
	}}
)

// same is an aggregate whose result has the type of its argument.
func same(name string, v Value) (*Aggregation, error) { return over(name, v.Type, v) }

// sum widens what is summed.
func sum(v Value) (*Aggregation, error) {
	t := yqltype.Type{Kind: yqltype.Double, Optional: v.Type.Optional}
	switch {
	case v.Type.IsUnsigned():
		t.Kind = yqltype.Uint64
	case v.Type.IsInteger():
		t.Kind = yqltype.Int64
	case v.Type.Kind == yqltype.Interval:
		t = v.Type
	case v.Type.Kind == yqltype.Decimal:
		a, err := over("SUM", v.Type, v)
		if err == nil {
			a.held.Precision, a.held.Scale = a.Overload.Result.Precision, a.Overload.Result.Scale
		}
		return a, err
	}
	wide, err := relabel(v, t)
	if err != nil {
		return nil, err
	}
	if t.Kind != yqltype.Interval {
		return over("SUM", t, wide)
	}
	number, err := Cast(wide, yqltype.Of(yqltype.Int64))
	if err != nil {
		return nil, err
	}
	a, err := over("SUM", number.Type, number)
	if err == nil {
		a.finish = func(v Value) (Value, error) {
			return call("INTERVAL", spec{kernel: keep}, yqltype.Of(yqltype.Interval), v)
		}
	}
	return a, err
}

// filtered makes only rows count in which the condition holds. There may be none, and so the result may be NULL unless it is a count.
func filtered(a *Aggregation, condition Value, err error) (*Aggregation, error) {
	if err != nil {
		return nil, err
	}
	a.Filter = condition.Expr
	a.held.Optional = a.held.Optional || !a.Overload.Result.NotNull
	return a, nil
}

// withoutNulls makes only rows count in which the value is not NULL.
func withoutNulls(a *Aggregation, v Value, err error) (*Aggregation, error) {
	if err != nil || v.Expr.Type().NotNull {
		return a, err
	}
	some, err := IsNull(v, true)
	if err != nil {
		return nil, err
	}
	if l, ok := some.Expr.(*expr.Literal); ok && l.Value().Bools[0] != 0 {
		return a, nil
	}
	a.Filter = some.Expr
	return a, nil
}
