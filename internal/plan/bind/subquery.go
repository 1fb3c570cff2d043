package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// where binds the conjuncts of the WHERE clause of a query over input: conditions become a filter, and those that are IN or EXISTS of a query a join that lets rows through which
// have a match, or none.
func (b *Binder) where(all []sql.Expr, input plan.Node, s *scope) (plan.Node, *scope, error) {
	var plain, queries []sql.Expr
	for _, c := range all {
		if _, _, ok := asQuery(c); ok {
			queries = append(queries, c)
		} else {
			plain = append(plain, c)
		}
	}
	input, s, err := b.lift(plain, input, s)
	if err != nil {
		return nil, nil, err
	}
	var tests []expr.Expr
	for _, c := range plain {
		test, err := b.condition(c, s.in("WHERE"))
		if err != nil {
			return nil, nil, err
		}
		tests = append(tests, test)
	}
	if len(tests) > 0 {
		if input, tests, err = b.ranked(input, tests, all[0].Span().To(all[len(all)-1].Span())); err != nil {
			return nil, nil, err
		}
		with := *s
		with.columns = input.Columns()
		s = &with
	}
	if len(tests) > 0 {
		test, err := expr.NewAnd(tests...)
		if err != nil {
			return nil, nil, b.place(err, plain[0].Span())
		}
		input = passing(input, test)
		with := *s
		with.columns = input.Columns()
		s = &with
	}
	for _, c := range queries {
		if input, err = b.semi(c, input, s); err != nil {
			return nil, nil, err
		}
		with := *s
		with.columns = input.Columns()
		s = &with
	}
	return input, s, nil
}

// passing is input with a filter. Conditions that make an inner join one that is about time go into it at once, since then its times are time attributes for those who read it.
func passing(input plan.Node, condition expr.Expr) plan.Node {
	f := &plan.Filter{Input: input, Condition: condition}
	if j, ok := input.(*plan.Join); !ok || j.Kind != plan.InnerJoin {
		return f
	}
	pushed := plan.PushDown(f)
	if !slices.ContainsFunc(pushed.Columns(), func(c plan.Column) bool { return c.Rowtime || c.Edge != plan.NoEdge }) {
		return f
	}
	return pushed
}

// conjuncts are the operands of AND, in order.
func conjuncts(e sql.Expr) []sql.Expr {
	if and, ok := e.(*sql.Binary); ok && and.Op == sql.OpAnd {
		return append(conjuncts(and.Left), conjuncts(and.Right)...)
	}
	return []sql.Expr{e}
}

// asQuery tells whether e is IN or EXISTS of a query, and whether NOT stands before it.
func asQuery(e sql.Expr) (inner sql.Expr, not, ok bool) {
	switch e := e.(type) {
	case *sql.Exists:
		return e, false, true
	case *sql.In:
		return e, e.Not, e.Query != nil
	case *sql.Unary:
		if e.Op == sql.OpNot {
			inner, not, ok = asQuery(e.Operand)
			return inner, !not, ok
		}
	}
	return nil, false, false
}

// semi joins input with the query of IN or EXISTS.
func (b *Binder) semi(e sql.Expr, input plan.Node, s *scope) (plan.Node, error) {
	inner, not, _ := asQuery(e)
	kind := plan.SemiJoin
	if not {
		kind = plan.AntiJoin
	}
	var condition expr.Expr
	var right plan.Node
	var err error
	switch inner := inner.(type) {
	case *sql.Exists:
		if right, condition, err = b.matching(inner.Query, s); err != nil {
			return nil, err
		}
	case *sql.In:
		if right, condition, err = b.member(inner, not, s); err != nil {
			return nil, err
		}
	}
	return b.joined(kind, input, right, condition, e.Span())
}

