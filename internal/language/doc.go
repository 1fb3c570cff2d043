// Package language reads a text as statements of the languages that Tidemark speaks: Flink SQL and YQL, in one text if need be.
//
// A text is cut at the semicolons that end statements, each piece is told by its first words, and the parser of its language reads it where it stands: what belongs to the other language is
// blanks to it, so that every place is one of the whole text. The package knows first words and quotes only; what a statement says is for the parsers.
//
// Open language.go first, then cut.go (where statements end) and head.go (whose they are).
package language
