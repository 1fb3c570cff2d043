package lower

import (
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// query is the relation of a computation that is a query over its inputs, in the schema of the stream that it writes.
func (l *lowering) query(c *flowspec.Computation, inputs map[string]plan.Node) (plan.Node, error) {
	n, err := l.bound(c, inputs)
	if err != nil {
		return nil, err
	}
	return l.stamped(c, n, l.spec.Stream(c.Outputs[0].Text))
}

// bound is what the query itself gives.
func (l *lowering) bound(c *flowspec.Computation, inputs map[string]plan.Node) (plan.Node, error) {
	if c.Query.Language == "yql" {
		return nil, l.errorf(codeUnsupported, c.Query.Body.Span, "write it in Flink SQL", "a computation in YQL is not supported")
	}
	text := l.sqlText(c.Query.Body, "the query of computation '"+c.ID.Text+"'")
	q, err := sql.ParseQuery(text)
	if err != nil {
		return nil, l.unmasked(err, text)
	}
	s, err := l.tables.Among(l.within(text), inputs).Query(q)
	if err != nil {
		return nil, err
	}
	if plan.Updates(s.Root) {
		return nil, l.errorf("changelog", c.Query.Body.Span, "aggregate by windows, whose results are final", "the query takes rows back, and messages of a stream are final: %s", plan.Describe(plan.Culprit(s.Root)))
	}
	return s.Root, nil
}
