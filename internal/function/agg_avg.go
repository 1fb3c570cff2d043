package function

import "github.com/tidemark-sql/tidemark/internal/types"

var avgAggregate = Aggregate{
	Name:       "AVG",
	Signatures: []string{"AVG(number)"},
	Doc: "The mean of the values that are not NULL, in the type of the values: that of whole numbers is cut off towards zero, and their sum wraps if it does not fit (Flink 2.3). " +
		"That of a DECIMAL has at least 6 digits behind the point, halves rounded away from zero. NULL if there are none.",
	Example: "AVG(x)", ExampleResult: "1",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		if t, ok := c.single(); ok && t.Kind == types.Decimal {
			return resolveDecimalTotal(t, types.DecimalOf(types.MaxDigits, max(int(t.Scale), 6)), true)
		}
		return resolveTotal(c, doubles,
			func(s, n int64) int64 { return s / n },
			func(s float64, n int64) float64 { return s / float64(n) })
	},
}
