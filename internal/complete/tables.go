package complete

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// fromTable is a table that a statement reads and what it is called there.
type fromTable struct{ name, alias string }

// tablesIn finds the tables behind FROM, JOIN, INTO and TABLE in a statement that need not be whole.
func tablesIn(body string) []fromTable {
	text := source.Text{Body: body}
	return tablesOf(text, sql.Lexemes(text), sql.Reserved)
}

// tablesOf does so with the tokens of a text.
func tablesOf(text source.Text, lexemes []tokens.Lexeme, reserved func(word string) bool) []fromTable {
	lexemes = slices.DeleteFunc(lexemes, func(t tokens.Lexeme) bool { return t.Kind == tokens.CommentLexeme })
	word := func(i int) string {
		if i >= len(lexemes) {
			return ""
		}
		return text.Slice(lexemes[i].Span)
	}
	isName := func(i int) bool {
		return i < len(lexemes) && (lexemes[i].Kind == tokens.NameLexeme || lexemes[i].Kind == tokens.WordLexeme && !reserved(word(i)))
	}
	var tables []fromTable
	for i := range lexemes {
		switch strings.ToUpper(word(i)) {
		case "FROM", "JOIN", "INTO", "TABLE", ",":
		default:
			continue
		}
		if !isName(i + 1) {
			continue
		}
		t := fromTable{name: strings.Trim(word(i+1), "`")}
		alias := i + 2
		if strings.EqualFold(word(alias), "AS") {
			alias++
		}
		if t.alias = t.name; isName(alias) {
			t.alias = strings.Trim(word(alias), "`")
		}
		tables = append(tables, t)
	}
	return tables
}

// tableOf is the table that an alias stands for, or the alias itself.
func tableOf(body, alias string) string { return tableAlias(tablesIn(body), alias) }

func tableAlias(tables []fromTable, alias string) string {
	alias = strings.Trim(alias, "`")
	for _, t := range tables {
		if t.alias == alias {
			return t.name
		}
	}
	return alias
}
