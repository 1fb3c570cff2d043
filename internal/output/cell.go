package output

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// appendCell appends row i of v, which is not NULL, as SQL would show it: 2026-01-01 00:00:00.000, true, 1.0E10. A
// TIMESTAMP_LTZ is shown in UTC with a Z.
func appendCell(dst []byte, t types.Type, v *vector.Vector, i int) []byte {
	if t.Kind == types.Boolean {
		return strconv.AppendBool(dst, v.Bool(i))
	}
	return valuefmt.Append(dst, t, v, i)
}
