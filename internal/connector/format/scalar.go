package format

import (
	"bytes"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// setDecimal reads a number, which may have a fraction and an exponent, into row n of c, halves rounded away from zero. known is false if text is no
// number, fits is false if it has too many digits for the type.
func setDecimal(c *column, n int, text []byte) (known, fits bool) {
	v, reading := numfmt.ReadDecimal(text, int(c.Type.Precision), int(c.Type.Scale))
	if reading != numfmt.Read {
		return reading != numfmt.NoNumber, false
	}
	if c.vector.Kind == vector.Int128 {
		c.vector.Wides[n] = v
	} else {
		c.vector.Ints[n], _ = v.Int64()
	}
	return true, true
}

// parseDate reads yyyy-MM-dd as days since the epoch.
func parseDate(text []byte) (days int64, ok bool) {
	if len(text) != len("2026-01-01") {
		return 0, false
	}
	var full [19]byte
	copy(full[copy(full[:], text):], " 00:00:00")
	micros, _, ok := timefmt.ParseTimestamp(full[:])
	return timefmt.FloorDiv(micros, timefmt.Day), ok
}

// parseTime reads HH:mm:ss with up to nine digits of a fraction as microseconds since midnight, cut to the precision of t.
func parseTime(text []byte, t types.Type) (micros int64, ok bool) {
	const date = "1970-01-01 "
	var full [len(date) + 18]byte
	if len(text) > 18 || bytes.ContainsAny(text, "Z+-") {
		return 0, false
	}
	copy(full[:], date)
	n := len(date) + copy(full[len(date):], text)
	micros, zoned, ok := timefmt.ParseTimestamp(full[:n])
	return micros - micros%timefmt.Step(t.Precision), ok && !zoned
}
