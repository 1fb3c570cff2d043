// Package layout lays SQL and YQL out for people: keywords (and functions of SQL) in upper case, a clause a line, columns aligned, lines of at most 100
// cells where that can be.
//
// It moves blanks and nothing else. The tokens of a text stay what they are and in their order, so the layout of a script parses to the tree
// of the script, and every comment stays between the tokens that it stood between; one in front of a comma or semicolon moves behind it. A
// layout depends on tokens and comments alone, and not on the blanks between them, so laying out twice is laying out once. (Whether a comment
// stands on a line of its own, and whether there is an empty line between statements, is kept.)
//
// Start with layout.go and yql.go. pieces.go joins tokens with their comments, statement.go, yql_statement.go, query.go and expr.go say where
// lines may break, and printer.go decides where they do.
package layout
