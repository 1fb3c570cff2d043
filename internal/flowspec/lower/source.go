package lower

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// sourceComputation adds the streams of a computation that reads a source.
func (l *lowering) sourceComputation(c *flowspec.Computation) error {
	s := c.Sources[0]
	columns, err := l.columnsOf(c, s)
	if err != nil {
		return err
	}
	t, err := l.table(s.External, sourceName(c, s), s.Name.At, columns)
	if err != nil {
		return err
	}
	scan, err := l.scan(c, s, t)
	if err != nil {
		return err
	}
	n, err := l.taken(c, scan, s.Name.Text)
	if err != nil {
		return err
	}
	inputs := map[string]plan.Node{s.Name.Text: n}
	switch {
	case c.Query != nil:
		if n, err = l.query(c, inputs); err == nil {
			err = l.write(c.Outputs[0], n)
		}
		return err
	case c.Class.Passthrough:
		for _, o := range c.Outputs {
			if n, err = l.stamped(c, inputs[s.Name.Text], l.spec.Stream(o.Text)); err != nil {
				return err
			}
			if err = l.write(o, n); err != nil {
				return err
			}
		}
		return nil
	}
	return l.process(c, inputs)
}

// scan reads the table of a source, whose rows have the two times of a message.
func (l *lowering) scan(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table) (plan.Node, error) {
	if g := c.Strategy.Generator; g != nil && g.UseSource && !t.HandsOver() {
		return nil, l.errorf(source.CodeTime, g.At, "declare it with WATERMARK FOR … AS SOURCE_WATERMARK() and 'watermark.handover' = 'true', or write out_of_orderness_bound", "no watermark is handed over in the table of source stream '%s'", s.Name.Text)
	}
	m, err := l.messages(c, s, t)
	if err != nil {
		return nil, err
	}
	var levels []plan.Level
	if m.generates {
		levels = []plan.Level{l.level(c, s)}
		at := c.Strategy.At
		if at.Start == at.End {
			at = s.Name.At
		}
		for option := range levels[0].Options {
			m.table.Places[option] = catalog.Place{Text: l.spec.Text, Span: at}
		}
	}
	if s.Finite {
		l.finite(m.table)
	}
	n, err := l.tables.Scan(m.table, levels, s.Name.At)
	if err != nil {
		return nil, err
	}
	if scan, ok := n.(*plan.Scan); ok {
		scan.Called = sourceName(c, s)
	}
	if s.Finite && !bounded(n) {
		return nil, l.errorf(source.CodeUnsupported, s.Name.At, "leave finite out, or give the table an end", "connector '%s' does not say where the rows of source stream '%s' end", t.Options["connector"], s.Name.Text)
	}
	if plan.Updates(n) {
		return nil, l.errorf("changelog", s.Name.At, "read a table whose rows are added", "the rows of source stream '%s' replace others, and messages of a stream are final", s.Name.Text)
	}
	return n, nil
}

// endOption is how a topic is told to end where it ends now.
const endOption = "scan.bounded.mode"

func (l *lowering) finite(t *catalog.Table) {
	if _, said := t.Options[endOption]; !said && l.tables.Takes(t, endOption) {
		t.Options[endOption] = "latest-offset"
	}
}

func bounded(n plan.Node) bool {
	for _, s := range plan.Scans(n) {
		if !s.Strategy.Bounded {
			return false
		}
	}
	return true
}

// messages is a table whose rows are messages: it has the two times as columns.
type messages struct {
	lowering *lowering
	table    *catalog.Table
	at       source.Span
	// generates says that the watermark is Flow's, and not what the table declares.
	generates bool
}

// messages adds the two times to a copy of t.
func (l *lowering) messages(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table) (*messages, error) {
	table := *t
	table.At = catalog.Place{Text: l.spec.Text, Span: s.Name.At}
	table.Columns, table.Options, table.Places = slices.Clone(t.Columns), maps.Clone(t.Options), maps.Clone(t.Places)
	m := &messages{lowering: l, table: &table, at: s.Name.At}
	system, err := m.writeTime(t)
	if err != nil {
		return nil, err
	}
	handed := c.Strategy.Generator != nil && c.Strategy.Generator.UseSource
	if t.Watermark != nil && (handed || c.Strategy.At == (source.Span{})) {
		return m, m.declaredTime(c, s, t, system)
	}
	m.generates = true
	for _, o := range plan.WatermarkOptions {
		if _, said := table.Options[o.Key]; said {
			delete(table.Options, o.Key)
			l.note(s.Name.At, "'%s' of the table says nothing here: watermark_strategy says how the watermark of '%s' is made, all of it", o.Key, s.Name.Text)
		}
	}
	event, err := l.sourceTime(c, s, t, system)
	if err != nil {
		return nil, err
	}
	kept, err := m.kept(c, s.Name.Text, event, system)
	if err != nil {
		return nil, err
	}
	if err := m.looksBack(event, bound(c)); err != nil {
		return nil, err
	}
	m.table.Watermark.Of = kept
	return m, nil
}

