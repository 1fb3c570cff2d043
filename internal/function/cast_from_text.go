package function

import (
	"bytes"
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// castFromText reads values; text that is none is an error of the row, or NULL if try.
func castFromText(o *Overload, to types.Type, try bool) {
	var read func(c *Call, clock *localClock, s []byte, i int) bool
	switch to.Kind {
	case types.Boolean:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseBoolean(s)
			c.Out.Bools[i] = bit(v)
			return ok
		}
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		least, greatest := to.Range()
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseInteger(s, least, greatest)
			c.Out.Ints[i] = v
			return ok
		}
	case types.Decimal:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			digits, reading := numfmt.ReadDecimal(bytes.TrimSpace(s), int(to.Precision), int(to.Scale))
			putDecimal(c.Out, i, digits)
			return reading == numfmt.Read
		}
	case types.Float, types.Double:
		bits := 64
		if to.Kind == types.Float {
			bits = 32
		}
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := parseFloat(s, bits)
			c.Out.Floats[i] = v
			return ok
		}
	case types.Date:
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := timefmt.ReadDate(s)
			c.Out.Ints[i] = v
			return ok
		}
	case types.Time:
		step := timefmt.Step(to.Precision)
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := timefmt.ReadTime(s)
			c.Out.Ints[i] = timefmt.Floor(v, step)
			return ok
		}
	case types.Timestamp:
		step := timefmt.Step(to.Precision)
		read = func(c *Call, _ *localClock, s []byte, i int) bool {
			v, ok := timefmt.ReadTimestamp(s)
			c.Out.Ints[i] = timefmt.Floor(v, step)
			return ok
		}
	case types.TimestampLTZ:
		o.Stability = Zoned
		step := timefmt.Step(to.Precision)
		read = func(c *Call, clock *localClock, s []byte, i int) bool {
			v, ok := timefmt.ReadTimestamp(s)
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
		if s = s[:at]; at == 0 || at == 1 && (s[0] == '-' || s[0] == '+') {
			return 0, true
		}
	}
	n, err := strconv.ParseInt(string(s), 10, 64)
	return n, err == nil && n >= least && n <= greatest
}

// parseFloat reads a FLOAT or DOUBLE between blanks in decimal notation; a number beyond its range becomes infinite, and f or d may stand behind it, as
// in Java.
func parseFloat(s []byte, bits int) (float64, bool) {
	s = bytes.TrimSpace(s)
	switch string(s) {
	case "NaN", "+NaN", "-NaN":
		return math.NaN(), true
	case "Infinity", "+Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if last := len(s) - 1; last > 0 && bytes.IndexByte([]byte("fFdD"), s[last]) >= 0 {
		s = s[:last]
	}
	for _, c := range s {
		// Of what strconv takes, this leaves out hexadecimal numbers, underscores, and other spellings of infinity.
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(s), bits)
	return v, err == nil || math.IsInf(v, 0)
}
