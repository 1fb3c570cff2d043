package sql

// ColumnRef is a column by name, with whatever qualifies it: `c`, `t.c`,
// `db.t.c`, and `t.c.field` for a nested field; which part is which the binder finds.
type ColumnRef struct {
	Name
}

// Star is * or t.* in a select list.
type Star struct {
	Located
	// Qualifier is nil for a bare star.
	Qualifier *Name
}

// Field takes a field of a value that is not a plain name: f(x).a, (r).a, a[1].b.
type Field struct {
	Located
	Base Expr
	Name Ident
}

// Index is base[index]: an element of an array or a value of a map.
type Index struct {
	Located
	Base, Index Expr
}

// UnaryOp is a prefix operator, by its SQL spelling.
type UnaryOp string

// The prefix operators.
const (
	OpPlus  UnaryOp = "+"
	OpMinus UnaryOp = "-"
	OpNot   UnaryOp = "NOT"
)

// Unary is +x, -x or NOT x.
type Unary struct {
	Located
	Op      UnaryOp
	Operand Expr
}

// BinaryOp is an infix operator, by its SQL spelling; != is read as <>.
type BinaryOp string

// The infix operators.
const (
	OpOr              BinaryOp = "OR"
	OpAnd             BinaryOp = "AND"
	OpEqual           BinaryOp = "="
	OpNotEqual        BinaryOp = "<>"
	OpLess            BinaryOp = "<"
	OpLessEqual       BinaryOp = "<="
	OpGreater         BinaryOp = ">"
	OpGreaterEqual    BinaryOp = ">="
	OpDistinctFrom    BinaryOp = "IS DISTINCT FROM"
	OpNotDistinctFrom BinaryOp = "IS NOT DISTINCT FROM"
	OpAdd             BinaryOp = "+"
	OpSubtract        BinaryOp = "-"
	OpMultiply        BinaryOp = "*"
	OpDivide          BinaryOp = "/"
	OpModulo          BinaryOp = "%"
	OpConcat          BinaryOp = "||"
	OpOverlaps        BinaryOp = "OVERLAPS"
)

// Binary is left op right.
type Binary struct {
	Located
	Op          BinaryOp
	Left, Right Expr
}

// Difference is (left - right) DAY: the time between two datetimes as an interval.
type Difference struct {
	Located
	Left, Right Expr
	Qualifier   IntervalQualifier
}

// Test is what IS tests for, by its SQL spelling.
type Test string

// The tests of IS.
const (
	IsNull       Test = "NULL"
	IsTrue       Test = "TRUE"
	IsFalse      Test = "FALSE"
	IsUnknown    Test = "UNKNOWN"
	IsJSON       Test = "JSON"
	IsJSONObject Test = "JSON OBJECT"
	IsJSONArray  Test = "JSON ARRAY"
	IsJSONScalar Test = "JSON SCALAR"
)

// Is is operand IS [NOT] test; it never yields NULL.
type Is struct {
	Located
	Operand Expr
	Not     bool
	Test    Test
}

// Between is operand [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	Located
	Operand   Expr
	Not       bool
	Symmetric bool
	Low, High Expr
}

// In is operand [NOT] IN (list) or IN (query); exactly one of List and Query is set.
type In struct {
	Located
	Operand Expr
	Not     bool
	List    []Expr
	Query   Query
}

// Like is operand [NOT] LIKE pattern or SIMILAR TO pattern, [ESCAPE escape].
type Like struct {
	Located
	Operand Expr
	Not     bool
	Similar bool
	Pattern Expr
	Escape  Expr // nil unless written
}

// Exists is EXISTS (query).
type Exists struct {
	Located
	Query Query
}

// Subquery is a query in parentheses used as a value.
type Subquery struct {
	Located
	Query Query
}

// Case is CASE [operand] WHEN … THEN … [ELSE …] END.
type Case struct {
	Located
	Operand Expr // nil in the searched form
	Whens   []When
	Else    Expr // nil means NULL
}

