// Package complete finds what could stand at a cursor in SQL or YQL that somebody is writing: in the shell, and on the page of a server. It knows tables by what a Schema tells and does not plan anything.
package complete

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Schema is what completion knows of a session.
type Schema interface {
	// Names lists tables and views.
	Names() []string
	// Columns lists the columns of a table or view; nil if there is none of that name.
	Columns(table string) []string
	// Databases lists the databases of the current catalog, Catalogs all catalogs.
	Databases() []string
	Catalogs() []string
}

// Completer finds what could stand at the cursor.
type Completer struct {
	Schema     Schema
	Connectors []connector.Connector
	// Commands are words that can begin a statement beside those of SQL, and Settings keys that can be SET beside those of the engine; neither need be there.
	Commands []string
	Settings []Setting
	// Language is how the text is read.
	Language language.Language
}

// Setting is a setting of a client, with the values that it can have, nil if that is no list.
type Setting struct {
	Key    string
	Values []string
}

// Complete returns what could stand at the end of before, sorted, and where in before that begins. after is the text behind the cursor, whose FROM
// counts too.
func (c *Completer) Complete(before, after string) (candidates []string, start int) {
	if p, is := c.placeInYQL(before, after); is {
		return c.completeYQL(p, before, after)
	}
	text := source.Text{Body: before}
	lexemes := slices.DeleteFunc(sql.Lexemes(text), func(t tokens.Lexeme) bool { return t.Kind == tokens.CommentLexeme && t.Span.End < len(before) })
	for i := len(lexemes) - 1; i >= 0; i-- {
		if text.Slice(lexemes[i].Span) == ";" {
			lexemes = lexemes[i+1:]
			break
		}
	}
	p := place{text: text, lexemes: lexemes, start: len(before)}
	if n := len(lexemes); n > 0 && lexemes[n-1].Span.End == len(before) {
		switch last := lexemes[n-1]; last.Kind {
		case tokens.CommentLexeme, tokens.NumberLexeme:
			return nil, len(before)
		case tokens.StringLexeme:
			return nil, len(before)
		case tokens.WordLexeme, tokens.FaultLexeme:
			p.start, p.lexemes = last.Span.Start, lexemes[:n-1]
			p.quoted = last.Kind == tokens.FaultLexeme
		}
	}
	prefix := before[p.start:]
	if p.quoted && !strings.HasPrefix(prefix, "'") && !strings.HasPrefix(prefix, "`") {
		return nil, len(before)
	}
	for _, candidate := range c.candidates(&p, before+after) {
		if p.quoted && strings.HasPrefix(after, prefix[:1]) {
			candidate = strings.TrimSuffix(candidate, prefix[:1]) // the quote is closed behind the cursor
		}
		if hasPrefixFold(candidate, prefix) && candidate != prefix {
			candidates = append(candidates, candidate)
		}
	}
	slices.Sort(candidates)
	return slices.Compact(candidates), p.start
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// place is where something is to be completed: the tokens of the statement before it.
type place struct {
	text    source.Text
	lexemes []tokens.Lexeme
	start   int
	quoted  bool // a quote is open
}

// back is the n-th token before the place, in upper case, from 1 on; "" if there is none.
func (p *place) back(n int) string {
	if n > len(p.lexemes) {
		return ""
	}
	return strings.ToUpper(p.text.Slice(p.lexemes[len(p.lexemes)-n].Span))
}

// candidates are all that could stand at a place, whatever has been typed of it.
func (c *Completer) candidates(p *place, whole string) []string {
	lower := p.start < len(p.text.Body) && p.text.Body[p.start] >= 'a' && p.text.Body[p.start] <= 'z'
	words := func(list ...string) []string {
		if lower {
			for i := range list {
				list[i] = strings.ToLower(list[i])
			}
		}
		return list
	}
	switch last := p.back(1); {
	case last == "":
		return append(words("SELECT", "INSERT INTO", "CREATE TABLE", "CREATE VIEW", "WITH", "SET", "RESET", "EXPLAIN", "SHOW", "DROP", "ALTER TABLE", "DESCRIBE", "USE",
			"EXECUTE STATEMENT SET BEGIN", "CREATE STREAMING QUERY"), c.Commands...)
	case p.start > 0 && last == ".":
		return c.columnsOf(tableOf(whole, p.text.Slice(p.lexemes[max(len(p.lexemes)-2, 0)].Span)))
	case last == "SET" && len(p.lexemes) == 1, last == "RESET":
		return quotedAll(c.settingKeys())
	case last == "=" && p.back(3) == "SET":
		return quotedAll(c.settingValues(unquoted(p.text.Slice(p.lexemes[len(p.lexemes)-2].Span))))
	case p.quoted || last == "(" || last == ",":
		if options := c.options(p); options != nil {
			return options
		}
		if p.quoted {
			return nil
		}
	case slices.Contains([]string{"FROM", "JOIN", "INTO", "TABLE", "VIEW", "DESCRIBE", "DESC", "EXTENDED"}, last):
		names := c.names()
		if last == "FROM" || last == "JOIN" {
			names = append(names, words("TUMBLE(TABLE ", "HOP(TABLE ", "CUMULATE(TABLE ", "SESSION(TABLE ")...)
		}
		if last == "DESCRIBE" || last == "DESC" {
			names = append(names, words("EXTENDED")...)
		}
		return names
	case last == "USE" && len(p.lexemes) == 1:
		return append(words("CATALOG"), c.Schema.Databases()...)
	case last == "CATALOG":
		return c.Schema.Catalogs()
	case last == "DATABASE":
		return c.Schema.Databases()
	case last == "CREATE" && p.back(2) == "SHOW":
		return words("TABLE", "VIEW")
	case len(p.lexemes) == 1 && follows[last] != nil:
		return words(slices.Clone(follows[last])...)
	}
	list := words(slices.DeleteFunc(sql.Keywords(), absent)...)
	for _, f := range function.ScalarNames() {
		if isWord(rune(f[0])) {
			list = append(list, words(f)...)
		}
	}
	list = append(list, words(function.AggregateNames()...)...)
	tables := tablesIn(whole)
	for _, t := range tables {
		list = append(list, c.Schema.Columns(t.name)...)
		list = append(list, t.alias)
	}
	names := c.Schema.Names()
	if len(tables) == 0 { // FROM is yet to be written
		for _, name := range names {
			list = append(list, c.Schema.Columns(name)...)
		}
	}
	return append(list, c.names()...)
}

// follows are the words behind the first one of a statement.
var follows = map[string][]string{
	"SHOW":    {"TABLES", "VIEWS", "COLUMNS FROM", "FUNCTIONS", "DATABASES", "CATALOGS", "CREATE TABLE", "CREATE VIEW", "CURRENT DATABASE", "CURRENT CATALOG"},
	"CREATE":  {"TABLE", "VIEW", "TEMPORARY TABLE", "TEMPORARY VIEW", "DATABASE", "CATALOG", "STREAMING QUERY", "TOPIC"},
	"DROP":    {"TABLE", "VIEW", "TEMPORARY TABLE", "TEMPORARY VIEW", "DATABASE", "CATALOG"},
	"ALTER":   {"TABLE", "VIEW"},
	"EXPLAIN": {"SELECT", "INSERT INTO", "CHANGELOG_MODE", "PLAN_ADVICE", "JSON_EXECUTION_PLAN", "EXECUTE STATEMENT SET BEGIN"},
}

// absent tells whether a keyword is only the name of a function that is not there.
func absent(word string) bool {
	_, absent := function.LookupNotYet(word)
	return absent
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// names are the tables and views, in backticks where they need them.
func (c *Completer) names() []string {
	names := slices.Clone(c.Schema.Names())
	for i, name := range names {
		if sql.Reserved(name) || strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) }) {
			names[i] = "`" + name + "`"
		}
	}
	return names
}

