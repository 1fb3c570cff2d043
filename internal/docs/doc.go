// Package docs keeps the project's prose true, by tests: commands and SQL in README.md and docs/*.md are run and what they print is compared,
// links lead somewhere, and the references of functions, options and settings are written from the registries in the code.
//
// There is nothing to import here. `go generate ./internal/docs` writes the references anew, `go test ./internal/docs -update` the outputs of
// examples too. page_test.go reads pages, examples_test.go runs them, reference_test.go writes
// references, nexmark_test.go tries the tables given for generated data.
package docs

//go:generate go test -run TestReference -update .
