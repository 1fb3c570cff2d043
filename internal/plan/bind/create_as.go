package bind

import (
	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TableAs binds CREATE TABLE … AS: the table, which is not added to the session, and the INSERT that fills it. Flink 2.3: columns that are declared come
// first, then those of the query; a declared column of the query's name gives that one another type, and a list of bare names puts the query's
// columns in another order.
func (b *Binder) TableAs(c *sql.CreateTable) (*catalog.Table, *plan.Statement, error) {
	path, err := b.newPath(c.Name)
	if err != nil {
		return nil, nil, err
	}
	if len(c.Partitioned) > 0 {
		return nil, nil, b.unsupported(c.Partitioned[0].Span(), "leave it out; 'path' may be a folder of files", "PARTITIONED BY is")
	}
	n, err := b.runnable(c.As)
	if err != nil {
		return nil, nil, err
	}
	d := catalog.Declare(c, b.text)
	if d.Columns, err = b.columnsAs(c, d.Columns, n.Columns()); err != nil {
		return nil, nil, err
	}
	t, err := b.define(&catalog.Table{Path: path, Temporary: c.Temporary, Declared: d, At: catalog.Place{Text: b.text, Span: c.Name.Span()}})
	if err != nil {
		return nil, nil, err
	}
	insert := &sql.Insert{Located: c.Located, Table: c.Name, Query: c.As}
	for i, col := range n.Columns() {
		at := itemSpan(c.As, i, len(n.Columns()))
		k := t.Index(col.Name)
		if !t.Columns[k].Physical() && (t.Columns[k].Metadata == nil || t.Columns[k].Metadata.Virtual) {
			return nil, nil, b.errorf(source.CodeDuplicate, at, "rename one of them", "column '%s' of the query is declared as one that %s", col.Name, whyUnwritten(&t.Columns[k]))
		}
		insert.Columns = append(insert.Columns, sql.Ident{Located: sql.Located{At: at}, Name: col.Name})
	}
	used, err := b.Target(t, c.Name.Span())
	if err != nil {
		return nil, nil, err
	}
	s, err := b.Write(used, rowsOf(insert, n))
	if err != nil {
		return nil, nil, err
	}
	return t, s, nil
}

// columnsAs merges declared columns with those of a query.
func (b *Binder) columnsAs(c *sql.CreateTable, declared []catalog.Declared[sql.Column], from []plan.Column) ([]catalog.Declared[sql.Column], error) {
	query := catalog.Declaration{}
	for i, col := range from {
		at := itemSpan(c.As, i, len(from))
		if query.Column(col.Name) >= 0 {
			return nil, b.errorf(source.CodeDuplicate, at, "rename one of them with AS", "the query has two columns '%s'", col.Name)
		}
		if col.Type.Kind == types.Null {
			return nil, b.errorf(source.CodeType, at, "give NULL a type: CAST(NULL AS STRING)", "column '%s' has no type", col.Name)
		}
		typ, err := sql.ParseType(source.Text{Name: "type", Body: col.Type.String()})
		if err != nil {
			panic("tidemark bug: type " + col.Type.String() + " does not read back: " + err.Error())
		}
		query.Columns = append(query.Columns, catalog.Declared[sql.Column]{Part: sql.Column{Located: sql.Located{At: at}, Name: named(col.Name, at), Type: typ}, Text: b.text})
	}
	var own, ordered []catalog.Declared[sql.Column]
	for _, col := range declared {
		i := query.Column(col.Part.Name.Last().Name)
		switch {
		case col.Part.Kind != sql.NamedColumn && i >= 0 && col.Part.Kind == sql.PhysicalColumn:
			query.Columns[i] = col
		case col.Part.Kind != sql.NamedColumn:
			own = append(own, col)
		case i < 0:
			return nil, b.errorf(source.CodeUnknownColumn, col.Part.Span(), "give it a type, or name a column of the query", "the query has no column '%s'", col.Part.Name.Last().Name)
		default:
			ordered = append(ordered, query.Columns[i])
		}
	}
	if ordered == nil {
		return append(own, query.Columns...), nil
	}
	if len(own) > 0 || len(ordered) != len(from) {
		return nil, b.errorf(source.CodeType, declared[0].Part.Span().To(declared[len(declared)-1].Part.Span()), "name all columns of the query and nothing else, or give each a type",
			"bare names put the columns of the query in order: they must be its %s", counted(len(from), "column"))
	}
	return ordered, nil
}

func named(name string, at source.Span) sql.Name {
	return sql.Name{Parts: []sql.Ident{{Located: sql.Located{At: at}, Name: name}}}
}
