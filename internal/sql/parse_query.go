package sql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// atQueryWord says whether a token begins a query.
func atQueryWord(t tokens.Token) bool {
	return t.IsWord("SELECT") || t.IsWord("WITH") || t.IsWord("VALUES") || t.IsWord("TABLE")
}

// atQueryInParens says whether ( query ) stands here, rather than an expression, a
// join or a list of names in parentheses. ((SELECT 1) UNION …) is a query,
// ((SELECT 1) + 1) is not: what follows the inner parentheses decides.
func (p *parser) atQueryInParens() bool {
	return p.queryInParensAt(p.Pos, tokens.MaxNesting)
}

func (p *parser) queryInParensAt(i, depth int) bool {
	if !p.TokenAt(i).IsSymbol("(") || depth == 0 {
		return false
	}
	if atQueryWord(p.TokenAt(i + 1)) {
		return true
	}
	if !p.queryInParensAt(i+1, depth-1) {
		return false
	}
	after, closed := p.BehindParens(i + 1)
	return !closed || endsQuery(after) || continuesQuery(after)
}

// endsQuery says whether a complete query may stand before the token.
func endsQuery(t tokens.Token) bool {
	return t.Kind == tokens.End || t.IsSymbol(")") || t.IsSymbol(";")
}

// continuesQuery says whether the token goes on after a query term.
func continuesQuery(t tokens.Token) bool {
	for _, word := range []string{"UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH"} {
		if t.IsWord(word) {
			return true
		}
	}
	return false
}

// query reads a query with its WITH and its tail, up to the end of the statement
// or a closing parenthesis.
func (p *parser) query() Query {
	defer p.Nested()()
	start := p.Start()
	if p.Accept("WITH") {
		if p.At("RECURSIVE") {
			p.Unsupported(p.Token().Span, "WITH RECURSIVE", "a stream has no fixed point")
		}
		tables := tokens.List(&p.Cursor, p.commonTable)
		body := p.orderedQuery()
		return &With{p.since(start), tables, body}
	}
	return p.orderedQuery()
}

func (p *parser) commonTable() CommonTable {
	start := p.Start()
	c := CommonTable{Name: p.ident("a name for the query")}
	if p.AtSymbol("(") {
		c.Columns = p.idents("a column name")
	}
	p.Expect("AS")
	c.Query = p.queryInParens()
	c.Located = p.since(start)
	return c
}

// queryInParens reads ( query ); the parentheses are not part of the node.
func (p *parser) queryInParens() Query {
	p.ExpectSymbol("(")
	q := p.query()
	p.ExpectSymbol(")")
	return q
}

func (p *parser) orderedQuery() Query {
	start := p.Start()
	body := p.unionQuery()
	o := &Ordered{Body: body}
	remaining := []string{"ORDER BY", "LIMIT", "OFFSET", "FETCH"}
	if p.Accept("ORDER") {
		p.Expect("BY")
		o.OrderBy = tokens.List(&p.Cursor, p.orderItem)
		remaining = append([]string{"','"}, remaining[1:]...)
	}
	limited := false
	if p.Accept("LIMIT") {
		limited = true
		remaining = []string{"OFFSET"}
		if !p.Accept("ALL") {
			o.Limit = p.expr()
			if p.AcceptSymbol(",") {
				o.Offset, o.Limit = o.Limit, p.expr()
			}
		}
	}
	if o.Offset == nil && p.Accept("OFFSET") {
		o.Offset = p.expr()
		_ = p.Accept("ROWS") || p.Accept("ROW")
	}
	if !limited && p.Accept("FETCH") {
		p.Choose("FIRST", "NEXT")
		o.Limit = p.expr()
		p.Choose("ROWS", "ROW")
		p.Expect("ONLY")
	}
	if !endsQuery(p.Token()) {
		p.Expected(append(remaining, "the end of the query")...)
	}
	if o.OrderBy == nil && o.Limit == nil && o.Offset == nil {
		return body
	}
	o.Located = p.since(start)
	return o
}

func (p *parser) orderItem() OrderItem {
	start := p.Start()
	item := OrderItem{Expr: p.expr()}
	if !p.Accept("ASC") {
		item.Desc = p.Accept("DESC")
	}
	if p.Accept("NULLS") {
		item.Nulls = NullsLast
		if p.Choose("FIRST", "LAST") == "FIRST" {
			item.Nulls = NullsFirst
		}
	}
	item.Located = p.since(start)
	return item
}

// unionQuery reads UNION and EXCEPT, which bind less than INTERSECT.
func (p *parser) unionQuery() Query {
	return p.setOperations(p.intersectQuery, map[string]SetOp{"UNION": Union, "EXCEPT": Except, "MINUS": Except})
}

func (p *parser) intersectQuery() Query {
	return p.setOperations(p.queryTerm, map[string]SetOp{"INTERSECT": Intersect})
}

func (p *parser) setOperations(operand func() Query, ops map[string]SetOp) Query {
	start := p.Start()
	left := operand()
	for n := 1; ; n++ {
		op, found := ops[p.Token().Upper]
		if !found || p.Token().Kind != tokens.Word {
			return left
		}
		p.Advance()
		p.Link(n)
		all := p.Accept("ALL")
		if !all {
			p.Accept("DISTINCT")
		}
		right := operand()
		left = &SetOperation{p.since(start), op, all, left, right}
	}
}

