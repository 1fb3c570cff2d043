package bind

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Table checks CREATE TABLE and makes the table; it does not add it to the session.
func (b *Binder) Table(c *sql.CreateTable) (*catalog.Table, error) {
	if err := b.refuseTableParts(c); err != nil {
		return nil, err
	}
	t := &catalog.Table{Name: c.Name.Last().Name, Options: connector.Options{}, Places: map[string]catalog.Place{}, At: catalog.Place{Text: b.text, Span: c.Name.Span()}}
	if len(c.Name.Parts) > 1 {
		return nil, b.unsupported(c.Name.Span(), "there is one database; write '"+t.Name+"'", "a qualified table name is")
	}
	for _, o := range c.Options {
		if _, twice := t.Options[o.Key.Value]; twice {
			return nil, b.errorf(codeDuplicate, o.Key.Span(), "give it once", "option '%s' is given twice", o.Key.Value)
		}
		t.Options[o.Key.Value], t.Places[o.Key.Value] = o.Value.Value, catalog.Place{Text: b.text, Span: o.Span()}
	}
	if err := b.columns(c, t); err != nil {
		return nil, err
	}
	if c.Schema.Watermark != nil {
		if err := b.watermark(c.Schema.Watermark, t); err != nil {
			return nil, err
		}
	}
	if err := b.usable(t); err != nil {
		return nil, b.tableError(err, t)
	}
	return t, nil
}

// usable wants options with which the table can be read or written.
func (b *Binder) usable(t *catalog.Table) error {
	c, err := b.connector(t)
	if err != nil {
		return err
	}
	_, unreadable := b.scan(t, nil)
	if unreadable == nil {
		return nil
	}
	schema, _ := t.Physical()
	_, unwritable := c.NewSink(connector.Table{Name: t.Name, Schema: schema}, t.Options)
	if unwritable == nil {
		return nil
	}
	// A connector that only writes says of every table that it cannot be read, and the other way round.
	var option *connector.OptionError
	if errors.As(unreadable, &option) && option.Key == "connector" {
		if errors.As(unwritable, &option) && option.Key != "connector" {
			return unwritable
		}
	}
	return unreadable
}

func (b *Binder) refuseTableParts(c *sql.CreateTable) error {
	switch {
	case c.As != nil:
		return b.unsupported(c.As.Span(), "write CREATE TABLE with columns, then INSERT INTO the table", "CREATE TABLE … AS is")
	case c.Like != nil:
		return b.unsupported(c.Like.Span(), "write the columns out", "LIKE is")
	case c.Schema.PrimaryKey != nil:
		return b.unsupported(c.Schema.PrimaryKey.Span(), "leave it out; the tables there are only append rows", "PRIMARY KEY is")
	case c.Distributed != nil:
		return b.unsupported(c.Distributed.Span(), "leave it out; 'path' may be a folder of files", "DISTRIBUTED is")
	case len(c.Partitioned) > 0:
		return b.unsupported(c.Partitioned[0].Span(), "leave it out; 'path' may be a folder of files", "PARTITIONED BY is")
	case len(c.Schema.Columns) == 0:
		return b.errorf(codeType, c.Name.Span(), "list its columns in parentheses", "table '%s' has no columns", c.Name.Last().Name)
	}
	return nil
}

// columns binds the columns: first the physical ones, then the computed ones over them. Flink 2.3: a computed column may use physical columns
// wherever they stand, but no computed column.
func (b *Binder) columns(c *sql.CreateTable, t *catalog.Table) error {
	physical := &scope{}
	for i := range c.Schema.Columns {
		col := &c.Schema.Columns[i]
		name := col.Name.Last().Name
		for _, before := range t.Columns {
			if before.Name == name {
				return b.errorf(codeDuplicate, col.Name.Span(), "rename one of them", "column '%s' is there twice", name)
			}
		}
		entry := catalog.Column{Name: name}
		switch col.Kind {
		case sql.PhysicalColumn:
			var err error
			if entry.Type, err = b.typeOf(col.Type); err != nil {
				return err
			}
			physical.columns = append(physical.columns, plan.Column{Name: name, Type: entry.Type})
		case sql.MetadataColumn:
			return b.unsupported(col.Span(), "read the value from a column of the data", "a METADATA column is")
		case sql.NamedColumn:
			return b.errorf(codeType, col.Span(), "give it a type", "column '%s' has no type", name)
		default:
			physical.columns = append(physical.columns, plan.Column{})
		}
		physical.tables = append(physical.tables, "")
		t.Columns = append(t.Columns, entry)
	}
	for i := range c.Schema.Columns {
		col := &c.Schema.Columns[i]
		if col.Kind != sql.ComputedColumn {
			continue
		}
		if err := b.notOverComputed(col.As, c.Schema.Columns); err != nil {
			return err
		}
		e, err := b.expr(col.As, physical.in("a computed column"))
		if err != nil {
			return err
		}
		if e.Type().Kind == types.Null {
			return b.errorf(codeType, col.As.Span(), "give NULL a type: CAST(NULL AS STRING)", "column '%s' has no type", t.Columns[i].Name)
		}
		t.Columns[i].Computed, t.Columns[i].Type = e, e.Type()
	}
	return nil
}

