// Package tokens is what Flink SQL and YQL have in common on the way from text to tree and back: the tokens of a text, a cursor that walks them, how a fault at
// one of them is told, and what a printer of trees writes with. What a text is cut into, and every rule of a grammar, is the business of the two languages; there is no grammar here.
//
// Start with cursor.go, and with printer.go for the way back.
package tokens