func (p *parser) queryTerm() Query {
	start := p.Start()
	switch {
	case p.At("SELECT"):
		return p.selectQuery()
	case p.Accept("VALUES"):
		rows := tokens.List(&p.Cursor, p.valuesRow)
		return &Values{p.since(start), rows}
	case p.Accept("TABLE"):
		table := p.name("a table name")
		return &TableQuery{p.since(start), table}
	case p.AtSymbol("("):
		return p.queryInParens()
	}
	p.Expected("SELECT", "VALUES", "a query in parentheses")
	return nil
}

func (p *parser) valuesRow() ValuesRow {
	start := p.Start()
	if p.Token().IsWord("ROW") && p.Ahead(1).IsSymbol("(") {
		p.Advance()
	}
	var exprs []Expr
	if p.AtSymbol("(") {
		exprs = inParens(p, func() []Expr { return tokens.List(&p.Cursor, p.expr) })
	} else {
		exprs = []Expr{p.expr()}
	}
	return ValuesRow{p.since(start), exprs}
}

func (p *parser) selectQuery() Query {
	start := p.Start()
	p.Expect("SELECT")
	s := &Select{Hints: p.hints()}
	if p.At("STREAM") {
		p.Unsupported(p.Token().Span, "SELECT STREAM", "leave STREAM out: every query is a stream")
	}
	if !p.Accept("ALL") {
		s.Distinct = p.Accept("DISTINCT")
	}
	s.Items = tokens.List(&p.Cursor, p.selectItem)
	after := []string{"','", "FROM"}
	if p.Accept("FROM") {
		s.From = p.from()
		after = []string{"','", "JOIN", "WHERE", "GROUP BY", "HAVING"}
	}
	if p.Accept("WHERE") {
		s.Where = p.expr()
		after = []string{"AND", "OR", "GROUP BY", "HAVING"}
	}
	if p.Accept("GROUP") {
		p.Expect("BY")
		s.GroupBy = tokens.List(&p.Cursor, p.groupItem)
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
	if p.Accept("QUALIFY") {
		s.Qualify = p.expr()
		after = []string{"AND", "OR"}
	}
	if t := p.Token(); !endsQuery(t) && !continuesQuery(t) {
		p.Expected(append(after, "UNION", "ORDER BY", "LIMIT", "the end of the query")...)
	}
	s.Located = p.since(start)
	return s
}

func (p *parser) selectItem() SelectItem {
	start := p.Start()
	if p.At("FROM") && p.Pos > 0 && p.Last().IsSymbol(",") {
		p.Fail("syntax", p.Last().Span, "there is nothing behind the last comma of SELECT", "leave the comma out")
	}
	if star := p.star(); star != nil {
		return SelectItem{Located: p.since(start), Expr: star}
	}
	item := SelectItem{Expr: p.expr()}
	if p.Accept("AS") {
		alias := p.ident("an alias")
		item.Alias = &alias
	} else if p.atIdent() && !p.At("QUALIFY") {
		p.ImplicitAlias()
		alias := p.ident("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// star reads * or a.b.*, or returns nil.
func (p *parser) star() *Star {
	start := p.Start()
	n := 0
	for isIdent(p.Ahead(n)) && p.Ahead(n+1).IsSymbol(".") {
		n += 2
	}
	if !p.Ahead(n).IsSymbol("*") {
		return nil
	}
	s := &Star{}
	if n > 0 {
		qualifier := Name{}
		for range n / 2 {
			qualifier.Parts = append(qualifier.Parts, p.ident("a table name"))
			p.ExpectSymbol(".")
		}
		s.Qualifier = &qualifier
	}
	p.ExpectSymbol("*")
	s.Located = p.since(start)
	return s
}

func (p *parser) groupItem() GroupItem {
	defer p.Nested()()
	start := p.Start()
	for _, kind := range []GroupingKind{ListedSets, RollupSets, CubeSets} {
		if p.At(strings.Fields(string(kind))...) {
			p.Accept(strings.Fields(string(kind))...)
			sets := inParens(p, func() []GroupItem { return tokens.List(&p.Cursor, p.groupItem) })
			return &GroupingSets{p.since(start), kind, sets}
		}
	}
	// (a, b) is one grouping of two keys, but (a + b) * c is an expression.
	if after, ok := p.BehindParens(p.Pos); ok && !p.atQueryInParens() {
		if endsQuery(after) || continuesQuery(after) || after.IsSymbol(",") || after.IsWord("HAVING") || after.IsWord("WINDOW") || after.IsWord("QUALIFY") {
			p.ExpectSymbol("(")
			g := &GroupKeys{}
			if !p.AtSymbol(")") {
				g.Keys = tokens.List(&p.Cursor, p.expr)
			}
			p.ExpectSymbol(")")
			g.Located = p.since(start)
			return g
		}
	}
	key := p.expr()
	return &GroupKeys{p.since(start), []Expr{key}}
}

func (p *parser) namedWindow() NamedWindow {
	start := p.Start()
	w := NamedWindow{Name: p.ident("a window name")}
	p.Expect("AS")
	w.Spec = p.windowSpec()
	w.Located = p.since(start)
	return w
}
