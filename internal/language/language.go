package language

import (
	"fmt"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// Statement is a statement of any of the languages: a sql.Statement, a *YQLStatement or a *flowspec.Pipeline.
type Statement interface {
	Span() source.Span
}

// Language is how a text is to be read.
type Language uint8

// The languages of a text.
const (
	// Auto reads a statement as the language that alone has its first words, and others as Flink SQL, or as YQL if the text has PRAGMA, $name = …, UPSERT or the like outside of streaming
	// queries, or a name that ends in ".yql".
	Auto Language = iota
	// SQL reads what both languages have as Flink SQL, and YQL as YQL.
	SQL
	YQL
)

// names are the languages as users write them.
var names = [...]string{Auto: "auto", SQL: "sql", YQL: "yql"}

// String names the language.
func (l Language) String() string { return names[l] }

// Names lists the languages as they are written.
func Names() []string { return names[:] }

// Named is the language of a name, in any case of letters.
func Named(name string) (Language, bool) {
	for l, n := range names {
		if strings.EqualFold(n, name) {
			return Language(l), true
		}
	}
	return Auto, false
}

// Of is the language of a text that is named by its file, or Auto.
func Of(text source.Text) Language {
	if strings.HasSuffix(strings.ToLower(text.Name), ".yql") {
		return YQL
	}
	return Auto
}

// Property is the key under which a session or a statement of a server says the language of its texts.
const Property = "sql.language"

// Asked is the language that properties say, Auto if they say none. The error is a sentence about the value, without its end.
func Asked(properties map[string]string) (Language, error) {
	value, ok := properties[Property]
	if !ok {
		return Auto, nil
	}
	l, ok := Named(value)
	if !ok {
		return Auto, fmt.Errorf("'%s' cannot be '%s'; it can be: %s", Property, value, strings.Join(Names(), ", "))
	}
	return l, nil
}
