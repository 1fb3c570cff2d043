package sql

import "strings"

// explain reads EXPLAIN in all its spellings.
func (p *parser) explain() Statement {
	start := p.start()
	p.expect("EXPLAIN")
	s := &Explain{}
	if !p.accept("PLAN", "FOR") && p.atExplainDetail() {
		s.Details = list(p, p.explainDetail)
	}
	if setStart := p.start(); p.at("STATEMENT", "SET") {
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
		if p.at(detail) {
			return true
		}
	}
	// A comma can only follow a detail, here a misspelt one.
	return p.token().kind == tokenWord && p.ahead(1).isSymbol(",")
}

func (p *parser) explainDetail() ExplainDetail {
	return ExplainDetail(p.choose(explainDetails()...))
}

func (p *parser) set() Statement {
	start := p.start()
	p.expect("SET")
	s := &Set{}
	if t := p.token(); t.kind == tokenWord || t.kind == tokenQuoted {
		key := t.span
		for n := 1; p.ahead(n).isSymbol(".") || p.ahead(n).isSymbol("-") || p.ahead(n).kind == tokenWord; n++ {
			key = key.To(p.ahead(n).span)
		}
		p.fail("syntax", key, "SET has a key and no value", "write SET '"+shown(p.text.Slice(key))+"' = 'value'")
	}
	if p.token().kind != tokenEnd && !p.atSymbol(";") {
		option := p.option()
		s.Option = &option
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) reset() Statement {
	start := p.start()
	p.expect("RESET")
	s := &Reset{}
	if p.token().kind != tokenEnd && !p.atSymbol(";") {
		key := p.stringLit("a key in quotes")
		s.Key = &key
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) describe() Statement {
	start := p.start()
	p.choose("DESCRIBE", "DESC")
	s := &Describe{Extended: p.at("EXTENDED") && p.ahead(1).isIdent() && p.accept("EXTENDED")}
	for _, object := range []struct{ word, hint string }{
		{"CATALOG", "SHOW DATABASES lists what is in it"},
		{"DATABASE", "SHOW TABLES lists what is in it"},
		{"FUNCTION", "write HELP and its name in tidemark sql, or: tidemark help sql NAME"},
		{"JOB", "DESCRIBE shows a table or view"},
		{"MODEL", "DESCRIBE shows a table or view"},
	} {
		if p.at(object.word) && (p.ahead(1).isIdent() || isReserved(object.word)) {
			p.unsupported(p.token().span, "DESCRIBE "+object.word, object.hint)
		}
	}
	s.Table = p.name("a table name")
	s.Located = p.since(start)
	return s
}

func (p *parser) use() Statement {
	start := p.start()
	p.expect("USE")
	s := &Use{}
	switch {
	case p.at("CATALOG") && p.ahead(1).isIdent():
		p.advance()
		s.Catalog = true
		s.Name = Name{Parts: []Ident{p.ident("a catalog name")}}
	case p.at("MODULES"):
		p.unsupported(p.token().span, "USE MODULES", "all functions are built in")
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
	start := p.start()
	p.expect("SHOW")
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
		if words := strings.Fields(refused.words); p.at(words...) {
			p.unsupported(p.token().span, "SHOW "+refused.words, refused.hint)
		}
	}
	var kinds []string
	for _, form := range showForms() {
		if p.accept(strings.Fields(string(form.kind))...) {
			return p.showRest(start, form)
		}
		kinds = append(kinds, string(form.kind))
	}
	p.expected(kinds...)
	return nil
}

func (p *parser) showRest(start int, form showForm) Statement {
	s := &Show{What: form.kind}
	named := form.object && !form.from
	if form.from && (p.accept("FROM") || p.accept("IN")) {
		named = true
	} else if form.from && form.object {
		p.expected("FROM", "IN")
	}
	if named {
		name := p.name("a name")
		s.Name = &name
	}
	if form.like {
		s.NotLike = p.accept("NOT")
		if s.NotLike && !p.at("LIKE") && !p.at("ILIKE") {
			p.expected("LIKE")
		}
		s.IgnoreCase = p.at("ILIKE")
		if p.accept("LIKE") || p.accept("ILIKE") {
			pattern := p.stringLit("a pattern in quotes")
			s.Like = &pattern
		}
	}
	s.Located = p.since(start)
	return s
}
