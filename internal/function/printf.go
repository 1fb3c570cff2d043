package function

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var formatFunctions = []Scalar{
	{
		Name: "PRINTF", Family: FamilyString,
		Signatures: []string{"PRINTF(format, value, …)"},
		Doc: "The format with every %[n$][-+ 0,(#][width][.precision]c replaced by a value, as Java's Formatter does; c is d, x, X, o of whole numbers, f, e, E, g, G of " +
			"others, s, S, b, B of any value, c, C of a code, n of none. NULL is null. A format that varies and does not fit gives NULL.",
		Example: "PRINTF('%05d|%-6s|%,.2f', 42, 'ebb', 1234.5e0)", ExampleResult: "00042|ebb   |1,234.50",
		Resolver: byTypes(resolvePrintf),
	},
}

func resolvePrintf(args []types.Type) (Overload, bool) {
	if len(args) == 0 || !isTextOrNull(args[0]) {
		return Overload{}, false
	}
	params := make([]types.Type, len(args))
	for i, t := range args {
		params[i] = t.Nullable()
	}
	params[0] = types.StringType
	return Overload{Params: params, Result: types.StringType, Nulls: NullAware, Bind: func(constants []*vector.Vector) (Kernel, error) {
		compile := func(format string) (*printFormat, error) { return parseFormat(format, params[1:]) }
		format, err := prepare(0, compile, func(error) bool { return true }, constants)
		return func(c *Call) error { return printf(c, params, format(c)) }, err
	}}, true
}

func printf(c *Call, params []types.Type, format func(int) (*printFormat, error)) error {
	w := newText(c, 32*c.Rows.Count())
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		var f *printFormat
		if !c.Args[0].IsNull(i) {
			f, _ = format(i)
		}
		if f == nil {
			c.SetNull(i)
			w.end(i)
			continue
		}
		for _, d := range f.directives {
			if w.full() {
				break
			}
			w.buf = append(w.buf, d.before...)
			w.buf = d.append(w.buf, c, params, i)
		}
		w.buf = append(w.buf, f.rest...)
		w.end(i)
	}
	w.done()
	return nil
}

// printFormat is a format cut into its directives and the text around them.
type printFormat struct {
	directives []directive
	rest       []byte
}

// directive is a % and what belongs to it.
type directive struct {
	before    []byte // the text in front of it
	arg       int    // which argument of the call
	verb      byte   // in lower case
	upper     bool
	flags     printFlags
	width     int
	precision int // -1 if there is none
}

type printFlags struct{ left, plus, space, zero, comma, parens, alternate bool }

// maxWidth bounds width and precision of a directive, so that a format makes no more of a row than it should.
const maxWidth = 1000

// parseFormat reads a format for values of these types. It is exact about what may be combined, as Java is.
func parseFormat(format string, args []types.Type) (*printFormat, error) {
	f := &printFormat{}
	next, last := 0, -1
	for at := 0; at < len(format); {
		percent := bytes.IndexByte([]byte(format[at:]), '%')
		if percent < 0 {
			f.rest = []byte(format[at:])
			break
		}
		d := directive{before: []byte(format[at : at+percent]), precision: -1}
		start := at + percent
		end, number, repeat := d.scan(format, start+1)
		if end < 0 {
			return nil, badFormat(format[start:], "it breaks off, or has a width or precision above 1000")
		}
		at = end
		text := format[start:end]
		if d.verb != '%' && d.verb != 'n' {
			switch {
			case repeat:
				number = last
			case number < 0:
				number = next
				next++
			}
			if number < 0 || number >= len(args) {
				return nil, badFormat(text, "there is no such argument")
			}
			last, d.arg = number, number+1
		}
		if reason := d.check(args); reason != "" {
			return nil, badFormat(text, reason)
		}
		f.directives = append(f.directives, d)
	}
	return f, nil
}

func badFormat(directive, reason string) error {
	return constantErrorf("%s takes any value", "PRINTF: '%.20s' does not fit: %s", directive, reason)
}

