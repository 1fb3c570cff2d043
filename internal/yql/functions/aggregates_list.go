package functions

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	paramValue = param{name: "value", accept: acceptValue}
	paramKeyOf = param{name: "key", accept: acceptOrdered}
	paramLimit = param{name: "limit", accept: acceptWhole, absent: Int(typeInt64, 0)}
)

// listAggregates give Lists, or values by the order of others.
var listAggregates = []Aggregate{
	{
		Name: "AGGREGATE_LIST", Aliases: []string{"AGG_LIST"}, Signature: "AGGREGATE_LIST(value [, limit])",
		Doc:     "The values as a List, in the order in which they came: of more than limit, which is 0 for any number, the first.",
		Example: "AGGREGATE_LIST(x)", Result: "[1,2,2]",
		params: []param{paramValue, paramLimit},
		make:   func(c *invocation) (*Aggregation, error) { return listed(c, false) },
	},
	{
		Name: "AGGREGATE_LIST_DISTINCT", Aliases: []string{"AGG_LIST_DISTINCT"}, Signature: "AGGREGATE_LIST_DISTINCT(value [, limit])",
		Doc:     "The values that differ as a List, each where it came first: of more than limit, which is 0 for any number, the first.",
		Example: "AGGREGATE_LIST_DISTINCT(x)", Result: "[1,2]",
		params: []param{paramValue, paramLimit},
		make:   func(c *invocation) (*Aggregation, error) { return listed(c, true) },
	},
	byKey("MIN_BY", "The value of the row with the least key; with n the values of the n least keys as a List.", "MIN_BY(x * 10, x)", "10", false),
	byKey("MAX_BY", "The value of the row with the greatest key; with n the values of the n greatest keys as a List.", "MAX_BY(x * 10, x)", "20", true),
	{
		Name: "TOP", Signature: "TOP(value, n)",
		Doc:     "The n greatest values as a List, in descending order.",
		Example: "TOP(x, 2)", Result: "[2,2]",
		params: []param{{name: "value", accept: acceptOrdered}, paramN},
		make:   func(c *invocation) (*Aggregation, error) { return best(c.args[0], c.args[0], c.args[1], true) },
	},
	{
		Name: "BOTTOM", Signature: "BOTTOM(value, n)",
		Doc:     "The n least values as a List, in ascending order.",
		Example: "BOTTOM(x, 2)", Result: "[1,2]",
		params: []param{{name: "value", accept: acceptOrdered}, paramN},
		make:   func(c *invocation) (*Aggregation, error) { return best(c.args[0], c.args[0], c.args[1], false) },
	},
	{
		Name: "TOP_BY", Signature: "TOP_BY(value, key, n)",
		Doc:     "The values of the n greatest keys as a List.",
		Example: "TOP_BY(x * 10, x, 1)", Result: "[20]",
		params: []param{paramValue, paramKeyOf, paramN},
		make:   func(c *invocation) (*Aggregation, error) { return best(c.args[0], c.args[1], c.args[2], true) },
	},
	{
		Name: "BOTTOM_BY", Signature: "BOTTOM_BY(value, key, n)",
		Doc:     "The values of the n least keys as a List.",
		Example: "BOTTOM_BY(x * 10, x, 1)", Result: "[10]",
		params: []param{paramValue, paramKeyOf, paramN},
		make:   func(c *invocation) (*Aggregation, error) { return best(c.args[0], c.args[1], c.args[2], false) },
	},
	{
		Name: "MODE", Signature: "MODE(value)",
		Doc:     "The most frequent value, as a List of one Struct of Frequency and Value. It is exact, where YDB's is an estimate.",
		Example: "MODE(x)", Result: `[{"Frequency":2,"Value":2}]`,
		params: []param{paramValue},
		make:   func(c *invocation) (*Aggregation, error) { return mostFrequent(c.args[0], Int(typeInt64, 1)) },
	},
	{
		Name: "TOPFREQ", Signature: "TOPFREQ(value [, n [, buffer]])",
		Doc:     "The n most frequent values, the most frequent first, as a List of Structs of Frequency and Value. They are exact, whatever the buffer, where YDB's are estimates.",
		Example: "TOPFREQ(x, 2)", Result: `[{"Frequency":2,"Value":2},{"Frequency":1,"Value":1}]`,
		params: []param{paramValue, {name: "n", accept: acceptWhole, absent: Int(typeInt64, 1)}, {name: "buffer", accept: acceptWhole, absent: Int(typeInt64, 100)}},
		make:   func(c *invocation) (*Aggregation, error) { return mostFrequent(c.args[0], c.args[1]) },
	},
}

