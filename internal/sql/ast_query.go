package sql

// Select is one SELECT block.
type Select struct {
	Located
	Hints    []Hint
	Distinct bool
	Items    []SelectItem
	From     TableRef // nil without FROM; a comma is a CROSS *Join
	Where    Expr
	GroupBy  []GroupItem
	Having   Expr
	Windows  []NamedWindow
	Qualify  Expr // nil without QUALIFY
}

// SelectItem is one column of the result: an expression with an optional alias, or a *Star.
type SelectItem struct {
	Located
	Expr  Expr
	Alias *Ident
}

// GroupItem is an item of GROUP BY: *GroupKeys or *GroupingSets.
type GroupItem interface {
	Node
	groupItem()
}

// GroupKeys is one grouping: a single expression, several in parentheses, or none: ().
type GroupKeys struct {
	Located
	Keys []Expr
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

// TableQuery is TABLE t as a query: all rows and columns of t.
type TableQuery struct {
	Located
	Table Name
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

// The set operations; MINUS is read as EXCEPT.
const (
	Union     SetOp = "UNION"
	Intersect SetOp = "INTERSECT"
	Except    SetOp = "EXCEPT"
)

// Ordered is a query with ORDER BY, LIMIT, OFFSET or FETCH; at least one is set.
type Ordered struct {
	Located
	Body    Query
	OrderBy []OrderItem
	// Limit is LIMIT n or FETCH NEXT n ROWS ONLY; nil without, also for LIMIT ALL.
	Limit  Expr
	Offset Expr
}

// OrderItem is one item of ORDER BY.
type OrderItem struct {
	Located
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
}

// NullsOrder is where nulls go in an order.
type NullsOrder uint8

// The null orders. Flink: unstated means first when ascending, last when descending.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// With is a query with common table expressions.
type With struct {
	Located
	Tables []CommonTable
	Body   Query
}

// CommonTable is one name of With.
type CommonTable struct {
	Located
	Name    Ident
	Columns []Ident
	Query   Query
}

// Alias is [AS] name [(column, …)] after an item of FROM.
type Alias struct {
	Located
	Name    Ident
	Columns []Ident
}

// TableName is a table or view by name.
type TableName struct {
	Located
	Name  Name
	Hints []Hint
	// AsOf is FOR SYSTEM_TIME AS OF expr; nil unless written.
	AsOf  Expr
	Alias *Alias
}

// Derived is a query in parentheses in FROM.
type Derived struct {
	Located
	Lateral bool
	Query   Query
	Alias   *Alias
}

// TableFunction is a table function in FROM, with or without TABLE( ) around it:
// TABLE(TUMBLE(…)), HOP(…), LATERAL TABLE(split(x)).
type TableFunction struct {
	Located
	Lateral bool
	Call    *Call
	Alias   *Alias
}

// Unnest is UNNEST(collection) [WITH ORDINALITY].
type Unnest struct {
	Located
	Lateral    bool
	Collection Expr
	Ordinality bool
	Alias      *Alias
}

// Join is left join right.
type Join struct {
	Located
	Kind        JoinKind
	Natural     bool
	Left, Right TableRef
	On          Expr    // nil unless written
	Using       []Ident // nil unless written
}

// JoinKind is the keyword of a Join.
type JoinKind string

// The kinds of joins.
const (
	InnerJoin JoinKind = "INNER JOIN"
	LeftJoin  JoinKind = "LEFT JOIN"
	RightJoin JoinKind = "RIGHT JOIN"
	FullJoin  JoinKind = "FULL JOIN"
	CrossJoin JoinKind = "CROSS JOIN"
)

func (*Select) query()       {}
func (*Values) query()       {}
func (*TableQuery) query()   {}
func (*SetOperation) query() {}
func (*Ordered) query()      {}
func (*With) query()         {}

func (*GroupKeys) groupItem()    {}
func (*GroupingSets) groupItem() {}

func (*TableName) tableRef()     {}
func (*Derived) tableRef()       {}
func (*TableFunction) tableRef() {}
func (*Unnest) tableRef()        {}
func (*Join) tableRef()          {}
