package yql

// ColumnRef is a word that stands for a column of the row, or in front of a dot for a table: `c`. In an argument
// it may also be the name of a type (ListCreate(Int32)); see TypeOf.
type ColumnRef struct {
	Located
	Name Ident
}

// NamedRef is $name: a named expression, or a parameter of a lambda.
type NamedRef struct {
	Located
	// Name is without the dollar sign.
	Name Ident
}

// FunctionRef is the name of a function: what is called in f(x) and Module::f(x), and a value by itself in Module::f.
type FunctionRef struct {
	Located
	Module *Ident // nil for a function of the language
	Name   Ident
}

// Star is * or t.* in a select list.
type Star struct {
	Located
	Qualifier *Ident // nil for a bare star
}

// Member is base.name: a member of a struct, or the column of a table when base is a *ColumnRef that names one.
type Member struct {
	Located
	Base Expr
	Name Ident
}

// Element is base.0: an element of a tuple.
type Element struct {
	Located
	Base  Expr
	Index int
}

// Index is base[index]: an element of a list or a value of a dict.
type Index struct {
	Located
	Base, Index Expr
}

// UnaryOp is a prefix operator, by its spelling.
type UnaryOp string

// The prefix operators.
const (
	OpPlus   UnaryOp = "+"
	OpMinus  UnaryOp = "-"
	OpBitNot UnaryOp = "~"
	OpNot    UnaryOp = "NOT" // YDB: binds like a sign, so NOT a = b is (NOT a) = b
)

// Unary is +x, -x, ~x or NOT x.
type Unary struct {
	Located
	Op      UnaryOp
	Operand Expr
}

// BinaryOp is an infix operator, by its spelling; == is read as = and <> as !=.
type BinaryOp string

// The infix operators.
const (
	OpOr              BinaryOp = "OR"
	OpXor             BinaryOp = "XOR"
	OpAnd             BinaryOp = "AND"
	OpEqual           BinaryOp = "="
	OpNotEqual        BinaryOp = "!="
	OpDistinctFrom    BinaryOp = "IS DISTINCT FROM"
	OpNotDistinctFrom BinaryOp = "IS NOT DISTINCT FROM"
	OpLess            BinaryOp = "<"
	OpLessEqual       BinaryOp = "<="
	OpGreater         BinaryOp = ">"
	OpGreaterEqual    BinaryOp = ">="
	OpCoalesce        BinaryOp = "??"
	OpBitAnd          BinaryOp = "&"
	OpBitOr           BinaryOp = "|"
	OpBitXor          BinaryOp = "^"
	OpShiftLeft       BinaryOp = "<<"
	OpShiftRight      BinaryOp = ">>"
	OpRotateLeft      BinaryOp = "|<<"
	OpRotateRight     BinaryOp = ">>|"
	OpAdd             BinaryOp = "+"
	OpSubtract        BinaryOp = "-"
	OpMultiply        BinaryOp = "*"
	OpDivide          BinaryOp = "/"
	OpModulo          BinaryOp = "%"
	OpConcat          BinaryOp = "||"
)

// Binary is left op right.
type Binary struct {
	Located
	Op          BinaryOp
	Left, Right Expr
}

// IsNull is operand IS [NOT] NULL, also written ISNULL and NOTNULL.
type IsNull struct {
	Located
	Operand Expr
	Not     bool
}

// Between is operand [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	Located
	Operand   Expr
	Not       bool
	Symmetric bool
	Low, High Expr
}

// In is operand [NOT] IN [COMPACT] set. What stands in parentheses is a *TupleLit, one expression included, or a *Subquery; anything
// else is an expression whose value is a collection.
type In struct {
	Located
	Operand Expr
	Not     bool
	Compact bool
	Set     Expr
}

// MatchOp is an operator that compares a text with a pattern.
type MatchOp string

// The operators that match.
const (
	MatchLike   MatchOp = "LIKE"
	MatchILike  MatchOp = "ILIKE"
	MatchGlob   MatchOp = "GLOB"
	MatchRegexp MatchOp = "REGEXP" // anywhere in the text; RLIKE is read as this
	MatchMatch  MatchOp = "MATCH"  // a regular expression over the whole text
)

// Match is operand [NOT] op pattern [ESCAPE escape].
type Match struct {
	Located
	Op      MatchOp
	Operand Expr
	Not     bool
	Pattern Expr
	Escape  Expr // nil unless written
}

// Exists is EXISTS (query).
type Exists struct {
	Located
	Query Query
}

// Subquery is a query as a value: in parentheses, or behind the = of a named expression.
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

