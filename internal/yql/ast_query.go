package yql

import "strings"

// Select is one SELECT block. FROM in front of SELECT is read as behind it.
type Select struct {
	Located
	Hints    []Hint
	Stream   bool
	Distinct bool
	Items    []NamedExpr // an Expr may be a *Star
	// Without are the columns that a star leaves out: `a` or `t.a`.
	Without         []Expr
	WithoutIfExists bool
	From            TableRef // nil without FROM; a comma is a CROSS *Join
	Where           Expr
	GroupBy         *GroupBy
	Having          Expr
	Windows         []NamedWindow
}

// NamedExpr is an expression with an optional alias: a column of the result, a key of GROUP BY, a collection to flatten.
type NamedExpr struct {
	Located
	Expr  Expr
	Alias *Ident
}

// GroupBy is GROUP [COMPACT] BY items.
type GroupBy struct {
	Located
	Compact  bool
	Distinct bool
	Items    []GroupItem
	// With is the word behind WITH (combine); nil unless written.
	With *Ident
}

// GroupItem is an item of GROUP BY: *GroupKey or *GroupingSets.
type GroupItem interface {
	Node
	groupItem()
}

// GroupKey is one key, possibly a call of HOP, HoppingWindow or SessionWindow. (a, b) is a *TupleLit.
type GroupKey struct {
	NamedExpr
}

// GroupingSets is GROUPING SETS, ROLLUP or CUBE.
type GroupingSets struct {
	Located
	Kind GroupingKind
	Sets []GroupItem
}

// GroupingKind is the keyword of GroupingSets.
type GroupingKind string

// The kinds of grouping sets.
const (
	ListedSets GroupingKind = "GROUPING SETS"
	RollupSets GroupingKind = "ROLLUP"
	CubeSets   GroupingKind = "CUBE"
)

// NamedWindow is one definition of the WINDOW clause.
type NamedWindow struct {
	Located
	Name Ident
	Spec *WindowSpec
}

// Process is PROCESS or REDUCE: rows go through a callable.
type Process struct {
	Located
	Reduce  bool
	Stream  bool
	Sources []TableRef
	Presort []OrderItem
	On      []Expr // keys of REDUCE
	All     bool
	Using   Expr // nil unless written; REDUCE has one
	Alias   *Ident
	Where   Expr
	Having  Expr
}

// Values is VALUES (…), (…); each row has at least one expression.
type Values struct {
	Located
	Rows []ValuesRow
}

// ValuesRow is one row of Values.
type ValuesRow struct {
	Located
	Exprs []Expr
}

// SetOperation is left UNION, INTERSECT or EXCEPT [ALL] right.
type SetOperation struct {
	Located
	Op          SetOp
	All         bool
	Left, Right Query
}

// SetOp is the keyword of a SetOperation.
type SetOp string

// The set operations.
const (
	Union     SetOp = "UNION"
	Intersect SetOp = "INTERSECT"
	Except    SetOp = "EXCEPT"
)

// Ordered is a query with ORDER BY (or ASSUME ORDER BY), LIMIT or OFFSET; at least one is set.
type Ordered struct {
	Located
	Body    Query
	Assume  bool
	OrderBy []OrderItem
	Limit   Expr
	Offset  Expr
}

// OrderItem is one item of ORDER BY.
type OrderItem struct {
	Located
	Expr Expr
	Desc bool
}

// TableName is a topic or a table by name. The alias stands behind WITH.
type TableName struct {
	Located
	Name    Name
	View    *Ident // VIEW name: an index; nil unless written
	Options []TableOption
	Alias   *Ident
	Columns []Ident
}

// NamedTable is a named expression in FROM: a query, or the name of a table as a string. Args is nil unless it is called.
type NamedTable struct {
	Located
	Ref     NamedRef
	Args    []Expr
	Options []TableOption
	Alias   *Ident
	Columns []Ident
}

// Derived is a query in parentheses in FROM.
type Derived struct {
	Located
	Query   Query
	Options []TableOption
	Alias   *Ident
	Columns []Ident
}

