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
	{Names: []string{"LENGTH", "OCTET_LENGTH"}, Instead: "the number of characters is CHAR_LENGTH(string); Flink has no other length either"},
	{Names: []string{"RLIKE", "REGEXP_LIKE"}, Instead: "write REGEXP(string, pattern)"},
	{Names: []string{"ILIKE"}, Instead: "write LOWER(string) LIKE pattern"},

	{Names: []string{"PARSE_JSON", "TRY_PARSE_JSON"}, Instead: "there is no VARIANT; keep the JSON as a STRING, and take parts of it with JSON_VALUE and JSON_QUERY"},
	{Names: []string{"JSON_LENGTH"}, Instead: "write JSON_VALUE(json, '$.length()' RETURNING INT)"},
	{Names: []string{"IS_JSON"}, Instead: "write string IS JSON"},
	{Names: []string{"OBJECT_OF", "OBJECT_UPDATE"}, Instead: "there are no structured types; write ROW(a, b), and name its fields with CAST(ROW(a, b) AS ROW<x INT, y STRING>)"},
	{Names: []string{"BITMAP_BUILD", "BITMAP_CARDINALITY", "BITMAP_AND", "BITMAP_OR", "BITMAP_XOR", "BITMAP_ANDNOT", "BITMAP_TO_ARRAY", "BITMAP_TO_STRING", "BITMAP_TO_BYTES",
		"BITMAP_FROM_BYTES"}, Instead: "there is no BITMAP; an ARRAY without repetitions is a set: ARRAY_DISTINCT, ARRAY_UNION, ARRAY_INTERSECT, ARRAY_EXCEPT, CARDINALITY"},
	{Names: []string{"BITMAP_BUILD_AGG", "BITMAP_BUILD_CARDINALITY_AGG", "BITMAP_AND_AGG", "BITMAP_AND_CARDINALITY_AGG", "BITMAP_OR_AGG", "BITMAP_OR_CARDINALITY_AGG",
		"BITMAP_XOR_AGG", "BITMAP_XOR_CARDINALITY_AGG"}, Instead: "there is no BITMAP; COUNT(DISTINCT value) counts a set exactly"},
	{Names: []string{"MAP_FROM_ENTRIES"}, Instead: "write MAP_FROM_ARRAYS(keys, values), or MAP[key, value, …]"},

	{Names: []string{"COVAR_POP", "COVAR_SAMP"}},
	{Names: []string{"RANK", "DENSE_RANK"}, Instead: "number rows with ROW_NUMBER() OVER (…)"},
	{Names: []string{"PERCENT_RANK", "CUME_DIST", "NTILE", "LEAD"}, Instead: "they need rows that are yet to come, which Flink has in batch mode only; look back with LAG, or number rows with ROW_NUMBER() OVER (…)"},
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
