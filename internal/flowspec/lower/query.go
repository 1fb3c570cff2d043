package lower

import (
	"errors"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	yqllower "github.com/tidemark-sql/tidemark/internal/yql/lower"
)

// query is the relation of a computation that is a query over its inputs, in the schema of the stream that it writes.
func (l *lowering) query(c *flowspec.Computation, inputs map[string]plan.Node) (plan.Node, error) {
	n, err := l.bound(c, inputs)
	if err != nil {
		return nil, err
	}
	return l.stamped(c, n, l.spec.Stream(c.Outputs[0].Text))
}

// inYQL is bound for a query in YQL, with the definitions that stand before it.
func (l *lowering) inYQL(c *flowspec.Computation, text source.Text, inputs map[string]plan.Node) (plan.Node, error) {
	script, err := yql.Parse(text)
	if err != nil {
		return nil, l.unmasked(err, text, c.Query.Body)
	}
	by := yqllower.New(l.tables.Among(l.within(text), inputs), l.session, l.within(text))
	for _, s := range script.Statements {
		if done, err := by.Define(s); err != nil {
			return nil, err
		} else if done {
			continue
		}
		if _, selects := s.(*yql.QueryStatement); !selects || s != script.Statements[len(script.Statements)-1] {
			return nil, l.errorf(source.CodeUnsupported, s.Span(), "write one SELECT, with what it names before it", "a computation that is more than a query is not supported")
		}
		made, err := by.Statement(s)
		if err != nil {
			return nil, l.unread(c, err)
		}
		return made.Statements[0].Root, nil
	}
	return nil, l.errorf(source.CodeUnsupported, c.Query.Body.Span, "write SELECT … FROM …", "computation '%s' has no query", c.ID.Text)
}

// unread says of a table that is not there, and is a stream that c does not read, how to read it.
func (l *lowering) unread(c *flowspec.Computation, err error) error {
	e, ok := errors.AsType[*source.Error](err)
	if !ok || e.Code != source.CodeUnknownTable {
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
	text := l.sqlText(c.Query.Body, "the query of computation '"+c.ID.Text+"'")
	if c.Query.Language == "yql" {
		return l.inYQL(c, text, inputs)
	}
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
