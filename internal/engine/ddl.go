package engine

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// defaultDatabase is the database of a new catalog. Flink 2.3: an in-memory catalog begins with a database of this name unless its option
// 'default-database' gives another.
const defaultDatabase = "default"

// taken refuses the name of something that is there already; with IF NOT EXISTS that is no error, and true.
func (x *execution) taken(there, ifNotExists bool, name sql.Ident) (bool, error) {
	if !there || ifNotExists {
		return there, nil
	}
	return true, x.errorf(source.CodeDuplicate, name.Span(), "DROP it first, or write IF NOT EXISTS", "'%s' is there already", name.Name)
}

// free reports whether a name for a table or view is to be made: it is not if there is one and IF NOT EXISTS says that this is fine.
func (x *execution) free(r catalog.Relation, ifNotExists bool, name sql.Name) (bool, error) {
	if err := x.noStanding(r.Full(), name.Span()); err != nil && !r.IsTemporary() {
		return false, err
	}
	_, there := x.session.Exact(r.Full(), r.IsTemporary())
	taken, err := x.taken(there, ifNotExists, sql.Ident{Located: sql.Located{At: name.Span()}, Name: name.Last().Name})
	return !taken, err
}

func (x *execution) createTable(s *sql.CreateTable) error {
	t, err := x.bind.Table(s)
	if err != nil {
		return err
	}
	free, err := x.free(t, s.IfNotExists, s.Name)
	if !free || err != nil {
		return err
	}
	if err := x.makeKeepers(t); err != nil {
		return err
	}
	if _, err := x.create(t); err != nil {
		return err
	}
	x.session.Put(t)
	return nil
}

// makeKeepers makes the tables that are to keep rows of t, if t is managed and they are not there. Confluent Cloud: CREATE TABLE and ALTER TABLE do.
func (x *execution) makeKeepers(t *catalog.Table) error {
	missing, err := x.bind.Keepers(t)
	if err != nil {
		return err
	}
	return x.makeAll(missing)
}

// makeAll makes tables that nobody declared.
func (x *execution) makeAll(tables []*catalog.Table) error {
	for _, t := range tables {
		if _, err := x.create(t); err != nil {
			return err
		}
		x.session.Put(t)
	}
	return nil
}

// create makes what holds the rows of a managed table; made is false if that was there already, or nothing is needed.
func (x *execution) create(t *catalog.Table) (made bool, err error) {
	c := x.connector(t)
	if c.Create == nil {
		return false, nil
	}
	stored, _ := t.Written()
	made, err = c.Create(stored, t.Options)
	return made, x.bind.TableError(err, t)
}

// remove removes what holds the rows of a managed table.
func (x *execution) remove(r catalog.Relation) error {
	t, ok := r.(*catalog.Table)
	if !ok {
		return nil
	}
	c := x.connector(t)
	if c.Drop == nil {
		return nil
	}
	stored, _ := t.Written()
	return x.bind.TableError(c.Drop(stored, t.Options), t)
}

// createTableAs plans a table and the INSERT that fills it, nil if the table is there already and may be. It makes nothing: fill does, when the
// statement is executed and not only explained.
func (x *execution) createTableAs(s *sql.CreateTable, q *Query) (*plan.Statement, error) {
	t, insert, err := x.bind.TableAs(s)
	if err != nil {
		return nil, err
	}
	free, err := x.free(t, s.IfNotExists, s.Name)
	if !free || err != nil {
		return nil, err
	}
	q.fills = t
	return insert, nil
}

// fill makes the table that q fills, if there is one. It goes again if q cannot start, with its rows only if this statement made what holds them.
func (x *execution) fill(q *Query) error {
	t := q.fills
	if t == nil {
		return nil
	}
	if err := x.makeKeepers(t); err != nil {
		return err
	}
	made, err := x.create(t)
	if err != nil {
		return err
	}
	x.session.Put(t)
	q.undo = func() {
		if there, _ := x.session.Exact(t.Path, t.Temporary); there != catalog.Relation(t) {
			return
		}
		x.session.Drop(t)
		if made {
			_ = x.remove(t) // what kept the statement from starting is what there is to say
		}
	}
	return nil
}

func (x *execution) createView(s *sql.CreateView) error {
	v, err := x.bind.View(s)
	if err = cmp.Or(err, x.ctx.Err()); err != nil {
		return err
	}
	free, err := x.free(v, s.IfNotExists, s.Name)
	if free {
		x.session.Put(v)
	}
	return err
}

