// Package function holds the SQL functions and operators: what they are called, which types they take and give, how they are explained, and the
// kernels that compute them over columns.
//
// Scalars and Aggregates are plain slices read from top to bottom, one file per family or aggregate; documentation, listings and the binder
// derive from the rows. A function is added by writing its row and kernel in the file of its family. Operators (+, =, LIKE, IS NULL) are rows
// like any other. What is evaluated on some rows only (AND, OR, CASE, COALESCE, IF, IN) is an expression rather than a function: package expr.
//
// Start at scalar.go and call.go, then read comparison.go as the shortest family; aggregate.go is the other half.
package function
