package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Insert binds INSERT INTO t SELECT.
func (b *Binder) Insert(i *sql.Insert) (*plan.Statement, error) {
	if i.Overwrite {
		return nil, b.unsupported(b.before(i.Span(), i.Table.Span()), "write INSERT INTO: a stream has no end at which its rows could take the place of others", "INSERT OVERWRITE is")
	}
	path, err := b.Path(i.Table)
	if err != nil {
		return nil, err
	}
	if path.Database == catalog.InformationSchema {
		return nil, b.errorf(source.CodeUnknownTable, i.Table.Span(), "insert into a table of another database", "the views of %s take no rows", path.Database)
	}
	found, err := b.Relation(i.Table)
	if err != nil {
		return nil, err
	}
	t, ok := found.(*catalog.Table)
	if !ok {
		return nil, b.errorf(source.CodeUnknownTable, i.Table.Span(), "insert into a table with connector 'print' or 'blackhole'", "'%s' is a view, which takes no rows", path.Name)
	}
	t = b.use(t, i.Table.Span())
	if _, err := b.hints(t, i.Hints); err != nil {
		return nil, err
	}
	if err := b.writable(t); err != nil {
		return nil, err
	}
	n, err := b.runnable(i.Query)
	if err != nil {
		return nil, err
	}
	return b.Write(t, rowsOf(i, n))
}

// checkChanges refuses to write updates to a table that takes only inserts.
func (b *Binder) checkChanges(t *catalog.Table, n plan.Node, at source.Span) error {
	culprit := plan.Culprit(n)
	if culprit == nil {
		return nil
	}
	c := b.connectorNamed(t.Options["connector"])
	if stored, _ := t.Written(); c.Takes != nil && c.Takes(stored, t.Options) != connector.Append {
		return nil
	}
	hint := "aggregate by windows, whose results are final, or write to a table that takes updates, such as one with connector 'upsert-kafka' or 'print'"
	if c.Create != nil {
		hint = "aggregate by windows, whose results are final, declare a PRIMARY KEY (…) NOT ENFORCED for the table, or 'changelog.mode' = 'retract'"
	}
	return b.errorf(codeChangelog, at, hint,
		"table '%s' takes only rows that are added, and the query updates its results: %s", t.Name, plan.Describe(culprit))
}

// guarantee is what the sink of t promises.
func (b *Binder) guarantee(t *catalog.Table) connector.Guarantee {
	stored, _ := t.Written()
	return b.connectorNamed(t.Options["connector"]).GuaranteeOf(stored, t.Options)
}

// writable wants a table whose connector takes rows, with all columns that are not VIRTUAL.
func (b *Binder) writable(t *catalog.Table) error {
	c, err := b.connector(t)
	if err == nil {
		stored, _ := t.Written()
		_, err = c.NewSink(stored, t.Options)
	}
	if err != nil {
		return b.tableError(err, t)
	}
	known := c.MetadataOf(t.Options)
	for i, col := range t.Columns {
		if col.Metadata == nil || col.Metadata.Virtual {
			continue
		}
		if at := slices.IndexFunc(known, func(m connector.MetadataColumn) bool { return m.Key == col.Metadata.Key }); at >= 0 && !known[at].Writable {
			declared := t.Declared.Columns[i]
			return b.within(declared.Text).errorf(source.CodeType, declared.Part.Span(), "write VIRTUAL behind it",
				"metadata '%s' can be read and not written, so a table with column '%s' takes no rows", col.Metadata.Key, col.Name)
		}
	}
	return nil
}

