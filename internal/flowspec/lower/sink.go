package lower

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// sinks adds the statements that write what leaves c.
func (l *lowering) sinks(c *flowspec.Computation) error {
	for _, s := range c.Sinks {
		if err := l.sink(c, s); err != nil {
			return err
		}
	}
	return nil
}

func (l *lowering) sink(c *flowspec.Computation, s *flowspec.Sink) error {
	first := l.spec.Stream(s.Inputs[0].Text)
	t, err := l.table(s.External, c.ID.Text+"/"+s.Name.Text, s.Name.At, first.Schema)
	if err != nil {
		return err
	}
	if s.HandsOver && !t.HandsOver() {
		return l.errorf(source.CodeOption, s.Name.At, "declare it with WATERMARK FOR … AS SOURCE_WATERMARK() and 'watermark.handover' = 'true'", "sink '%s' hands its watermark over, and its table does not", s.Name.Text)
	}
	if t, err = l.tables.Target(t, s.Name.At); err != nil {
		return err
	}
	var all []plan.Node
	var names []string
	for _, w := range s.Inputs {
		n, columns, err := l.leaving(s, w, t)
		if err != nil {
			return err
		}
		if names == nil {
			names = columns
		}
		if !slices.Equal(columns, names) {
			return l.errorf(source.CodeType, w.At, "give it a sink of its own", "streams '%s' and '%s' have other columns, and one sink writes both", s.Inputs[0].Text, w.Text)
		}
		all = append(all, n)
	}
	rows := bind.Rows{Node: union(all), At: s.Name.At, Query: s.Name.At, Item: func(int) source.Span { return s.Name.At }}
	for _, name := range names {
		rows.Columns = append(rows.Columns, sql.Ident{Located: sql.Located{At: s.Name.At}, Name: name, Quoted: true})
	}
	written, err := l.tables.Write(t, rows)
	if err != nil {
		return err
	}
	l.program.Statements = append(l.program.Statements, written)
	return nil
}

// leaving is a stream as it is written, and the columns of the table that it has: those of its schema, and its event time if that is the table's and no column has it.
func (l *lowering) leaving(s *flowspec.Sink, w flowspec.Word, t *catalog.Table) (plan.Node, []string, error) {
	in := l.streams[w.Text]
	p := &plan.Project{Input: in}
	var names []string
	for i, col := range in.Columns() {
		name := col.Name
		if name == plan.EventTimestamp && t.Watermark != nil {
			name = t.Columns[t.Watermark.Column].Name
			if !t.Columns[t.Watermark.Column].Physical() || slices.Contains(names, name) {
				continue
			}
			col.Hidden = false
		}
		if col.Hidden {
			continue
		}
		if t.Index(name) < 0 {
			return nil, nil, l.errorf(source.CodeUnknownColumn, w.At, "give the table the column, or leave it out of the stream's schema", "table '%s' has no column '%s', and stream '%s' has one", t.Name, name, w.Text)
		}
		e := expr.Expr(expr.NewColumn(i, col.Name, col.Type))
		if name != col.Name && t.Columns[t.Watermark.Column].Type.Kind != types.TimestampLTZ {
			continue
		}
		col.Name = name
		p.Exprs, p.Cols, names = append(p.Exprs, e), append(p.Cols, col), append(names, name)
	}
	return p, names, nil
}
