// Package docs keeps the project's prose true, by tests: commands and SQL in README.md and docs/*.md are run and what they print is compared,
// links lead somewhere, and the references of functions, options and settings are written from the registries in the code.
//
// There is nothing to import here. `go generate ./internal/docs` writes the references anew; outputs of examples are changed by hand,
// because they are part of what the prose says. page_test.go reads pages, examples_test.go runs them, reference_test.go writes references.
package docs

//go:generate go test -run TestReference -update .