func (c *Completer) columnsOf(table string) []string { return c.Schema.Columns(table) }

func (c *Completer) settingKeys() []string {
	var keys []string
	for _, s := range c.Settings {
		keys = append(keys, s.Key)
	}
	for _, s := range catalog.KnownSettings {
		keys = append(keys, s.Key)
	}
	return keys
}

// settingValues are what a setting can be, if that is a list.
func (c *Completer) settingValues(key string) []string {
	for _, s := range c.Settings {
		if s.Key == key {
			return s.Values
		}
	}
	for _, s := range catalog.KnownSettings {
		if s.Key == key {
			return s.Values
		}
	}
	return nil
}

func quotedAll(list []string) []string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = "'" + s + "'"
	}
	return quoted
}

// enclosed is the innermost parenthesis that is open at the place, and the word in front of it in upper case, which is empty if there is none.
func (p *place) enclosed() (open int, word string) {
	depth := 0
	for i := len(p.lexemes) - 1; i > 0; i-- {
		switch p.text.Slice(p.lexemes[i].Span) {
		case ")":
			depth++
		case "(":
			if depth == 0 {
				return i, strings.ToUpper(p.text.Slice(p.lexemes[i-1].Span))
			}
			depth--
		}
	}
	return 0, ""
}

// options completes keys and values within WITH (…) and OPTIONS(…); nil elsewhere.
func (c *Completer) options(p *place) []string {
	open, word := p.enclosed()
	if word != "WITH" && word != "OPTIONS" {
		return nil
	}
	given := map[string]string{}
	for i := open + 1; i+2 < len(p.lexemes); i++ {
		if p.text.Slice(p.lexemes[i+1].Span) == "=" {
			given[unquoted(p.text.Slice(p.lexemes[i].Span))] = unquoted(p.text.Slice(p.lexemes[i+2].Span))
		}
	}
	if p.back(1) == "=" {
		return quotedAll(c.values(unquoted(p.text.Slice(p.lexemes[len(p.lexemes)-2].Span)), given["connector"]))
	}
	var keys []string
	name := given["connector"]
	if name == "" && word == "WITH" {
		name = c.managed()
	}
	for _, s := range c.specs(name) {
		if _, there := given[s.Key]; !there && s.NotYet == "" {
			keys = append(keys, s.Key)
		}
	}
	if given["connector"] == "" {
		keys = append(keys, "connector")
	}
	return quotedAll(keys)
}

func unquoted(s string) string { return strings.Trim(s, "'") }

// managed is the connector of tables that name none; "none" if there is none.
func (c *Completer) managed() string {
	for _, con := range c.Connectors {
		if con.Create != nil {
			return con.Name
		}
	}
	return "none"
}

// specs are the options of a connector, or of all of them, and those that every table has.
func (c *Completer) specs(name string) []connector.Spec {
	specs := slices.Clone(plan.WatermarkOptions)
	for _, con := range c.Connectors {
		if name == "" || con.Name == name {
			specs = append(specs, con.Specs...)
		}
	}
	return specs
}

func (c *Completer) values(key, name string) []string {
	var values []string
	if key == "connector" {
		for _, con := range c.Connectors {
			values = append(values, con.Name)
		}
		return values
	}
	for _, s := range c.specs(name) {
		if s.Key == key {
			values = append(values, s.Values...)
		}
	}
	return values
}
