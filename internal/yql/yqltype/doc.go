// Package yqltype holds the types of YQL: their spelling, how they meet, what CAST makes of them, and the types of the engine that hold their values.
//
// It knows nothing of expressions. Where YQL has a type that the engine has not, Physical names the one that takes its place: a Uint64 is a BIGINT and ends
// at 2^63-1, an Optional of an Optional is an Optional, and a Timestamp has the range of a Timestamp64. Start at Type; parse.go reads a spelling, common.go
// says which types meet where, cast.go which conversions there are and whether they can fail.
package yqltype
