package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// logic binds a chain of AND or of OR at once, so that a long one is not copied operand by operand.
func (b *Binder) logic(e *sql.Binary, s *scope) (expr.Expr, error) {
	links := []*sql.Binary{e}
	for {
		left, ok := links[len(links)-1].Left.(*sql.Binary)
		if !ok || left.Op != e.Op {
			break
		}
		links = append(links, left)
	}
	slices.Reverse(links)
	args := []sql.Expr{links[0].Left}
	for _, l := range links {
		args = append(args, l.Right)
	}
	bound, err := b.exprs(args, s)
	if err != nil {
		return nil, err
	}
	f := function.MustScalar(string(e.Op))
	both, err := expr.NewCall(f, bound)
	if err == nil {
		return both, nil
	}
	// The error is that of the first pair that does not fit.
	both = bound[0]
	for i, l := range links {
		if both, err = expr.NewCall(f, []expr.Expr{both, bound[i+1]}); err != nil {
			return nil, b.place(err, l.Span())
		}
	}
	return both, nil
}