// matching binds the query of EXISTS: the rows that it has, and which of them match a row outside, over the columns outside and then those of the rows.
func (b *Binder) matching(q sql.Query, outside *scope) (plan.Node, expr.Expr, error) {
	if sel, ok := q.(*sql.Select); ok && b.plain(sel) {
		n, _, condition, err := b.correlated(sel, outside)
		return n, condition, err
	}
	n, err := b.inner(q)
	return n, nil, err
}

// plain reports whether a query yields the rows of FROM that WHERE lets through, one by one.
func (b *Binder) plain(q *sql.Select) bool {
	return len(q.GroupBy) == 0 && q.Having == nil && !q.Distinct && len(q.Windows) == 0 && q.From != nil && !b.aggregates(q.Items)
}

// member binds operand IN (query). What is not found is unknown rather than absent if a NULL is about, so that NOT IN asks for NULLs too unless there can be none.
func (b *Binder) member(e *sql.In, not bool, s *scope) (plan.Node, expr.Expr, error) {
	operand, err := b.expr(e.Operand, s.in("IN"))
	if err != nil {
		return nil, nil, err
	}
	var rows plan.Node
	var condition expr.Expr
	value := expr.Expr(nil)
	if sel, ok := e.Query.(*sql.Select); ok && b.plain(sel) && !isStar(sel) {
		var inner *scope
		if rows, inner, condition, err = b.correlated(sel, s); err != nil {
			return nil, nil, err
		}
		if len(sel.Items) != 1 {
			return nil, nil, b.oneColumn(e.Query, len(sel.Items))
		}
		if value, err = b.expr(sel.Items[0].Expr, inner.in("SELECT")); err != nil {
			return nil, nil, err
		}
	} else {
		if rows, err = b.inner(e.Query); err != nil {
			return nil, nil, err
		}
		cols := rows.Columns()
		if len(cols) != 1 {
			return nil, nil, b.oneColumn(e.Query, len(cols))
		}
		value = expr.NewColumn(0, cols[0].Name, cols[0].Type)
	}
	value = plan.Shift(value, 0, len(s.columns))
	test, err := expr.NewCall(function.MustScalar("="), []expr.Expr{operand, value})
	if err != nil {
		return nil, nil, b.place(err, e.Span())
	}
	if not {
		if test, err = orNull(test, operand, value); err != nil {
			return nil, nil, b.place(err, e.Span())
		}
	}
	if condition != nil {
		if test, err = expr.NewAnd(test, condition); err != nil {
			return nil, nil, b.place(err, e.Span())
		}
	}
	return rows, test, nil
}

func isStar(q *sql.Select) bool {
	return slices.ContainsFunc(q.Items, func(i sql.SelectItem) bool { _, ok := i.Expr.(*sql.Star); return ok })
}

func (b *Binder) oneColumn(q sql.Query, n int) error {
	return b.errorf(source.CodeType, q.Span(), "select the one column to look in", "the query of IN has %d columns", n)
}

// orNull is test, or TRUE if one of the values is NULL.
func orNull(test expr.Expr, values ...expr.Expr) (expr.Expr, error) {
	tests := []expr.Expr{test}
	for _, v := range values {
		if v.Type().NotNull {
			continue
		}
		null, err := expr.NewCall(function.MustScalar("IS NULL"), []expr.Expr{v})
		if err != nil {
			return nil, err
		}
		tests = append(tests, null)
	}
	return expr.NewOr(tests...)
}

// outerColumns is the number that the columns of the query outside have from, in expressions of a query inside.
const outerColumns = 1 << 20

