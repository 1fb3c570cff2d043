// Package ysontext reads and writes YSON, the notation of YTsaurus for documents: maps, lists, strings, numbers, entities, and attributes of each.
//
// Canonical checks a document, as text or binary, and gives its canonical text: no blanks, every string in quotes, no separator behind a last item. All other
// functions take that and trust it, so that a value inside is a part of the bytes and nothing is decoded that nobody asks for.
//
//	#  %true  %false  -5  5u  1.5  %inf  %-inf  %nan  "text"  [a;b]  {"key"=a;"other"=b}  <"attribute"=a>value
//
// Start at walk.go; canonical.go is the parser, json.go the way to JSON and back.
package ysontext
