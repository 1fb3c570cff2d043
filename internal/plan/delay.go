package plan

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Delay is how far a watermark is behind its time column, in microseconds, if it is the column itself or less a constant length; else ok is false.
func Delay(w *catalog.Watermark) (micros int64, ok bool) { return behind(w.Expr, w.Column) }

func behind(e expr.Expr, column int) (int64, bool) {
	switch e := e.(type) {
	case *expr.Column:
		return 0, e.Index == column
	case *expr.Cast:
		return behind(e.Children()[0], column)
	case *expr.Call:
		args := e.Children()
		if e.Function.Name != "-" || len(args) != 2 {
			return 0, false
		}
		by, constant := args[1].(*expr.Literal)
		if !constant || by.IsNull() || by.Type().Kind != types.IntervalDay {
			return 0, false
		}
		d, ok := behind(args[0], column)
		return d + by.Int(), ok
	}
	return 0, false
}
