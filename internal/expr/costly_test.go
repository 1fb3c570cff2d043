package expr

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/function"
)

// costlyAbove is the processor time, in nanoseconds a row, above which a function has to have a reason.
const costlyAbove = 20

// costClass is functions of which a sample call is above the limit, for one reason.
type costClass struct {
	name, reason string
	upTo         int // nanoseconds a row of the dearest sample call, when it was measured last
	functions    []string
}

// costlyFunctions are all that BenchmarkFunctions finds above the limit. A function with several reasons stands where most of its time goes.
var costlyFunctions = []costClass{
	{"written text", "the result is text that was nowhere before, so it is written byte by byte", 400, []string{
		"BIN", "CONCAT", "CONCAT_WS", "FROM_BASE64", "HEX", "INET_NTOA", "INITCAP", "LOWER", "LPAD", "OVERLAY", "PRINTF", "REPEAT", "REPLACE", "REVERSE", "RPAD", "TO_BASE64",
		"TRANSLATE", "UNHEX", "UPPER", "URL_DECODE", "URL_ENCODE", "||"}},
	{"searched text", "the text is walked character by character, as positions count characters and sets hold them; the result is a view into it", 66, []string{
		"BTRIM", "INSTR", "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT", "LOCATE", "LTRIM", "PARSE_URL", "POSITION", "RIGHT", "RTRIM", "SPLIT_INDEX", "SUBSTRING", "TRIM"}},
	{"chosen values", "values of several columns are compared or chosen between, row by row, and text and nested values move into one column", 69, []string{
		"COALESCE", "ELT", "GREATEST", "IF", "LEAST", "NULLIF"}},
	{"patterns", "a regular expression is run, and where it is a column it is read for every text anew", 361, []string{
		"LIKE", "REGEXP", "REGEXP_COUNT", "REGEXP_EXTRACT", "REGEXP_EXTRACT_ALL", "REGEXP_INSTR", "REGEXP_REPLACE", "REGEXP_SUBSTR", "SIMILAR TO"}},
	{"digests", "every byte goes through the digest, and the result is written as hexadecimal digits", 573, []string{
		"MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"}},
	{"calendar", "a day is turned into year, month and day and back, of an instant also by the offsets of the session's zone", 91, []string{
		"CEIL", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "EXTRACT", "FLOOR", "HOUR", "MINUTE", "MONTH", "QUARTER", "SECOND", "TIMESTAMPADD", "TIMESTAMPDIFF", "WEEK", "YEAR", "YEAR TO MONTH"}},
	{"times as text", "a time is read from text or written as text by a pattern, which is read anew for every row where it is a column", 540, []string{
		"CONVERT_TZ", "DATE_FORMAT", "FROM_UNIXTIME", "TO_DATE", "TO_TIMESTAMP", "TO_TIMESTAMP_LTZ", "UNIX_TIMESTAMP"}},
	{"nested values", "an array, map or row is read or written as bytes, element by element; those that tell elements apart put them into a table", 574, []string{
		"=", "ARRAY", "ARRAY_APPEND", "ARRAY_CONCAT", "ARRAY_CONTAINS", "ARRAY_DISTINCT", "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_JOIN", "ARRAY_MAX", "ARRAY_MIN", "ARRAY_POSITION",
		"ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_REVERSE", "ARRAY_SLICE", "ARRAY_SORT", "ARRAY_UNION", "ELEMENT", "IS DISTINCT FROM", "IS NOT DISTINCT FROM", "ITEM", "MAP", "MAP_ENTRIES",
		"MAP_FROM_ARRAYS", "MAP_KEYS", "MAP_UNION", "MAP_VALUES", "ROW", "SPLIT", "STR_TO_MAP"}},
	{"JSON", "the text is parsed as far as the question needs it, or written", 476, []string{
		"IS JSON", "IS JSON ARRAY", "IS JSON OBJECT", "IS JSON SCALAR", "IS NOT JSON", "IS NOT JSON ARRAY", "IS NOT JSON OBJECT", "IS NOT JSON SCALAR", "JSON", "JSON_ARRAY", "JSON_EXISTS",
		"JSON_OBJECT", "JSON_QUERY", "JSON_QUOTE", "JSON_STRING", "JSON_UNQUOTE", "JSON_VALUE"}},
	{"long decimals", "decimals of more than 18 digits are computed in 128 bits and more, and the result is rounded and checked against its digits", 120, []string{
		"%", "*", "+", "-", "/", "ROUND", "TRUNCATE"}},
	{"mathematics", "the function of the standard library takes as long, and so it does in a plain loop", 34, []string{"ATAN2", "LOG", "POWER"}},
	{"meeting types", "one side is turned into the type of the other first: a DATE meets a TIMESTAMP", 28, []string{"<"}},
}

func costly(name string) bool {
	return slices.ContainsFunc(costlyFunctions, func(c costClass) bool { return slices.Contains(c.functions, name) })
}

// TestCostlyFunctions: classes name functions that exist, each once and in order, and the page about them says what stands here. What is above the limit is for
// BenchmarkFunctions to say.
func TestCostlyFunctions(t *testing.T) {
	text, err := os.ReadFile("../../docs/decisions/cost-of-functions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(text), "## The classes\n")
	page, _, _ = strings.Cut(page, "\n## ")
	seen := map[string]string{}
	for _, c := range costlyFunctions {
		if !slices.IsSorted(c.functions) {
			t.Errorf("%s: not in order", c.name)
		}
		if c.upTo <= costlyAbove {
			t.Errorf("%s: up to %d ns needs no reason", c.name, c.upTo)
		}
		for _, f := range c.functions {
			if seen[f] != "" {
				t.Errorf("%s is in %s and in %s", f, seen[f], c.name)
			}
			seen[f] = c.name
			if !slices.ContainsFunc(function.Scalars, func(s function.Scalar) bool { return s.Name == f }) {
				t.Errorf("%s: there is no function %s", c.name, f)
			}
		}
		names := "`" + strings.Join(c.functions, "` `") + "`"
		row := fmt.Sprintf("| %s | %s | %d | %s |\n", c.name, c.reason, c.upTo, strings.ReplaceAll(names, "|", `\|`))
		if !strings.Contains(page, row) {
			t.Errorf("the page lacks the row\n%s", row)
		}
	}
	if rows := strings.Count(page, "\n| ") - 1; rows != len(costlyFunctions) {
		t.Errorf("the page has %d classes, and there are %d", rows, len(costlyFunctions))
	}
}
