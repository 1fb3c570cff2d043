package catalog

import "strings"

// The catalog and the database that every session begins with.
const (
	DefaultCatalog  = "default_catalog"
	DefaultDatabase = "default_database"
)

// InformationSchema is the database of every catalog whose tables describe the session.
const InformationSchema = "INFORMATION_SCHEMA"

// Path is the full name of a table or view.
type Path struct {
	Catalog, Database, Name string
}

// String writes the three names in backquotes, which is how SQL reads them whatever is in them.
func (p Path) String() string {
	return Quote(p.Catalog) + "." + Quote(p.Database) + "." + Quote(p.Name)
}

// Quote writes a name in backquotes.
func Quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
