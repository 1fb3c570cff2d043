package sql

// CreateTable is CREATE TABLE in all its forms: with columns, LIKE, or AS query.
type CreateTable struct {
	Located
	Temporary   bool
	IfNotExists bool
	Name        Name
	Schema      TableSchema
	Comment     *StringLit
	Distributed *Distribution
	Partitioned []Ident
	Options     []Option
	Like        *LikeTable
	As          Query // nil unless CREATE TABLE … AS
}

// TableSchema is what stands between the parentheses of CREATE TABLE, or after ADD
// and MODIFY of ALTER TABLE. The parser refuses a second watermark or primary key.
type TableSchema struct {
	Columns    []Column
	Watermark  *Watermark
	PrimaryKey *PrimaryKey
}

// Column is one column definition; Kind says which fields are set.
type Column struct {
	Located
	Kind ColumnKind
	// Name has one part; only in ALTER TABLE may it name a nested field.
	Name Name
	// Type is set for physical and metadata columns.
	Type *TypeName
	// As is the expression of a computed column.
	As Expr
	// MetadataKey is FROM 'key' of a metadata column; nil means the column's name.
	MetadataKey *StringLit
	// Virtual excludes a metadata column from what a sink writes.
	Virtual  bool
	Comment  *StringLit
	Position *ColumnPosition // ALTER TABLE only
}

// ColumnKind says where a column's values come from.
type ColumnKind uint8

// The kinds of columns.
const (
	PhysicalColumn ColumnKind = iota
	ComputedColumn
	MetadataColumn
	// NamedColumn is a bare name, which CREATE TABLE (a, b) AS query allows.
	NamedColumn
)

// ColumnPosition is FIRST or AFTER column.
type ColumnPosition struct {
	Located
	After *Name // nil for FIRST
}

// Watermark is WATERMARK FOR column AS expr.
type Watermark struct {
	Located
	Column Name
	Expr   Expr
}

// PrimaryKey is [CONSTRAINT name] PRIMARY KEY (…) NOT ENFORCED. One written at a
// column reads as one over that column. The parser insists on NOT ENFORCED.
type PrimaryKey struct {
	Located
	Constraint *Ident
	Columns    []Ident
}

// Distribution is DISTRIBUTED [BY [HASH|RANGE] (…)] [INTO n BUCKETS].
type Distribution struct {
	Located
	// Kind is HASH, RANGE or empty.
	Kind    string
	Columns []Ident
	// Buckets is 0 unless written.
	Buckets int
}

// LikeTable is LIKE table (…).
type LikeTable struct {
	Located
	Table   Name
	Options []LikeOption
}

// LikeOption is one line of a LIKE clause, such as EXCLUDING WATERMARKS; both words
// are in upper case.
type LikeOption struct {
	Located
	// Strategy is INCLUDING, EXCLUDING or OVERWRITING.
	Strategy string
	// Feature is ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, OPTIONS,
	// PARTITIONS or WATERMARKS.
	Feature string
}

// CreateView is CREATE VIEW name [(columns)] AS query.
type CreateView struct {
	Located
	Temporary   bool
	IfNotExists bool
	Name        Name
	Columns     []ViewColumn
	Comment     *StringLit
	Query       Query
}

// ViewColumn names one column of a view.
type ViewColumn struct {
	Located
	Name    Ident
	Comment *StringLit
}

// CreateDatabase is CREATE DATABASE.
type CreateDatabase struct {
	Located
	IfNotExists bool
	Name        Name
	Comment     *StringLit
	Options     []Option
}

// CreateCatalog is CREATE CATALOG.
type CreateCatalog struct {
	Located
	IfNotExists bool
	Name        Ident
	Comment     *StringLit
	Options     []Option
}

// Drop is DROP TABLE, VIEW, DATABASE or CATALOG.
type Drop struct {
	Located
	Kind      ObjectKind
	Temporary bool
	IfExists  bool
	Name      Name
	// Cascade drops what is in a database too; RESTRICT is the default and not kept.
	Cascade bool
}

// ObjectKind is a kind of catalog object, by its keyword.
type ObjectKind string

// The kinds of objects.
const (
	TableObject    ObjectKind = "TABLE"
	ViewObject     ObjectKind = "VIEW"
	DatabaseObject ObjectKind = "DATABASE"
	CatalogObject  ObjectKind = "CATALOG"
)

func (*CreateTable) statement()    {}
func (*CreateView) statement()     {}
func (*CreateDatabase) statement() {}
func (*CreateCatalog) statement()  {}
func (*Drop) statement()           {}
