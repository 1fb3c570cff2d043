package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// The columns that skip_if_expression has beside those of a stream and the two times. Flow: times are whole seconds there.
const (
	alignmentTimestamp = "$alignment_timestamp"
	streamID           = "$stream_id"
)

// skipped is the column of a source that says whether a row is skipped.
const skipped = "$skipped"

// taken is what a computation takes of an input: without the rows for which skip_if_expression is true. Its state depends on the columns of that alone, so that the expression may change.
func (l *lowering) taken(c *flowspec.Computation, n plan.Node, stream string) (plan.Node, error) {
	n, err := l.skipping(c, n, stream)
	if c.Skip == nil && c.Class.Source {
		return &plan.Named{Input: n, Name: stream, Part: true}, nil
	}
	if err != nil || c.Skip == nil {
		return n, err
	}
	p := &plan.Project{Input: n}
	for i, col := range n.Columns() {
		if col.Name != skipped {
			p.Exprs, p.Cols = append(p.Exprs, expr.NewColumn(i, col.Name, col.Type)), append(p.Cols, col)
		}
	}
	return &plan.Named{Input: p, Name: stream, Part: true}, nil
}

// skipping leaves out the rows of an input for which skip_if_expression is true.
func (l *lowering) skipping(c *flowspec.Computation, n plan.Node, stream string) (plan.Node, error) {
	if c.Skip == nil {
		return n, nil
	}
	columns := n.Columns()
	if k := slices.IndexFunc(columns, func(c plan.Column) bool { return c.Name == skipped }); k >= 0 {
		kept, err := not(expr.NewColumn(k, skipped, columns[k].Type))
		return &plan.Filter{Input: n, Condition: kept}, err
	}
	var values []expr.Expr
	for i, col := range columns {
		values = append(values, expr.NewColumn(i, col.Name, col.Type))
	}
	condition, err := l.skip(c, columns, values, stream)
	if err != nil {
		return nil, err
	}
	kept, err := not(condition)
	return &plan.Filter{Input: n, Condition: kept}, l.placed(err, c.Skip.Span)
}

func not(e expr.Expr) (expr.Expr, error) {
	return expr.NewCall(function.MustScalar("NOT"), []expr.Expr{e})
}

// skip binds skip_if_expression over columns that have these values. Flow: one that is NULL is an error.
func (l *lowering) skip(c *flowspec.Computation, columns []plan.Column, values []expr.Expr, stream string) (expr.Expr, error) {
	masked := l.sqlText(c.Skip, "skip_if_expression of '"+c.ID.Text+"'")
	text := singleQuoted(masked)
	tree, err := sql.ParseExpr(text)
	if err != nil {
		return nil, l.unmasked(err, text, c.Skip)
	}
	scope, values := slices.Clone(columns), slices.Clone(values)
	add := func(name string, e expr.Expr) {
		scope, values = append(scope, plan.Column{Name: name, Type: e.Type(), Hidden: true}), append(values, e)
	}
	for i := range columns {
		name := columns[i].Name
		if name != plan.EventTimestamp && name != plan.SystemTimestamp {
			continue
		}
		seconds, err := expr.NewCall(function.MustScalar("EXTRACT"), []expr.Expr{expr.LiteralString("EPOCH"), values[i]})
		if err != nil {
			return nil, l.placed(err, c.Skip.Span)
		}
		scope[i].Name = ""
		add(name, seconds)
		if name == plan.SystemTimestamp {
			add(alignmentTimestamp, seconds)
		}
	}
	add(streamID, expr.LiteralString(stream))
	condition, err := l.tables.Among(l.within(masked), nil).Expression(tree, scope, "skip_if_expression")
	if err != nil {
		return nil, err
	}
	if condition.Type().Kind != types.Boolean {
		return nil, l.errorf(source.CodeType, c.Skip.Span, "compare something", "skip_if_expression is %s, and not true or false", condition.Type().Nullable())
	}
	over := expr.Map(condition, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok {
			return values[c.Index]
		}
		return e
	})
	return expr.NewRequired(over, "skip_if_expression"), nil
}

// kept says which rows of a source are not skipped, nil for all: the watermark is about those. It adds a column to the table that says which are skipped.
func (m *messages) kept(c *flowspec.Computation, stream string, event, system expr.Expr) (expr.Expr, error) {
	if c.Skip == nil {
		return nil, nil
	}
	var columns []plan.Column
	var values []expr.Expr
	add := func(name string, e expr.Expr, hidden bool) {
		columns, values = append(columns, plan.Column{Name: name, Type: e.Type(), Hidden: hidden}), append(values, e)
	}
	for i, col := range m.table.Columns {
		if col.Name != plan.SystemTimestamp {
			add(col.Name, stored(m.table, expr.NewColumn(i, col.Name, col.Type)), col.Hidden)
		}
	}
	add(plan.EventTimestamp, event, true)
	if system != nil {
		add(plan.SystemTimestamp, system, true)
	}
	condition, err := m.lowering.skip(c, columns, values, stream)
	if err != nil {
		return nil, m.lowering.placed(err, c.Skip.Span)
	}
	m.add(catalog.Column{Name: skipped, Type: condition.Type(), Computed: condition})
	kept, err := not(condition)
	return kept, m.lowering.placed(err, c.Skip.Span)
}
