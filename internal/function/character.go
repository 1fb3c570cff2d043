package function

import (
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Functions about single characters and their codes.
var characterFunctions = []Scalar{
	{
		Name: "ASCII", Family: FamilyString,
		Signatures: []string{"ASCII(string)"},
		Doc:        "The code of the first character; 0 if the string is empty. Flink 2.3: of a character beyond ASCII the first byte of UTF-8, from -128 to -1.",
		Example:    "ASCII('tide')", ExampleResult: "116",
		Overloads: ofStrings(1, types.IntType, counting(ascii)),
	},
	{
		Name: "CHR", Family: FamilyString,
		Signatures: []string{"CHR(code)"},
		Doc:        "The character of a code from 0 to 255, of others of the remainder of 256; the empty string if it is negative.",
		Example:    "CHR(116)", ExampleResult: "t",
		Overloads: []Overload{{Params: []types.Type{types.BigIntType}, Result: types.StringType, Kernel: rewriting(chr)}},
	},
	{
		Name: "IS_ALPHA", Family: FamilyString,
		Signatures: []string{"IS_ALPHA(string)", "IS_ALPHA(number)"},
		Doc:        "Whether the string has letters only, and some; FALSE for NULL and for numbers.",
		Example:    "IS_ALPHA('tide')", ExampleResult: "TRUE",
		Resolver: byTypes(classTest(func(types.Type) bool { return false }, isAlpha)),
	},
	{
		Name: "IS_DIGIT", Family: FamilyString,
		Signatures: []string{"IS_DIGIT(string)", "IS_DIGIT(number)"},
		Doc:        "Whether the string has digits only, and some; FALSE for NULL. Flink 2.3: TRUE for whole numbers and FALSE for others, whatever their value.",
		Example:    "IS_DIGIT('42')", ExampleResult: "TRUE",
		Resolver: byTypes(classTest(types.Type.IsInteger, isDigits)),
	},
	{
		Name: "IS_DECIMAL", Family: FamilyString,
		Signatures: []string{"IS_DECIMAL(string)", "IS_DECIMAL(number)"},
		Doc:        "Whether the string is a number; FALSE for NULL. Flink 2.3: FALSE for a DECIMAL and TRUE for other numbers, whatever their value.",
		Example:    "IS_DECIMAL('-1.5e3')", ExampleResult: "TRUE",
		Resolver: byTypes(classTest(func(t types.Type) bool { return t.Kind != types.Decimal }, isDecimal)),
	},
}

func ascii(c *Call, i int) int64 {
	s := c.Args[0].Bytes(i)
	if len(s) == 0 {
		return 0
	}
	return int64(int8(s[0]))
}

func chr(dst []byte, c *Call, i int) ([]byte, bool) {
	code := c.Args[0].Int(i)
	if code < 0 {
		return dst, true
	}
	return utf8.AppendRune(dst, rune(code&0xff)), true
}

// classTest resolves a test that is never NULL: of a string it depends on the value, of a number on the type.
func classTest(ofNumber func(types.Type) bool, ofString func([]byte) bool) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 1 {
			return Overload{}, false
		}
		o := Overload{Params: []types.Type{args[0].Nullable()}, Result: types.BooleanType, Nulls: NullAware}
		o.Result.NotNull = true
		switch t := args[0]; {
		case t.IsText() || t.Kind == types.Null:
			o.Kernel = deciding(func(c *Call, i int) bool { return !c.Args[0].IsNull(i) && ofString(c.Args[0].Bytes(i)) })
		case t.IsNumeric():
			answer := ofNumber(t)
			o.Kernel = deciding(func(*Call, int) bool { return answer })
		default:
			return Overload{}, false
		}
		return o, true
	}
}

func isAlpha(s []byte) bool { return all(s, unicode.IsLetter) }

func isDigits(s []byte) bool { return all(s, unicode.IsDigit) }

// all reports whether there are characters in s and each fits.
func all(s []byte, fits func(rune) bool) bool {
	for at := 0; at < len(s); {
		r, width := utf8.DecodeRune(s[at:])
		if !fits(r) {
			return false
		}
		at += width
	}
	return len(s) > 0
}

// isDecimal reads what Java reads as a double, as Flink 2.3 does: with control characters and blanks around it, an exponent, a final d or f, NaN, Infinity.
func isDecimal(s []byte) bool {
	if isDigits(s) {
		return true
	}
	for len(s) > 0 && s[0] <= ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if string(s) == "NaN" || string(s) == "Infinity" {
		return true
	}
	s, whole := skipDigits(s)
	fraction := 0
	if len(s) > 0 && s[0] == '.' {
		s, fraction = skipDigits(s[1:])
	}
	if whole+fraction == 0 {
		return false
	}
	if len(s) > 0 && s[0]|0x20 == 'e' {
		s = s[1:]
		if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		var exponent int
		if s, exponent = skipDigits(s); exponent == 0 {
			return false
		}
	}
	return len(s) == 0 || len(s) == 1 && (s[0]|0x20 == 'd' || s[0]|0x20 == 'f')
}

// skipDigits is what stands behind the digits at the beginning of s, and how many they are.
func skipDigits(s []byte) (rest []byte, n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[n:], n
}
