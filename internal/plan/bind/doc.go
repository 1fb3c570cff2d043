// Package bind gives meaning to a syntax tree: it finds names, derives types, keeps track of time attributes and windows, and refuses by
// name what cannot be run. Most errors that a user makes are born here, each with its place in the text.
//
// Tables are those of the session and, behind them, those that are there without CREATE TABLE, which are asked for when a statement names them (inferred.go).
//
// Start at Binder; a file each for tables, queries, FROM, window functions, grouping and expressions.
package bind
