package functions

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

var (
	paramPattern = param{name: "pattern", accept: acceptText}
	acceptRegexp = accept{"Re2::Options(…)", func(v Value) (Value, bool) { _, ok := v.Static.(regexpOptions); return v, ok }}
	paramRegexp  = param{name: "options", accept: acceptRegexp, absent: Value{Static: regexpOptions("")}}
)

// regexpOptions are the flags of a regular expression, as Go writes them.
type regexpOptions string

func (regexpOptions) describe() string { return "Re2::Options" }

// regexpFunctions are those of module Re2, which give functions of a text: Re2::Match("a+")(text). Patterns are constant.
var regexpFunctions = []Function{
	ofPattern("Grep", "Whether the pattern is found in a text.", `Re2::Grep("m.r")("tidemark")`, "true",
		func(re *regexp.Regexp, text Value) (Value, error) { return grep("Re2::Grep", re, text) }),
	ofPattern("Match", "Whether the pattern fits a whole text.", `Re2::Match("t.*k")("tidemark")`, "true",
		func(re *regexp.Regexp, text Value) (Value, error) { return grep("Re2::Match", wholly(re), text) }),
	ofPattern("Count", "How often the pattern is found in a text.", `Re2::Count("e")("ebb tide")`, "2",
		func(re *regexp.Regexp, text Value) (Value, error) {
			return overText("Re2::Count", re, typeUint32, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
				return int64(len(re.FindAllIndex(c.Args[0].Bytes(i), -1))), nil
			})}, text)
		}),
	ofPattern("Capture", "What the groups of the pattern hold where it is found first, as a Struct: _0 is the whole, a group without a name is called by its number.",
		`Re2::Capture("(?P<name>[a-z]+)-([0-9]+)")("berth-42").name`, "berth", capture),
	ofPattern("FindAndConsume", "The first group, or the whole, of all places where the pattern is found.", `ListConcat(Re2::FindAndConsume("([a-z])=")("a=1 b=2"), "+")`, "a+b", consume),
	{
		Module: "Re2", Name: "Replace", Signature: "Re2::Replace(pattern [, options])(text, replacement)",
		Doc:     `A text with a replacement where the pattern is found; \1 in it is the first group.`,
		Example: `Re2::Replace("([a-z]+)-([0-9]+)")("berth-42", "\\2 \\1")`, Result: "42 berth",
		params: []param{paramPattern, paramRegexp},
		apply: func(c *invocation) (Value, error) {
			re, err := compiled(c.args[0], c.args[1].Static.(regexpOptions))
			if err != nil {
				return Value{}, err
			}
			return Value{Static: &Callable{Name: "Re2::Replace(…)", Least: 2, Most: 2, Apply: func(args []Value) (Value, error) { return replaceMatches(re, args) }}}, nil
		},
	},
	{
		Module: "Re2", Name: "Escape", Signature: "Re2::Escape(string)",
		Doc:     "The pattern that is found where the string is.",
		Example: `Re2::Escape("a.b")`, Result: `a\.b`,
		params: []param{paramString},
		apply: gives(typeString, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
			return append(dst, regexp.QuoteMeta(string(c.Args[0].Bytes(i)))...), nil
		})}),
	},
	{
		Module: "Re2", Name: "Options", Signature: "Re2::Options([TRUE AS CaseSensitive, FALSE AS DotNl, FALSE AS Literal, FALSE AS NeverNl, FALSE AS OneLine])",
		Doc:     "How a pattern is read.",
		Example: `Re2::Grep("MARK", Re2::Options(FALSE AS CaseSensitive))("tidemark")`, Result: "true",
		params: []param{{name: "CaseSensitive", accept: acceptBool, absent: Bool(true)}, {name: "DotNl", accept: acceptBool, absent: flagFalse},
			{name: "Literal", accept: acceptBool, absent: flagFalse}, {name: "NeverNl", accept: acceptBool, absent: flagFalse}, {name: "OneLine", accept: acceptBool, absent: flagFalse},
			{name: "Utf8", accept: acceptBool, absent: Bool(true)}},
		apply: regexpFlags,
	},
	refusal("Pire", "Match", "use Re2::Match"),
	refusal("Pire", "Grep", "use Re2::Grep"),
	refusal("Pire", "Capture", "use Re2::Capture"),
	refusal("Hyperscan", "Match", "use Re2::Match"),
	refusal("Hyperscan", "Grep", "use Re2::Grep"),
}

