package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// from reads the items of FROM. Joins, the comma among them, associate to the left.
func (p *parser) from() TableRef {
	start := p.Start()
	leftAny := p.acceptAny()
	left := p.flattened()
	for n := 1; ; n++ {
		j := &Join{Left: left, LeftAny: leftAny}
		comma := p.AtSymbol(",")
		if !p.joinWords(j) {
			if leftAny {
				p.Expected("JOIN")
			}
			return left
		}
		p.Link(n)
		leftAny = false
		j.RightAny = p.acceptAny()
		j.Right = p.flattened()
		switch {
		case comma || j.Kind == CrossJoin:
			if t := p.Token(); t.IsWord("ON") || t.IsWord("USING") {
				p.Fail("syntax", t.Span, "a CROSS JOIN has no condition", "write JOIN … ON …")
			}
		case p.Accept("ON"):
			j.On = p.expr()
		case p.Accept("USING"):
			j.Using = p.using()
		default:
			p.refuseQueryTail()
			p.Expected("ON", "USING")
		}
		j.Located = p.since(start)
		left = j
	}
}

// acceptAny reads ANY in front of a side of a join.
func (p *parser) acceptAny() bool {
	return p.At("ANY") && !p.delimited(1) && p.Accept("ANY")
}

// using reads the columns of USING, in parentheses or not.
func (p *parser) using() []Ident {
	if p.AtSymbol("(") {
		return p.words("a column name")
	}
	return tokens.List(&p.Cursor, func() Ident { return p.word("a column name") })
}

// joinWords reads the keywords of a join, if there is one.
func (p *parser) joinWords(j *Join) bool {
	t := p.Token()
	switch {
	case p.AcceptSymbol(","):
		j.Kind = CrossJoin
		return true
	case p.Accept("JOIN"):
		j.Kind = InnerJoin
		j.Hints = p.hints()
		return true
	case p.Accept("INNER"):
		j.Kind = InnerJoin
	case p.Accept("CROSS"):
		j.Kind = CrossJoin
	case p.Accept("EXCLUSION"):
		j.Kind = ExclusionJoin
	case p.At("LEFT"), p.At("RIGHT"), p.At("FULL"):
		p.Advance()
		side := t.Upper
		for _, word := range []string{"SEMI", "ONLY"} {
			if t.Upper != "FULL" && p.Accept(word) {
				side += " " + word
			}
		}
		j.Kind = JoinKind(side + " JOIN")
		p.Accept("OUTER")
	case p.At("NATURAL"):
		p.Unsupported(t.Span, "NATURAL JOIN", "write USING (column, …)")
	default:
		return false
	}
	p.Expect("JOIN")
	j.Hints = p.hints()
	return true
}

// flattened reads one item of FROM with its FLATTEN.
func (p *parser) flattened() TableRef {
	defer p.Nested()()
	start := p.Start()
	table := p.tableRef()
	if !p.Accept("FLATTEN") {
		return table
	}
	f := &Flatten{Source: table}
	if p.Accept("COLUMNS") {
		f.Kind = FlattenColumns
		f.Located = p.since(start)
		return f
	}
	for _, kind := range []FlattenKind{FlattenList, FlattenDict, FlattenOptional} {
		if p.Accept(string(kind)) {
			f.Kind = kind
		}
	}
	if !p.Accept("BY") {
		if f.Kind == FlattenAny {
			p.Expected("BY", "LIST BY", "DICT BY", "OPTIONAL BY", "COLUMNS")
		}
		p.Expected("BY")
	}
	if p.AtSymbol("(") {
		f.By = listInParens(p, p.namedExpr)
	} else {
		f.By = tokens.List(&p.Cursor, p.flattenedColumn)
	}
	f.Located = p.since(start)
	return f
}

// flattenedColumn reads a column that stands without parentheses.
func (p *parser) flattenedColumn() NamedExpr {
	start := p.Start()
	item := NamedExpr{Expr: p.postfix()}
	if p.Accept("AS") {
		alias := p.word("an alias")
		item.Alias = &alias
	}
	item.Located = p.since(start)
	return item
}

// tableRef reads one item of FROM without FLATTEN.
func (p *parser) tableRef() TableRef {
	start := p.Start()
	const what = "a topic, a table, a named expression or a query in parentheses"
	p.refuseForeignTable()
	switch t := p.Token(); {
	case p.atQueryInParens():
		d := &Derived{Query: p.queryInParens()}
		d.Options, d.Alias, d.Columns = p.tableTail()
		d.Located = p.since(start)
		return d
	case p.AtSymbol("("):
		p.Expected("a query")
	case t.Kind == tokens.Named:
		n := &NamedTable{Ref: p.namedRef(what)}
		if p.AtSymbol("(") {
			p.tight()
			p.Advance()
			n.Args = listTo(p, ")", p.expr)
		}
		n.Options, n.Alias, n.Columns = p.tableTail()
		n.Located = p.since(start)
		return n
	case t.Kind == tokens.Word && !isReserved(t.Upper) && p.Ahead(1).IsSymbol("("):
		f := &TableFunction{Call: p.tableCall()}
		f.Options, f.Alias, f.Columns = p.tableTail()
		f.Located = p.since(start)
		return f
	case t.Kind == tokens.Word, t.Kind == tokens.Quoted:
		n := &TableName{Name: p.name("a topic or a table")}
		if p.Accept("VIEW") {
			view := p.word("the name of an index")
			n.View = &view
		}
		n.Options, n.Alias, n.Columns = p.tableTail()
		n.Located = p.since(start)
		return n
	case t.Kind == tokens.String:
		p.Fail("syntax", t.Span, "the name of a topic is not a string", "write it as a word, or in backticks")
	}
	p.Expected("a topic", "a table", "a named expression", "a query in parentheses")
	return nil
}

// tableCall reads the call of a table function.
func (p *parser) tableCall() *Call {
	start := p.Start()
	name := p.takeIdent()
	p.uses[start] = FunctionUse
	c := &Call{Callee: &FunctionRef{Located: name.Located, Name: name}}
	p.tight()
	p.ExpectSymbol("(")
	c.Args = listTo(p, ")", p.arg)
	c.Located = p.since(start)
	return c
}

// tableTail reads [WITH options] [[AS] alias [(columns)]]. The order is YQL's: the alias comes behind the options.
func (p *parser) tableTail() (options []TableOption, alias *Ident, columns []Ident) {
	if p.Accept("WITH") {
		options = p.tableOptions()
	}
	if alias = p.alias("an alias"); alias != nil && p.AtSymbol("(") {
		implicit := p.ImplicitAliasEnds()
		if columns = p.words("a column name"); implicit {
			p.ExtendAlias()
		}
	}
	if t := p.Token(); alias != nil && t.IsWord("WITH") && (p.Ahead(1).IsSymbol("(")) {
		p.Fail("syntax", t.Span, "WITH stands in front of the alias", "write "+"FROM topic WITH (…) AS "+tokens.Shown(alias.Name))
	}
	if t := p.Token(); t.IsWord("SAMPLE") || t.IsWord("TABLESAMPLE") {
		p.Unsupported(t.Span, t.Upper, "filter on a hash of a column: WHERE Digest::NumericHash(id) % 10 = 0")
	}
	return options, alias, columns
}