// TableFunction is a table function in FROM: AS_TABLE($list), RANGE("a", "b").
type TableFunction struct {
	Located
	Call    *Call
	Options []TableOption
	Alias   *Ident
	Columns []Ident
}

// TableOption is one option of WITH behind a table: KEY = value, KEY, or SCHEMA [=] (columns).
type TableOption struct {
	Located
	// Key is as written; keys do not mind case.
	Key Ident
	// Value is nil for a flag, for a Schema and for a Type. A bare word is a *ColumnRef; see Word.
	Value Expr
	// Schema are the columns of SCHEMA (a Int64, …); IsSchema is set even when there are none.
	Schema   []SchemaColumn
	IsSchema bool
	// Type is that of SCHEMA or COLUMNS = Struct<…>.
	Type *TypeName
}

// Is reports whether the option has a key, given in upper case.
func (o TableOption) Is(key string) bool { return strings.ToUpper(o.Key.Name) == key }

// Word returns the value of an option that is a word or a string: FORMAT = json_each_row, FORMAT = "raw".
func (o TableOption) Word() (string, bool) { return wordOf(o.Value) }

// wordOf returns the text of a word or a string.
func wordOf(e Expr) (string, bool) {
	switch e := e.(type) {
	case *ColumnRef:
		return e.Name.Name, true
	case *StringLit:
		return e.Value, true
	}
	return "", false
}

// SchemaColumn is a column of SCHEMA (…).
type SchemaColumn struct {
	Located
	Name    Ident
	Type    *TypeName
	NotNull bool // without it the column is optional
}

// Flatten is source FLATTEN [LIST|DICT|OPTIONAL] BY …, or FLATTEN COLUMNS.
type Flatten struct {
	Located
	Source TableRef
	Kind   FlattenKind
	// By are the collections, with the names of their elements; nil for FLATTEN COLUMNS.
	By []NamedExpr
}

// FlattenKind is the word behind FLATTEN.
type FlattenKind string

// The kinds of Flatten.
const (
	FlattenAny      FlattenKind = "" // by the type of the column
	FlattenList     FlattenKind = "LIST"
	FlattenDict     FlattenKind = "DICT"
	FlattenOptional FlattenKind = "OPTIONAL"
	FlattenColumns  FlattenKind = "COLUMNS"
)

// Join is left join right.
type Join struct {
	Located
	Kind JoinKind
	// LeftAny and RightAny say that at most one row of that side matches.
	LeftAny, RightAny bool
	Hints             []Hint
	Left, Right       TableRef
	On                Expr    // nil unless written
	Using             []Ident // nil unless written
}

// JoinKind is the keyword of a Join.
type JoinKind string

// The kinds of joins.
const (
	InnerJoin     JoinKind = "JOIN"
	LeftJoin      JoinKind = "LEFT JOIN"
	RightJoin     JoinKind = "RIGHT JOIN"
	FullJoin      JoinKind = "FULL JOIN"
	LeftOnlyJoin  JoinKind = "LEFT ONLY JOIN"
	RightOnlyJoin JoinKind = "RIGHT ONLY JOIN"
	LeftSemiJoin  JoinKind = "LEFT SEMI JOIN"
	RightSemiJoin JoinKind = "RIGHT SEMI JOIN"
	ExclusionJoin JoinKind = "EXCLUSION JOIN"
	CrossJoin     JoinKind = "CROSS JOIN"
)

func (*Select) query()       {}
func (*Process) query()      {}
func (*Values) query()       {}
func (*SetOperation) query() {}
func (*Ordered) query()      {}

func (*GroupKey) groupItem()     {}
func (*GroupingSets) groupItem() {}

func (*TableName) tableRef()     {}
func (*NamedTable) tableRef()    {}
func (*Derived) tableRef()       {}
func (*TableFunction) tableRef() {}
func (*Flatten) tableRef()       {}
func (*Join) tableRef()          {}
