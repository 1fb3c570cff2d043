// Package source holds the text of a query, places in it, and the errors that
// point at them.
//
// It knows nothing of SQL: the parser, the binder and the runtime all say where
// something stands with a Span and what is wrong with an Error, and Error.Render
// draws every one of them the same way. Start with text.go, then error.go.
package source
