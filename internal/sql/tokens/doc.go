// Package tokens is what the parsers of Flink SQL and YQL have in common: the tokens of a text, a cursor that walks them, and how a fault at one of them is
// told. What a text is cut into, and every rule of a grammar, is the business of the two languages; there is no grammar here.
//
// Start with cursor.go.
package tokens
