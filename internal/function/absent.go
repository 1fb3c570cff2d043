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
	{Names: []string{"BIN", "HEX", "UNHEX", "CONV", "ASCII", "CHR", "ENCODE", "DECODE", "TO_BASE64", "FROM_BASE64", "URL_ENCODE", "URL_DECODE"}},
	{Names: []string{"MD5", "SHA1", "SHA2", "SHA224", "SHA256", "SHA384", "SHA512"}},

	{Names: []string{"LEFT"}, Instead: "the first n characters are SUBSTRING(string, 1, n)"},
	{Names: []string{"RIGHT"}, Instead: "the last n characters are SUBSTRING(string, -n)"},
	{Names: []string{"INSTR"}, Instead: "write LOCATE(search, string)"},
	{Names: []string{"BTRIM"}, Instead: "write TRIM(string), or TRIM(characters FROM string)"},
	{Names: []string{"OVERLAY"}, Instead: "put the string together of SUBSTRING and ||"},
	{Names: []string{"REGEXP", "REGEXP_SUBSTR", "REGEXP_COUNT", "REGEXP_INSTR", "REGEXP_EXTRACT_ALL"},
		Instead: "REGEXP_EXTRACT(string, pattern) gives the first match, or NULL if there is none"},
	{Names: []string{"REGEXP_REPLACE", "TRANSLATE"}, Instead: "REPLACE(string, search, replacement) replaces fixed strings"},
	{Names: []string{"SPLIT", "STR_TO_MAP", "SUBSTRING_INDEX", "ELT"}, Instead: "SPLIT_INDEX(string, separator, index) gives one part"},
	{Names: []string{"IS_ALPHA", "IS_DECIMAL", "IS_DIGIT"}, Instead: "TRY_CAST(string AS BIGINT) IS NOT NULL tells whether a string is a number"},
	{Names: []string{"INITCAP", "REPEAT", "PARSE_URL", "PRINTF"}},

	{Names: []string{"SOURCE_WATERMARK"}, Instead: "it needs a table with record timestamps; write the watermark as an expression, such as ts - INTERVAL '5' SECOND"},

	{Names: []string{"JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "JSON_STRING", "JSON_OBJECT", "JSON_ARRAY", "JSON_QUOTE", "JSON_UNQUOTE", "PARSE_JSON", "TRY_PARSE_JSON",
		"JSON_OBJECTAGG", "JSON_ARRAYAGG"}, Instead: "a field of the file that is an object or array can be declared STRING, and REGEXP_EXTRACT takes a part of it"},
	{Names: []string{"MAP_FROM_ENTRIES"}, Instead: "write MAP_FROM_ARRAYS(keys, values), or MAP[key, value, …]"},
	{Names: []string{"TYPEOF"}, Instead: "EXPLAIN tells the columns, and an error about a call the types of its arguments"},

	{Names: []string{"COVAR_POP", "COVAR_SAMP"}},
	{Names: []string{"ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST", "NTILE", "LEAD", "LAG"}, Instead: "there is no OVER yet; MIN and MAX per window give the first and the last"},
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
