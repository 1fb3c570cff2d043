package catalog

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Declaration is a table as people write it. ALTER TABLE and LIKE change a declaration, and what comes of it is bound as a whole, so that every way
// to a table checks the same things. Its parts may come from different texts, and each knows its own.
type Declaration struct {
	Columns     []Declared[sql.Column]
	Watermark   *Declared[sql.Watermark]
	PrimaryKey  *Declared[sql.PrimaryKey]
	Distributed *Declared[sql.Distribution]
	Comment     *sql.StringLit
	Options     []Declared[sql.Option]
}

// Declared is a part of a declaration and the text that it stands in.
type Declared[T any] struct {
	Part T
	Text source.Text
}

// Declare takes the declaration out of a statement.
func Declare(c *sql.CreateTable, text source.Text) Declaration {
	d := Declaration{Comment: c.Comment}
	for _, col := range c.Schema.Columns {
		d.Columns = append(d.Columns, Declared[sql.Column]{col, text})
	}
	if w := c.Schema.Watermark; w != nil {
		d.Watermark = &Declared[sql.Watermark]{*w, text}
	}
	if k := c.Schema.PrimaryKey; k != nil {
		d.PrimaryKey = &Declared[sql.PrimaryKey]{*k, text}
	}
	if x := c.Distributed; x != nil {
		d.Distributed = &Declared[sql.Distribution]{*x, text}
	}
	for _, o := range c.Options {
		d.Options = append(d.Options, Declared[sql.Option]{o, text})
	}
	return d
}

// Clone makes a copy whose columns and options can be changed.
func (d Declaration) Clone() Declaration {
	d.Columns, d.Options = slices.Clone(d.Columns), slices.Clone(d.Options)
	return d
}

// Column finds a column by name, -1 if there is none.
func (d *Declaration) Column(name string) int {
	return slices.IndexFunc(d.Columns, func(c Declared[sql.Column]) bool { return c.Part.Name.Last().Name == name })
}

// Option finds an option by key, -1 if there is none.
func (d *Declaration) Option(key string) int {
	return slices.IndexFunc(d.Options, func(o Declared[sql.Option]) bool { return o.Part.Key.Value == key })
}

// Statement is the CREATE TABLE that makes a table of this declaration.
func (d *Declaration) Statement(name sql.Name, temporary bool) *sql.CreateTable {
	c := &sql.CreateTable{Name: name, Temporary: temporary, Comment: d.Comment}
	for _, col := range d.Columns {
		c.Schema.Columns = append(c.Schema.Columns, col.Part)
	}
	if d.Watermark != nil {
		c.Schema.Watermark = &d.Watermark.Part
	}
	if d.PrimaryKey != nil {
		k := d.PrimaryKey.Part
		k.Constraint = &sql.Ident{Located: k.Located, Name: ConstraintName(&k)}
		c.Schema.PrimaryKey = &k
	}
	if d.Distributed != nil {
		c.Distributed = &d.Distributed.Part
	}
	for _, o := range d.Options {
		c.Options = append(c.Options, o.Part)
	}
	return c
}

// ConstraintName is the name of a primary key. Flink 2.3: one without a name is called PK_ and its columns.
func ConstraintName(k *sql.PrimaryKey) string {
	if k.Constraint != nil {
		return k.Constraint.Name
	}
	var names []string
	for _, c := range k.Columns {
		names = append(names, c.Name)
	}
	return "PK_" + strings.Join(names, "_")
}
