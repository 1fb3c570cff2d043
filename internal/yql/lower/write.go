package lower

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/plan/bind"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// insert lowers INSERT INTO a topic and UPSERT INTO a table.
func (l *Lowerer) insert(i *yql.Insert) (*plan.Statement, error) {
	switch {
	case i.Verb != yql.InsertInto && i.Verb != yql.UpsertInto:
		return nil, l.unsupported(source.Span{Start: i.Span().Start, End: i.Into.Span().Start}, "write UPSERT INTO table, or INSERT INTO topic", "%s is", i.Verb)
	case len(i.Options) > 0:
		return nil, l.noOptions(i.Options[0], "what is written")
	}
	found, declared, err := l.relation(i.Into)
	if err != nil {
		return nil, err
	}
	t, ok := found.(*catalog.Table)
	if !ok {
		return nil, l.errorf(source.CodeUnknownTable, i.Into.Span(), "write to a topic or a table", "'%s' is a view, which takes no rows", i.Into.Text())
	}
	rows, err := l.query(i.Query)
	if err != nil {
		return nil, err
	}
	w := &writing{Lowerer: l, insert: i, rows: rows, items: itemsOf(i.Query)}
	switch upsert := i.Verb == yql.UpsertInto; {
	case upsert && t.PrimaryKey == nil:
		return nil, l.errorf(source.CodeKey, i.Into.Span(), "write INSERT INTO "+l.text.Slice(i.Into.Span()), "UPSERT needs a table with a PRIMARY KEY, and '%s' has none", i.Into.Text())
	case upsert:
		return w.byName(t)
	case t.PrimaryKey != nil:
		return nil, l.unsupported(i.Into.Span(), "write UPSERT INTO "+l.text.Slice(i.Into.Span())+": what comes again after a failure then replaces itself", "INSERT INTO '%s', which is a table with a PRIMARY KEY, is", i.Into.Text())
	}
	if declared {
		if takesMessages(t) {
			return w.message(t)
		}
		return w.byName(t)
	}
	raw, err := l.tables.Under(t, bind.Layout{Format: "raw", Columns: []catalog.Column{{Name: rawColumn, Type: yqltype.Of(yqltype.String).Physical()}}, At: catalog.Place{Text: l.text, Span: i.Into.Span()}})
	if err != nil {
		return nil, err
	}
	return w.message(raw)
}

// writing is rows on their way into a table.
type writing struct {
	*Lowerer
	insert *yql.Insert
	rows   *relation
	// items are those of the select list, nil if its columns are not one for each.
	items []yql.NamedExpr
}

// itemsOf are the items of a select list without stars.
func itemsOf(q yql.Query) []yql.NamedExpr {
	s, ok := q.(*yql.Select)
	if !ok {
		return nil
	}
	for i := range s.Items {
		if _, star := s.Items[i].Expr.(*yql.Star); star {
			return nil
		}
	}
	return s.Items
}

// at is where column i of the query is written.
func (w *writing) at(i int) source.Span {
	if w.items != nil {
		return w.items[i].Expr.Span()
	}
	return w.insert.Query.Span()
}

// message writes one message for every row. YDB: the query has exactly one column, whose name does not matter.
func (w *writing) message(t *catalog.Table) (*plan.Statement, error) {
	columns := w.rows.plain("")
	into := w.insert.Into.Text()
	if len(columns) != 1 {
		return nil, w.errorf(source.CodeType, w.insert.Query.Span(), "select one value: ToBytes(Unwrap(Yson::SerializeJson(Yson::From(TableRow()))))", "a topic takes one column, and the query has %d", len(columns))
	}
	c := w.rows.columns[columns[0]]
	_, written := t.Written()
	if of := t.Columns[written[0]].Type; of.IsText() || of.IsBytes() {
		switch {
		case !slices.Contains([]yqltype.Kind{yqltype.String, yqltype.Utf8, yqltype.Json, yqltype.Yson}, c.typ.Kind):
			return nil, w.errorf(source.CodeType, w.at(0), "CAST it to String, or write it as JSON: ToBytes(Unwrap(Yson::SerializeJson(Yson::From(TableRow()))))", "topic '%s' takes a String, Utf8, Json or Yson, and the query gives %s", into, c.typ)
		case c.typ.Optional:
			return nil, w.errorf(source.CodeType, w.at(0), "write Unwrap(…), which fails on NULL, or Coalesce(…, \"\")", "topic '%s' takes a value that is never NULL, and the query gives %s", into, c.typ)
		}
	}
	return w.write(t, columns, nil)
}

