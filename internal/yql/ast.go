package yql

import "github.com/tidemark-sql/tidemark/internal/sql/source"

// Node is any part of a syntax tree.
type Node interface {
	// Span is where the node stands in its text; parentheses around an expression or a query are not part of it.
	Span() source.Span
}

// Located gives a node its place. Nodes made by code rather than by the parser take the place of what they stand for.
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

// Statement is one statement. The set is closed: ast_statement.go, ast_ddl.go and ast_streaming.go list it.
type Statement interface {
	Node
	statement()
}

// Query is something that yields rows: *Select, *Process, *Values, *SetOperation or *Ordered.
type Query interface {
	Node
	query()
}

// TableRef is an item of FROM: *TableName, *NamedTable, *Derived, *TableFunction, *Flatten or *Join.
type TableRef interface {
	Node
	tableRef()
}

// Expr is an expression; ast_expr.go and ast_literal.go list the closed set.
type Expr interface {
	Node
	expr()
}

// Ident is one identifier as written, without its backticks or quotes. Names of columns are case-sensitive.
type Ident struct {
	Located
	Name string
	// Quoted says that it stood in backticks or quotes, or would have to: never a keyword.
	Quoted bool
}

// Name is the name of a topic, a table or another object: a word or a path in backticks, and in front of it the external source that it is
// in, if one is written: `source.topic`, `topic`, `team/alerts` in backticks.
type Name struct {
	Located
	Source *Ident
	Path   Ident
}

// Text is the name as the catalog has it, with a dot between its parts.
func (n Name) Text() string {
	if n.Source != nil {
		return n.Source.Name + "." + n.Path.Name
	}
	return n.Path.Name
}

// Hint is one hint of /*+ name(value …) */, such as streamlookup(TTL 60).
type Hint struct {
	Located
	Name string
	Args []string
}
