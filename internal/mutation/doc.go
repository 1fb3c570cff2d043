// Package mutation shows that the scripts in testdata would notice: every rule in its list is broken on purpose, in a program built for that, and at least one script has to fail.
//
// There is nothing to import here. `make mutate` builds and runs all of it, in half an hour; an ordinary test run only holds the list against the code. A mutation is a piece of the source
// and what stands there instead. mutations_test.go is the list, mutation_test.go runs it.
package mutation
