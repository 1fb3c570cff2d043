package function

var avgAggregate = Aggregate{
	Name:       "AVG",
	Signatures: []string{"AVG(number)"},
	Doc: "The mean of the values that are not NULL, in the type of the values: that of whole numbers is cut off towards zero (Flink 2.3). " +
		"NULL if there are none.",
	Example: "AVG(x)", ExampleResult: "1",
	resolve: func(c AggregateCall) (AggregateOverload, error) {
		return resolveTotal(c,
			func(s, n int64) int64 { return s / n },
			func(s float64, n int64) float64 { return s / float64(n) })
	},
}