// notOverComputed refuses the expression of a computed column that reads another one.
func (b *Binder) notOverComputed(e sql.Expr, columns []sql.Column) error {
	var err error
	sql.Walk(e, func(e sql.Expr) bool {
		ref, ok := e.(*sql.ColumnRef)
		if ok && err == nil && slices.ContainsFunc(columns, func(c sql.Column) bool { return c.Kind == sql.ComputedColumn && c.Name.Last().Name == ref.Last().Name }) {
			err = b.unsupported(ref.Span(), "repeat the expression of '"+ref.Last().Name+"', or compute in a view", "a computed column over the computed column '%s' is", ref.Last().Name)
		}
		return err == nil
	})
	return err
}

// watermark binds WATERMARK FOR.
// maxTimePrecision is the greatest precision of a time attribute. Flink 2.3: watermarks count in milliseconds.
const maxTimePrecision = 3

func (b *Binder) watermark(w *sql.Watermark, t *catalog.Table) error {
	s := &scope{}
	for _, c := range t.Columns {
		s.columns = append(s.columns, plan.Column{Name: c.Name, Type: c.Type})
		s.tables = append(s.tables, "")
	}
	i, err := b.find(w.Column, s)
	if err != nil {
		return err
	}
	c := t.Columns[i]
	if !c.Type.IsTime() {
		hint := "name a column of type TIMESTAMP(3) or TIMESTAMP_LTZ(3)"
		switch {
		case c.Type.IsInteger():
			hint += "; add a computed column: t AS TO_TIMESTAMP_LTZ(" + c.Name + ", 3) for milliseconds, 0 for seconds"
		case c.Type.IsText():
			hint += "; add a computed column: t AS TO_TIMESTAMP(" + c.Name + ")"
		}
		return b.errorf(codeTime, w.Column.Span(), hint, "column '%s' is %s, and a watermark needs a time", c.Name, c.Type.Nullable())
	}
	if c.Type.Precision > maxTimePrecision {
		instead := c.Type.Nullable()
		instead.Precision = maxTimePrecision
		return b.errorf(codeTime, w.Column.Span(), fmt.Sprintf("declare it as %s, or add a computed column: t AS CAST(%s AS %s)", instead, c.Name, instead),
			"column '%s' is %s, and watermarks count in milliseconds", c.Name, c.Type.Nullable())
	}
	e, err := b.expr(w.Expr, s.in("WATERMARK"))
	if err != nil {
		return err
	}
	if !e.Type().IsTime() {
		return b.errorf(codeTime, w.Expr.Span(), "write "+c.Name+" - INTERVAL '5' SECOND", "the watermark is %s and not a time", e.Type().Nullable())
	}
	if e.Type().Kind != c.Type.Kind {
		return b.errorf(codeTime, w.Expr.Span(), "compute it from '"+c.Name+"', or CAST it to "+c.Type.Nullable().String(), "the watermark is %s and column '%s' is %s", e.Type().Nullable(), c.Name, c.Type.Nullable())
	}
	if e, err = expr.Convert(e, c.Type); err != nil {
		return b.place(err, w.Expr.Span())
	}
	t.Watermark = &catalog.Watermark{Column: i, Expr: e, Text: b.text.Slice(w.Expr.Span())}
	return nil
}

