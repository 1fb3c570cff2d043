// Package arch holds the rules of the tree that a compiler does not check, as tests: who may import whom (the table in ARCHITECTURE.md),
// that everything public is explained, that only the packages at the edge read a clock, and that files stay small.
//
// There is nothing to import here. imports_test.go reads the table, comments_test.go the documentation, files_test.go everything else.
package arch
