package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// advise says what to do at a token that is none of those expected.
func advise(c *tokens.Cursor, expected []string) string {
	if behindString(c) {
		return `inside a string, a quote has a backslash in front of it: 'it\'s'`
	}
	if len(expected) > 0 && (expected[len(expected)-1] == queryEnd || expected[0] == "';'") && beginsStatement(c.Token()) {
		return "a statement ends with ';'"
	}
	return ""
}

// behindString says whether a string follows another one at once, as where a quote was written twice.
func behindString(c *tokens.Cursor) bool {
	t := c.Token()
	if t.Kind != tokens.String || c.Pos == 0 {
		return false
	}
	last := c.Last()
	return last.Kind == tokens.String && last.Span.End == t.Span.Start
}

// queryEnd is what else could have stood where a query goes on.
const queryEnd = "the end of the query"

// beginsStatement says whether a token can begin a statement, so that a semicolon may be missing in front of it.
func beginsStatement(t tokens.Token) bool {
	if t.Kind == tokens.Named || t.IsWord("SELECT") {
		return true
	}
	for _, f := range forms() {
		if t.IsWord(f.words) {
			return true
		}
	}
	return false
}

// reserved fails at a keyword that stands where a name should.
func (p *parser) reserved(what string) {
	if p.misplacedKeyword() {
		p.Expected(what)
	}
	p.Reserved(what)
}

// misplacedKeyword says whether the reserved word here is far more likely to open the next clause than to be a name.
func (p *parser) misplacedKeyword() bool {
	switch p.Token().Upper {
	case "SELECT", "FROM", "WHERE", "HAVING", "AND", "OR", "XOR", "ON", "AS", "JOIN", "UNION", "WHEN", "THEN", "ELSE", "IN", "IS", "LIKE",
		"BETWEEN", "NOT":
		return true
	}
	return p.Ahead(1).IsWord("BY")
}
