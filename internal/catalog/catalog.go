// Package catalog is what a session knows: its catalogs and databases with their tables and views, and what was SET.
//
// It stores what package bind has checked and does not read SQL itself. A Session belongs to one goroutine. Start at Session; table.go has what
// is in a database.
package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Session is the tables, views and settings that a script has made so far.
type Session struct {
	Settings
	catalogs map[string]*Catalog
	// ids are other names of DefaultCatalog, and id the one that it has in this session; "" if that is its name.
	ids    map[string]bool
	id     string
	system []*SystemView
}

// Catalog is a set of databases.
type Catalog struct {
	Name, Comment string
	// First is the database that the catalog began with.
	First     string
	databases map[string]*Database
}

// Database is a set of tables and views.
type Database struct {
	Name, Comment string
	// relations are by name; a temporary one hides another.
	relations, temporary map[string]Relation
	// standing are queries by name; nil if there are none.
	standing map[string]*Standing
}

// NewSession makes a session with an empty database.
func NewSession() *Session {
	s := &Session{catalogs: map[string]*Catalog{}, ids: map[string]bool{}}
	s.AddCatalog(DefaultCatalog, "", DefaultDatabase)
	return s
}

// Fork makes a session over the same catalogs, which either sees change, with nothing SET. Like one session they belong to one goroutine at a time together.
func (s *Session) Fork() *Session {
	return &Session{catalogs: s.catalogs, ids: s.ids, system: s.system}
}

// Within makes a session like this one, over the same catalogs and with the same SET, of which others are the current ones.
func (s *Session) Within(c Current) *Session {
	in := &Session{Settings: Settings{slices.Clone(s.values)}, catalogs: s.catalogs, ids: s.ids, id: s.id, system: s.system}
	if c != s.Current() {
		in.Use(c)
	}
	return in
}

// Identify gives DefaultCatalog an id. It is found by that name too, by all sessions over the same catalogs, and INFORMATION_SCHEMA has it in this one. Confluent Cloud: an environment is a
// catalog, whose id is the environment's; statements name it by either.
func (s *Session) Identify(id string) {
	if id == "" {
		return
	}
	s.id = id
	s.ids[id] = true
}

// ID is the id of a catalog: its name if it has no other.
func (s *Session) ID(name string) string {
	if name == DefaultCatalog && s.id != "" {
		return s.id
	}
	return name
}

// Copy makes a session over catalogs of its own that have the same in them, with nothing SET.
func (s *Session) Copy() *Session {
	copied := &Session{catalogs: make(map[string]*Catalog, len(s.catalogs)), ids: maps.Clone(s.ids), system: s.system}
	for name, c := range s.catalogs {
		own := *c
		own.databases = make(map[string]*Database, len(c.databases))
		for name, d := range c.databases {
			own.databases[name] = &Database{d.Name, d.Comment, maps.Clone(d.relations), maps.Clone(d.temporary), maps.Clone(d.standing)}
		}
		copied.catalogs[name] = &own
	}
	return copied
}

// AddCatalog adds a catalog with one empty database.
func (s *Session) AddCatalog(name, comment, database string) {
	s.catalogs[name] = &Catalog{Name: name, Comment: comment, First: database, databases: map[string]*Database{}}
	s.AddDatabase(name, database, "")
}

// AddDatabase adds an empty database to a catalog, which must be there.
func (s *Session) AddDatabase(catalog, name, comment string) {
	s.catalogs[catalog].databases[name] = &Database{Name: name, Comment: comment, relations: map[string]Relation{}, temporary: map[string]Relation{}}
}

// DropCatalog removes a catalog with all that is in it.
func (s *Session) DropCatalog(name string) { delete(s.catalogs, name) }

// DropDatabase removes a database with all that is in it.
func (s *Session) DropDatabase(catalog, name string) { delete(s.catalogs[catalog].databases, name) }

// Catalog finds a catalog by its name or id.
func (s *Session) Catalog(name string) (*Catalog, bool) {
	c, ok := s.catalogs[name]
	if !ok && s.ids[name] {
		c, ok = s.catalogs[DefaultCatalog]
	}
	return c, ok
}

