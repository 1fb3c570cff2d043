package bind

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// order is ORDER BY over a select list in the making.
type order struct {
	items []sql.OrderItem
	keys  []plan.SortKey
	// visible is how many columns of the select list are of the result. Those behind it are only for the order.
	visible int
}

// inner binds a query within another one. Flink 2.3: there an order that limits nothing means nothing.
func (b *Binder) inner(q sql.Query) (plan.Node, error) {
	b.depth++
	n, err := b.query(q)
	b.depth--
	return n, err
}

// ordered binds ORDER BY, LIMIT, OFFSET and FETCH.
func (b *Binder) ordered(q *sql.Ordered) (plan.Node, error) {
	limit, err := b.rowCount(q.Limit, "LIMIT")
	if err != nil {
		return nil, err
	}
	offset, err := b.rowCount(q.Offset, "OFFSET")
	if err != nil {
		return nil, err
	}
	if q.Offset != nil && q.Limit == nil {
		return nil, b.unsupported(q.Offset.Span(), "add LIMIT: what follows some first rows of a stream has no end", "OFFSET without LIMIT is")
	}
	if len(q.OrderBy) == 0 {
		n, err := b.inner(q.Body)
		if err != nil || q.Limit == nil {
			return n, err
		}
		return b.limited(n, nil, offset, limit), nil
	}
	n, o, err := b.orderedBody(q)
	if err != nil {
		return nil, err
	}
	switch {
	case b.snapshots() && b.depth == 0:
		if q.Limit != nil {
			n = b.limited(n, o.keys, offset, limit)
		}
		n = &plan.AtEnd{Input: n, By: o.keys}
	case q.Limit != nil:
		n = b.limited(n, o.keys, offset, limit)
	case b.depth == 0:
		if err := b.checkSort(q, n, o.keys[0]); err != nil {
			return nil, err
		}
		n = &plan.Sort{Input: n, By: o.keys}
	}
	return o.hide(n), nil
}

// orderedBody binds the query that is put in order, with what the order needs behind its columns.
func (b *Binder) orderedBody(q *sql.Ordered) (plan.Node, *order, error) {
	o := &order{items: q.OrderBy}
	if s, ok := q.Body.(*sql.Select); ok {
		if *b.queries++; *b.queries > maxQueries {
			return nil, nil, b.tooLarge(q.Span())
		}
		n, err := b.selectOf(s, o)
		return n, o, err
	}
	n, err := b.inner(q.Body)
	if err != nil {
		return nil, nil, err
	}
	p := &plan.Project{Input: n}
	s := scopeOf(n.Columns(), "")
	for i, c := range s.columns {
		p.Exprs, p.Cols = append(p.Exprs, s.column(i)), append(p.Cols, c)
	}
	if err := b.order(o, p, s); err != nil {
		return nil, nil, err
	}
	if len(p.Cols) == o.visible {
		return n, o, nil
	}
	return p, o, nil
}

// rowCount is the number behind LIMIT or OFFSET, 0 if there is none.
func (b *Binder) rowCount(e sql.Expr, clause string) (int64, error) {
	if e == nil {
		return 0, nil
	}
	if n, ok := e.(*sql.NumberLit); ok && n.Kind == sql.IntegerNumber {
		if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			return v, nil
		}
	}
	return 0, b.errorf(source.CodeType, e.Span(), "write a number such as 10", "%s wants a whole number", clause)
}

// limited is the first rows of n. If there are to be none, nothing is read.
func (b *Binder) limited(n plan.Node, by []plan.SortKey, offset, limit int64) plan.Node {
	if limit == 0 {
		cols := slices.Clone(n.Columns())
		for i := range cols {
			cols[i].Rowtime, cols[i].Edge, cols[i].Window = false, plan.NoEdge, nil
		}
		return &plan.Values{Cols: cols}
	}
	return &plan.Limit{Input: n, By: by, Offset: offset, Count: limit, TTL: b.StateTTL()}
}

// hide drops the columns that were only for the order.
func (o *order) hide(n plan.Node) plan.Node {
	cols := n.Columns()
	if len(cols) == o.visible {
		return n
	}
	p := &plan.Project{Input: n, Cols: cols[:o.visible:o.visible]}
	for i, c := range p.Cols {
		p.Exprs = append(p.Exprs, expr.NewColumn(i, c.Name, c.Type))
	}
	return p
}

