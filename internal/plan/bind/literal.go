package bind

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// datetime is DATE, TIME or TIMESTAMP with as many fractional digits as were written, a TIMESTAMP with three at least: so it meets time attributes as they are.
func datetime(e *sql.DatetimeLit) expr.Expr {
	switch e.Kind {
	case sql.DateDatetime:
		return expr.LiteralInt(types.DateType, timefmt.FloorDiv(e.Micros, timefmt.Day))
	case sql.TimeDatetime:
		return expr.LiteralInt(types.Type{Kind: types.Time, Precision: int8(e.Precision)}, e.Micros)
	}
	return expr.LiteralInt(types.Type{Kind: types.Timestamp, Precision: int8(max(e.Precision, 3))}, e.Micros)
}

// number binds an unsigned number.
func (b *Binder) number(e *sql.NumberLit) (expr.Expr, error) {
	return b.signed(e, e.Text, e.Span())
}

// signed binds a number with its sign. Flink 2.3: one without exponent is INT if it is whole and fits, else BIGINT, and a DECIMAL of the digits that are
// written if there are some behind the point. Here a whole number beyond BIGINT is a DECIMAL too, which Flink refuses.
func (b *Binder) signed(e *sql.NumberLit, text string, at source.Span) (expr.Expr, error) {
	if e.Kind == sql.ApproxNumber {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, b.errorf(source.CodeType, at, "the greatest DOUBLE is about 1.8e308", "%s is beyond DOUBLE", text)
		}
		return expr.LiteralDouble(v), nil
	}
	before, behind, _ := strings.Cut(text, ".")
	if behind == "" {
		if v, err := strconv.ParseInt(before, 10, 64); err == nil && int64(int32(v)) == v {
			return expr.LiteralInt(types.IntType, v), nil
		} else if err == nil {
			return expr.LiteralInt(types.BigIntType, v), nil
		}
		before = strings.TrimPrefix(strings.TrimLeft(before, "-0"), "-")
	}
	precision := min(len(strings.TrimPrefix(before, "-"))+len(behind), types.MaxDigits)
	v, reading := int128.Int{}, numfmt.TooGreat
	if len(behind) <= precision {
		v, reading = numfmt.ReadDecimal([]byte(text), precision, len(behind))
	}
	if reading != numfmt.Read {
		return nil, b.errorf(source.CodeType, at, "write it as a DOUBLE: "+text+"e0", "%s has more than the %d digits of a DECIMAL", text, types.MaxDigits)
	}
	return expr.LiteralDecimal(types.DecimalOf(precision, len(behind)), v), nil
}
