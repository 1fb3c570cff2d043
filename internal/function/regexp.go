package function

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/javaregexp"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Regular expressions are those of Java, see package javaregexp. A constant pattern that is none is refused; one that varies gives NULL for its row, as in
// Flink, and an error if Java knows it and RE2 does not.
var regexpFunctions = []Scalar{
	{
		Name: "REGEXP", Family: FamilyPattern,
		Signatures: []string{"REGEXP(string, pattern)"},
		Doc:        "Whether the regular expression matches somewhere in the string; FALSE if the pattern is empty.",
		Example:    "REGEXP('tidemark', '^t.*k$')", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: stringParams(2), Result: types.BooleanType, Bind: onPattern("REGEXP", 1, javaregexp.Compile, regexpMatch)}},
	},
	{
		Name: "REGEXP_EXTRACT", Family: FamilyPattern,
		Signatures: []string{"REGEXP_EXTRACT(string, pattern)", "REGEXP_EXTRACT(string, pattern, group)"},
		Doc:        "What a group of the regular expression (0, the whole match, unless given) matched first; NULL if nothing.",
		Example:    "REGEXP_EXTRACT('id=42;', 'id=([0-9]+)', 1)", ExampleResult: "42",
		Overloads: regexpOverloads("REGEXP_EXTRACT", types.StringType, regexpExtract, true),
	},
	{
		Name: "REGEXP_EXTRACT_ALL", Family: FamilyPattern,
		Signatures: []string{"REGEXP_EXTRACT_ALL(string, pattern)", "REGEXP_EXTRACT_ALL(string, pattern, group)"},
		Doc:        "What a group of the regular expression (1 unless given; 0 is the whole match) matched in every match; NULL if there is no such group.",
		Example:    "REGEXP_EXTRACT_ALL('a1b22', '([a-z])([0-9]+)', 2)", ExampleResult: "[1, 22]",
		Overloads: regexpOverloads("REGEXP_EXTRACT_ALL", types.ArrayOf(types.StringType), regexpExtractAll, true),
	},
	{
		Name: "REGEXP_REPLACE", Family: FamilyPattern,
		Signatures: []string{"REGEXP_REPLACE(string, pattern, replacement)"},
		Doc:        "The string with every match of the regular expression replaced. Flink 2.3: the replacement is taken as it is; $1 means nothing in it.",
		Example:    "REGEXP_REPLACE('ebb and flow', '[aeo]', '-')", ExampleResult: "-bb -nd fl-w",
		Overloads: []Overload{{Params: stringParams(3), Result: types.StringType, MayBeNull: true,
			Bind: onPattern("REGEXP_REPLACE", 1, javaregexp.Compile, regexpReplace)}},
	},
	{
		Name: "REGEXP_SUBSTR", Family: FamilyPattern,
		Signatures: []string{"REGEXP_SUBSTR(string, pattern)"},
		Doc:        "The first match of the regular expression; NULL if there is none.",
		Example:    "REGEXP_SUBSTR('berth 42', '[0-9]+')", ExampleResult: "42",
		Overloads: regexpOverloads("REGEXP_SUBSTR", types.StringType, regexpExtract, false),
	},
	{
		Name: "REGEXP_COUNT", Family: FamilyPattern,
		Signatures: []string{"REGEXP_COUNT(string, pattern)"},
		Doc:        "How often the regular expression matches.",
		Example:    "REGEXP_COUNT('ebb and ebb', 'e.?b')", ExampleResult: "2",
		Overloads: regexpOverloads("REGEXP_COUNT", types.IntType, regexpCount, false),
	},
	{
		Name: "REGEXP_INSTR", Family: FamilyPattern,
		Signatures: []string{"REGEXP_INSTR(string, pattern)"},
		Doc:        "Where the first match of the regular expression begins, the first character being 1; 0 if there is none.",
		Example:    "REGEXP_INSTR('berth 42', '[0-9]')", ExampleResult: "7",
		Overloads: regexpOverloads("REGEXP_INSTR", types.IntType, regexpInstr, false),
	},
}

// regexpOverloads are those of a function of string and pattern that is NULL for rows whose pattern is none, with a group or without.
func regexpOverloads(name string, result types.Type, kernel patternKernel, grouped bool) []Overload {
	bind := onPattern(name, 1, javaregexp.Compile, kernel)
	overloads := []Overload{{Params: stringParams(2), Result: result, MayBeNull: true, Bind: bind}}
	if grouped {
		params := []types.Type{types.StringType, types.StringType, types.BigIntType}
		overloads = append(overloads, Overload{Params: params, Result: result, MayBeNull: true, Bind: bind})
	}
	return overloads
}

