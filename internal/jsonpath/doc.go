// Package jsonpath finds values in JSON documents by the paths of Flink: those of the JsonPath library of Java, behind the words lax and strict.
//
//	lax $.orders[0].id    strict $['a b'][*]    $.items[?(@.price > 10 && @.kind == 'x')].id    $..id    $.list.length()
//
// A path is compiled once and evaluated on the text of a document, from value to value, without building trees. Documents are checked before
// (jsontext.Parse). Not there: several names in one pair of brackets, functions other than length(), and the filter operators in, nin, size and others of
// words. Start at compile.go; eval.go evaluates, filter.go decides.
package jsonpath