// byName writes the columns of the query to those of the table that are called so.
func (w *writing) byName(t *catalog.Table) (*plan.Statement, error) {
	_, written := t.Written()
	var names []string
	for _, i := range written {
		names = append(names, t.Columns[i].Name)
	}
	columns := w.rows.plain("")
	to := w.insert.Columns
	if to == nil {
		for _, i := range columns {
			to = append(to, yql.Ident{Located: yql.Located{At: w.at(min(i, max(len(w.items)-1, 0)))}, Name: w.rows.columns[i].name})
		}
	}
	if len(to) != len(columns) {
		return nil, w.errorf(source.CodeType, w.insert.Query.Span(), "select as many columns as are named", "%s names %s, and the query has %d", w.insert.Verb, counted(len(to), "column"), len(columns))
	}
	for k, id := range to {
		i := slices.Index(names, id.Name)
		if i < 0 {
			return nil, w.errorf(source.CodeUnknownColumn, id.Span(), didYouMean(id.Name, names, "columns go by their names; the table has: "+strings.Join(names, ", ")), "table '%s' has no column '%s'", w.insert.Into.Text(), id.Name)
		}
		of, c := t.Columns[written[i]], w.rows.columns[columns[k]]
		if of.Type.NotNull && c.typ.Optional {
			return nil, w.errorf(source.CodeType, id.Span(), "write Unwrap(…), which fails on NULL, or Coalesce(…, …)", "column '%s' of table '%s' is NOT NULL, and the query gives %s", id.Name, w.insert.Into.Text(), c.typ)
		}
	}
	for _, k := range t.PrimaryKey {
		if name := t.Columns[k].Name; !slices.ContainsFunc(to, func(id yql.Ident) bool { return id.Name == name }) {
			return nil, w.errorf(source.CodeKey, w.insert.Query.Span(), "select it: … AS "+name, "UPSERT needs all columns of the key, and '%s' is missing", name)
		}
	}
	var idents []sql.Ident
	for _, id := range to {
		idents = append(idents, sql.Ident{Located: sql.Located{At: id.Span()}, Name: id.Name})
	}
	return w.write(t, columns, idents)
}

// write fits the columns of the query into a table.
func (w *writing) write(t *catalog.Table, columns []int, to []sql.Ident) (*plan.Statement, error) {
	target, err := w.tables.Target(t, w.insert.Into.Span())
	if err != nil {
		return nil, err
	}
	if t.PrimaryKey == nil && plan.Updates(w.rows.node) {
		return nil, w.unsupported(w.insert.Query.Span(), "UPSERT them into a table with a PRIMARY KEY; a stream can be joined with the table instead", "INSERT of rows that replace others, as those of a table with a PRIMARY KEY do, is")
	}
	held, err := w.held(t, columns, to)
	if err != nil {
		return nil, err
	}
	n, err := w.tables.Checked(held, w.insert.Query.Span())
	if err != nil {
		return nil, err
	}
	return w.tables.Write(target, bind.Rows{Node: n, At: w.insert.Span(), Query: w.insert.Query.Span(), Item: w.at, Columns: to})
}

// held is the plan of the columns, each held as the table holds such values: bytes as BYTES, an instant as the TIMESTAMP that it is in UTC.
func (w *writing) held(t *catalog.Table, columns []int, to []sql.Ident) (plan.Node, error) {
	p := &plan.Project{Input: w.rows.node}
	_, written := t.Written()
	for k, i := range columns {
		c := w.rows.columns[i]
		v := w.rows.value(i)
		typ := c.typ.Physical()
		at := written[k]
		if to != nil {
			at = t.Index(to[k].Name)
		}
		of := t.Columns[at].Type
		switch {
		case of.Kind == types.Timestamp && typ.Kind == types.TimestampLTZ:
			typ = types.Type{Kind: types.Timestamp, Precision: typ.Precision, NotNull: typ.NotNull}
		case of.IsBytes() && typ.IsText():
			if e, err := expr.NewCast(v.Expr, types.BytesType, false); err == nil {
				v.Expr, typ = e, e.Type()
			}
		}
		if !types.Assignable(typ, of) {
			name, hint := typeOf(t.Columns[at]), "select another column for it"
			if _, err := expr.NewCast(v.Expr, of, false); err == nil {
				hint = "CAST it AS " + name
			}
			return nil, w.errorf(source.CodeType, w.at(k), hint, "column '%s' of '%s' is %s, and the query gives %s", t.Columns[at].Name, w.insert.Into.Text(), name, c.typ)
		}
		p.Exprs = append(p.Exprs, v.Expr)
		p.Cols = append(p.Cols, plan.Column{Name: c.name, Type: typ, Rowtime: w.rows.rowtime(i)})
	}
	return p, nil
}

// typeOf is the type of a column of a table in YQL, or as the table has it.
func typeOf(c catalog.Column) string {
	t := c.Type
	t.NotNull = true
	if of, _, ok := yqltype.OfPhysical(t); ok {
		return of.String()
	}
	return t.String()
}
