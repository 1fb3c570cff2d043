// Package mutation shows that the scripts in testdata would notice: every rule in its list is broken on purpose, and at least one script has to fail.
//
// There is nothing to import here. `make mutate` builds one program that has all mutations in it, of which an environment variable chooses one, and runs scripts with each; an
// ordinary test run only holds the list against the code, and against what scripts say that they cover: every row of the compatibility pages that a script covers is broken by a
// mutation, for which a script that covers it has to fail, or says in unbroken_test.go why none breaks it. A mutation is a piece of a function and what stands there instead. The
// list is in mutations_test.go and its neighbours, program_test.go makes the program, mutation_test.go runs it.
package mutation
