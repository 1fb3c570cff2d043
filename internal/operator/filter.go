package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
)

// Filter passes the rows for which a condition is TRUE, by narrowing the selection.
type Filter struct {
	condition expr.Expr
	env       *function.Env
	counts    dataflow.Counts
}

// NewFilter makes a filter on a BOOLEAN condition. It owns env.
func NewFilter(condition expr.Expr, env *function.Env) *Filter {
	return &Filter{condition: condition, env: env}
}

// Counts implements dataflow.Counted.
func (f *Filter) Counts() *dataflow.Counts { return &f.counts }

// SetNow implements dataflow.Clocked.
func (f *Filter) SetNow(now int64) { f.env.Now = now }

// Process implements dataflow.Operator.
func (f *Filter) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := b.Rows().Count()
	sel, err := expr.Filter(&expr.Context{Arena: b.Arena, Env: f.env}, &b.Batch, b.Rows(), f.condition)
	if err != nil {
		return before(explain(err, f.condition, &b.Batch), b, func() error { return f.Process(b, out) })
	}
	f.counts.In.Add(int64(n))
	f.counts.Out.Add(int64(len(sel)))
	f.counts.Filtered.Add(int64(n - len(sel)))
	b.Sel = sel
	return out.Emit(b)
}

// Advance implements dataflow.Operator.
func (f *Filter) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}
