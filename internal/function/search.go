package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Functions that look for a fixed string.
var searchFunctions = []Scalar{
	{
		Name: "POSITION", Family: FamilyString,
		Signatures: []string{"POSITION(search IN string [FROM start])"},
		Doc:        "Where search first stands in string at or after start (1 unless given); 0 if nowhere. An empty search stands at 1.",
		Example:    "POSITION('mark' IN 'tidemark')", ExampleResult: "5",
		Overloads: positionOverloads,
	},
	{
		Name: "LOCATE", Family: FamilyString,
		Signatures: []string{"LOCATE(search, string)", "LOCATE(search, string, start)"},
		Doc:        "Where search first stands in string at or after start (1 unless given); 0 if nowhere. An empty search stands at 1.",
		Example:    "LOCATE('d', 'tide and tide', 4)", ExampleResult: "8",
		Overloads: positionOverloads,
	},
	{
		Name: "INSTR", Family: FamilyString,
		Signatures: []string{"INSTR(string, search)", "INSTR(string, search, start)", "INSTR(string, search, start, occurrence)"},
		Doc: "Where search stands in string for the first or the given time from start (1 unless given) on; a negative start counts from the end and looks " +
			"backwards. 0 if nowhere or if start is 0.",
		Example: "INSTR('tide and tide', 'd', -1)", ExampleResult: "12",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.IntType, Kernel: instr},
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.IntType, Kernel: instr},
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType, types.BigIntType}, Result: types.IntType, Kernel: instr},
		},
	},
	{
		Name: "STARTSWITH", Family: FamilyString,
		Signatures: []string{"STARTSWITH(string, start)", "STARTSWITH(bytes, start)"},
		Doc:        "Whether the string or the bytes begin with start.",
		Example:    "STARTSWITH('tidemark', 'tide')", ExampleResult: "TRUE",
		Overloads: ofPairs(bytes.HasPrefix),
	},
	{
		Name: "ENDSWITH", Family: FamilyString,
		Signatures: []string{"ENDSWITH(string, end)", "ENDSWITH(bytes, end)"},
		Doc:        "Whether the string or the bytes end with end.",
		Example:    "ENDSWITH('tidemark', 'tide')", ExampleResult: "FALSE",
		Overloads: ofPairs(bytes.HasSuffix),
	},
}

var positionOverloads = []Overload{
	{Params: stringParams(2), Result: types.IntType, Kernel: position},
	{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.IntType, Kernel: position},
}

// ofPairs are the overloads of a test on two strings or two values of bytes.
func ofPairs(test func(a, b []byte) bool) []Overload {
	kernel := deciding(func(c *Call, i int) bool { return test(c.Args[0].Bytes(i), c.Args[1].Bytes(i)) })
	return []Overload{
		{Params: stringParams(2), Result: types.BooleanType, Kernel: kernel},
		{Params: []types.Type{types.BytesType, types.BytesType}, Result: types.BooleanType, Kernel: kernel},
	}
}

// position serves POSITION and LOCATE. Flink 2.3: a start below 1 is 1, and an empty search stands at 1 whatever the start.
func position(c *Call) error {
	search, s := c.Args[0], c.Args[1]
	var start *vector.Vector
	if len(c.Args) == 3 {
		start = c.Args[2]
	}
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		from := int64(1)
		if start != nil {
			from = start.Int(i)
		}
		c.Out.Ints[i] = positionFrom(search.Bytes(i), s.Bytes(i), from)
	}
	return nil
}

func positionFrom(search, s []byte, start int64) int64 {
	if len(search) == 0 {
		return 1
	}
	from := byteOffset(s, int(start-1))
	at := bytes.Index(s[from:], search)
	if at < 0 {
		return 0
	}
	return int64(utf8.RuneCount(s[:from+at])) + 1
}

func instr(c *Call) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		start, occurrence := int64(1), int64(1)
		if len(c.Args) > 2 {
			start = c.Args[2].Int(i)
		}
		if len(c.Args) > 3 {
			occurrence = c.Args[3].Int(i)
		}
		if occurrence < 1 {
			return rowErrorf(i, "the occurrence that INSTR looks for is %d; it is 1 or more", occurrence)
		}
		switch s, search := c.Args[0].Bytes(i), c.Args[1].Bytes(i); {
		case start > 0:
			c.Out.Ints[i] = forwards(s, search, start, occurrence)
		case start < 0:
			c.Out.Ints[i] = backwards(s, search, -start, occurrence)
		default:
			c.Out.Ints[i] = 0
		}
	}
	return nil
}

// forwards is where search stands for the n-th time from character start on. Occurrences may overlap.
func forwards(s, search []byte, start, n int64) int64 {
	at := int64(0)
	for ; n > 0; n-- {
		if at = positionFrom(search, s, start); at == 0 || len(search) == 0 {
			return at
		}
		start = at + 1
	}
	return at
}

// backwards is where search stands for the n-th time before the end, its last character being number last from the end at most.
func backwards(s, search []byte, last, n int64) int64 {
	if len(search) == 0 {
		return int64(utf8.RuneCount(s)) + 1
	}
	for ; last > 1 && len(s) > 0; last-- {
		_, width := utf8.DecodeLastRune(s)
		s = s[:len(s)-width]
	}
	for {
		at := bytes.LastIndex(s, search)
		if at < 0 {
			return 0
		}
		if n--; n == 0 {
			return int64(utf8.RuneCount(s[:at])) + 1
		}
		_, width := utf8.DecodeLastRune(s[:at+len(search)])
		s = s[:at+len(search)-width]
	}
}
