package print

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// appendValue writes a value as Flink 2.3 does, where each type is printed by the toString of its Java class. Strings stand bare.
func appendValue(dst []byte, t types.Type, v *vector.Vector, row int) []byte {
	if v.IsNull(row) {
		return append(dst, "null"...)
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(row))
	case types.Timestamp:
		return appendLocal(dst, v.Int(row))
	case types.TimestampLTZ:
		return timefmt.AppendTimestamp(dst, v.Int(row), digits(v.Int(row)), 'T', true)
	}
	return valuefmt.Append(dst, t, v, row)
}

// appendLocal writes a TIMESTAMP as Java's LocalDateTime: a full minute has no seconds.
func appendLocal(dst []byte, micros int64) []byte {
	dst = timefmt.AppendTimestamp(dst, micros, digits(micros), 'T', false)
	if timefmt.Floor(micros, timefmt.Minute) == micros {
		dst = dst[:len(dst)-len(":00")]
	}
	return dst
}

// digits is how many digits the fraction of a second is written with: none, or as many groups of three as it needs.
func digits(micros int64) int {
	switch {
	case micros%timefmt.Second == 0:
		return 0
	case micros%timefmt.Millisecond == 0:
		return 3
	}
	return 6
}
