package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Functions that take strings apart, or one of several.
var splitFunctions = []Scalar{
	{
		Name: "SPLIT", Family: FamilyString,
		Signatures: []string{"SPLIT(string, separator)"},
		Doc:        "The parts of the string between the separators; its characters if the separator is empty.",
		Example:    "SPLIT('a,b,c', ',')", ExampleResult: "[a, b, c]",
		Overloads: []Overload{{Params: stringParams(2), Result: types.ArrayOf(types.StringType), Kernel: split}},
	},
	{
		Name: "SPLIT_INDEX", Family: FamilyString,
		Signatures: []string{"SPLIT_INDEX(string, separator, index)", "SPLIT_INDEX(string, code, index)"},
		Doc: "The part number index, from 0 on, of the string split at every separator, which may be given as the code of a character from 1 to 255; NULL if " +
			"there is none, or if the string is empty.",
		Example: "SPLIT_INDEX('a,b,c', ',', 1)", ExampleResult: "b",
		Overloads: []Overload{
			{Params: []types.Type{types.StringType, types.StringType, types.BigIntType}, Result: types.StringType, MayBeNull: true, Kernel: cutting(0, splitIndex)},
			{Params: []types.Type{types.StringType, types.BigIntType, types.BigIntType}, Result: types.StringType, MayBeNull: true, Kernel: cutting(0, splitIndexCode)},
		},
	},
	{
		Name: "STR_TO_MAP", Family: FamilyString,
		Signatures: []string{"STR_TO_MAP(string)", "STR_TO_MAP(string, entrySeparator, keySeparator)"},
		Doc: "The entries of a string as a map; they are separated by commas and their keys from the values by =, unless two regular expressions say else. " +
			"A value that is missing is NULL; of equal keys the last counts.",
		Example: "STR_TO_MAP('ebb=1,flow=2')", ExampleResult: "{ebb=1, flow=2}",
		Overloads: []Overload{
			{Params: stringParams(1), Result: stringMap, Kernel: strToMap(mustPattern(","), mustPattern("="))},
			{Params: stringParams(3), Result: stringMap, Bind: bindStrToMap},
		},
	},
	{
		Name: "ELT", Family: FamilyString,
		Signatures: []string{"ELT(index, value, …)"},
		Doc:        "The value number index, from 1 on, of strings or bytes; NULL if there is none.",
		Example:    "ELT(2, 'ebb', 'flow')", ExampleResult: "flow",
		Overloads: []Overload{
			{Params: []types.Type{types.BigIntType, types.StringType}, Variadic: true, Result: types.StringType, Nulls: NullAware, Kernel: rewriting(elt)},
			{Params: []types.Type{types.BigIntType, types.BytesType}, Variadic: true, Result: types.BytesType, Nulls: NullAware, Kernel: rewriting(elt)},
		},
	},
}

// arrays builds the result of a function that makes an ARRAY of strings for each row.
type arrays struct {
	elems *vector.Builder
	ends  []int32
}

func newArrays(c *Call) arrays {
	return arrays{vector.NewBuilder(c.Arena, vector.Bytes, 2*c.Rows.Count()), make([]int32, 0, c.Rows.Count())}
}

// end ends the array of the next row of the call.
func (a *arrays) end() { a.ends = append(a.ends, int32(a.elems.Len())) }

func (a *arrays) done(c *Call) { nested.Pack(c.Arena, a.elems.Done(), a.ends, c.Rows, c.Out) }

// split cuts at separators. Flink 2.3: the empty string has no parts.
func split(c *Call) error {
	a := newArrays(c)
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		s, separator := c.Args[0].Bytes(i), c.Args[1].Bytes(i)
		for len(separator) == 0 && len(s) > 0 {
			_, width := utf8.DecodeRune(s)
			a.elems.AppendBytes(s[:width])
			s = s[width:]
		}
		for first := true; len(separator) > 0 && (len(s) > 0 || !first); first = false {
			at := bytes.Index(s, separator)
			if at < 0 {
				a.elems.AppendBytes(s)
				break
			}
			a.elems.AppendBytes(s[:at])
			s = s[at+len(separator):]
		}
		a.end()
	}
	a.done(c)
	return nil
}

func splitIndex(s []byte, c *Call, i int) (from, to int, ok bool) {
	return part(s, c.Args[1].Bytes(i), c.Args[2].Int(i))
}

func splitIndexCode(s []byte, c *Call, i int) (from, to int, ok bool) {
	code := c.Args[1].Int(i)
	if code < 1 || code > 255 {
		return 0, 0, false
	}
	var separator [utf8.UTFMax]byte
	return part(s, separator[:utf8.EncodeRune(separator[:], rune(code))], c.Args[2].Int(i))
}

// part is where part number index of s lies. An empty separator does not split.
func part(s, separator []byte, index int64) (from, to int, ok bool) {
	if index < 0 || len(s) == 0 {
		return 0, 0, false
	}
	for {
		end := -1
		if len(separator) > 0 {
			end = bytes.Index(s[from:], separator)
		}
		switch {
		case index == 0 && end < 0:
			return from, len(s), true
		case index == 0:
			return from, from + end, true
		case end < 0:
			return 0, 0, false
		}
		from += end + len(separator)
		index--
	}
}

func elt(dst []byte, c *Call, i int) ([]byte, bool) {
	if c.Args[0].IsNull(i) {
		return dst, false
	}
	index := c.Args[0].Int(i)
	if index < 1 || index >= int64(len(c.Args)) || c.Args[index].IsNull(i) {
		return dst, false
	}
	return append(dst, c.Args[index].Bytes(i)...), true
}
