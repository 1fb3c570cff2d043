package complete

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// yqlPlace is a place in a statement of YQL.
type yqlPlace struct {
	place
	whole string // the text around the cursor, from the beginning of the statement on
	named []string
}

// placeInYQL finds the place at the end of before, if it is in a statement of YQL or behind one.
func (c *Completer) placeInYQL(before, after string) (*yqlPlace, bool) {
	pieces := language.Cut(source.Text{Body: before}, c.Language)
	if len(pieces) == 0 {
		return nil, c.Language == language.YQL
	}
	last := pieces[len(pieces)-1]
	if !last.YQL {
		return nil, false
	}
	begin := last.Span.Start
	if last.Ended {
		begin = last.End
	}
	p := &yqlPlace{whole: before[begin:] + after, named: namesIn(before + after)}
	p.text = source.Text{Body: strings.Repeat(" ", begin) + before[begin:]}
	return p, true
}

var namedPattern = regexp.MustCompile(`\$[\pL_][\pL\pN_]*`)

// namesIn are the named expressions of a text.
func namesIn(body string) []string {
	names := namedPattern.FindAllString(body, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// completeYQL is Complete in YQL.
func (c *Completer) completeYQL(p *yqlPlace, before, after string) (candidates []string, start int) {
	if p == nil {
		p = &yqlPlace{place: place{text: source.Text{Body: before}}, whole: before + after, named: namesIn(before + after)}
	}
	lexemes := yql.Lexemes(p.text)
	p.start = len(before)
	if n := len(lexemes); n > 0 && lexemes[n-1].Span.End == len(before) {
		switch last := lexemes[n-1]; {
		case last.Kind == tokens.CommentLexeme, last.Kind == tokens.NumberLexeme, last.Kind == tokens.StringLexeme:
			return nil, len(before)
		case last.Kind == tokens.WordLexeme, strings.HasPrefix(p.text.Slice(last.Span), "$"):
			p.start, lexemes = last.Span.Start, lexemes[:n-1]
		case last.Kind == tokens.FaultLexeme:
			return nil, len(before)
		}
	}
	p.lexemes = slices.DeleteFunc(lexemes, func(t tokens.Lexeme) bool { return t.Kind == tokens.CommentLexeme })
	prefix := before[p.start:]
	for _, candidate := range c.candidatesYQL(p) {
		if hasPrefixFold(candidate, prefix) && candidate != prefix {
			candidates = append(candidates, candidate)
		}
	}
	slices.Sort(candidates)
	return slices.Compact(candidates), p.start
}

// candidatesYQL are all that could stand at a place, whatever has been typed of it.
func (c *Completer) candidatesYQL(p *yqlPlace) []string {
	lower := p.start < len(p.text.Body) && p.text.Body[p.start] >= 'a' && p.text.Body[p.start] <= 'z'
	words := func(list ...string) []string {
		list = slices.Clone(list)
		for i := range list {
			if lower {
				list[i] = strings.ToLower(list[i])
			}
		}
		return list
	}
	switch last := p.back(1); last {
	case "", ";", "BEGIN":
		heads := words("SELECT", "INSERT INTO", "UPSERT INTO", "PRAGMA")
		if last != "" {
			return append(append(heads, words("END DO")...), p.named...)
		}
		heads = append(heads, words("CREATE STREAMING QUERY", "ALTER STREAMING QUERY", "DROP STREAMING QUERY", "CREATE TOPIC", "CREATE TABLE", "EXPLAIN")...)
		return append(append(heads, p.named...), c.Commands...)
	case "::":
		return functionsOf(p.back(2))
	case ".":
		return c.columnsOf(tableAlias(p.tables(), p.text.Slice(p.lexemes[max(len(p.lexemes)-2, 0)].Span)))
	case "CREATE":
		return words("STREAMING QUERY", "TOPIC", "TABLE")
	case "ALTER":
		return words("STREAMING QUERY")
	case "DROP":
		return words("STREAMING QUERY", "TOPIC", "TABLE")
	case "FROM", "JOIN":
		return append(c.names(), p.named...)
	case "INTO":
		return c.names()
	case "(", ",":
		if keys := p.keys(); keys != nil {
			return words(keys...)
		}
	case "=":
		if p.back(2) == "FORMAT" {
			return yql.Formats
		}
	}
	return c.expressionYQL(p, words)
}

// expressionYQL are the words of an expression, and those that can follow one.
func (c *Completer) expressionYQL(p *yqlPlace, words func(...string) []string) []string {
	list := append(words(yql.Keywords()...), p.named...)
	list = append(list, functionsOf("")...)
	for _, module := range functions.Modules() {
		list = append(list, module+"::")
	}
	list = append(list, functions.AggregateNames()...)
	list = append(list, "HoppingWindow(", "HOP_START()", "HOP_END()", "TableRow()", "__ydb_write_time", "__ydb_offset", "__ydb_partition_id")
	for _, t := range p.tables() {
		list = append(list, c.Schema.Columns(t.name)...)
		list = append(list, t.alias)
	}
	return list
}

// functionsOf are the functions of a module, or those without one.
func functionsOf(module string) []string {
	module = strings.TrimSuffix(module, "2") // Yson2 is Yson
	var names []string
	for i := range functions.Functions {
		if f := &functions.Functions[i]; strings.EqualFold(f.Module, module) && f.Refused == "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// tables are those that the statement around the place reads or writes.
func (p *yqlPlace) tables() []fromTable {
	text := source.Text{Body: p.whole}
	return tablesOf(text, yql.Lexemes(text), yql.Reserved)
}

// keys are those that can stand at the place if it is in the parentheses of WITH or SET; nil elsewhere.
func (p *yqlPlace) keys() []string {
	open, before := p.enclosed()
	if before != "WITH" && before != "SET" {
		return nil
	}
	for i := open - 1; i >= 0; i-- {
		switch strings.ToUpper(p.text.Slice(p.lexemes[i].Span)) {
		case "FROM", "JOIN", "INTO":
			return slices.Concat(yql.UsualOptions, yql.RareOptions)
		case "QUERY":
			return yql.QuerySettings
		}
	}
	return nil
}
