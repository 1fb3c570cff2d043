package function

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
)

func castToString(o *Overload, from types.Type) {
	if from.Kind == types.String {
		o.Kernel = keep
		return
	}
	if from.Kind != types.TimestampLTZ {
		o.Kernel = rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			return valuefmt.Append(dst, from, c.Args[0], i), true
		})
		return
	}
	o.Stability = Zoned
	o.Kernel = func(c *Call) error {
		clock := newLocalClock(c.Env.Zone)
		return rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			return valuefmt.AppendInt(dst, from, clock.local(c.Args[0].Int(i))), true
		})(c)
	}
}

// castFromString reads values; text that is none is an error of the row, or NULL if try.
func castFromString(o *Overload, to types.Type, try bool) {
	var read func(c *Call, clock *localClock, s []byte, i int) bool
	switch to.Kind {
	case types.Boolean:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseBoolean(s)
			c.Out.Bools[i] = bit(v)
			return ok
		}
	case types.Int:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseInteger(s, math.MinInt32, math.MaxInt32)
			c.Out.Ints[i] = v
			return ok
		}
	case types.BigInt:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseInteger(s, math.MinInt64, math.MaxInt64)
			c.Out.Ints[i] = v
			return ok
		}
	case types.Decimal:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			digits, reading := numfmt.ReadDecimal(bytes.TrimSpace(s), int(to.Precision), int(to.Scale))
			putDecimal(c.Out, i, digits)
			return reading == numfmt.Read
		}
	case types.Double:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseDouble(s)
			c.Out.Floats[i] = v
			return ok
		}
	case types.Timestamp:
		step := stepOf(to.Precision)
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseLenient(bytes.TrimSpace(s))
			c.Out.Ints[i] = timefmt.Floor(v, step)
			return ok
		}
	case types.TimestampLTZ:
		o.Stability = Zoned
		step := stepOf(to.Precision)
		read = func(c *Call, clock *localClock, s []byte, i int) bool {
			v, ok := parseLenient(bytes.TrimSpace(s))
			c.Out.Ints[i] = clock.instant(timefmt.Floor(v, step))
			return ok
		}
	default:
		return
	}
	o.Kernel = func(c *Call) error {
		clock := newLocalClock(c.Env.Zone)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			s := c.Args[0].Bytes(i)
			if read(c, &clock, s, i) {
				continue
			}
			if !try {
				return castFailed(i, append(append([]byte("the string '"), shorten(s)...), '\''), to)
			}
			c.SetNull(i)
		}
		return nil
	}
}

// castFailed is the error of a row whose value has no counterpart.
func castFailed(row int, value []byte, to types.Type) error {
	return &RowError{Row: row, Err: fmt.Errorf("cannot cast %s to %s", value, to.Nullable()), Hint: "TRY_CAST gives NULL instead"}
}

// shorten keeps error messages readable.
func shorten(s []byte) string {
	const limit = 60
	if len(s) <= limit {
		return string(s)
	}
	return string(s[:limit]) + "…"
}

// parseBoolean reads the spellings that Flink 2.3 takes, in any case.
func parseBoolean(s []byte) (value, ok bool) {
	switch string(bytes.ToLower(s)) {
	case "t", "true", "y", "yes", "1":
		return true, true
	case "f", "false", "n", "no", "0":
		return false, true
	}
	return false, false
}

// parseInteger reads a whole number between blanks. Flink 2.3: digits after a point are checked and cut off.
func parseInteger(s []byte, least, greatest int64) (int64, bool) {
	s = bytes.TrimSpace(s)
	if at := bytes.IndexByte(s, '.'); at >= 0 {
		for _, c := range s[at+1:] {
			if c-'0' > 9 {
				return 0, false
			}
		}
		s = s[:at]
	}
	n, err := strconv.ParseInt(string(s), 10, 64)
	return n, err == nil && n >= least && n <= greatest
}

// parseDouble reads a DOUBLE between blanks in decimal notation; a number beyond its range becomes infinite, as in Java.
func parseDouble(s []byte) (float64, bool) {
	s = bytes.TrimSpace(s)
	switch string(s) {
	case "NaN", "+NaN", "-NaN":
		return math.NaN(), true
	case "Infinity", "+Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	for _, c := range s {
		// Of what strconv takes, this leaves out hexadecimal numbers, underscores, and other spellings of infinity.
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(s), 64)
	return v, err == nil || math.IsInf(v, 0)
}
