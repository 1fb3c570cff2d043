// Package functions holds what YQL computes with: its functions and aggregates, operators, literals and conversions, over typed values.
//
// A Value is an expression of package expr and the YQL type of what it gives; the type decides what a function does, for the engine holds a String, a Json
// and a Yson alike as STRING. Functions is a plain slice of rows, one file per family; the reference and the hints of errors derive from the rows. A row makes
// the expression of a call: it applies a function of Tidemark where that does the same, or a kernel of its own. Lambdas and what DateTime::Format("%Y") gives are
// Callables: Go functions from values to a value, so that whoever applies one has the expression of its body.
//
// Start at value.go and function.go; operator.go has the operators, cast.go CAST and what is converted without it, kernel.go how a kernel becomes a call.
package functions