// ofPattern is the row of a function that gives a function of a text.
func ofPattern(name, doc, example, result string, apply func(re *regexp.Regexp, text Value) (Value, error)) Function {
	return Function{
		Module: "Re2", Name: name, Signature: "Re2::" + name + "(pattern [, options])(text)", Doc: doc, Example: example, Result: result,
		params: []param{paramPattern, paramRegexp},
		apply: func(c *invocation) (Value, error) {
			re, err := compiled(c.args[0], c.args[1].Static.(regexpOptions))
			if err != nil {
				return Value{}, err
			}
			return Value{Static: &Callable{Name: c.name + "(…)", Least: 1, Most: 1, Apply: func(args []Value) (Value, error) {
				text, ok := acceptText.take(args[0])
				if !ok {
					return Value{}, wants(c.name+"(…)", 0, acceptText.what, args[0])
				}
				return apply(re, text)
			}}}, nil
		},
	}
}

// compiled reads a constant pattern.
func compiled(pattern Value, flags regexpOptions) (*regexp.Regexp, error) {
	l := constant(pattern)
	if l == nil || l.IsNull() {
		return nil, about(0, errorf(CodeValue, "a pattern has to be a constant"))
	}
	text := string(l.Value().Bytes(0))
	if flags, literal := strings.CutPrefix(string(flags), "literal"); literal {
		text = flags + regexp.QuoteMeta(text)
	} else {
		text = flags + text
	}
	re, err := regexp.Compile(text)
	if err == nil {
		_, err = regexp.Compile(wholePattern(re)) // which nests deeper
	}
	if err != nil {
		return nil, about(0, unreadable(string(l.Value().Bytes(0)), err))
	}
	return re, nil
}

const parenthesisHint = `a parenthesis that stands for itself is written \\( or \\)`

// unreadable says what is wrong with a pattern, and where if one place is at fault.
func unreadable(pattern string, err error) error {
	var wrong *syntax.Error
	if !errors.As(err, &wrong) {
		return errorf(CodeValue, "the pattern %q cannot be read: %s", pattern, err)
	}
	hint := map[syntax.ErrorCode]string{
		syntax.ErrInvalidPerlOp:     "RE2 looks neither ahead nor back; compare what the groups of Re2::Capture hold",
		syntax.ErrMissingParen:      parenthesisHint,
		syntax.ErrUnexpectedParen:   parenthesisHint,
		syntax.ErrInvalidEscape:     `write \\ where the pattern has \, or the pattern between @@ and @@`,
		syntax.ErrTrailingBackslash: `write \\\\ for a \ that stands for itself`,
	}[wrong.Code]
	where := ""
	if at := strings.Index(pattern, wrong.Expr); at >= 0 && wrong.Expr != "" && wrong.Expr != pattern {
		where = fmt.Sprintf(": %s, at character %d", wrong.Expr, utf8.RuneCountInString(pattern[:at])+1)
	}
	return hintf(CodeValue, hint, "the pattern %q cannot be read: %s%s", pattern, wrong.Code, where)
}

func regexpFlags(c *invocation) (Value, error) {
	var flags [6]bool
	for i, v := range c.args {
		l := constant(v)
		if l == nil || l.IsNull() {
			return Value{}, about(i, errorf(CodeValue, "options are constants"))
		}
		flags[i] = l.Value().Bools[0] != 0
	}
	if flags[3] || flags[4] {
		return Value{}, hintf(CodeUnsupported, "write (?m) or (?s) in the pattern", "NeverNl and OneLine are not supported")
	}
	text := ""
	if !flags[0] {
		text += "(?i)"
	}
	if flags[1] {
		text += "(?s)"
	}
	if flags[2] {
		text = "literal" + text
	}
	return Value{Static: regexpOptions(text)}, nil
}

// overText makes the call of a kernel that knows a regular expression.
func overText(name string, re *regexp.Regexp, result yqltype.Type, s spec, text ...Value) (Value, error) {
	s.variant = re.String()
	return call(name, s, result, text...)
}