// known is the number that a constant argument is.
func known(name string, arg int, v Value) (int64, error) {
	l := constant(v)
	if l == nil || l.IsNull() || l.Int() < 0 {
		return 0, about(arg, errorf(CodeValue, "argument %d of %s has to be a constant that is not negative", arg+1, name))
	}
	return l.Int(), nil
}

func listed(c *invocation, distinct bool) (*Aggregation, error) {
	v := c.args[0]
	limit, err := known(c.name, 1, c.args[1])
	if err != nil {
		return nil, err
	}
	if v.Type.Kind == yqltype.Null {
		return nil, wants(c.name, 0, "a value", v)
	}
	name := "LIST"
	if distinct {
		name = "SET"
	}
	a, err := aggregation(aggregateOf(name), []expr.Expr{v.Expr}, []*expr.Literal{expr.LiteralInt(typeInt64.Physical(), limit)}, false)
	if err == nil {
		a.held = yqltype.ListOf(v.Type.Required())
	}
	return a, err
}

// best is the values of the n best keys.
func best(value, key, n Value, descending bool) (*Aggregation, error) {
	many, err := known("TOP", 2, n)
	if err != nil {
		return nil, err
	}
	a, err := aggregation(aggregateOf("TOP"), []expr.Expr{value.Expr, key.Expr}, []*expr.Literal{expr.LiteralInt(typeInt64.Physical(), many), expr.LiteralBool(descending)}, false)
	if err != nil {
		return nil, err
	}
	a.held = yqltype.ListOf(value.Type)
	return a, nil
}

func byKey(name, doc, example, result string, descending bool) Aggregate {
	return Aggregate{
		Name: name, Signature: name + "(value, key [, n])", Doc: doc, Example: example, Result: result,
		params: []param{paramValue, paramKeyOf, {name: "n", accept: acceptWhole, absent: absentNumber}},
		make: func(c *invocation) (*Aggregation, error) {
			if l := constant(c.args[2]); l == nil || !l.IsNull() {
				return best(c.args[0], c.args[1], c.args[2], descending)
			}
			a, err := best(c.args[0], c.args[1], Int(typeInt64, 1), descending)
			if err != nil {
				return nil, err
			}
			optional := c.args[1].Type.Optional
			a.finish = func(list Value) (Value, error) {
				v, err := elementAt(list, Int(typeInt64, 0))
				if err == nil && !optional {
					v.Type.Optional = list.Type.Elem().Optional // a group has a row, and so a key
				}
				return v, err
			}
			return a, nil
		},
	}
}

// mostFrequent makes of how often each value occurs a List of the n that occur most.
func mostFrequent(v, n Value) (*Aggregation, error) {
	if _, err := known("TOPFREQ", 1, n); err != nil {
		return nil, err
	}
	t := v.Type.Required()
	if t.Kind == yqltype.Null {
		return nil, wants("TOPFREQ", 0, "a value", v)
	}
	// A MULTISET is laid out as a MAP of values and counts.
	a, err := over("COLLECT", yqltype.DictOf(t, count64), v)
	if err != nil {
		return nil, err
	}
	k := kindOf(t)
	result := yqltype.ListOf(yqltype.StructOf([]yqltype.Member{{Name: "Frequency", Type: count64}, {Name: "Value", Type: t}}))
	a.finish = func(counts Value) (Value, error) {
		return call("TOPFREQ", spec{kernel: func(c *function.Call) error {
			keys, values := new(nested.Array), new(nested.Array)
			var order []int
			return rowsOf([]vector.Kind{vector.Int64, k}, func(parts []*vector.Builder, c *function.Call, i, at int) bool {
				if at == 0 {
					*keys, *values = nested.ReadMap(c.Args[0].Bytes(i), k, vector.Int64)
					order = order[:0]
					for e := range keys.Len() {
						order = append(order, e)
					}
					slices.SortStableFunc(order, func(x, y int) int { return int(min(1, max(-1, values.Int(y)-values.Int(x)))) })
				}
				if at >= len(order) || int64(at) >= c.Args[1].Int(i) {
					return false
				}
				parts[0].AppendInt(values.Int(order[at]))
				parts[1].AppendFrom(keys, order[at])
				return true
			})(c)
		}}, result, counts, n)
	}
	return a, nil
}
