// Package statedir is a folder of states as it lies on the disk: a folder for each statement, named after the tables that it writes to, with the text of the
// statement and its checkpoints. It finds them, tells people what is in them, copies them, and carries wishes to the process that has the folder open. What
// a checkpoint means to a statement is package runtime's.
//
// Open folder.go first (what lies where), then look.go (what a checkpoint says), then text.go and json.go (the same for people and for programs).
package statedir
