// Package mutation shows that the scripts in testdata would notice: every rule in its list is broken on purpose, and at least one script has to fail.
//
// There is nothing to import here. `make mutate` builds one program that has all mutations in it, of which an environment variable chooses one, and runs the scripts with each; an
// ordinary test run only holds the list against the code. A mutation is a piece of a function and what stands there instead. mutations_test.go is the list, program_test.go makes the
// program, mutation_test.go runs it.
package mutation