// optionless refuses options of databases and catalogs, apart from those that mean what holds anyway.
func (x *execution) optionless(options []sql.Option, known map[string]string) error {
	for _, o := range options {
		if want, ok := known[o.Key.Value]; !ok || want != "" && want != o.Value.Value {
			return x.errorf(source.CodeOption, o.Span(), "leave it out: what is made lasts as long as the session", "there is no option '%s' = '%s' here", o.Key.Value, o.Value.Value)
		}
	}
	return nil
}

// database splits the name of a database; one part is in the current catalog, which must be there like any other.
func (x *execution) database(n sql.Name) (cat *catalog.Catalog, name sql.Ident, err error) {
	in := x.session.Current().Catalog
	switch len(n.Parts) {
	case 1:
	case 2:
		in = n.Parts[0].Name
	default:
		return nil, name, x.errorf(source.CodeUnknownPlace, n.Span(), "write database or catalog.database", "the name of a database has two parts at most, and this one has %d", len(n.Parts))
	}
	c, ok := x.session.Catalog(in)
	if !ok {
		return nil, name, x.noCatalog(n.Parts[0])
	}
	return c, n.Last(), nil
}

func (x *execution) noCatalog(name sql.Ident) error {
	names := x.session.Catalogs()
	return x.errorf(source.CodeUnknownPlace, name.Span(), didYouMean(name.Name, names, "the catalogs are: "+strings.Join(names, ", ")), "there is no catalog '%s'", name.Name)
}

func (x *execution) noDatabase(c *catalog.Catalog, name sql.Ident) error {
	names := c.Databases()
	return x.errorf(source.CodeUnknownPlace, name.Span(), didYouMean(name.Name, names, "the databases are: "+strings.Join(names, ", ")), "there is no database '%s' in catalog '%s'", name.Name, c.Name)
}

func (x *execution) createDatabase(s *sql.CreateDatabase) error {
	c, name, err := x.database(s.Name)
	if err != nil {
		return err
	}
	if err := x.optionless(s.Options, nil); err != nil {
		return err
	}
	if name.Name == catalog.InformationSchema {
		return x.errorf(source.CodeDuplicate, name.Span(), "choose another name", "every catalog has a database %s", catalog.InformationSchema)
	}
	_, there := c.Database(name.Name)
	if taken, err := x.taken(there, s.IfNotExists, name); taken || err != nil {
		return err
	}
	x.session.AddDatabase(c.Name, name.Name, textOf(s.Comment))
	return nil
}

func textOf(s *sql.StringLit) string {
	if s == nil {
		return ""
	}
	return s.Value
}

func (x *execution) createCatalog(s *sql.CreateCatalog) error {
	if err := x.optionless(s.Options, map[string]string{"type": "generic_in_memory", "default-database": ""}); err != nil {
		return err
	}
	_, there := x.session.Catalog(s.Name.Name)
	if taken, err := x.taken(there, s.IfNotExists, s.Name); taken || err != nil {
		return err
	}
	database := defaultDatabase
	for _, o := range s.Options {
		if o.Key.Value == "default-database" {
			database = o.Value.Value
		}
	}
	x.session.AddCatalog(s.Name.Name, textOf(s.Comment), database)
	return nil
}

func (x *execution) use(s *sql.Use) error {
	if s.Catalog {
		name := s.Name.Last()
		c, ok := x.session.Catalog(name.Name)
		if !ok {
			return x.noCatalog(name)
		}
		databases := c.Databases()
		if len(databases) == 0 {
			return x.errorf(source.CodeUnknownPlace, name.Span(), "CREATE DATABASE "+name.Name+".… first", "catalog '%s' has no database to use", name.Name)
		}
		database := c.First
		if _, ok := c.Database(database); !ok {
			database = databases[0]
		}
		x.session.Use(catalog.Current{Catalog: c.Name, Database: database})
		return nil
	}
	c, name, err := x.database(s.Name)
	if err != nil {
		return err
	}
	if _, ok := c.Database(name.Name); !ok {
		if name.Name == catalog.InformationSchema {
			return x.unsupported(name.Span(), "USE "+name.Name, "write the name before its views: "+name.Name+".TABLES")
		}
		return x.noDatabase(c, name)
	}
	x.session.Use(catalog.Current{Catalog: c.Name, Database: name.Name})
	return nil
}

