package bind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// inferred is what a statement has learnt of tables that no CREATE TABLE has made. All its binders share it, so that nobody is asked twice.
type inferred struct {
	// tables are by name; nil for one that is not there.
	tables map[string]*catalog.Table
	names  []string
	listed bool
}

// inferring is the connector that knows tables without CREATE TABLE, for those of a database; nil if there is none. Confluent Cloud: a cluster of brokers
// is a database, and its topics are the tables. Here it is the database that a session begins with. Flink 2.3 has no such catalog.
func (b *Binder) inferring(in catalog.Current) *connector.Connector {
	if b.session.Settings.Profile() != catalog.Confluent {
		return nil
	}
	return b.knowing(in)
}

// knowing is inferring whatever the profile.
func (b *Binder) knowing(in catalog.Current) *connector.Connector {
	if in != (catalog.Current{Catalog: catalog.DefaultCatalog, Database: catalog.DefaultDatabase}) {
		return nil
	}
	if i := slices.IndexFunc(b.connectors, func(c connector.Connector) bool { return c.Inferred != nil }); i >= 0 {
		return &b.connectors[i]
	}
	return nil
}

// Find finds a table or view: one that the session has declared, or else one that is there without.
func (b *Binder) Find(p catalog.Path) (r catalog.Relation, ok bool, err error) {
	if r, ok := b.session.Find(p); ok {
		return r, true, nil
	}
	if err := b.infer(p.Catalog, p.Database, []string{p.Name}); err != nil {
		return nil, false, err
	}
	if t := b.inferred.tables[p.Name]; t != nil && t.Path == p {
		return t, true, nil
	}
	return nil, false, nil
}

// Topic is Find whatever the profile, for whoever needs no CREATE TABLE to read what is in a topic.
func (b *Binder) Topic(p catalog.Path) (r catalog.Relation, ok bool, err error) {
	if r, ok, err = b.Find(p); ok || err != nil {
		return r, ok, err
	}
	if err := b.learn(b.knowing(catalog.Current{Catalog: p.Catalog, Database: p.Database}), p.Catalog, p.Database, []string{p.Name}); err != nil {
		return nil, false, err
	}
	if t := b.inferred.tables[p.Name]; t != nil && t.Path == p {
		return t, true, nil
	}
	return nil, false, nil
}

// Names lists the tables and views of a database in alphabetical order.
func (b *Binder) Names(in catalog.Current) ([]string, error) {
	var names []string
	for _, r := range b.session.Relations(in.Catalog, in.Database) {
		names = append(names, r.Full().Name)
	}
	c := b.inferring(in)
	if c == nil {
		return names, nil
	}
	if !b.inferred.listed {
		var err error
		if b.inferred.names, err = c.Inferred.Names(); err != nil {
			return nil, err
		}
		b.inferred.listed = true
	}
	names = append(names, b.inferred.names...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// relations lists the tables and views of a database by name.
func (b *Binder) relations(in catalog.Current) ([]catalog.Relation, error) {
	names, err := b.Names(in)
	if err != nil {
		return nil, err
	}
	var undeclared []string
	for _, n := range names {
		if _, ok := b.session.Find(catalog.Path{Catalog: in.Catalog, Database: in.Database, Name: n}); !ok {
			undeclared = append(undeclared, n)
		}
	}
	if err := b.infer(in.Catalog, in.Database, undeclared); err != nil {
		return nil, err
	}
	var all []catalog.Relation
	for _, n := range names {
		r, ok, err := b.Find(catalog.Path{Catalog: in.Catalog, Database: in.Database, Name: n})
		if err != nil {
			return nil, err
		}
		if ok { // it can have gone meanwhile
			all = append(all, r)
		}
	}
	return all, nil
}

// infer learns of tables that the session has not declared.
func (b *Binder) infer(cat, database string, names []string) error {
	return b.learn(b.inferring(catalog.Current{Catalog: cat, Database: database}), cat, database, names)
}

// learn asks c, which may be nil, for tables that nobody was asked for yet.
func (b *Binder) learn(c *connector.Connector, cat, database string, names []string) error {
	if c == nil {
		return nil
	}
	var ask []string
	for _, n := range names {
		if _, known := b.inferred.tables[n]; !known {
			b.inferred.tables[n] = nil
			ask = append(ask, n)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	found, err := c.Inferred.Describe(ask)
	if err != nil {
		return err
	}
	for _, t := range found {
		path := catalog.Path{Catalog: cat, Database: database, Name: t.Name}
		if b.inferred.tables[t.Name], err = b.defineInferred(path, t); err != nil {
			return err
		}
	}
	return nil
}

// defineInferred is a table of the declaration that its connector tells. What is wrong with it, if ever, stands in that declaration.
func (b *Binder) defineInferred(p catalog.Path, t connector.InferredTable) (*catalog.Table, error) {
	text := source.Text{Name: "table " + p.Name, Body: declarationOf(t)}
	script, err := sql.Parse(text)
	if err != nil {
		panic("tidemark bug: an inferred table cannot be declared: " + err.Error())
	}
	create := script.Statements[0].(*sql.CreateTable)
	return b.within(text).define(&catalog.Table{Path: p, Declared: catalog.Declare(create, text), At: catalog.Place{Text: text, Span: create.Name.Span()}})
}

// declarationOf is the CREATE TABLE of t.
func declarationOf(t connector.InferredTable) string {
	quoted := func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
	text := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	var columns, keys, options []string
	for _, f := range t.Schema {
		columns = append(columns, quoted(f.Name)+" "+spelled(f.Type))
	}
	for _, k := range t.Keys {
		keys = append(keys, quoted(t.Schema[k].Name))
	}
	for _, k := range slices.Sorted(maps.Keys(t.Options)) {
		options = append(options, text(k)+" = "+text(t.Options[k]))
	}
	var s strings.Builder
	fmt.Fprintf(&s, "CREATE TABLE %s (%s)", quoted(t.Name), strings.Join(columns, ", "))
	if keys != nil {
		fmt.Fprintf(&s, " DISTRIBUTED BY HASH(%s)", strings.Join(keys, ", "))
		if t.Buckets > 0 {
			fmt.Fprintf(&s, " INTO %d BUCKETS", t.Buckets)
		}
	}
	fmt.Fprintf(&s, " WITH (%s)", strings.Join(options, ", "))
	return s.String()
}

// spelled is how a declaration writes a type. Confluent Cloud: SHOW CREATE TABLE of a topic has the length of BYTES.
func spelled(t types.Type) string {
	if t == types.BytesType {
		return "VARBINARY(2147483647)"
	}
	return t.String()
}