// fit brings the columns of a query to those of the table that it is inserted into, by position; columns not named are NULL.
func (b *Binder) fit(t *catalog.Table, r Rows) (*plan.Project, error) {
	stored, columns := t.Written()
	schema := make(types.Schema, len(columns))
	for k, c := range columns {
		schema[k] = types.Field{Name: t.Columns[c].Name, Type: t.Columns[c].Type}
	}
	from := r.Node.Columns()
	takes := make([]int, len(schema)) // by table column: query column or -1
	if r.Columns == nil {
		if len(from) != len(schema) {
			return nil, b.errorf(source.CodeType, r.Query, "the columns are: "+join(schema.Names()), "table '%s' takes %d columns and the query has %d", t.Name, len(schema), len(from))
		}
		for k := range takes {
			takes[k] = k
		}
	} else {
		for k := range takes {
			takes[k] = -1
		}
		for k, id := range r.Columns {
			at := schema.Index(id.Name)
			if at < 0 {
				if c := t.Index(id.Name); c >= 0 {
					return nil, b.errorf(source.CodeUnknownColumn, id.Span(), "leave it out; the columns that take values are: "+join(schema.Names()), "column '%s' of table '%s' %s and takes no value", id.Name, t.Name, whyUnwritten(&t.Columns[c]))
				}
				return nil, b.errorf(source.CodeUnknownColumn, id.Span(), didYouMean(id.Name, schema.Names(), "the columns are: "+join(schema.Names())), "table '%s' has no column '%s' to write to", t.Name, id.Name)
			}
			if takes[at] >= 0 {
				return nil, b.errorf(source.CodeDuplicate, id.Span(), "name it once", "column '%s' is named twice", id.Name)
			}
			takes[at] = k
		}
		if len(from) != len(r.Columns) {
			return nil, b.errorf(source.CodeType, r.Query, "select as many columns as are named", "the INSERT names %s and the query has %d", counted(len(r.Columns), "column"), len(from))
		}
	}
	if err := b.handing(t, r, takes); err != nil {
		return nil, err
	}
	n, err := b.withoutNulls(schema, takes, r.Node)
	if err != nil {
		return nil, b.place(err, r.At)
	}
	p := &plan.Project{Input: n}
	for k, f := range schema {
		e, err := b.fitColumn(t, r, f, takes[k])
		if err != nil {
			return nil, err
		}
		to := f.Type
		if t.Columns[columns[k]].Metadata != nil {
			to = stored.Schema[k].Type
			if e, err = expr.NewCast(e, to, false); err != nil {
				return nil, b.place(err, r.At)
			}
		}
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, plan.Column{Name: f.Name, Type: to})
	}
	return p, nil
}

func whyUnwritten(c *catalog.Column) string {
	if c.Computed != nil {
		return "is computed"
	}
	return "is VIRTUAL"
}

// fitColumn converts column at of a query to column f of table t; NULL if at is -1.
func (b *Binder) fitColumn(t *catalog.Table, r Rows, f types.Field, at int) (expr.Expr, error) {
	if at < 0 {
		if f.Type.NotNull {
			named := r.Columns[0].Span().To(r.Columns[len(r.Columns)-1].Span())
			return nil, b.errorf(source.CodeType, named, "add '"+f.Name+"'", "column '%s' of table '%s' is NOT NULL and is not among those named", f.Name, t.Name)
		}
		return expr.Null(f.Type), nil
	}
	c := r.Node.Columns()[at]
	span := r.Item(at)
	to := f.Type.Nullable()
	if f.Type.NotNull && c.Type.Kind == types.Null {
		return nil, b.errorf(source.CodeType, span, "give it a value, or drop NOT NULL", "column '%s' of table '%s' is NOT NULL and the query gives NULL", f.Name, t.Name)
	}
	e := expr.NewColumn(at, c.Name, c.Type)
	if !types.Assignable(c.Type, f.Type) {
		hint := "select another column for it"
		if _, err := expr.NewCast(e, to, false); err == nil {
			hint = "CAST it to " + to.String()
		}
		return nil, b.errorf(source.CodeType, span, hint, "column '%s' of table '%s' is %s and the query gives %s", f.Name, t.Name, to, c.Type.Nullable())
	}
	converted, err := expr.Convert(e, f.Type)
	if err != nil {
		return nil, b.place(err, span)
	}
	if f.Type.NotNull {
		converted = expr.NewRequired(converted, f.Name)
	}
	return converted, nil
}

// withoutNulls leaves out the rows of n that have a NULL for a column that is NOT NULL, if the session says so. Flink 2.3: without it such a row is an error when it
// is written.
func (b *Binder) withoutNulls(schema types.Schema, takes []int, n plan.Node) (plan.Node, error) {
	if enforcer, _ := b.session.Settings.Value(catalog.KeyNotNull); enforcer != "DROP" {
		return n, nil
	}
	var conditions []expr.Expr
	from := n.Columns()
	for k, f := range schema {
		if at := takes[k]; at >= 0 && f.Type.NotNull && !from[at].Type.NotNull {
			c, err := expr.NewCall(function.MustScalar("IS NOT NULL"), []expr.Expr{expr.NewColumn(at, from[at].Name, from[at].Type)})
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, c)
		}
	}
	if conditions == nil {
		return n, nil
	}
	all, err := expr.NewAnd(conditions...)
	return &plan.Filter{Input: n, Condition: all}, err
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
