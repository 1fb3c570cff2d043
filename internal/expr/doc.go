// Package expr evaluates typed expressions over columns.
//
// An Expr is bound: columns are numbers, types are known, functions are resolved to kernels, and implicit conversions stand in the tree. There are
// no names to look up and nothing to decide per row. Trees are immutable and may be shared between goroutines; the memory of a result comes from the
// arena in Context.
//
// The package also owns what is evaluated on some rows only: AND and OR, CASE (with COALESCE, NULLIF, IF), IN. Functions live in package function.
// Start at expr.go, then call.go.
package expr
