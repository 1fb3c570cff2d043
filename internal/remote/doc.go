// Package remote is a server as a place where the statements of a shell run. A statement of the shell is a statement of the server; what is SET stays here and goes with each as its properties.
// Results are read page by page and given to the sink as if they were computed here.
//
// Open place.go first; session.go has SET, RESET and USE, run.go a query on its way, failure.go what is said of statements that failed.
package remote
