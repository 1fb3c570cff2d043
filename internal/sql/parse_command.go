package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// explain reads EXPLAIN in all its spellings.
func (p *parser) explain() Statement {
	start := p.Start()
	p.Expect("EXPLAIN")
	s := &Explain{}
	if !p.Accept("PLAN", "FOR") && p.atExplainDetail() {
		s.Details = tokens.List(&p.Cursor, p.explainDetail)
	}
	if setStart := p.Start(); p.At("STATEMENT", "SET") {
		s.Statement = p.statementSet(setStart)
	} else {
		s.Statement = p.statement()
	}
	s.Located = p.since(start)
	return s
}

func explainDetails() []string {
	return []string{string(ExplainCost), string(ExplainChangelog), string(ExplainJSON), string(ExplainAdvice)}
}

func (p *parser) atExplainDetail() bool {
	for _, detail := range explainDetails() {
		if p.At(detail) {
			return true
		}
	}
	// A comma can only follow a detail, here a misspelt one.
	return p.Token().Kind == tokens.Word && p.Ahead(1).IsSymbol(",")
}

func (p *parser) explainDetail() ExplainDetail {
	return ExplainDetail(p.Choose(explainDetails()...))
}

func (p *parser) set() Statement {
	start := p.Start()
	p.Expect("SET")
	s := &Set{}
	if t := p.Token(); t.Kind == tokens.Word || t.Kind == tokens.Quoted {
		key := t.Span
		for n := 1; p.Ahead(n).IsSymbol(".") || p.Ahead(n).IsSymbol("-") || p.Ahead(n).Kind == tokens.Word; n++ {
			key = key.To(p.Ahead(n).Span)
		}
		p.Fail("syntax", key, "SET has a key and no value", "write SET '"+tokens.Shown(p.Text.Slice(key))+"' = 'value'")
	}
	if p.Token().Kind != tokens.End && !p.AtSymbol(";") {
		option := p.option()
		s.Option = &option
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) reset() Statement {
	start := p.Start()
	p.Expect("RESET")
	s := &Reset{}
	if p.Token().Kind != tokens.End && !p.AtSymbol(";") {
		key := p.stringLit("a key in quotes")
		s.Key = &key
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) describe() Statement {
	start := p.Start()
	p.Choose("DESCRIBE", "DESC")
	s := &Describe{Extended: p.At("EXTENDED") && isIdent(p.Ahead(1)) && p.Accept("EXTENDED")}
	for _, object := range []struct{ word, hint string }{
		{"CATALOG", "SHOW DATABASES lists what is in it"},
		{"DATABASE", "SHOW TABLES lists what is in it"},
		{"FUNCTION", "write HELP and its name in tidemark sql, or: tidemark help sql NAME"},
		{"JOB", "DESCRIBE shows a table or view"},
		{"MODEL", "DESCRIBE shows a table or view"},
	} {
		if p.At(object.word) && (isIdent(p.Ahead(1)) || isReserved(object.word)) {
			p.Unsupported(p.Token().Span, "DESCRIBE "+object.word, object.hint)
		}
	}
	s.Table = p.name("a table name")
	s.Located = p.since(start)
	return s
}

func (p *parser) use() Statement {
	start := p.Start()
	p.Expect("USE")
	s := &Use{}
	switch {
	case p.At("CATALOG") && isIdent(p.Ahead(1)):
		p.Advance()
		s.Catalog = true
		s.Name = Name{Parts: []Ident{p.ident("a catalog name")}}
	case p.At("MODULES"):
		p.Unsupported(p.Token().Span, "USE MODULES", "all functions are built in")
	default:
		s.Name = p.name("a database name")
	}
	s.Located = p.since(start)
	return s
}

// showForm says what may follow SHOW and its keywords.
type showForm struct {
	kind ShowKind
	// object: a name must follow. from: FROM or IN and a name may, or must when object is set too.
	object, from, like bool
}

func showForms() []showForm {
	return []showForm{
		{kind: ShowTables, from: true, like: true},
		{kind: ShowViews, from: true, like: true},
		{kind: ShowColumns, object: true, from: true, like: true},
		{kind: ShowFunctions, from: true, like: true},
		{kind: ShowUserFunctions, from: true, like: true},
		{kind: ShowDatabases, from: true, like: true},
		{kind: ShowCatalogs, like: true},
		{kind: ShowJobs},
		{kind: ShowModules},
		{kind: ShowCurrentDatabase},
		{kind: ShowCurrentCatalog},
		{kind: ShowCreateTable, object: true},
		{kind: ShowCreateView, object: true},
	}
}

func (p *parser) show() Statement {
	start := p.Start()
	p.Expect("SHOW")
	for _, refused := range []struct{ words, hint string }{
		{"PARTITIONS", "tables have no partitions"},
		{"PROCEDURES", "there are no procedures"},
		{"JARS", "functions from JAR files cannot run here"},
		{"MODELS", "there are no models"},
		{"FULL MODULES", "all functions are in one module; SHOW FUNCTIONS lists them"},
		{"MATERIALIZED TABLES", "SHOW TABLES and SHOW VIEWS list what there is"},
		{"CREATE DATABASE", "SHOW DATABASES lists them"},
		{"CREATE CATALOG", "SHOW CATALOGS lists them"},
	} {
		if words := strings.Fields(refused.words); p.At(words...) {
			p.Unsupported(p.Token().Span, "SHOW "+refused.words, refused.hint)
		}
	}
	var kinds []string
	for _, form := range showForms() {
		if p.Accept(strings.Fields(string(form.kind))...) {
			return p.showRest(start, form)
		}
		kinds = append(kinds, string(form.kind))
	}
	p.Expected(kinds...)
	return nil
}

func (p *parser) showRest(start int, form showForm) Statement {
	s := &Show{What: form.kind}
	named := form.object && !form.from
	if form.from && (p.Accept("FROM") || p.Accept("IN")) {
		named = true
	} else if form.from && form.object {
		p.Expected("FROM", "IN")
	}
	if named {
		name := p.name("a name")
		s.Name = &name
	}
	if form.like {
		s.NotLike = p.Accept("NOT")
		if s.NotLike && !p.At("LIKE") && !p.At("ILIKE") {
			p.Expected("LIKE")
		}
		s.IgnoreCase = p.At("ILIKE")
		if p.Accept("LIKE") || p.Accept("ILIKE") {
			pattern := p.stringLit("a pattern in quotes")
			s.Like = &pattern
		}
	}
	s.Located = p.since(start)
	return s
}
