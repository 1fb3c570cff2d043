package sql

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// Node is any part of a syntax tree.
type Node interface {
	// Span is where the node stands in its text; parentheses around an expression
	// or a query are not part of it.
	Span() source.Span
}

// Located gives a node its place. Nodes made by code rather than by the parser
// take the place of what they stand for, so that errors still point somewhere.
type Located struct {
	At source.Span
}

// Span implements Node.
func (l Located) Span() source.Span { return l.At }

// Script is a text and its statements in order.
type Script struct {
	Text       source.Text
	Statements []Statement

	uses map[int]WordUse
}

// Statement is one statement of a script. The set is closed: ast_ddl.go,
// ast_alter.go and ast_command.go list it.
type Statement interface {
	Node
	statement()
}

// Query is something that yields rows: *Select, *Values, *TableQuery, *SetOperation,
// *Ordered or *With.
type Query interface {
	Node
	query()
}

// TableRef is an item of FROM: *TableName, *Derived, *TableFunction, *Unnest, *MatchRecognize or *Join.
type TableRef interface {
	Node
	tableRef()
}

// Expr is an expression; ast_expr.go and ast_literal.go list the closed set.
type Expr interface {
	Node
	expr()
}

// Ident is one identifier as written, without its backticks.
type Ident struct {
	Located
	Name string
	// Quoted says that it stood in backticks: never a keyword or a special form.
	Quoted bool
}

// Name is a dotted name: `table`, `database.table`, `catalog.database.table`, or
// a path into a column. It has at least one part.
type Name struct {
	Parts []Ident
}

// Span implements Node.
func (n Name) Span() source.Span {
	return n.Parts[0].At.To(n.Parts[len(n.Parts)-1].At)
}

// Last is the rightmost part: the object's own name.
func (n Name) Last() Ident { return n.Parts[len(n.Parts)-1] }

// Option is 'key' = 'value' in WITH, SET and hints.
type Option struct {
	Located
	Key, Value StringLit
}

// Hint is one hint of /*+ … */: OPTIONS('k' = 'v'), STATE_TTL('a' = '1d'), BROADCAST(t).
// Its arguments are either all options or all names.
type Hint struct {
	Located
	Name    Ident
	Options []Option
	Names   []Name
}
