package expr

import (
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
	return evaluateConstant(e)
}

// evaluateConstant computes e, which reads no column, at once; it returns e itself if that fails.
func evaluateConstant(e Expr) Expr {
	var pool vector.Pool
	arena := pool.Get()
	v, err := e.Eval(&Context{Arena: arena, Env: &function.Env{}}, &vector.Batch{N: 1, Arena: arena}, vector.All(1))
	if err != nil || !v.Const {
		return e
	}
	return literalOf(e.Type(), v)
}
