package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/vector"
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
	sel, err := f.test(&b.Batch)
	if err != nil {
		return again(err, b, func(b *dataflow.Batch) error { return f.Process(b, out) })
	}
	f.counts.In.Add(int64(n))
	f.counts.Out.Add(int64(len(sel)))
	f.counts.Filtered.Add(int64(n - len(sel)))
	if len(sel) < n { // else nobody behind needs to look rows up in a list
		b.Sel = sel
	}
	return out.Emit(b)
}

// test lists the rows for which the condition is TRUE.
func (f *Filter) test(b *vector.Batch) (sel []int32, err error) {
	defer vector.Catch(&err)
	if sel, err = expr.Filter(&expr.Context{Arena: b.Arena, Env: f.env}, b, b.Rows(), f.condition); err != nil {
		err = explain(err, f.condition, b)
	}
	return sel, err
}

// Advance implements dataflow.Operator.
func (f *Filter) Advance(p dataflow.Progress, out dataflow.Output) error {
	return out.Advance(p)
}
