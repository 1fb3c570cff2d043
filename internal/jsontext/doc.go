// Package jsontext reads and writes JSON as the JSON functions of SQL see it: as text. Parse checks a document once; what it returns, and every value cut
// out of that, is known to be well-formed, and so all other functions take it without errors.
//
// Whatever Flink's parser and printer do shows in results, so this does the same: of equal keys the last counts, objects are written with their keys
// in order, numbers as Java's BigDecimal writes them. Decoding into columns is elsewhere: connector/format.
//
// Start at parse.go; write.go writes.
package jsontext
