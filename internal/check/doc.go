// Package check reads scripts of SQL without running them: it parses, binds and plans every statement and collects all errors, and it holds
// the statements against Lints, which know what works and still is a mistake more often than not.
//
// A lint is a row of Lints: name, severity, sentence and a function over the trees of a script. A comment `-- tidemark:ignore name`, in a
// statement or right above it, silences a lint for that statement.
//
// Start with check.go; lint.go has the registry, lint_*.go the lints by what they look at.
package check
