// Package yql turns YQL text, the language of YDB's streaming queries, into a syntax tree and back.
//
// Parse reads a script, ParseStatement and ParseExpr read one piece, and Format writes a tree as canonical YQL that parses
// to the same tree. The package knows words and shapes only: which topics, columns, types and functions there are is for those who
// read the tree, so the tree also holds what no query here may do. Every fault is a *source.Error.
//
// Start with ast.go (what all nodes share) and its neighbours ast_*.go, one per family; lexer.go and parse*.go build the tree, format*.go
// writes it.
package yql