// scan reads a directive behind its %. number is that of the argument, from 0 on, if it is said, else -1; repeat asks for the one before. end is -1 if there
// is no directive.
func (d *directive) scan(format string, at int) (end, number int, repeat bool) {
	number = -1
	n, digits := scanNumber(format[at:])
	if digits > 0 && at+digits < len(format) && format[at+digits] == '$' {
		number = n - 1
		at += digits + 1
	}
flags:
	for ; at < len(format); at++ {
		switch format[at] {
		case '-':
			d.flags.left = true
		case '+':
			d.flags.plus = true
		case ' ':
			d.flags.space = true
		case '0':
			d.flags.zero = true
		case ',':
			d.flags.comma = true
		case '(':
			d.flags.parens = true
		case '#':
			d.flags.alternate = true
		case '<':
			repeat = true
		default:
			break flags
		}
	}
	d.width, digits = scanNumber(format[at:])
	at += digits
	if at < len(format) && format[at] == '.' {
		if d.precision, digits = scanNumber(format[at+1:]); digits == 0 {
			return -1, 0, false
		}
		at += 1 + digits
	}
	if at == len(format) || d.width > maxWidth || d.precision > maxWidth {
		return -1, 0, false
	}
	d.verb = format[at]
	if bytes.IndexByte([]byte("SBCXEG"), d.verb) >= 0 {
		d.verb |= 0x20
		d.upper = true
	}
	return at + 1, number, repeat
}

// scanNumber reads the digits at the beginning of s.
func scanNumber(s string) (n, digits int) {
	for digits < len(s) && '0' <= s[digits] && s[digits] <= '9' {
		n = min(10*n+int(s[digits]-'0'), 1<<20)
		digits++
	}
	return n, digits
}

// check says why the directive cannot be, "" if it can.
func (d *directive) check(args []types.Type) string {
	var t types.Type
	if d.arg > 0 {
		t = args[d.arg-1]
	}
	f := d.flags
	none := t.Kind == types.Null
	numeric := f.plus || f.space || f.zero || f.comma || f.parens
	switch {
	case (f.left || f.zero) && d.width == 0, f.left && f.zero, f.plus && f.space:
		return "these flags do not go together, or want a width"
	}
	switch d.verb {
	case 'd', 'x', 'o':
		switch {
		case !t.IsInteger() && !none:
			return "it wants a whole number, and this is " + t.String()
		case d.precision >= 0, d.verb == 'd' && f.alternate, d.verb != 'd' && (f.plus || f.space || f.comma || f.parens):
			return "it takes no such flag or precision"
		}
	case 'f', 'e', 'g':
		switch {
		case !t.IsApproximate() && t.Kind != types.Decimal && !none:
			return "it wants a FLOAT, DOUBLE or DECIMAL, and this is " + t.String()
		case d.verb == 'e' && f.comma, d.verb == 'g' && f.alternate:
			return "it takes no such flag"
		}
	case 's', 'b':
		if numeric || f.alternate {
			return "it takes no flag but -"
		}
	case 'c':
		switch {
		case !t.IsInteger() && !none:
			return "it wants the code of a character, and this is " + t.String()
		case numeric || f.alternate || d.precision >= 0:
			return "it takes no flag but -, and no precision"
		}
	case '%':
		if numeric || f.alternate || d.precision >= 0 {
			return "it takes no flag but -"
		}
	case 'n':
		if d.width > 0 || numeric || f.left || d.precision >= 0 {
			return "it takes no flag or width"
		}
	default:
		return "there is no such conversion; there are d x o f e g s b c n and %"
	}
	return ""
}

// append writes the value of row i.
func (d *directive) append(dst []byte, c *Call, params []types.Type, i int) []byte {
	from := len(dst)
	switch {
	case d.verb == 'n':
		return append(dst, '\n')
	case d.verb == '%':
		dst = append(dst, '%')
	case d.verb == 'b':
		v := c.Args[d.arg]
		dst = strconv.AppendBool(dst, !v.IsNull(i) && (v.Kind != vector.Bool || v.Bool(i)))
	case c.Args[d.arg].IsNull(i):
		dst = append(dst, "null"...)
	default:
		dst = d.value(dst, params[d.arg], c, i)
	}
	if d.precision >= 0 && (d.verb == 's' || d.verb == 'b') {
		dst = dst[:from+byteOffset(dst[from:], d.precision)]
	}
	if d.upper {
		dst = append(dst[:from], bytes.ToUpper(dst[from:])...)
	}
	return d.pad(dst, from)
}

// pad fills with blanks what was written from position from on.
func (d *directive) pad(dst []byte, from int) []byte {
	missing := d.width - utf8.RuneCount(dst[from:])
	if missing <= 0 {
		return dst
	}
	end := len(dst)
	for range missing {
		dst = append(dst, ' ')
	}
	if !d.flags.left {
		copy(dst[from+missing:], dst[from:end])
		for i := range missing {
			dst[from+i] = ' '
		}
	}
	return dst
}
