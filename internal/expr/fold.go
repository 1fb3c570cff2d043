package expr

import (
	"time"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// fold replaces e, which applies o to its children, by its value if that is known. A call that fails stays as it is: it may stand in a branch
// that no row takes.
func fold(e Expr, o *function.Overload) Expr {
	if o.Stability != function.Pure {
		return e
	}
	for _, child := range e.Children() {
		if _, ok := child.(*Literal); !ok {
			return e
		}
	}
	if l, ok := evaluateConstant(e).(*Literal); ok && l.size() <= maxFolded {
		return l
	}
	return e
}

// maxFolded is how many bytes a constant may have that takes the place of a call: a plan is printed and compared, and should not be much larger than its statement.
const maxFolded = 64 << 10

// evaluateConstant computes e, which depends on nothing, at once; it returns e itself if that fails.
func evaluateConstant(e Expr) Expr {
	l, err := evaluate(e, nil)
	if err != nil {
		return e
	}
	return l
}

// Constant computes e in a time zone. It is nil if e reads a column or the clock; the error is that of the evaluation, which may be a *RowError.
func Constant(e Expr, zone *time.Location) (*Literal, error) {
	if !Steady(e) || len(Columns(e)) > 0 {
		return nil, nil
	}
	return evaluate(e, zone)
}

// Steady reports whether e gives the same whenever it is computed for a row.
func Steady(e Expr) bool { return stabilityOf(e) <= function.Zoned }

// stabilityOf is the worst stability of what e is made of.
func stabilityOf(e Expr) function.Stability {
	worst := function.Pure
	switch e := e.(type) {
	case *Call:
		worst = e.overload.Stability
	case *Cast:
		worst = e.overload.Stability
	case *Transform:
		worst = stabilityOf(e.body)
	}
	for _, child := range e.Children() {
		worst = max(worst, stabilityOf(child))
	}
	return worst
}

// evaluate computes an expression that reads no column.
func evaluate(e Expr, zone *time.Location) (l *Literal, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *vector.TooLarge:
			err = r
		default:
			panic(r)
		}
	}()
	var pool vector.Pool
	arena := pool.Get()
	v, err := e.Eval(&Context{Arena: arena, Env: &function.Env{Zone: zone}}, &vector.Batch{N: 1, Arena: arena}, vector.All(1))
	if err != nil {
		return nil, err
	}
	return literalOf(e.Type(), v), nil
}