// correlated binds FROM and WHERE of a query within another, whose WHERE may name columns of that. The condition is what WHERE says about both, over the columns outside
// and then those of the rows; nil if nothing.
func (b *Binder) correlated(q *sql.Select, outside *scope) (plan.Node, *scope, expr.Expr, error) {
	n, s, err := b.from(q)
	if err != nil || q.Where == nil {
		return n, s, nil, err
	}
	var about, local []sql.Expr
	for _, c := range conjuncts(q.Where) {
		if _, _, ok := asQuery(c); !ok && b.namesOutside(c, s, outside) {
			about = append(about, c)
		} else {
			local = append(local, c)
		}
	}
	if n, s, err = b.where(local, n, s); err != nil {
		return nil, nil, nil, err
	}
	if len(about) == 0 {
		return n, s, nil, nil
	}
	inside := s.in("WHERE")
	inside.outside = outside
	var tests []expr.Expr
	for _, c := range about {
		test, err := b.condition(c, inside)
		if err != nil {
			return nil, nil, nil, err
		}
		tests = append(tests, joined(test, len(outside.columns)))
	}
	all, err := expr.NewAnd(tests...)
	return n, s, all, b.place(err, q.Where.Span())
}

// joined numbers the columns of a condition over both queries as a join does: those outside first.
func joined(e expr.Expr, outside int) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		c, ok := e.(*expr.Column)
		if !ok {
			return e
		}
		if c.Index >= outerColumns {
			return expr.NewColumn(c.Index-outerColumns, c.Name, c.Type())
		}
		return expr.NewColumn(c.Index+outside, c.Name, c.Type())
	})
}

// namesOutside reports whether e names a column that is not inside and is outside.
func (b *Binder) namesOutside(e sql.Expr, inside, outside *scope) bool {
	found := false
	sql.Walk(e, func(e sql.Expr) bool {
		if c, ok := e.(*sql.ColumnRef); ok && !inside.has(c.Name) && outside.has(c.Name) {
			found = true
		}
		return !found
	})
	return found
}

// has reports whether a name, or its beginning, is that of a column.
func (s *scope) has(n sql.Name) bool {
	column, _ := s.split(n)
	for i, c := range s.columns {
		if c.Name == column.Last().Name && (len(column.Parts) == 1 || s.tables[i] == column.Parts[0].Name) {
			return true
		}
	}
	return false
}

// lift joins input with the scalar subqueries in expressions, whose values then are columns that no star shows.
func (b *Binder) lift(list []sql.Expr, input plan.Node, s *scope) (plan.Node, *scope, error) {
	var found []*sql.Subquery
	for _, e := range list {
		sql.Walk(e, func(e sql.Expr) bool {
			if q, ok := e.(*sql.Subquery); ok {
				found = append(found, q)
			}
			return true
		})
	}
	for _, q := range found {
		n, err := b.scalar(q, input, s)
		if err != nil {
			return nil, nil, err
		}
		with := *s
		with.columns = n.Columns()
		with.tables = append(slices.Clone(s.tables), "")
		with.subqueries = append(slices.Clone(s.subqueries), lifted{q, len(n.Columns()) - 1})
		input, s = n, &with
	}
	return input, s, nil
}

// lifted is a scalar subquery and the column that has its value.
type lifted struct {
	query  *sql.Subquery
	column int
}

// subquery is the value of a scalar subquery that was lifted.
func (b *Binder) subquery(q *sql.Subquery, s *scope) (expr.Expr, error) {
	for _, l := range s.subqueries {
		if l.query == q {
			return expr.NewColumn(l.column, "", s.columns[l.column].Type), nil
		}
	}
	return nil, b.unsupported(q.Span(), "join with it: give the query a name in FROM or WITH, and its value as a column", "a subquery as a value %s is", s.standing())
}

// testAlone says where EXISTS and IN of a query may stand.
const testAlone = "write it as a condition of WHERE of its own, joined to others by AND; in place of a OR b: one query for each and UNION between them"

// standingTest says where EXISTS or IN of a query stands that is no condition of its own.
func (s *scope) standingTest() string {
	if s.where == "WHERE" {
		return "within OR or another expression"
	}
	return s.standing()
}

// standing says where an expression stands.
func (s *scope) standing() string {
	if s.group != nil {
		return "behind GROUP BY"
	}
	if s.where == "" {
		return "here"
	}
	return "in " + s.where
}
