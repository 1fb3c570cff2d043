// Package plan is what a statement means: a tree of typed nodes over the rows of tables, and for each table the watermark strategy with the
// origin of every value.
//
// Nodes are values; they print as a tree (print.go), and rules rewrite them (package rewrite). Package bind makes them from SQL. Nothing
// below this package knows option names or syntax, and nothing in it knows operators.
package plan
