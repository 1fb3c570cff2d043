package function

import (
	"slices"
	"strings"
)

// Absent are functions that Flink has and that are not there yet.
type Absent struct {
	// Names are in upper case.
	Names []string
	// Instead says what to write in their place; empty if nothing does.
	Instead string
}

// NotYet lists the absent functions that statements are most likely to call, so that they are refused by name and not as a slip of the pen.
var NotYet = []Absent{
	{Names: []string{"LOG", "LOG2"}, Instead: "the logarithm of x to the base b is LN(x) / LN(b)"},
	{Names: []string{"TRUNCATE"}, Instead: "cut a number off with FLOOR, CEIL or CAST to BIGINT"},
	{Names: []string{"PI", "E"}, Instead: "write the number, 3.141592653589793e0, or EXP(1)"},
	{Names: []string{"DEGREES", "RADIANS"}, Instead: "multiply by 180 / 3.141592653589793e0, or divide by it"},
	{Names: []string{"SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATAN2", "SINH", "COSH", "TANH"}},
	{Names: []string{"RAND", "RAND_INTEGER", "UUID"}, Instead: "a replay gives the same in every run; take random values from a column of 'datagen'"},
	{Names: []string{"BIN", "HEX", "UNHEX", "CONV"}},

	{Names: []string{"LENGTH", "OCTET_LENGTH"}, Instead: "the number of characters is CHAR_LENGTH(string); Flink has no other length either"},
	{Names: []string{"RLIKE", "REGEXP_LIKE"}, Instead: "write REGEXP(string, pattern)"},
	{Names: []string{"ILIKE"}, Instead: "write LOWER(string) LIKE pattern"},

	{Names: []string{"CURRENT_DATE", "TO_DATE"}, Instead: "there is no DATE yet; cut a timestamp to its day with FLOOR(timestamp TO DAY)"},
	{Names: []string{"CURRENT_TIME", "LOCALTIME"}, Instead: "there is no TIME yet; DATE_FORMAT(LOCALTIMESTAMP, 'HH:mm:ss') writes it as a STRING"},
	{Names: []string{"CURRENT_ROW_TIMESTAMP"}, Instead: "write CURRENT_TIMESTAMP, which moves on with every batch of rows"},
	{Names: []string{"FROM_UNIXTIME"}, Instead: "write DATE_FORMAT(TO_TIMESTAMP_LTZ(seconds, 0), format)"},
	{Names: []string{"CONVERT_TZ"}, Instead: "a TIMESTAMP_LTZ is shown in the zone of the session by CAST to STRING and DATE_FORMAT"},
	{Names: []string{"CURRENT_WATERMARK"}, Instead: "the closing summary tells the watermark, and EXPLAIN how it is made"},
	{Names: []string{"SOURCE_WATERMARK"}, Instead: "it needs a table with record timestamps; write the watermark as an expression, such as ts - INTERVAL '5' SECOND"},

	{Names: []string{"PARSE_JSON", "TRY_PARSE_JSON"}, Instead: "there is no VARIANT; keep the JSON as a STRING, and take parts of it with JSON_VALUE and JSON_QUERY"},
	{Names: []string{"JSON_LENGTH"}, Instead: "write JSON_VALUE(json, '$.length()' RETURNING INT)"},
	{Names: []string{"IS_JSON"}, Instead: "write string IS JSON"},
	{Names: []string{"JSON_OBJECTAGG", "JSON_ARRAYAGG"}},
	{Names: []string{"CARDINALITY", "ELEMENT", "ARRAY_AGG", "ARRAY_APPEND", "ARRAY_CONCAT", "ARRAY_CONTAINS", "ARRAY_DISTINCT", "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_JOIN", "ARRAY_MAX",
		"ARRAY_MIN", "ARRAY_POSITION", "ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_REVERSE", "ARRAY_SLICE", "ARRAY_SORT", "ARRAY_UNION", "COLLECT", "MAP_ENTRIES",
		"MAP_FROM_ARRAYS", "MAP_FROM_ENTRIES", "MAP_KEYS", "MAP_UNION", "MAP_VALUES"}, Instead: "there are no arrays and maps yet"},
	{Names: []string{"TYPEOF"}, Instead: "EXPLAIN tells the columns, and an error about a call the types of its arguments"},

	{Names: []string{"LISTAGG"}, Instead: "the aggregates are COUNT, SUM, AVG, MIN and MAX; MIN and MAX take strings too"},
	{Names: []string{"FIRST_VALUE", "LAST_VALUE"}, Instead: "MIN and MAX over the time column tell when the first and the last row were"},
	{Names: []string{"VAR_POP", "VAR_SAMP", "VARIANCE", "STDDEV_POP", "STDDEV_SAMP", "STDDEV"},
		Instead: "of a DOUBLE x, VAR_POP is AVG(x * x) - AVG(x) * AVG(x), and STDDEV_POP its SQRT"},
	{Names: []string{"APPROX_COUNT_DISTINCT"}, Instead: "write COUNT(DISTINCT value), which is exact"},
	{Names: []string{"PERCENTILE", "COVAR_POP", "COVAR_SAMP"}},
	{Names: []string{"ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LEAD", "LAG"}, Instead: "there is no OVER yet; MIN and MAX per window give the first and the last"},
	{Names: []string{"GROUPING", "GROUPING_ID"}, Instead: "there are no GROUPING SETS yet; write one query per set and join them with UNION ALL"},
}

// LookupNotYet tells whether a function is known to be absent, in any case, and what to write instead.
func LookupNotYet(name string) (instead string, ok bool) {
	name = strings.ToUpper(name)
	for _, a := range NotYet {
		if slices.Contains(a.Names, name) {
			return a.Instead, true
		}
	}
	return "", false
}