// add adds a hidden column.
func (m *messages) add(c catalog.Column) int {
	c.Hidden = true
	m.table.Columns = append(m.table.Columns, c)
	return len(m.table.Columns) - 1
}

// writeTime adds the time at which records were written, if the connector knows it, and is that time as an expression over columns that are in the data; nil if it does not.
func (m *messages) writeTime(t *catalog.Table) (expr.Expr, error) {
	known, err := m.lowering.tables.MetadataOf(t)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		if !k.Timestamp {
			continue
		}
		col := catalog.Column{Name: plan.SystemTimestamp, Type: types.TimestampLTZType}
		if shown := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.Metadata != nil && c.Metadata.Key == k.Key }); shown >= 0 {
			if col.Computed, err = instant(expr.NewColumn(shown, t.Columns[shown].Name, t.Columns[shown].Type)); err != nil {
				return nil, m.lowering.placed(err, m.at)
			}
			col.Type = col.Computed.Type()
			m.add(col)
			return col.Computed, nil
		}
		col.Metadata = &catalog.Metadata{Key: k.Key, Type: k.Type, Virtual: true}
		at := m.add(col)
		return expr.NewColumn(at, col.Name, col.Type), nil
	}
	return nil, nil
}

// declaredTime takes event time and watermark as the table declares them, of the rows that are not skipped. A watermark that is handed over stays about the table's own column, and all rows.
func (m *messages) declaredTime(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table, system expr.Expr) error {
	w := *t.Watermark
	if t.HandsOver() {
		return nil
	}
	event, err := instant(stored(t, expr.NewColumn(w.Column, t.Columns[w.Column].Name, t.Columns[w.Column].Type)))
	if err == nil {
		w.Expr, err = instant(w.Expr)
	}
	if err != nil {
		return m.lowering.placed(err, m.at)
	}
	if w.Of, err = m.kept(c, s.Name.Text, event, system); err != nil {
		return err
	}
	m.table.Watermark = &w
	if t.Columns[w.Column].Type.Kind != types.TimestampLTZ {
		w.Column = m.add(catalog.Column{Name: plan.EventTimestamp, Type: event.Type(), Computed: event})
	}
	return nil
}

// looksBack gives the table an event time, and a watermark that is so many microseconds behind it.
func (m *messages) looksBack(event expr.Expr, behind int64) error {
	at := m.add(catalog.Column{Name: plan.EventTimestamp, Type: event.Type(), Computed: event})
	text := "`" + plan.EventTimestamp + "` - INTERVAL '" + strconv.FormatInt(behind/1_000_000, 10) + "' SECOND"
	e, err := expr.NewCall(function.MustScalar("-"), []expr.Expr{expr.NewColumn(at, plan.EventTimestamp, event.Type()), expr.LiteralInt(types.IntervalDayType, behind)})
	if err == nil {
		e, err = instant(e)
	}
	if err != nil {
		return m.lowering.placed(err, m.at)
	}
	m.table.Watermark = &catalog.Watermark{Column: at, Expr: e, Text: text}
	own := source.Text{Name: "watermark_strategy", Body: text}
	tree, err := sql.ParseExpr(own)
	if err != nil {
		return err
	}
	m.table.Declared = m.table.Declared.Clone()
	m.table.Declared.Watermark = &catalog.Declared[sql.Watermark]{Part: sql.Watermark{Column: sql.Name{Parts: []sql.Ident{{Name: plan.EventTimestamp, Quoted: true}}}, Expr: tree}, Text: own}
	return nil
}

// stored is an expression over the columns of t without those that t computes.
func stored(t *catalog.Table, e expr.Expr) expr.Expr {
	return expr.Map(e, func(e expr.Expr) expr.Expr {
		if c, ok := e.(*expr.Column); ok && c.Index < len(t.Columns) && t.Columns[c.Index].Computed != nil {
			return t.Columns[c.Index].Computed
		}
		return e
	})
}

