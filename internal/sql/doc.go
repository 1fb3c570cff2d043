// Package sql turns Flink SQL text into a syntax tree and back.
//
// Parse reads a script, ParseQuery and ParseExpr read one piece, and Format
// writes a tree as canonical SQL that parses to the same tree. The package knows
// words and shapes only: whether a table exists, what type a column has and which
// statements the engine can run is for the binder, so the tree holds the whole
// dialect. Every fault is a *source.Error.
//
// Start with ast.go (what all nodes share) and its neighbours ast_*.go, one per
// family; lexer.go and parse*.go build the tree, format*.go writes it.
package sql
