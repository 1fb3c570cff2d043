package functions

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Null is NULL of type t, made Optional.
func Null(t yqltype.Type) Value {
	if t.Kind != yqltype.Null {
		t = t.OrNull()
	}
	return Value{Expr: expr.Null(t.Physical()), Type: t}
}

// Bare is the NULL that somebody writes, which takes its type from where it stands.
func Bare() Value { return Null(yqltype.Type{}) }

// Bool is a Bool.
func Bool(v bool) Value { return Value{Expr: expr.LiteralBool(v), Type: yqltype.Of(yqltype.Bool)} }

// String is a String.
func String(s string) Value { return bytesOf(yqltype.String, s) }

// Utf8 is a Utf8. The error is the user's: s is not UTF-8.
func Utf8(s string) (Value, error) {
	if !utf8.ValidString(s) {
		return Value{}, errorf(CodeValue, "the text is not UTF-8")
	}
	return bytesOf(yqltype.Utf8, s), nil
}

func bytesOf(k yqltype.Kind, s string) Value {
	t := yqltype.Of(k)
	return Value{Expr: expr.LiteralBytes(t.Physical(), []byte(s)), Type: t}
}

// intOf is a whole number, instant or interval of type t.
func intOf(t yqltype.Type, v int64) Value {
	return Value{Expr: expr.LiteralInt(t.Physical(), v), Type: t}
}

// Int is a number of type t, a whole one.
func Int(t yqltype.Type, v int64) Value { return intOf(t, v) }

// Double is a Double.
func Double(v float64) Value {
	return Value{Expr: expr.LiteralDouble(v), Type: yqltype.Of(yqltype.Double)}
}

// suffixes are those of whole numbers. YQL: without one a number is an Int32, or if it is greater an Int64 or a Uint64.
var suffixes = map[string]yqltype.Kind{"u": yqltype.Uint32, "l": yqltype.Int64, "ul": yqltype.Uint64, "t": yqltype.Int8, "ut": yqltype.Uint8, "s": yqltype.Int16,
	"us": yqltype.Uint16, "i": yqltype.Int32, "ui": yqltype.Uint32}

// Number reads the digits of a number as they are written, with its suffix: 17, 17ul, 0xFFu, 0b101, 0o17, 1.5, 1e9, 2.5f. A sign is no part of it.
func Number(text string) (Value, error) {
	lower := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	based := len(lower) > 1 && lower[0] == '0' && strings.IndexByte("xbo", lower[1]) >= 0
	if !based && strings.ContainsAny(lower, ".e") || !based && strings.HasSuffix(lower, "f") {
		return floating(text, lower)
	}
	digits := lower
	end := len(lower)
	for end > 0 && lower[end-1] >= 'g' {
		end--
	}
	digits, suffix := lower[:end], lower[end:]
	if digits == "0" && suffix != "" && based {
		return Value{}, errorf(CodeValue, "%s is no number", text)
	}
	n, ok := new(big.Int).SetString(digits, baseOf(based))
	if !ok {
		return Value{}, errorf(CodeValue, "%s is no number", text)
	}
	kind, known := suffixes[suffix]
	switch {
	case suffix == "":
		kind = yqltype.Int32
		if n.BitLen() > 31 {
			kind = yqltype.Int64
		}
		if n.BitLen() > 63 {
			kind = yqltype.Uint64
		}
	case !known:
		return Value{}, hintf(CodeValue, "the suffixes are u, l, ul, s, us, t and ut", "%s has an unknown suffix %q", text, suffix)
	}
	t := yqltype.Of(kind)
	if n.BitLen() > 63 {
		return Value{}, hintf(CodeValue, "a Uint64 ends here at 9223372036854775807", "%s is too great", text)
	}
	if _, greatest := t.Range(); n.Int64() > greatest {
		return Value{}, errorf(CodeValue, "%s is too great for %s", text, t)
	}
	return intOf(t, n.Int64()), nil
}

// baseOf lets a prefix say the base, which a leading zero does not.
func baseOf(based bool) int {
	if based {
		return 0
	}
	return 10
}

func floating(text, lower string) (Value, error) {
	t := yqltype.Of(yqltype.Double)
	bits := 64
	if strings.HasSuffix(lower, "f") {
		t, bits, lower = yqltype.Of(yqltype.Float), 32, strings.TrimSuffix(lower, "f")
	}
	v, err := strconv.ParseFloat(lower, bits)
	if err != nil || math.IsInf(v, 0) {
		return Value{}, errorf(CodeValue, "%s is no number", text)
	}
	if bits == 32 {
		e, err := expr.NewCast(expr.LiteralDouble(v), types.FloatType, false)
		return Value{Expr: e, Type: t}, err
	}
	return Double(v), nil
}

// Construct is a value of type t that is written as text: Timestamp("2031-02-03T04:05:06Z"), Interval("PT5S"), Uint64("17"), Json(@@{}@@). The error is the user's: the
// text is no such value.
func Construct(t yqltype.Type, text string) (Value, error) {
	v, err := Cast(String(text), t)
	if err != nil {
		return Value{}, err
	}
	l := constant(v)
	if l == nil || l.IsNull() {
		return Value{}, hintf(CodeValue, constructHints[t.Kind], "%q is no %s", text, t)
	}
	return Value{Expr: l, Type: t}, nil
}

var constructHints = map[yqltype.Kind]string{
	yqltype.Timestamp: `write Timestamp("2031-02-03T04:05:06.789Z")`,
	yqltype.Datetime:  `write Datetime("2031-02-03T04:05:06Z")`,
	yqltype.Date:      `write Date("2031-02-03")`,
	yqltype.Interval:  `write Interval("PT5S"), Interval("PT1H30M") or Interval("P1D")`,
	yqltype.Uuid:      `write Uuid("01234567-89ab-cdef-0123-456789abcdef")`,
}
