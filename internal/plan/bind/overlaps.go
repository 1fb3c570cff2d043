package bind

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// overlaps binds (start, end) OVERLAPS (start, end), where an end may be a length and the two of a period may be in any order. Flink 2.3: periods that touch overlap.
func (b *Binder) overlaps(e *sql.Binary, s *scope) (expr.Expr, error) {
	var starts, ends [2]expr.Expr
	for i, side := range []sql.Expr{e.Left, e.Right} {
		period, ok := side.(*sql.Call)
		if !ok || upperASCII(period.Function.Last().Name) != "ROW" || len(period.Args) != 2 {
			return nil, b.errorf(source.CodeType, side.Span(), "write (start, end) OVERLAPS (start, end), or (start, INTERVAL '1' HOUR)", "OVERLAPS takes a period of a start and an end")
		}
		args, err := b.exprs(period.Args, s)
		if err != nil {
			return nil, err
		}
		if starts[i], ends[i], err = b.period(period.Span(), args[0], args[1]); err != nil {
			return nil, err
		}
	}
	first, err := b.newCall(">=", e.Span(), ends[0], starts[1])
	if err != nil {
		return nil, err
	}
	second, err := b.newCall(">=", e.Span(), ends[1], starts[0])
	if err != nil {
		return nil, err
	}
	both, err := expr.NewAnd(first, second)
	return both, b.place(err, e.Span())
}

// period puts the ends of a period in order.
func (b *Binder) period(at source.Span, start, end expr.Expr) (first, last expr.Expr, err error) {
	if end.Type().IsInterval() {
		if end, err = b.newCall("+", at, start, end); err != nil {
			return nil, nil, err
		}
	}
	ordered, err := b.newCall("<=", at, start, end)
	if err != nil {
		return nil, nil, err
	}
	if first, err = expr.NewCase([]expr.When{{Condition: ordered, Result: start}}, end); err == nil {
		last, err = expr.NewCase([]expr.When{{Condition: ordered, Result: end}}, start)
	}
	return first, last, b.place(err, at)
}