// sourceTime is the event time of rows of a source: of the assigner's column, or when the record was written. Flow: the assigner looks at what the computation writes; what a query computes there is
// computed here of the source's rows. Rows that are skipped, or that the query leaves out, have none, so that they do not move the watermark, as in Flow.
func (l *lowering) sourceTime(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table, system expr.Expr) (expr.Expr, error) {
	a := c.Strategy.Assigner
	event := system
	switch {
	case a.Column.Text != "":
		column, err := l.timeColumn(c, s, t)
		if err != nil {
			return nil, err
		}
		if event, err = assigned(a, stored(t, column)); err != nil {
			return nil, l.placed(err, a.Column.At)
		}
	case system == nil:
		return nil, l.errorf(source.CodeTime, s.Name.At, "write watermark_strategy: {event_timestamp_assigner: {column: …}}", "connector '%s' does not know when records were written, and no column says when they happened", t.Options["connector"])
	}
	if !a.Limit || a.Column.Text == "" {
		return event, nil
	}
	if system == nil {
		return nil, l.errorf(source.CodeTime, a.Column.At, "leave limit_by_system_timestamp out", "connector '%s' does not know when records were written", t.Options["connector"])
	}
	e, err := limited(event, system)
	return e, l.placed(err, a.Column.At)
}

// timeColumn finds the assigner's column among those of the source.
func (l *lowering) timeColumn(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table) (expr.Expr, error) {
	w := c.Strategy.Assigner.Column
	if c.Query != nil {
		return l.traced(c, s, t)
	}
	if k := t.Index(w.Text); k >= 0 {
		return expr.NewColumn(k, t.Columns[k].Name, t.Columns[k].Type), nil
	}
	var names []string
	for _, col := range t.Columns {
		names = append(names, col.Name)
	}
	hint := "event time is found before the code of the computation runs, so it has to be a column of the source"
	if near := source.Nearest(w.Text, names); near != "" {
		hint = "did you mean '" + near + "'?"
	}
	return nil, l.errorf(source.CodeUnknownColumn, w.At, hint, "source stream '%s' has no column '%s'", s.Name.Text, w.Text)
}

// traced is what the query of a source computes for the assigner's column, over the columns of t.
func (l *lowering) traced(c *flowspec.Computation, s *flowspec.Source, t *catalog.Table) (expr.Expr, error) {
	scan := &plan.Scan{Table: t}
	for i, col := range t.Columns {
		scan.Output = append(scan.Output, i)
		scan.Cols = append(scan.Cols, plan.Column{Name: col.Name, Type: col.Type, Hidden: col.Hidden})
	}
	n, err := l.bound(c, map[string]plan.Node{s.Name.Text: scan})
	if e, ok := errors.AsType[*source.Error](err); ok && strings.Contains(e.Text.Slice(e.Span), plan.EventTimestamp) {
		told := *e
		told.Message = "event time is what the query of computation '" + c.ID.Text + "' gives as '" + c.Strategy.Assigner.Column.Text + "', and the query itself does not have it"
		told.Hint = "let a passthrough read the source, with the assigner, and a query read its stream"
		return nil, &told
	}
	if err != nil {
		return nil, err
	}
	w := c.Strategy.Assigner.Column
	k := slices.IndexFunc(n.Columns(), func(f plan.Column) bool { return f.Name == w.Text })
	if k < 0 {
		return nil, l.errorf(source.CodeUnknownColumn, w.At, "select it in the query", "the query of computation '%s' gives no column '%s'", c.ID.Text, w.Text)
	}
	e, ok := follow(n, scan, expr.NewColumn(k, w.Text, n.Columns()[k].Type))
	if !ok {
		return nil, l.errorf(source.CodeUnsupported, c.Query.Body.Span, "select and filter rows here, and put them together in a computation that reads '"+c.Outputs[0].Text+"'", "a query over a source that does more than to select rows is not supported where event time is one of its columns")
	}
	return e, nil
}

// follow is an expression over the columns of n as one over those of scan, NULL for rows that are left out on the way; false if rows do not come from it one by one.
func follow(n plan.Node, scan *plan.Scan, e expr.Expr) (expr.Expr, bool) {
	switch n := n.(type) {
	case *plan.Scan:
		return e, n == scan
	case *plan.Project:
		return follow(n.Input, scan, expr.Map(e, func(e expr.Expr) expr.Expr {
			if c, ok := e.(*expr.Column); ok {
				return n.Exprs[c.Index]
			}
			return e
		}))
	case *plan.Filter:
		kept, err := expr.NewCase([]expr.When{{Condition: n.Condition, Result: e}}, expr.Null(e.Type()))
		if err != nil {
			return nil, false
		}
		return follow(n.Input, scan, kept)
	}
	return nil, false
}
