package output

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// appendCell appends row i of v, which is not NULL, as SQL would show it: 2026-01-01 00:00:00.000, true, 1.0E10. A
// TIMESTAMP_LTZ is shown in UTC with a Z.
func appendCell(dst []byte, t types.Type, v *vector.Vector, i int) []byte {
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(i))
	case types.Int, types.BigInt:
		return strconv.AppendInt(dst, v.Int(i), 10)
	case types.Double:
		return numfmt.AppendDouble(dst, v.Float(i))
	case types.String:
		return append(dst, v.Bytes(i)...)
	case types.Timestamp, types.TimestampLTZ:
		return timefmt.AppendTimestamp(dst, v.Int(i), int(t.Precision), ' ', t.Kind == types.TimestampLTZ)
	case types.IntervalDay:
		return timefmt.AppendDayInterval(dst, v.Int(i))
	case types.IntervalMonth:
		return timefmt.AppendMonthInterval(dst, v.Int(i))
	}
	panic("tidemark bug: a value of type " + t.String() + " is not NULL")
}