// Cast is CAST(operand AS type), or BITCAST.
type Cast struct {
	Located
	Bits    bool
	Operand Expr
	Type    *TypeName
}

// Arg is an argument of a call: a value, and the name that it is given by, as in "PT30M" AS TimeLimit or <|a: 1|>.
type Arg struct {
	Located
	Value Expr
	Name  *Ident
}

// Call is a call: of a function by name (*FunctionRef), of a named expression ($f(x)), or of what another call has made (f(a)(b)). Literals with a
// type, Interval("PT5S"), and HOP(…) among the keys of GROUP BY are calls too.
type Call struct {
	Located
	Callee   Expr
	Star     bool // COUNT(*)
	Distinct bool
	Args     []Arg
	JSON     *JSONClauses // of JSON_VALUE, JSON_EXISTS and JSON_QUERY; nil unless one is written
	Nulls    NullTreatment
	Filter   Expr // FILTER (WHERE …); nil unless written
	// Over is the window of a window function: a name or a description; nil unless written.
	Over *WindowSpec
}

// NullTreatment is IGNORE NULLS or RESPECT NULLS of a call.
type NullTreatment uint8

// The null treatments.
const (
	NullsUnstated NullTreatment = iota
	RespectNulls
	IgnoreNulls
)

// JSONClauses is what the functions of JSON take behind the path.
type JSONClauses struct {
	Located
	Passing   []Arg
	Returning *TypeName
	// Wrapper is that of JSON_QUERY in upper case: "WITHOUT", "WITH UNCONDITIONAL", "WITH CONDITIONAL"; empty unless written.
	Wrapper string
	// OnEmpty and OnError are NULL, ERROR, TRUE, FALSE, UNKNOWN, EMPTY ARRAY, EMPTY OBJECT or DEFAULT, in upper case; empty unless written.
	OnEmpty, OnError           string
	EmptyDefault, ErrorDefault Expr // of DEFAULT
}

// Lambda is ($a, $b) -> (result), or ($a, $b) -> { statements; RETURN result; }.
type Lambda struct {
	Located
	Params []LambdaParam
	Body   []*Assign
	Result Expr
}

// LambdaParam is a parameter of a Lambda.
type LambdaParam struct {
	Located
	Name Ident // without the dollar sign
	// Optional says that the caller may leave it out: $x?
	Optional bool
}

// TypeExpr is a type as a value: Yson::ConvertTo(x, List<Int64>), Int64?. A simple name is a *ColumnRef; TypeOf reads both.
type TypeExpr struct {
	Located
	Type *TypeName
}

// TypeOf returns the type that an expression is the name of, if it can be one: a *TypeExpr or a plain word.
func TypeOf(e Expr) (*TypeName, bool) {
	switch e := e.(type) {
	case *TypeExpr:
		return e.Type, true
	case *ColumnRef:
		if _, takes := container(e.Name.Name); !e.Name.Quoted && !takes {
			return &TypeName{Located: e.Located, Name: e.Name.Name}, true
		}
	case *Call:
		return decimalOf(e)
	}
	return nil, false
}

// WindowSpec is what stands behind OVER or in a WINDOW clause.
type WindowSpec struct {
	Located
	// Ref names a window of the WINDOW clause; nil unless written.
	Ref         *Ident
	PartitionBy []NamedExpr
	OrderBy     []OrderItem
	Frame       *Frame
}

// Frame is ROWS, RANGE or GROUPS of a window.
type Frame struct {
	Located
	Unit  string // in upper case
	Start FrameBound
	End   *FrameBound // nil unless BETWEEN was written
}

// FrameBound is one end of a frame.
type FrameBound struct {
	Located
	// Following says that the bound is behind the current row; Current that it is the current row.
	Following, Current bool
	// Offset is nil for UNBOUNDED and for the current row.
	Offset Expr
}

func (*ColumnRef) expr()   {}
func (*NamedRef) expr()    {}
func (*FunctionRef) expr() {}
func (*Star) expr()        {}
func (*Member) expr()      {}
func (*Element) expr()     {}
func (*Index) expr()       {}
func (*Unary) expr()       {}
func (*Binary) expr()      {}
func (*IsNull) expr()      {}
func (*Between) expr()     {}
func (*In) expr()          {}
func (*Match) expr()       {}
func (*Exists) expr()      {}
func (*Subquery) expr()    {}
func (*Case) expr()        {}
func (*Cast) expr()        {}
func (*Call) expr()        {}
func (*Lambda) expr()      {}
func (*TypeExpr) expr()    {}
