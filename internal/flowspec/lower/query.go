package lower

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// query is the relation of a computation that is a query over its inputs, in the schema of the stream that it writes.
func (l *lowering) query(c *flowspec.Computation, inputs map[string]plan.Node) (plan.Node, error) {
	n, err := l.bound(c, inputs)
	if err != nil {
		return nil, err
	}
	return l.stamped(c, n, l.spec.Stream(c.Outputs[0].Text))
}

// unread says of a table that is not there, and is a stream that c does not read, how to read it.
func (l *lowering) unread(c *flowspec.Computation, err error) error {
	e, ok := errors.AsType[*source.Error](err)
	if !ok || e.Code != codeTable {
		return err
	}
	name := strings.Trim(e.Text.Slice(e.Span), "`")
	if l.spec.Stream(name) == nil {
		return err
	}
	told := *e
	told.Message, told.Hint = "computation '"+c.ID.Text+"' does not read stream '"+name+"'", "add it to input_stream_ids"
	return &told
}

// bound is what the query itself gives.
func (l *lowering) bound(c *flowspec.Computation, inputs map[string]plan.Node) (plan.Node, error) {
	if c.Query.Language == "yql" {
		return nil, l.errorf(codeUnsupported, c.Query.Body.Span, "write it in Flink SQL", "a computation in YQL is not supported")
	}
	text := l.sqlText(c.Query.Body, "the query of computation '"+c.ID.Text+"'")
	q, err := sql.ParseQuery(text)
	if err != nil {
		return nil, l.unmasked(err, text, c.Query.Body)
	}
	s, err := l.tables.Among(l.within(text), inputs).Query(q)
	if err != nil {
		return nil, l.unread(c, err)
	}
	if plan.Updates(s.Root) {
		return nil, l.errorf("changelog", c.Query.Body.Span, "aggregate by windows, whose results are final", "the query takes rows back, and messages of a stream are final: %s", plan.Describe(plan.Culprit(s.Root)))
	}
	return s.Root, nil
}
