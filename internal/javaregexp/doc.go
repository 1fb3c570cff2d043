// Package javaregexp runs the regular expressions that people write for Flink, which are those of Java, on RE2 (package regexp): in time linear in the
// text, whatever the pattern.
//
// A pattern is read by the rules of Java and written anew for RE2, with all flags and classes spelled out: "." leaves out five kinds of line ends and
// not one, (?i) folds ASCII only, classes may be cut with &&. What RE2 has no means for (look-around, back-references, possessive and atomic groups)
// is an *UnsupportedError that names it and its place; what is no pattern in Java either is a *SyntaxError. One difference remains: $ and \Z match at
// the very end alone, not before a line end that stands there. Why RE2: docs/decisions/regular-expressions.md.
//
// Start at Compile; translate.go reads patterns, class.go classes, find.go finds as Java's Matcher does.
package javaregexp
