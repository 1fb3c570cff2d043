// Package vector holds columns of values and the memory they live in.
//
// A Vector is one column of one Kind: flat (a value per row) or constant (one value for every row), with a validity
// bitmap that is nil when nothing is NULL. A Batch is columns of one length with an optional selection. All memory of a
// batch comes from one Arena, so that a batch is given back in one step, whoever ends up owning it: allocate from the
// arena of the batch you were given, and move the arena along when you emit.
//
// The package knows layouts, not SQL: what a value means is said by package types. There are no expressions here;
// package expr has those.
package vector
