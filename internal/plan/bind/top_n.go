package bind

import (
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// ranked recognises a query for the first rows of each partition: tests over a numbering that bound its numbers from above. It is done here rather than by a rewrite,
// because whether rows are updated, and which columns stay time attributes, decides how everything around it is bound. The result is input with the columns as they were, and
// the tests that are left.
func (b *Binder) ranked(input plan.Node, tests []expr.Expr, at source.Span) (plan.Node, []expr.Expr, error) {
	over, numbers := numbering(input)
	if len(numbers) == 0 {
		return input, tests, nil
	}
	ranks := plan.Ranks{By: over.By, From: 1, To: math.MaxInt64}
	var left []expr.Expr
	for _, t := range tests {
		for _, c := range expr.Conjuncts(t) {
			lo, hi, ok := b.bounds(c, numbers)
			if !ok {
				left = append(left, c)
			}
			ranks.From, ranks.To = max(ranks.From, lo), min(ranks.To, hi)
		}
	}
	if ranks.To == math.MaxInt64 {
		return input, tests, nil
	}
	if ranks.To < ranks.From {
		return nil, nil, b.errorf(source.CodeWindow, at, "numbers begin with 1: write rn <= 3, or rn = 1", "no row has such a number")
	}
	n, ok := b.firstRows(over, ranks)
	if !ok {
		return input, tests, nil
	}
	return replaced(input, n), left, nil
}

// firstRows plans the first rows of a numbering, with its columns. It leaves alone, and reports false, what a time-ordered numbering with a filter does as well: Flink's Deduplicate that keeps
// the first row.
func (b *Binder) firstRows(over *plan.Over, r plan.Ranks) (plan.Node, bool) {
	in := over.Input.Columns()
	single := r.From == r.To
	r.Numbered = !single
	first := single && r.To == 1 && len(r.By) == 1
	by := in[r.By[0].Column]
	if w, start, end, keys := windowOf(over); w != nil && !plan.Updates(over.Input) {
		r.Latest = first && r.By[0].Desc && (by.Rowtime || wasTime(over.Input, r.By[0].Column, w))
		return numbered(plan.NewWindowTopN(over.Input, w, start, end, keys, r), over, r), true
	}
	if first && over.Timed() && !plan.Updates(over.Input) {
		over.TTL = b.StateTTL()
		return nil, false
	}
	r.Latest = first && by.Rowtime && r.By[0].Desc && !plan.Updates(over.Input)
	n := plan.NewTopN(over.Input, over.Keys, r)
	n.TTL = b.StateTTL()
	return numbered(n, over, r), true
}

// numbered puts the number of a row behind the columns of n, if it does not have it because there is only one.
func numbered(n plan.Node, over *plan.Over, r plan.Ranks) plan.Node {
	if r.Numbered {
		return n
	}
	p := project(n)
	for i := range n.Columns() {
		p.column(i)
	}
	number := over.Cols[len(over.Cols)-1]
	p.Exprs, p.Cols = append(p.Exprs, expr.LiteralInt(number.Type, r.From)), append(p.Cols, number)
	return p.Project
}

// windowOf are the windows that the partition of a numbering is of, the columns of their edges, and the rest of the partition; nil if they are not.
func windowOf(over *plan.Over) (w *plan.Windowing, start, end int, keys []int) {
	start, end = -1, -1
	in := over.Input.Columns()
	for _, k := range over.Keys {
		switch c := in[k]; {
		case c.Edge == plan.StartEdge && start < 0:
			start = k
		case c.Edge == plan.EndEdge && end < 0:
			end = k
		default:
			keys = append(keys, k)
		}
	}
	if start < 0 || end < 0 || in[start].Window != in[end].Window {
		return nil, 0, 0, nil
	}
	return in[start].Window, start, end, keys
}

// wasTime reports whether column i of n is the time by which rows were put into the windows w.
func wasTime(n plan.Node, i int, w *plan.Windowing) bool {
	switch n := n.(type) {
	case *plan.WindowAssign:
		return n.Windows == w && i == n.Time
	case *plan.Filter:
		return wasTime(n.Input, i, w)
	case *plan.Project:
		c, ok := n.Exprs[i].(*expr.Column)
		return ok && wasTime(n.Input, c.Index, w)
	}
	return false
}

// numbering finds a numbering below projections and filters, and the columns of n that have the numbers.
func numbering(n plan.Node) (*plan.Over, []int) {
	switch n := n.(type) {
	case *plan.Over:
		if n.Numbers() {
			return n, []int{len(n.Cols) - 1}
		}
	case *plan.Filter:
		return numbering(n.Input)
	case *plan.Project:
		over, below := numbering(n.Input)
		var numbers []int
		for i, e := range n.Exprs {
			if c, ok := e.(*expr.Column); ok && slices.Contains(below, c.Index) {
				numbers = append(numbers, i)
			}
		}
		return over, numbers
	}
	return nil, nil
}

// replaced puts first rows where the numbering was below projections and filters.
func replaced(n, with plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return n.Over(replaced(n.Input, with))
	case *plan.Project:
		return onto(n, replaced(n.Input, with))
	}
	return with
}