// patternKernel is a Kernel that is handed the compiled pattern of each row, nil if it is none.
type patternKernel func(c *Call, pattern func(i int) (*javaregexp.Pattern, error)) error

type patternCompiler func(string) (*javaregexp.Pattern, error)

// onPattern compiles the pattern of argument arg for a kernel.
func onPattern(name string, arg int, compile patternCompiler, kernel patternKernel) func([]*vector.Vector) (Kernel, error) {
	return func(constants []*vector.Vector) (Kernel, error) {
		pattern, err := preparePattern(name, arg, compile, constants)
		return func(c *Call) error { return kernel(c, pattern(c)) }, err
	}
}

// preparePattern compiles the pattern of argument arg.
func preparePattern(name string, arg int, compile patternCompiler, constants []*vector.Vector) (perRow[*javaregexp.Pattern], error) {
	pattern, err := prepare(arg, compile, isNoPattern, constants)
	if err == nil {
		return pattern, nil
	}
	e := &ConstantError{Err: fmt.Errorf("%s: %w", name, err), Hint: "a backslash before a sign takes it as it is"}
	var beyond *javaregexp.UnsupportedError
	if e.Unsupported = errors.As(err, &beyond); e.Unsupported {
		e.Hint = "match more, and take a part of it by a group: REGEXP_EXTRACT(string, pattern, 1)"
	}
	return nil, e
}

// isNoPattern reports whether a pattern is none in Java either.
func isNoPattern(err error) bool {
	var e *javaregexp.SyntaxError
	return errors.As(err, &e)
}

func regexpMatch(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		c.Out.Bools[i] = bit(p != nil && len(c.Args[1].Bytes(i)) > 0 && p.Match(c.Args[0].Bytes(i)))
	}
	return nil
}

// groupOf is the group that row i asks for, -1 if the pattern has none of that number.
func groupOf(c *Call, i, otherwise int, p *javaregexp.Pattern) int {
	group := int64(otherwise)
	if len(c.Args) == 3 {
		group = c.Args[2].Int(i)
	}
	if p == nil || group < 0 || group > int64(p.Groups()) {
		return -1
	}
	return int(group)
}

func regexpExtract(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	v := c.Args[0]
	c.Out.Buf = v.Buf
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		c.Out.Views[i] = vector.View{}
		group := groupOf(c, i, 0, p)
		var match []int
		if group >= 0 {
			match = p.Find(v.Bytes(i))
		}
		if match == nil || match[2*group] < 0 {
			c.SetNull(i)
			continue
		}
		from, to := match[2*group], match[2*group+1]
		c.Out.Views[i] = vector.View{Off: v.Views[i&v.Mask()].Off + uint32(from), Len: uint32(to - from)}
	}
	return nil
}

func regexpExtractAll(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	a := newArrays(c)
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		if group := groupOf(c, i, 1, p); group < 0 {
			c.SetNull(i)
		} else {
			s := c.Args[0].Bytes(i)
			p.All(s, func(match []int) {
				if match[2*group] < 0 {
					a.elems.AppendNull()
					return
				}
				a.elems.AppendBytes(s[match[2*group]:match[2*group+1]])
			})
		}
		a.end()
	}
	a.done(c)
	return nil
}

func regexpReplace(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	w := newText(c, size(c.Args[0], c.Rows))
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		if p == nil {
			c.SetNull(i)
			w.end(i)
			continue
		}
		s, replacement, from := c.Args[0].Bytes(i), c.Args[2].Bytes(i), 0
		p.All(s, func(match []int) {
			if w.full() {
				return
			}
			w.buf = append(append(w.buf, s[from:match[0]]...), replacement...)
			from = match[1]
		})
		w.buf = append(w.buf, s[from:]...)
		w.end(i)
	}
	w.done()
	return nil
}

func regexpCount(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	return regexpNumber(c, pattern, func(p *javaregexp.Pattern, s []byte) (n int64) {
		p.All(s, func([]int) { n++ })
		return n
	})
}

func regexpInstr(c *Call, pattern func(int) (*javaregexp.Pattern, error)) error {
	return regexpNumber(c, pattern, func(p *javaregexp.Pattern, s []byte) int64 {
		match := p.Find(s)
		if match == nil {
			return 0
		}
		return int64(utf8.RuneCount(s[:match[0]])) + 1
	})
}

// regexpNumber computes a number from the string of every row that has a pattern.
func regexpNumber(c *Call, pattern func(int) (*javaregexp.Pattern, error), number func(p *javaregexp.Pattern, s []byte) int64) error {
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		p, err := pattern(i)
		if err != nil {
			return err
		}
		c.Out.Ints[i] = 0
		if p == nil {
			c.SetNull(i)
			continue
		}
		c.Out.Ints[i] = number(p, c.Args[0].Bytes(i))
	}
	return nil
}
