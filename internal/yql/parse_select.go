package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (p *parser) selectQuery() Query {
	start := p.Start()
	s := &Select{}
	if p.Accept("FROM") {
		s.From = p.from()
	}
	p.Expect("SELECT")
	s.Hints = p.hints()
	s.Stream = p.atStream() && p.Accept("STREAM")
	if !p.Accept("ALL") {
		s.Distinct = p.Accept("DISTINCT")
	}
	s.Items = p.selectItems()
	after := []string{"','", "FROM"}
	if p.Accept("WITHOUT") {
		s.WithoutIfExists = p.ifExists()
		s.Without = p.without()
		after = []string{"FROM"}
	}
	if at := p.Token(); p.Accept("FROM") {
		if s.From != nil {
			p.Fail("syntax", at.Span, "FROM stands twice", "it is in front of SELECT or behind the columns")
		}
		s.From = p.from()
		after = []string{"','", "JOIN", "WHERE", "GROUP BY", "HAVING"}
	}
	if p.Accept("WHERE") {
		s.Where = p.expr()
		after = []string{"AND", "OR", "GROUP BY", "HAVING"}
	}
	if p.Accept("GROUP") {
		s.GroupBy = p.groupBy()
		after = []string{"','", "HAVING"}
	}
	if p.Accept("HAVING") {
		s.Having = p.expr()
		after = []string{"AND", "OR"}
	}
	if p.Accept("WINDOW") {
		s.Windows = tokens.List(&p.Cursor, p.namedWindow)
		after = []string{"','"}
	}
	p.refuseQueryTail()
	if !p.atQueryEnd() && !continuesQuery(p.Token()) {
		p.Expected(append(after, "UNION ALL", "ORDER BY", "LIMIT", queryEnd)...)
	}
	s.Located = p.since(start)
	return s
}

// atStream says whether STREAM stands here as a keyword: in front of a column. In front of an operator it is one itself.
func (p *parser) atStream() bool {
	next := p.Ahead(1)
	if next.Kind == tokens.Word {
		_, joins := map[string]bool{"AS": true, "AND": true, "OR": true, "XOR": true, "IN": true, "IS": true, "LIKE": true, "BETWEEN": true}[next.Upper]
		return p.At("STREAM") && !joins && !next.IsWord("FROM")
	}
	return p.At("STREAM") && (next.Kind == tokens.Quoted || next.Kind == tokens.Named || next.IsSymbol("*"))
}

// selectItems reads the columns of SELECT; a comma may stand behind the last one.
func (p *parser) selectItems() []NamedExpr {
	items := []NamedExpr{p.selectItem()}
	for p.AcceptSymbol(",") {
		if p.At("FROM") || p.At("WITHOUT") || p.At("WHERE") || p.atQueryEnd() {
			break
		}
		items = append(items, p.selectItem())
	}
	return items
}

func (p *parser) selectItem() NamedExpr {
	start := p.Start()
	if star := p.star(); star != nil {
		return NamedExpr{Located: p.since(start), Expr: star}
	}
	return p.aliased()
}

// aliased reads expression [[AS] name].
func (p *parser) aliased() NamedExpr {
	start := p.Start()
	item := NamedExpr{Expr: p.expr()}
	item.Alias = p.alias("an alias")
	item.Located = p.since(start)
	return item
}

// namedExpr reads expression [AS name].
func (p *parser) namedExpr() NamedExpr {
	start := p.Start()
	item := NamedExpr{Expr: p.expr()}
	if p.Accept("AS") {
		alias := p.word("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// alias reads [AS] name, if it is there.
func (p *parser) alias(what string) *Ident {
	switch {
	case p.Accept("AS"):
		alias := p.word(what)
		return &alias
	case isAlias(p.Token()):
		p.ImplicitAlias()
		alias := p.takeIdent()
		return &alias
	}
	return nil
}

// isAlias says whether a token can be an alias without AS.
func isAlias(t tokens.Token) bool {
	return t.Kind == tokens.Quoted || t.Kind == tokens.Word && !reservedWords[t.Upper] && !clauseWords[t.Upper]
}

// star reads * or t.*, or returns nil.
func (p *parser) star() *Star {
	start := p.Start()
	if p.AcceptSymbol("*") {
		return &Star{Located: p.since(start)}
	}
	if t := p.Token(); t.Kind != tokens.Word && t.Kind != tokens.Quoted || !p.Ahead(1).IsSymbol(".") || !p.Ahead(2).IsSymbol("*") {
		return nil
	}
	qualifier := p.word("a table name")
	p.Pos += 2
	return &Star{p.since(start), &qualifier}
}

// without reads the columns behind WITHOUT, in parentheses or not.
func (p *parser) without() []Expr {
	column := func() Expr {
		start := p.Start()
		name := p.word("a column name")
		if !p.AcceptSymbol(".") {
			return &ColumnRef{name.Located, name}
		}
		member := p.word("a column name")
		return &Member{p.since(start), &ColumnRef{name.Located, name}, member}
	}
	if p.AtSymbol("(") {
		return listInParens(p, column)
	}
	columns := []Expr{column()}
	for p.AcceptSymbol(",") {
		if p.At("FROM") {
			break
		}
		columns = append(columns, column())
	}
	return columns
}

func (p *parser) groupBy() *GroupBy {
	start := p.Last().Span.Start
	g := &GroupBy{Compact: p.Accept("COMPACT")}
	p.Expect("BY")
	if !p.Accept("ALL") {
		g.Distinct = p.Accept("DISTINCT")
	}
	g.Items = []GroupItem{p.groupItem()}
	for p.AcceptSymbol(",") {
		if p.At("HAVING") || p.atQueryEnd() || continuesQuery(p.Token()) {
			break
		}
		g.Items = append(g.Items, p.groupItem())
	}
	if p.Accept("WITH") {
		with := p.word("combine")
		g.With = &with
	}
	g.Located = p.since(start)
	return g
}

func (p *parser) groupItem() GroupItem {
	defer p.Nested()()
	start := p.Start()
	for _, kind := range []GroupingKind{ListedSets, RollupSets, CubeSets} {
		words := strings.Fields(string(kind))
		if p.At(words...) && p.Ahead(len(words)).IsSymbol("(") {
			p.Pos += len(words)
			sets := listInParens(p, p.groupItem)
			return &GroupingSets{p.since(start), kind, sets}
		}
	}
	return &GroupKey{p.namedExpr()}
}

func (p *parser) namedWindow() NamedWindow {
	start := p.Start()
	w := NamedWindow{Name: p.word("a window name")}
	p.Expect("AS")
	w.Spec = p.windowSpec()
	w.Located = p.since(start)
	return w
}