// When is one branch of a Case.
type When struct {
	Located
	Condition, Result Expr
}

// Cast is CAST or TRY_CAST(operand AS type).
type Cast struct {
	Located
	Try     bool
	Operand Expr
	Type    *TypeName
}

// Call is a call of a function by name, and every special form that is one at
// heart: EXTRACT(DAY FROM x), TRIM(BOTH a FROM b), POSITION(a IN b), ROW(…), ARRAY[…],
// MAP[…], (a, b) as ROW, CURRENT_TIMESTAMP without parentheses.
type Call struct {
	Located
	// Function is the name as written; names of special forms and of constructors
	// (EXTRACT, ROW, ARRAY) are in upper case.
	Function Name
	// Bare says that the call had no parentheses at all: CURRENT_TIMESTAMP. A column of
	// that name in scope is what was meant.
	Bare bool
	// Star is COUNT(*): no arguments.
	Star     bool
	Distinct bool
	// Args may hold *NamedArg, *DefaultArg, *TableArg, *Descriptor, *UnitLit and
	// *WordLit besides ordinary expressions.
	Args []Expr
	// OrderBy is an ORDER BY inside the parentheses, or WITHIN GROUP (ORDER BY …)
	// when WithinGroup is set.
	OrderBy     []OrderItem
	WithinGroup bool
	Nulls       NullTreatment
	Filter      Expr        // FILTER (WHERE …); nil unless written
	Over        *WindowSpec // nil unless written
	JSON        *JSONClauses
}

// NullTreatment is IGNORE NULLS or RESPECT NULLS of a call.
type NullTreatment uint8

// The null treatments.
const (
	NullsUnstated NullTreatment = iota
	RespectNulls
	IgnoreNulls
)

// NamedArg is name => value in a call.
type NamedArg struct {
	Located
	Name  Ident
	Value Expr
}

// DefaultArg is DEFAULT in the place of an argument.
type DefaultArg struct {
	Located
}

// TableArg is a table in the place of an argument: TABLE t, TABLE (query) or
// (query), with PARTITION BY and ORDER BY of its own.
type TableArg struct {
	Located
	// Table is a *TableName or a *Derived, both without an alias.
	Table       TableRef
	PartitionBy []Expr
	OrderBy     []OrderItem
}

// Descriptor is DESCRIPTOR(column, …).
type Descriptor struct {
	Located
	Columns []Name
}

// WindowSpec is what stands after OVER or in a WINDOW clause.
type WindowSpec struct {
	Located
	// Ref names a window of the WINDOW clause; nil unless written.
	Ref         *Ident
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
}

// Frame is ROWS or RANGE of a window.
type Frame struct {
	Located
	// Rows counts rows; otherwise the frame is a RANGE of values.
	Rows  bool
	Start FrameBound
	// End is nil unless BETWEEN was written; the frame then ends at CURRENT ROW.
	End *FrameBound
}

// FrameBound is one end of a frame.
type FrameBound struct {
	Located
	Kind FrameBoundKind
	// Offset is set for Preceding and Following.
	Offset Expr
}

// FrameBoundKind says where a frame ends.
type FrameBoundKind uint8

// The kinds of frame bounds.
const (
	UnboundedPreceding FrameBoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

func (*ColumnRef) expr()  {}
func (*Star) expr()       {}
func (*Field) expr()      {}
func (*Index) expr()      {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Difference) expr() {}
func (*Is) expr()         {}
func (*Between) expr()    {}
func (*In) expr()         {}
func (*Like) expr()       {}
func (*Exists) expr()     {}
func (*Subquery) expr()   {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Call) expr()       {}
func (*NamedArg) expr()   {}
func (*DefaultArg) expr() {}
func (*TableArg) expr()   {}
func (*Descriptor) expr() {}
