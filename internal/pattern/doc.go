// Package pattern finds sequences of rows that a row pattern describes: the automaton of MATCH_RECOGNIZE.
//
// A Pattern is a list of variables, each with how often it may stand. Compile makes an Automaton of it, which is shared; a Matcher is what is known of one partition: the partial
// matches, and whole ones that wait for earlier ones. It is fed row by row, in order, and asks its caller whether a row can be a variable. It knows rows by number only, and neither
// columns nor expressions.
//
// Which matches there are is Flink's rule (2.3), and not that of a regular expression. All ways to read the rows are followed side by side, and a way is a match with the first row that
// makes it complete; so the shortest wins. A greedy variable does not prefer a longer way: it is the one behind it that cannot begin with a row which could go on with the greedy one.
//
// Start at pattern.go, then automaton.go and matcher.go.
package pattern
