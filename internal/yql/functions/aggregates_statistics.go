package functions

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	typeDouble  = yqltype.Of(yqltype.Double)
	paramDouble = param{name: "number", accept: acceptDouble}
)

// statisticAggregates are about numbers as a whole; they compute in Double.
var statisticAggregates = []Aggregate{
	{
		Name: "CountDistinctEstimate", Aliases: []string{"HyperLogLog", "HLL", "COUNT_DISTINCT_ESTIMATE"}, Signature: "CountDistinctEstimate(value [, precision])",
		Doc:     "About how many values differ. The precision, from 4 to 18 in YDB, does not matter here.",
		Example: "CountDistinctEstimate(x)", Result: "2",
		params: []param{paramValue, {name: "precision", accept: acceptWhole, absent: Int(typeInt64, 14)}},
		make: func(c *invocation) (*Aggregation, error) {
			p, err := known(c.name, 1, c.args[1])
			if err != nil {
				return nil, err
			}
			if p < 4 || p > 18 {
				return nil, about(1, errorf(CodeValue, "the precision of %s is from 4 to 18", c.name))
			}
			return over("APPROX_COUNT_DISTINCT", count64, c.args[0])
		},
	},
	{
		Name: "PERCENTILE", Signature: "PERCENTILE(number, part)",
		Doc:     "The number below which a part of the numbers lies, from 0 to 1. It is exact, where YDB's is an estimate.",
		Example: "PERCENTILE(x, 0.25)", Result: "1.5",
		params: []param{paramDouble, {name: "part", accept: acceptDouble}},
		make: func(c *invocation) (*Aggregation, error) {
			l := constant(c.args[1])
			if l == nil || l.IsNull() {
				return nil, about(1, errorf(CodeValue, "the part that PERCENTILE asks for has to be a constant"))
			}
			if f := l.Value().Floats[0]; !(f >= 0 && f <= 1) {
				return nil, about(1, errorf(CodeValue, "the part that PERCENTILE asks for is from 0 to 1"))
			}
			return percentile(c.args[0], l)
		},
	},
	{
		Name: "MEDIAN", Signature: "MEDIAN(number)",
		Doc:     "The number below which half of the numbers lie.",
		Example: "MEDIAN(x)", Result: "2",
		params: []param{paramDouble},
		make:   func(c *invocation) (*Aggregation, error) { return percentile(c.args[0], expr.LiteralDouble(0.5)) },
	},
	dispersion("VARIANCE", "VAR_SAMP", "The variance, divided by one less than the number of numbers", "0.3333333333333333", "VARIANCE_SAMPLE", "VARSAMP"),
	dispersion("VARIANCE_POPULATION", "VAR_POP", "The variance, divided by the number of numbers", "0.2222222222222222", "VARPOP", "POPULATION_VARIANCE"),
	dispersion("STDDEV", "STDDEV_SAMP", "The root of the variance of a sample", "0.5773502691896257", "STDDEV_SAMPLE", "STDDEVSAMP"),
	dispersion("STDDEV_POPULATION", "STDDEV_POP", "The root of the variance of all", "0.4714045207910317", "STDDEVPOP", "POPULATION_STDDEV"),
	ofPairs("COVARIANCE", "COVAR_SAMP", "The covariance, divided by one less than the number of rows", "COVARIANCE(x, x * 2)", "1.8333333333333333", "COVARIANCE_SAMPLE", "COVAR"),
	ofPairs("COVARIANCE_POPULATION", "COVAR_POP", "The covariance, divided by the number of rows", "COVARIANCE_POPULATION(x, x)", "0.6875"),
	ofPairs("CORRELATION", "CORR", "The correlation, from -1 to 1", "CORRELATION(x, x * 2)", "1", "CORR"),
}

func percentile(v Value, part *expr.Literal) (*Aggregation, error) {
	a, err := aggregation(aggregateOf("PERCENTILE"), []expr.Expr{v.Expr}, []*expr.Literal{part}, false)
	if err == nil {
		a.held = withOptional(typeDouble, v.Type.Optional)
	}
	return a, err
}

func dispersion(name, native, doc, result string, aliases ...string) Aggregate {
	return Aggregate{
		Name: name, Aliases: aliases, Signature: name + "(number)", Doc: doc + "; NULL if there are too few.", Example: name + "(x)", Result: result,
		params: []param{paramDouble},
		make:   func(c *invocation) (*Aggregation, error) { return over(native, typeDouble.OrNull(), c.args[0]) },
	}
}

// ofPairs is the row of an aggregate of two numbers. YQL: a NULL counts as 0.
func ofPairs(name, native, doc, example, result string, aliases ...string) Aggregate {
	return Aggregate{
		Name: name, Aliases: aliases, Signature: name + "(number, other)", Doc: doc + "; a NULL counts as 0.", Example: example, Result: result,
		params: []param{paramDouble, {name: "other", accept: acceptDouble}},
		make: func(c *invocation) (*Aggregation, error) {
			var pair [2]Value
			for i, v := range c.args {
				var err error
				if pair[i], err = Coalesce([]Value{v, {Expr: expr.LiteralDouble(0), Type: typeDouble}}); err != nil {
					return nil, err
				}
			}
			return over(native, typeDouble.OrNull(), pair[:]...)
		},
	}
}