// onto is p over another input with the same columns, but for time attributes.
func onto(p *plan.Project, input plan.Node) *plan.Project {
	in := input.Columns()
	q := &plan.Project{Input: input, Exprs: p.Exprs, Cols: slices.Clone(p.Cols)}
	for i, e := range p.Exprs {
		if c, ok := e.(*expr.Column); ok {
			q.Cols[i].Rowtime = p.Cols[i].Rowtime && in[c.Index].Rowtime
		}
	}
	return q
}

// qualified filters the rows below the select list p by QUALIFY, which may name the columns of output, the same list in the terms of s.
func (b *Binder) qualified(q *sql.Select, p, output *plan.Project, s *scope, toPlan func(expr.Expr) expr.Expr) (plan.Node, error) {
	if len(s.overs) == 0 {
		return nil, b.errorf(source.CodeWindow, q.Qualify.Span(), "write it in WHERE or HAVING", "QUALIFY is for the results of OVER, and there are none")
	}
	s = s.in("QUALIFY")
	s.output = output
	test, err := b.condition(q.Qualify, s)
	if err != nil {
		return nil, err
	}
	n, tests, err := b.ranked(p.Input, []expr.Expr{toPlan(test)}, q.Qualify.Span())
	if err != nil {
		return nil, err
	}
	if len(tests) == 0 {
		return onto(p, n), nil
	}
	test, err = expr.NewAnd(tests...)
	return onto(p, &plan.Filter{Input: n, Condition: test}), b.place(err, q.Qualify.Span())
}

// bounds is what a comparison of a number with a constant says about the number; ok is false if it says something else.
func (b *Binder) bounds(test expr.Expr, numbers []int) (lo, hi int64, ok bool) {
	lo, hi = 1, math.MaxInt64
	call, isCall := test.(*expr.Call)
	if !isCall || len(call.Children()) != 2 {
		return lo, hi, false
	}
	op, number, limit := call.Function.Name, call.Children()[0], call.Children()[1]
	if !isNumber(number, numbers) {
		op, number, limit = mirrored[op], limit, number
	}
	v, constant := b.wholeNumber(limit)
	if !isNumber(number, numbers) || !constant {
		return lo, hi, false
	}
	switch op {
	case "=":
		return v, v, true
	case "<=":
		return lo, v, true
	case "<":
		return lo, v - 1, true
	case ">=":
		return v, hi, true
	case ">":
		return v + 1, hi, true
	}
	return lo, hi, false
}

var mirrored = map[string]string{"=": "=", "<=": ">=", "<": ">", ">=": "<=", ">": "<"}

func isNumber(e expr.Expr, numbers []int) bool {
	c, ok := e.(*expr.Column)
	return ok && slices.Contains(numbers, c.Index)
}

// wholeNumber is the value of a constant whole number.
func (b *Binder) wholeNumber(e expr.Expr) (int64, bool) {
	if !e.Type().IsInteger() && e.Type().Kind != types.BigInt {
		return 0, false
	}
	l, err := expr.Constant(e, b.session.Zone())
	if err != nil || l == nil || l.IsNull() || l.Int() == math.MaxInt64 {
		return 0, false
	}
	return l.Int(), true
}
