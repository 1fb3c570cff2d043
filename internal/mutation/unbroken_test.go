package mutation

// unbroken says of rows that scripts cover why no mutation breaks them.
var unbroken = map[string]string{
	"engine-7":    "restarts anywhere are tried by `tidemark test --variants`, and scripts are run once here",
	"flink-20":    "what values and functions are is a thousand rules; testdata/flink holds them against Flink's own answers",
	"flink-23/41": "state is found by key wherever it is used, so there is no key of the moment that could be wrong",
	"ydb-5.3/2":   "the next window of a row is looked at when the one before has closed, so there is no line that could let them leave in another order",
	"ydb-6.3/3":   "that filters stand behind the watermark follows from where a source ends, and no line says it",
}
