package lower

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
)

// ordered lowers ORDER BY and LIMIT. What has no end has no order.
func (l *Lowerer) ordered(q *yql.Ordered) (*relation, error) {
	r, err := l.query(q.Body)
	if err != nil {
		return nil, err
	}
	out := *r
	if len(q.OrderBy) > 0 {
		if out.node, err = l.sorted(q.OrderBy, r); err != nil {
			return nil, err
		}
	}
	if q.Limit == nil && q.Offset == nil {
		return &out, nil
	}
	if l.streaming != nil && r.stream {
		return nil, l.unsupported(at(q.Limit, q.Span()), "leave it out: the query has no end", "LIMIT in a streaming query is")
	}
	limit := &plan.Limit{Input: out.node, Count: math.MaxInt64}
	if q.Limit != nil {
		if limit.Count, err = l.number(q.Limit, "LIMIT"); err != nil {
			return nil, err
		}
	}
	if q.Offset != nil {
		if limit.Offset, err = l.number(q.Offset, "OFFSET"); err != nil {
			return nil, err
		}
	}
	out.node = limit
	return &out, nil
}

// sorted is the rows of r, which have an end, in the order of columns of the result.
func (l *Lowerer) sorted(by []yql.OrderItem, r *relation) (plan.Node, error) {
	if r.stream {
		return nil, l.unsupported(by[0].Span(), "rows come as time goes on; order a list inside a window with ListSort(AGGREGATE_LIST(x))", "ORDER BY is")
	}
	n := &plan.AtEnd{Input: r.node}
	for i := range by {
		table, of, ok := qualified(by[i].Expr)
		if !ok {
			return nil, l.unsupported(by[i].Span(), "give it a name in SELECT, and name that", "ORDER BY an expression is")
		}
		column, err := l.find(table, of, &scope{rows: r, where: "ORDER BY"})
		if err != nil {
			return nil, err
		}
		n.By = append(n.By, plan.SortKey{Column: column, Desc: by[i].Desc, NullsLast: by[i].Desc})
	}
	return n, nil
}

// number is a constant that is not negative.
func (l *Lowerer) number(e yql.Expr, of string) (int64, error) {
	v, err := l.constant(e, of)
	if err != nil {
		return 0, err
	}
	if !v.Type().IsInteger() || v.IsNull() || v.Int() < 0 {
		return 0, l.errorf(source.CodeType, e.Span(), "write a number such as 10", "%s takes a whole number that is not negative", of)
	}
	return v.Int(), nil
}
