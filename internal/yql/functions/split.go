package functions

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// splitRow is SplitToList of a module.
func splitRow(module string) Function {
	flag := func(name string, absent bool) param {
		return param{name: name, accept: acceptBool, absent: Bool(absent)}
	}
	return Function{
		Module: module, Name: "SplitToList",
		Signature: module + "::SplitToList(string, delimiter [, TRUE AS DelimeterString, FALSE AS SkipEmpty, NULL AS Limit])",
		Doc: "The parts of a string between delimiters. With FALSE AS DelimeterString each character of the delimiter is one; TRUE AS SkipEmpty leaves empty parts out; of more parts than " +
			"Limit the last has the rest.",
		Example: "ListConcat(" + module + `::SplitToList("a,,b", ",", TRUE AS SkipEmpty), "+")`, Result: "a+b",
		params: []param{paramString, {name: "delimiter", accept: acceptText}, flag("DelimeterString", true), flag("SkipEmpty", false), {name: "Limit", accept: acceptWhole, absent: absentNumber}},
		apply: func(c *invocation) (Value, error) {
			t := yqltype.ListOf(typeOfModule(module))
			t.Optional = c.args[0].Type.Optional || c.args[1].Type.Optional
			return call(c.name, spec{nulls: function.NullAware, kernel: buildList(vector.Bytes, splitText)}, t, c.args...)
		},
	}
}

// splitText appends the parts of row i.
func splitText(b *vector.Builder, c *function.Call, i int) error {
	if c.Args[0].IsNull(i) || c.Args[1].IsNull(i) {
		return errNull
	}
	s, delimiter := c.Args[0].Bytes(i), c.Args[1].Bytes(i)
	whole := c.Args[2].IsNull(i) || c.Args[2].Bool(i)
	skip := !c.Args[3].IsNull(i) && c.Args[3].Bool(i)
	limit := int64(-1)
	if !c.Args[4].IsNull(i) {
		limit = c.Args[4].Int(i)
	}
	for parts := int64(1); ; {
		at, size := bytes.Index(s, delimiter), len(delimiter)
		if !whole {
			at = bytes.IndexAny(s, string(delimiter))
			if at >= 0 {
				_, size = utf8.DecodeRune(s[at:]) // one byte where that is no UTF-8
			}
		}
		if at < 0 || len(delimiter) == 0 || limit > 0 && parts > limit {
			break
		}
		if part := s[:at]; len(part) > 0 || !skip {
			b.AppendBytes(part)
			parts++
		}
		s = s[at+size:]
	}
	if len(s) > 0 || !skip {
		b.AppendBytes(s)
	}
	return nil
}

// joinRow is JoinFromList of a module.
func joinRow(module string) Function {
	return Function{
		Module: module, Name: "JoinFromList", Signature: module + "::JoinFromList(list, separator)",
		Doc:     "The strings of a List in one, with a separator between them; NULLs are left out.",
		Example: module + `::JoinFromList(AsList("ebb"u, "tide"u), "-")`, Result: "ebb-tide",
		params: []param{paramList, {name: "separator", accept: acceptText}},
		apply: func(c *invocation) (Value, error) {
			v, err := join(c.name, c.args[0], c.args[1])
			if err == nil && module == "Unicode" {
				v.Type = withOptional(typeUtf8, v.Type.Optional)
			}
			return v, err
		},
	}
}

// levenshteinRow is LevensteinDistance of a module, which says what a character is.
func levenshteinRow(module string, characters func(s []byte) []rune) Function {
	return Function{
		Module: module, Name: "LevensteinDistance", Aliases: []string{"LevenshteinDistance"}, Signature: module + "::LevensteinDistance(string, other)",
		Doc:     "How many characters have to be put in, taken out or changed to make one string of the other.",
		Example: module + `::LevensteinDistance("tide"u, "ride"u)`, Result: "1",
		params: []param{paramString, {name: "other", accept: acceptText}},
		apply: gives(count64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
			a, b := characters(c.Args[0].Bytes(i)), characters(c.Args[1].Bytes(i))
			if len(a)*len(b) > maxMade {
				return 0, hintf(CodeValue, "compare their beginnings", "the strings have %d and %d characters, which are too many to be compared", len(a), len(b))
			}
			return distance(a, b), nil
		})}),
	}
}

func distance(a, b []rune) int64 {
	row := make([]int64, len(b)+1)
	for j := range row {
		row[j] = int64(j)
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = int64(i + 1)
		for j, y := range b {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