// otherAggregates are those of bits and truths, and those that others are called through.
var otherAggregates = []Aggregate{
	folds("BOOL_AND", "Whether all conditions hold", "BOOL_AND(x > 1)", "false", acceptBool),
	folds("BOOL_OR", "Whether some condition holds", "BOOL_OR(x > 1)", "true", acceptBool),
	folds("BOOL_XOR", "Whether an odd number of conditions holds", "BOOL_XOR(x > 1)", "false", acceptBool),
	folds("BIT_AND", "The bits that all numbers have", "BIT_AND(x)", "0", acceptInteger),
	folds("BIT_OR", "The bits that some number has", "BIT_OR(x)", "3", acceptInteger),
	folds("BIT_XOR", "The bits that an odd number of numbers has", "BIT_XOR(x)", "1", acceptInteger),
	{
		Name: "AGGREGATE_BY", Signature: `AGGREGATE_BY(value, AggregationFactory("NAME", …))`,
		Doc:     "The aggregate of a name; of one that takes two values these are a Tuple.",
		Example: `AGGREGATE_BY(x, AggregationFactory("SUM"))`, Result: "5",
		params: []param{paramValue, {name: "factory", accept: accept{"AggregationFactory(…)", func(v Value) (Value, bool) { _, ok := v.Static.(*Factory); return v, ok }}}},
		make:   func(c *invocation) (*Aggregation, error) { return c.args[1].Static.(*Factory).call(c.args[0]) },
	},
	notThere("HISTOGRAM", "group by a rounded number and COUNT, or use PERCENTILE"),
	notThere("LinearHistogram", "group by a rounded number and COUNT, or use PERCENTILE"),
	notThere("LogarithmicHistogram", "group by a rounded number and COUNT, or use PERCENTILE"),
	notThere("AdaptiveWardHistogram", "group by a rounded number and COUNT, or use PERCENTILE"),
	notThere("BlockWardHistogram", "group by a rounded number and COUNT, or use PERCENTILE"),
	notThere("MULTI_AGGREGATE_BY", "write an aggregate for each member"),
	notThere("UDAF", "write the aggregates that are there, or AGGREGATE_LIST and functions of Lists"),
	notThere("GROUPING", "write a query for each grouping and UNION ALL"),
}

func notThere(name, why string) Aggregate { return Aggregate{Name: name, Refused: why} }

var acceptInteger = kinds("a whole number", yqltype.Int64, yqltype.Int8, yqltype.Int16, yqltype.Int32, yqltype.Uint8, yqltype.Uint16, yqltype.Uint32, yqltype.Uint64)

func folds(name, doc, example, result string, takes accept) Aggregate {
	native := "BIT_" + name[len(name)-3:]
	switch name[len(name)-3:] {
	case "_OR":
		native = "BIT_OR"
	}
	return Aggregate{
		Name: name, Signature: name + "(value)", Doc: doc + ".", Example: example, Result: result,
		params: []param{{name: "value", accept: takes}},
		make:   func(c *invocation) (*Aggregation, error) { return same(native, c.args[0]) },
	}
}

// Factory is what AggregationFactory gives: an aggregate and its arguments behind the values.
type Factory struct {
	aggregate *Aggregate
	args      []Value
}

func (f *Factory) describe() string { return "AggregationFactory" }

// call aggregates a value, or the parts of a Tuple if the aggregate takes two.
func (f *Factory) call(v Value) (*Aggregation, error) {
	values := []Value{v}
	if params := f.aggregate.params; v.Type.Kind == yqltype.Tuple && len(params) > 1 && !params[1].optional() {
		values = partsOf(v)
	}
	var args []Named
	for _, v := range append(values, f.args...) {
		args = append(args, Named{Value: v})
	}
	return f.aggregate.Call(args, false)
}

var factoryFunctions = []Function{
	{
		Name: "AggregationFactory", Signature: `AggregationFactory("NAME", …)`,
		Doc:     "An aggregate with its arguments behind the values, for AGGREGATE_BY.",
		Example: `AggregationFactory("SUM")`, Result: "AggregationFactory",
		params: []param{{name: "name", accept: acceptText}}, rest: &acceptValue,
		apply: func(c *invocation) (Value, error) {
			l := constant(c.args[0])
			if l == nil || l.IsNull() {
				return Value{}, about(0, errorf(CodeValue, "the name of the aggregate has to be a constant"))
			}
			name := string(l.Value().Bytes(0))
			row, ok := LookupAggregate(name)
			if !ok {
				e := &Error{Code: CodeUnknown, Message: "there is no aggregate " + name}
				if near := NearestAggregate(name); near != "" {
					e.Hint = "did you mean " + near + "?"
				}
				return Value{}, e
			}
			return Value{Static: &Factory{row, c.args[1:]}}, nil
		},
	},
}