// wholly is a pattern that fits a whole text only.
func wholly(re *regexp.Regexp) *regexp.Regexp {
	return regexp.MustCompile(wholePattern(re))
}

func wholePattern(re *regexp.Regexp) string { return `\A(?:` + re.String() + `)\z` }

func grep(name string, re *regexp.Regexp, text Value) (Value, error) {
	return overText(name, re, one, spec{kernel: bools(func(c *function.Call, i int) (bool, error) {
		return re.Match(c.Args[0].Bytes(i)), nil
	})}, text)
}

// matching reports whether a regular expression, which is constant, is found in a text or is all of it.
func matching(pattern Value, whole bool, text Value) (Value, error) {
	re, err := compiled(pattern, "")
	if err != nil {
		return Value{}, err
	}
	if whole {
		return grep("Re2::Match", wholly(re), text)
	}
	return grep("Re2::Grep", re, text)
}

// capture makes a Struct of the groups, NULL those that took no part; it is NULL where the pattern is not found.
func capture(re *regexp.Regexp, text Value) (Value, error) {
	t := text.Type.Required()
	var members []yqltype.Member
	for g, name := range re.SubexpNames() {
		if name == "" {
			name = "_" + strconv.Itoa(g)
		}
		members = append(members, yqltype.Member{Name: name, Type: t.OrNull()})
	}
	result := yqltype.StructOf(members)
	order := make([]int, len(members))
	for g, m := range members {
		order[result.Member(m.Name)] = g
	}
	return overText("Re2::Capture", re, result, spec{mayBeNull: true, kernel: func(c *function.Call) error {
		parts := make([]*vector.Vector, len(order))
		return picking(vector.Bytes, func(b *vector.Builder, c *function.Call, i int) error {
			s := c.Args[0].Bytes(i)
			groups := re.FindSubmatchIndex(s)
			if groups == nil {
				b.AppendNull()
				return nil
			}
			for f, g := range order {
				part := vector.NewBuilder(c.Arena, vector.Bytes, 1)
				if from := groups[2*g]; from < 0 {
					part.AppendNull()
				} else {
					part.AppendBytes(s[from:groups[2*g+1]])
				}
				parts[f] = part.Done()
			}
			b.AppendBytes(nested.AppendRow(nil, parts, 0))
			return nil
		})(c)
	}}, text)
}

func consume(re *regexp.Regexp, text Value) (Value, error) {
	return overText("Re2::FindAndConsume", re, yqltype.ListOf(text.Type.Required()), spec{kernel: buildList(vector.Bytes, func(b *vector.Builder, c *function.Call, i int) error {
		for _, groups := range re.FindAllSubmatch(c.Args[0].Bytes(i), -1) {
			b.AppendBytes(groups[min(1, len(groups)-1)])
		}
		return nil
	})}, text)
}

func replaceMatches(re *regexp.Regexp, args []Value) (Value, error) {
	for i, v := range args {
		if _, ok := acceptText.take(v); !ok {
			return Value{}, wants("Re2::Replace(…)", i, acceptText.what, v)
		}
	}
	return overText("Re2::Replace", re, args[0].Type.Required(), spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		return replaceGroups(dst, re, c.Args[0].Bytes(i), c.Args[1].Bytes(i)), nil
	})}, args...)
}

// replaceGroups puts a replacement in the place of each match; \0 to \9 in it are groups, and \\ is a backslash.
func replaceGroups(dst []byte, re *regexp.Regexp, s, with []byte) []byte {
	from := 0
	for _, groups := range re.FindAllSubmatchIndex(s, -1) {
		dst = append(dst, s[from:groups[0]]...)
		for k := 0; k < len(with); k++ {
			if with[k] != '\\' || k+1 == len(with) {
				dst = append(dst, with[k])
				continue
			}
			k++
			if g := int(with[k]) - '0'; g >= 0 && g <= 9 {
				if 2*g < len(groups) && groups[2*g] >= 0 {
					dst = append(dst, s[groups[2*g]:groups[2*g+1]]...)
				}
				continue
			}
			dst = append(dst, with[k])
		}
		from = groups[1]
	}
	return append(dst, s[from:]...)
}