// order binds the items of o over the scope of the select list p, and adds to p what it does not have. Flink 2.3: a name is a column of the result before it is one of
// the input, also within an expression, and a number alone is a position.
func (b *Binder) order(o *order, p *plan.Project, s *scope) error {
	o.visible = len(p.Cols)
	s = s.in("ORDER BY")
	s.output = &plan.Project{Exprs: p.Exprs[:o.visible:o.visible], Cols: p.Cols[:o.visible:o.visible]}
	for i := range o.items {
		item := &o.items[i]
		at, err := b.orderColumn(o, p, s, item.Expr)
		if err != nil {
			return err
		}
		switch t := p.Cols[at].Type; t.Kind {
		case types.Array, types.Map, types.Row:
			return b.unsupported(item.Span(), "order by parts of it", "ORDER BY of type %s is", t.Nullable())
		}
		last := item.Desc
		if item.Nulls != sql.NullsDefault {
			last = item.Nulls == sql.NullsLast
		}
		o.keys = append(o.keys, plan.SortKey{Column: at, Desc: item.Desc, NullsLast: last})
	}
	return nil
}

// orderColumn finds the column of p that an item of ORDER BY is, or appends it.
func (b *Binder) orderColumn(o *order, p *plan.Project, s *scope, item sql.Expr) (int, error) {
	if n, ok := item.(*sql.NumberLit); ok && n.Kind == sql.IntegerNumber {
		i, err := strconv.Atoi(n.Text)
		if err != nil || i < 1 || i > o.visible {
			return 0, b.errorf(source.CodeUnknownColumn, item.Span(), "name the column", "ORDER BY %s is a position, and the query has %s", n.Text, counted(o.visible, "column"))
		}
		return i - 1, nil
	}
	e, err := b.expr(item, s)
	if err != nil {
		return 0, err
	}
	if i := slices.IndexFunc(p.Exprs, func(x expr.Expr) bool { return expr.Equal(x, e) }); i >= 0 {
		return i, nil
	}
	var input []plan.Column
	if namesColumn(item) {
		input = s.columns
	}
	p.Exprs = append(p.Exprs, e)
	p.Cols = append(p.Cols, resultColumn(e, input, fmt.Sprintf("EXPR$%d", len(p.Cols))))
	return len(p.Cols) - 1, nil
}

// named is the expression that a name stands for, if it is that of a column of the result.
func (s *scope) named(c *sql.ColumnRef) (expr.Expr, bool) {
	if s.output == nil || len(c.Parts) != 1 {
		return nil, false
	}
	i := slices.IndexFunc(s.output.Cols, func(col plan.Column) bool { return col.Name == c.Last().Name })
	if i < 0 {
		return nil, false
	}
	return s.output.Exprs[i], true
}

// checkSort wants an order that a stream can be put into: by event time first. Flink 2.3.
func (b *Binder) checkSort(q *sql.Ordered, n plan.Node, first plan.SortKey) error {
	at := q.OrderBy[0].Span().To(q.OrderBy[len(q.OrderBy)-1].Span())
	if plan.Updates(n) {
		return b.unsupported(at, "add LIMIT: the first rows are then kept up to date", "ORDER BY of rows that are updated, as %s makes them, without LIMIT is", plan.Describe(plan.Culprit(n)))
	}
	cols := n.Columns()
	if cols[first.Column].Rowtime && !first.Desc {
		return nil
	}
	hint := "add LIMIT n for the first n rows, which are kept up to date"
	if i := slices.IndexFunc(cols, func(c plan.Column) bool { return c.Rowtime }); i >= 0 {
		hint += ", or order by " + cols[i].Name + " first, ascending"
	}
	return b.unsupported(at, hint, "ORDER BY of a stream by anything but ascending event time, without LIMIT, is")
}

// distinctOrder wants the order of distinct rows to be by their columns.
func (b *Binder) distinctOrder(o *order) error {
	for i, k := range o.keys {
		if k.Column >= o.visible {
			at := o.items[i].Span()
			return b.errorf(source.CodeGrouping, at, "select it too", "rows of SELECT DISTINCT can only be ordered by what is selected")
		}
	}
	return nil
}

func (b *Binder) tooLarge(at source.Span) error {
	return b.errorf(source.CodeTooLarge, at, "read a view or a WITH query fewer times", "the statement comes to more than %d queries, with its views and WITH queries put in where they are read", maxQueries)
}
