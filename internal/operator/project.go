package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Project replaces the columns of a batch by expressions over them. Plain column references move without copying.
type Project struct {
	exprs  []expr.Expr
	env    *function.Env
	counts dataflow.Counts
}

// NewProject makes a projection. It owns env.
func NewProject(exprs []expr.Expr, env *function.Env) *Project {
	return &Project{exprs: exprs, env: env}
}

// Counts implements dataflow.Counted.
func (p *Project) Counts() *dataflow.Counts { return &p.counts }

// SetNow implements dataflow.Clocked.
func (p *Project) SetNow(now int64) { p.env.Now = now }

// Process implements dataflow.Operator.
func (p *Project) Process(b *dataflow.Batch, out dataflow.Output) error {
	cols, err := Evaluate(p.exprs, &b.Batch, p.env)
	if err != nil {
		return again(err, b, func(b *dataflow.Batch) error { return p.Process(b, out) })
	}
	n := int64(b.Rows().Count())
	p.counts.In.Add(n)
	p.counts.Out.Add(n)
	b.Cols, b.Hashes = cols, nil
	return out.Emit(b)
}

// Advance implements dataflow.Operator.
func (p *Project) Advance(progress dataflow.Progress, out dataflow.Output) error {
	return out.Advance(progress)
}

// Evaluate computes exprs over the selected rows of b, in memory of b's arena. Its error may be a *vector.TooLarge, or have one inside.
func Evaluate(exprs []expr.Expr, b *vector.Batch, env *function.Env) (cols []*vector.Vector, err error) {
	defer vector.Catch(&err)
	ctx := &expr.Context{Arena: b.Arena, Env: env}
	cols = b.Arena.Columns(len(exprs))
	for i, e := range exprs {
		v, err := e.Eval(ctx, b, b.Rows())
		if err != nil {
			return nil, explain(err, e, b)
		}
		cols[i] = v
	}
	return cols, nil
}
