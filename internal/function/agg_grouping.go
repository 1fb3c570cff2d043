package function

var groupingAggregate = Aggregate{
	Name:       "GROUPING",
	Signatures: []string{"GROUPING(key [, key …])"},
	Doc: "Of a query with GROUPING SETS, ROLLUP or CUBE, 0 if the key is in the grouping set of the result, and 1 if it is not, as BIGINT NOT NULL; of several keys, " +
		"a bit for each, the first one the highest.",
	Example: "GROUPING(window_start)", ExampleResult: "0",
	Grouping: true, resolve: noOverload,
}

var groupingIDAggregate = Aggregate{
	Name:       "GROUPING_ID",
	Signatures: []string{"GROUPING_ID(key [, key …])"},
	Doc:        "Another name for GROUPING.",
	Example:    "GROUPING_ID(window_start, window_end)", ExampleResult: "0",
	Grouping: true, resolve: noOverload,
}

var groupIDAggregate = Aggregate{
	Name:       "GROUP_ID",
	Signatures: []string{"GROUP_ID()"},
	Doc:        "Numbers equal grouping sets. Each is there once, so it is 0 (Flink 2.3).",
	Example:    "GROUP_ID()", ExampleResult: "0",
	Grouping: true, resolve: noOverload,
}

func noOverload(AggregateCall) (AggregateOverload, error) { return AggregateOverload{}, nil }