// Catalogs lists the names of all catalogs in alphabetical order.
func (s *Session) Catalogs() []string { return slices.Sorted(maps.Keys(s.catalogs)) }

// Database finds a database of the catalog.
func (c *Catalog) Database(name string) (*Database, bool) { d, ok := c.databases[name]; return d, ok }

// Databases lists the names of all databases in alphabetical order, without InformationSchema.
func (c *Catalog) Databases() []string { return slices.Sorted(maps.Keys(c.databases)) }

// Names lists the tables and views of the database in alphabetical order.
func (d *Database) Names() []string {
	names := slices.Collect(maps.Keys(d.relations))
	names = slices.AppendSeq(names, maps.Keys(d.temporary))
	slices.Sort(names)
	return slices.Compact(names)
}

// Set is Settings.Set for a session: a current catalog or database must be there.
func (s *Session) Set(key, value string) error {
	var names []string
	switch key {
	case KeyCatalog:
		names = s.Catalogs()
		if c, ok := s.Catalog(value); ok {
			value = c.Name
		}
	case KeyDatabase:
		if c, ok := s.Catalog(s.Current().Catalog); ok {
			names = c.Databases()
		}
	default:
		return s.Settings.Set(key, value)
	}
	if !slices.Contains(names, value) {
		return &SettingError{Message: fmt.Sprintf("'%s' cannot be '%s', which is not there", key, value), Hint: "it can be: " + strings.Join(names, ", ")}
	}
	return s.Settings.Set(key, value)
}

// Current is the catalog and the database that a name of one part is looked for in.
func (s *Session) Current() Current {
	c, _ := s.Value(KeyCatalog)
	d, _ := s.Value(KeyDatabase)
	return Current{c, d}
}

// Use makes a catalog and one of its databases the current ones. They must be there.
func (s *Session) Use(c Current) {
	for _, v := range []setValue{{KeyCatalog, c.Catalog}, {KeyDatabase, c.Database}} {
		s.reset(v.key)
		s.values = append(s.values, v)
	}
}

func (s *Session) database(p Path) *Database {
	if c := s.catalogs[p.Catalog]; c != nil {
		return c.databases[p.Database]
	}
	return nil
}

// Find finds a table or view. A temporary one hides one that is not.
func (s *Session) Find(p Path) (Relation, bool) {
	if r, ok := s.Exact(p, true); ok {
		return r, true
	}
	return s.Exact(p, false)
}

// Exact finds a table or view that is temporary or that is not.
func (s *Session) Exact(p Path, temporary bool) (Relation, bool) {
	d := s.database(p)
	if d == nil {
		return nil, false
	}
	r, ok := d.of(temporary)[p.Name]
	return r, ok
}

func (d *Database) of(temporary bool) map[string]Relation {
	if temporary {
		return d.temporary
	}
	return d.relations
}

// Put adds a table or view, in place of one of the same name. Its database must be there.
func (s *Session) Put(r Relation) { s.database(r.Full()).of(r.IsTemporary())[r.Full().Name] = r }

// Drop removes a table or view.
func (s *Session) Drop(r Relation) { delete(s.database(r.Full()).of(r.IsTemporary()), r.Full().Name) }

// Relations lists all tables and views of a database by name, without those that are hidden.
func (s *Session) Relations(catalog, database string) []Relation {
	d := s.database(Path{Catalog: catalog, Database: database})
	if d == nil {
		return nil
	}
	var all []Relation
	for _, n := range d.Names() {
		r, _ := s.Find(Path{catalog, database, n})
		all = append(all, r)
	}
	return all
}

// Views lists all views of the session, by path.
func (s *Session) Views() []*View {
	var all []*View
	for _, c := range s.Catalogs() {
		for _, d := range s.catalogs[c].Databases() {
			for _, r := range s.Relations(c, d) {
				if v, ok := r.(*View); ok {
					all = append(all, v)
				}
			}
		}
	}
	return all
}