// View checks CREATE VIEW and makes the view; it does not add it to the session.
func (b *Binder) View(c *sql.CreateView) (*catalog.View, error) {
	v := &catalog.View{Name: c.Name.Last().Name, Query: c.Query, Text: b.text}
	if len(c.Name.Parts) > 1 {
		return nil, b.unsupported(c.Name.Span(), "there is one database; write '"+v.Name+"'", "a qualified view name is")
	}
	n, err := b.query(c.Query)
	if err != nil {
		return nil, err
	}
	for _, col := range c.Columns {
		v.Columns = append(v.Columns, col.Name)
	}
	if v.Columns != nil {
		if _, err := b.renamed(n, v.Columns); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Insert binds INSERT INTO t SELECT.
func (b *Binder) Insert(i *sql.Insert) (*plan.Statement, error) {
	name := i.Table.Last().Name
	if i.Overwrite {
		return nil, b.unsupported(b.before(i.Span(), i.Table.Span()), "write INSERT INTO", "INSERT OVERWRITE is")
	}
	if len(i.Table.Parts) > 1 {
		return nil, b.unsupported(i.Table.Span(), "there is one database; write '"+name+"'", "a qualified table name is")
	}
	if err := b.noHints(i.Hints, "the table of an INSERT"); err != nil {
		return nil, err
	}
	t, ok := b.session.Table(name)
	if !ok {
		if _, isView := b.session.View(name); isView {
			return nil, b.errorf(codeUnknownTable, i.Table.Span(), "insert into a table with connector 'print' or 'blackhole'", "'%s' is a view, which takes no rows", name)
		}
		return nil, b.errorf(codeUnknownTable, i.Table.Span(), didYouMean(name, b.session.Names(), createIt(name)), "unknown table '%s'", name)
	}
	t = b.use(t, i.Table)
	c, err := b.connector(t)
	if err == nil {
		schema, _ := t.Physical()
		_, err = c.NewSink(connector.Table{Name: t.Name, Schema: schema}, t.Options)
	}
	if err != nil {
		return nil, b.tableError(err, t)
	}
	n, err := b.runnable(i.Query)
	if err != nil {
		return nil, err
	}
	p, err := b.fit(i, t, n)
	if err != nil {
		return nil, err
	}
	return &plan.Statement{Root: p, Into: t}, b.checkChanges(c, t, p, i.Query.Span())
}

// checkChanges refuses to write updates to a table that takes only inserts.
func (b *Binder) checkChanges(c *connector.Connector, t *catalog.Table, n plan.Node, at source.Span) error {
	culprit := plan.Culprit(n)
	if culprit == nil || c.Takes != nil && c.Takes(t.Options) != connector.Append {
		return nil
	}
	return b.errorf(codeChangelog, at, "aggregate by windows, whose results are final, or write to a table that takes updates, such as one with connector 'print'",
		"table '%s' takes only rows that are added, and the query updates its results: %s", t.Name, plan.Describe(culprit))
}

// fit brings the columns of a query to those of the table that it is inserted into, by position; columns not named are NULL.
func (b *Binder) fit(i *sql.Insert, t *catalog.Table, n plan.Node) (*plan.Project, error) {
	schema, _ := t.Physical()
	from := n.Columns()
	takes := make([]int, len(schema)) // by table column: query column or -1
	if i.Columns == nil {
		if len(from) != len(schema) {
			return nil, b.errorf(codeType, i.Query.Span(), "the columns are: "+join(schema.Names()), "table '%s' takes %d columns and the query has %d", t.Name, len(schema), len(from))
		}
		for k := range takes {
			takes[k] = k
		}
	} else {
		for k := range takes {
			takes[k] = -1
		}
		for k, id := range i.Columns {
			at := schema.Index(id.Name)
			if at < 0 {
				return nil, b.errorf(codeUnknownColumn, id.Span(), didYouMean(id.Name, schema.Names(), "the columns are: "+join(schema.Names())), "table '%s' has no column '%s' to write to", t.Name, id.Name)
			}
			if takes[at] >= 0 {
				return nil, b.errorf(codeDuplicate, id.Span(), "name it once", "column '%s' is named twice", id.Name)
			}
			takes[at] = k
		}
		if len(from) != len(i.Columns) {
			return nil, b.errorf(codeType, i.Query.Span(), "select as many columns as are named", "the INSERT names %s and the query has %d", counted(len(i.Columns), "column"), len(from))
		}
	}
	p := &plan.Project{Input: n}
	for k, f := range schema {
		e, err := b.fitColumn(i, t, f, takes[k], from)
		if err != nil {
			return nil, err
		}
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, plan.Column{Name: f.Name, Type: f.Type})
	}
	return p, nil
}

// fitColumn converts column at of a query to column f of table t; NULL if at is -1.
func (b *Binder) fitColumn(i *sql.Insert, t *catalog.Table, f types.Field, at int, from []plan.Column) (expr.Expr, error) {
	if at < 0 {
		if f.Type.NotNull {
			named := i.Columns[0].Span().To(i.Columns[len(i.Columns)-1].Span())
			return nil, b.errorf(codeType, named, "add '"+f.Name+"'", "column '%s' of table '%s' is NOT NULL and is not among those named", f.Name, t.Name)
		}
		return expr.Null(f.Type), nil
	}
	c := from[at]
	span := itemSpan(i.Query, at, len(from))
	to := f.Type.Nullable()
	if f.Type.NotNull && !c.Type.NotNull {
		return nil, b.errorf(codeType, span, "use COALESCE(…), or drop NOT NULL", "column '%s' of table '%s' is NOT NULL and the query may give NULL", f.Name, t.Name)
	}
	e := expr.NewColumn(at, c.Name, c.Type)
	if !types.Assignable(c.Type, f.Type) {
		hint := "select another column for it"
		if _, err := expr.NewCast(e, to, false); err == nil {
			hint = "CAST it to " + to.String()
		}
		return nil, b.errorf(codeType, span, hint, "column '%s' of table '%s' is %s and the query gives %s", f.Name, t.Name, to, c.Type.Nullable())
	}
	converted, err := expr.Convert(e, f.Type)
	return converted, b.place(err, span)
}

// itemSpan is where column at of a query is written, or the whole query if that is not one place.
func itemSpan(q sql.Query, at, columns int) source.Span {
	switch q := q.(type) {
	case *sql.Select:
		if len(q.Items) == columns {
			return q.Items[at].Span()
		}
	case *sql.Values:
		if len(q.Rows) == 1 {
			return q.Rows[0].Exprs[at].Span()
		}
	}
	return q.Span()
}