func (x *execution) drop(s *sql.Drop) error {
	switch s.Kind {
	case sql.DatabaseObject:
		return x.dropDatabase(s)
	case sql.CatalogObject:
		return x.dropCatalog(s)
	}
	p, err := x.bind.Path(s.Name)
	if err != nil {
		if s.IfExists {
			return nil
		}
		return err
	}
	if p.Database == catalog.InformationSchema {
		return x.unsupported(s.Name.Span(), "DROP of a view of "+p.Database, "its views describe the catalog and stay")
	}
	kind := strings.ToLower(string(s.Kind))
	found, there := x.session.Exact(p, s.Temporary)
	if there && kindOf(found) == s.Kind {
		if _, hidden := x.session.Exact(p, true); hidden && !s.Temporary {
			return x.errorf(source.CodeUnknownTable, s.Name.Span(), fmt.Sprintf("write DROP TEMPORARY %s %s first", s.Kind, p.Name), "a temporary %s '%s' hides the one to drop", kind, p.Name)
		}
		if err := x.remove(found); err != nil {
			return err
		}
		x.session.Drop(found)
		return nil
	}
	if other, ok := x.session.Exact(p, !s.Temporary); ok && !there && kindOf(other) == s.Kind {
		return x.wrongLifetime(s, p.Name)
	}
	inferred, ok, err := x.bind.Find(p)
	switch {
	case err != nil:
		return err
	case ok && kindOf(inferred) != s.Kind:
		is := kindOf(inferred)
		return x.errorf(source.CodeUnknownTable, s.Name.Span(), fmt.Sprintf("write DROP %s %s", is, p.Name), "'%s' is a %s and no %s", p.Name, strings.ToLower(string(is)), kind)
	case ok && s.Temporary:
		return x.wrongLifetime(s, p.Name)
	case ok:
		return x.remove(inferred)
	case s.IfExists:
		return nil
	}
	hint := fmt.Sprintf("write DROP %s IF EXISTS if that is fine", s.Kind)
	names, err := x.bind.Names(catalog.Current{Catalog: p.Catalog, Database: p.Database})
	if err != nil {
		return err
	}
	return x.errorf(source.CodeUnknownTable, s.Name.Span(), didYouMean(p.Name, names, hint), "there is no %s '%s'", kind, p.Name)
}

// wrongLifetime is the error for DROP TEMPORARY of what is not, and the other way round.
func (x *execution) wrongLifetime(s *sql.Drop, name string) error {
	kind := strings.ToLower(string(s.Kind))
	if s.Temporary {
		return x.errorf(source.CodeUnknownTable, s.Name.Span(), fmt.Sprintf("write DROP %s %s", s.Kind, name), "%s '%s' is not temporary", kind, name)
	}
	return x.errorf(source.CodeUnknownTable, s.Name.Span(), fmt.Sprintf("write DROP TEMPORARY %s %s", s.Kind, name), "%s '%s' is temporary", kind, name)
}

func kindOf(r catalog.Relation) sql.ObjectKind {
	if _, ok := r.(*catalog.View); ok {
		return sql.ViewObject
	}
	return sql.TableObject
}

func (x *execution) dropDatabase(s *sql.Drop) error {
	c, name, err := x.database(s.Name)
	if err != nil {
		return err
	}
	if _, ok := c.Database(name.Name); !ok {
		if s.IfExists {
			return nil
		}
		return x.noDatabase(c, name)
	}
	if x.session.Current() == (catalog.Current{Catalog: c.Name, Database: name.Name}) {
		return x.errorf("in-use", name.Span(), "USE another database first", "database '%s' is the current one", name.Name)
	}
	if all := x.session.Relations(c.Name, name.Name); len(all) > 0 && !s.Cascade {
		return x.errorf("in-use", name.Span(), "write DROP DATABASE "+name.Name+" CASCADE to drop them too", "database '%s' has tables or views, such as '%s'", name.Name, all[0].Full().Name)
	}
	for _, r := range x.session.Relations(c.Name, name.Name) {
		if err := x.remove(r); err != nil {
			return err
		}
	}
	x.session.DropDatabase(c.Name, name.Name)
	return nil
}

func (x *execution) dropCatalog(s *sql.Drop) error {
	name := s.Name.Last()
	if len(s.Name.Parts) > 1 {
		return x.errorf(source.CodeUnknownPlace, s.Name.Span(), "write DROP CATALOG "+name.Name, "the name of a catalog has one part")
	}
	c, ok := x.session.Catalog(name.Name)
	if !ok {
		if s.IfExists {
			return nil
		}
		return x.noCatalog(name)
	}
	if x.session.Current().Catalog == c.Name {
		return x.errorf("in-use", name.Span(), "USE CATALOG another one first", "catalog '%s' is the current one", name.Name)
	}
	for _, database := range c.Databases() {
		for _, r := range x.session.Relations(c.Name, database) {
			if err := x.remove(r); err != nil {
				return err
			}
		}
	}
	x.session.DropCatalog(c.Name)
	return nil
}
