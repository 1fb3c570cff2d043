package functions

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// parsed reads values of type t from text; what is none is NULL.
func parsed(v Value, t yqltype.Type) (Value, error) {
	if t.Kind == yqltype.Decimal {
		return engineCast(v, t)
	}
	s := spec{mayBeNull: true, spell: castTo(t)}
	switch {
	case t.Kind == yqltype.Bool:
		s.kernel = bools(func(c *function.Call, i int) (bool, error) {
			switch text := c.Args[0].Bytes(i); {
			case bytes.EqualFold(text, []byte("true")):
				return true, nil
			case bytes.EqualFold(text, []byte("false")):
				return false, nil
			}
			return false, errNull
		})
	case t.IsApproximate():
		bits := 64
		if t.Kind == yqltype.Float {
			bits = 32
		}
		s.kernel = floats(func(c *function.Call, i int) (float64, error) {
			f, ok := readFloat(string(c.Args[0].Bytes(i)), bits)
			if !ok {
				return 0, errNull
			}
			return f, nil
		})
	case t.Kind == yqltype.Json:
		s.kernel = checked(func(text []byte) bool { _, ok := jsontext.Parse(text); return ok })
	case t.Kind == yqltype.Yson:
		s.kernel = checked(validYson)
	case t.Kind == yqltype.Uuid:
		s.kernel = texts(func(dst []byte, c *function.Call, i int) ([]byte, error) { return appendUUID(dst, c.Args[0].Bytes(i)) })
	default:
		read := readers[t.Kind]
		if t.IsInteger() {
			read = readInteger(t)
		}
		s.kernel = ints(func(c *function.Call, i int) (int64, error) {
			n, ok := read(c.Args[0].Bytes(i))
			if !ok {
				return 0, errNull
			}
			return n, nil
		})
	}
	return call("CAST", s, t, v)
}

// checked is the kernel that keeps the texts for which valid holds.
func checked(valid func(text []byte) bool) function.Kernel {
	return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		text := c.Args[0].Bytes(i)
		if !valid(text) {
			return nil, errNull
		}
		return append(dst, text...), nil
	})
}

var readers = map[yqltype.Kind]func(s []byte) (int64, bool){
	yqltype.Date:      readDate,
	yqltype.Datetime:  readDatetime,
	yqltype.Timestamp: readTimestamp,
	yqltype.Interval:  func(s []byte) (int64, bool) { return ParseInterval(string(s)) },
}

func readInteger(t yqltype.Type) func(s []byte) (int64, bool) {
	least, greatest := t.Range()
	return func(s []byte) (int64, bool) {
		n, err := strconv.ParseInt(string(s), 10, 64)
		return n, err == nil && n >= least && n <= greatest
	}
}

func readFloat(s string, bits int) (float64, bool) {
	switch lower := strings.ToLower(s); strings.TrimLeft(lower, "+-") {
	case "inf", "infinity":
		if lower[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	if strings.ContainsAny(s, "xXpP_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, bits)
	return f, err == nil
}

// readDate reads 2031-02-03.
func readDate(s []byte) (int64, bool) {
	if len(s) != len("2031-02-03") {
		return 0, false
	}
	micros, _, ok := timefmt.ParseTimestamp(append(bytes.Clone(s), " 00:00:00"...))
	return timefmt.FloorDiv(micros, timefmt.Day), ok
}

// readDatetime reads 2031-02-03T04:05:06Z.
func readDatetime(s []byte) (int64, bool) {
	micros, ok := readTimestamp(s)
	return micros, ok && micros%timefmt.Second == 0 && bytes.IndexByte(s, '.') < 0
}

// readTimestamp reads 2031-02-03T04:05:06.789Z, with up to six digits of a fraction.
func readTimestamp(s []byte) (int64, bool) {
	if len(s) < len("2031-02-03T04:05:06Z") || len(s) > len("2031-02-03T04:05:06.789012Z") || s[10] != 'T' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	micros, zoned, ok := timefmt.ParseTimestamp(s)
	return micros, ok && zoned
}

// appendUUID writes a UUID in small letters.
func appendUUID(dst, s []byte) ([]byte, error) {
	if len(s) != 36 {
		return nil, errNull
	}
	for i, c := range s {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
		if dash != (c == '-') || !dash && !hex {
			return nil, errNull
		}
	}
	return append(dst, bytes.ToLower(s)...), nil
}
