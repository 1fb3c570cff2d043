package bind

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Path completes the name of a table or view: one part is in the current database, two are a database of the current catalog and a name in it. The
// database must be there, what is named need not.
func (b *Binder) Path(n sql.Name) (catalog.Path, error) {
	p := catalog.Path{Catalog: b.current.Catalog, Database: b.current.Database, Name: n.Last().Name}
	parts := n.Parts
	switch len(parts) {
	case 1:
		return p, b.databaseOf(p, parts)
	case 2:
		p.Database = parts[0].Name
	case 3:
		p.Catalog, p.Database = parts[0].Name, parts[1].Name
		if c, ok := b.session.Catalog(p.Catalog); ok {
			p.Catalog = c.Name
		}
	default:
		return p, b.errorf(source.CodeUnknownTable, n.Span(), "write catalog.database.name, or less of it", "a name has three parts at most, and this one has %d", len(parts))
	}
	return p, b.databaseOf(p, parts[:len(parts)-1])
}

// databaseOf wants the database of p to be there; parts are what is written of it, or the name itself if that is nothing.
func (b *Binder) databaseOf(p catalog.Path, parts []sql.Ident) error {
	c, ok := b.session.Catalog(p.Catalog)
	if !ok {
		names := b.session.Catalogs()
		return b.errorf(source.CodeUnknownPlace, parts[0].Span(), didYouMean(p.Catalog, names, "the catalogs are: "+join(names)), "there is no catalog '%s'", p.Catalog)
	}
	if p.Database == catalog.InformationSchema {
		return nil
	}
	if _, ok := c.Database(p.Database); !ok {
		names := append(c.Databases(), catalog.InformationSchema)
		otherwise := "the databases are: " + join(names) + "; USE chooses one"
		if strings.EqualFold(p.Database, catalog.InformationSchema) {
			otherwise = "write it in upper case: " + catalog.InformationSchema
		}
		return b.errorf(source.CodeUnknownPlace, parts[len(parts)-1].Span(), didYouMean(p.Database, names, otherwise), "there is no database '%s' in catalog '%s'", p.Database, p.Catalog)
	}
	return nil
}

// Relation finds a table or view.
func (b *Binder) Relation(n sql.Name) (catalog.Relation, error) {
	p, err := b.Path(n)
	if err != nil {
		return nil, err
	}
	r, ok, err := b.Find(p)
	if !ok && err == nil {
		err = b.noRelation(p, n)
	}
	return r, err
}

// noRelation is the error for a name that nothing has.
func (b *Binder) noRelation(p catalog.Path, n sql.Name) error {
	t, err := b.lateTable(p)
	if err != nil {
		return err
	}
	if t != nil {
		return b.errorf(source.CodeUnsupported, n.Span(), "name '"+t.Name+"' itself", "'%s' is the late rows of table '%s', which can be queried and nothing else", p.Name, t.Name)
	}
	in := catalog.Current{Catalog: p.Catalog, Database: p.Database}
	names, err := b.Names(in)
	if err != nil {
		return err
	}
	if p.Database == catalog.InformationSchema {
		names = InformationViews()
	}
	if len(n.Parts) == 1 {
		for _, c := range b.ctes {
			names = append(names, c.table.Name.Name)
		}
	}
	otherwise := fmt.Sprintf("make it first: CREATE TABLE %s (…) WITH ('connector' = '…'); SHOW TABLES lists those there are", written(p.Name))
	switch {
	case b.inferring(in) != nil && strings.HasPrefix(p.Name, "_"):
		otherwise = fmt.Sprintf("declare it with CREATE TABLE %s (…) if it is a topic: those whose names begin with '_' are no tables without", written(p.Name))
	case b.inferring(in) != nil:
		otherwise = fmt.Sprintf("make it first: CREATE TABLE %s (…); there is no topic of that name either. SHOW TABLES lists tables and topics", written(p.Name))
	case b.managed() != nil:
		otherwise = fmt.Sprintf("make it first: CREATE TABLE %s (…), which takes up the topic of that name if there is one; SHOW TABLES lists those there are", written(p.Name))
	}
	if table, ok := strings.CutSuffix(p.Name, plan.LateSuffix); ok {
		otherwise = fmt.Sprintf("it would be the late rows of '%s', which there is not", table)
	}
	if p.Database == catalog.InformationSchema {
		otherwise = "the views are: " + join(names)
	}
	return b.errorf(source.CodeUnknownTable, n.Span(), didYouMean(p.Name, names, otherwise), "unknown table '%s'", p.Name)
}

// written is a name as it stands in SQL, for hints to copy: in backticks if it needs them.
func written(name string) string {
	return sql.Format(&sql.ColumnRef{Name: sql.Name{Parts: []sql.Ident{{Name: name}}}})
}

// place of a new table or view: InformationSchema takes none.
func (b *Binder) newPath(n sql.Name) (catalog.Path, error) {
	p, err := b.Path(n)
	if err == nil && p.Database == catalog.InformationSchema {
		err = b.errorf(source.CodeUnsupported, n.Span(), "choose another database", "nothing can be made in %s, whose views describe the catalog", catalog.InformationSchema)
	}
	return p, err
}
