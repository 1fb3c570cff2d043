package layout

// statementYQL writes one statement of YQL.
func (b *builder) statementYQL(from, to int) {
	switch b.word(from) {
	case "SELECT", "FROM", "VALUES", "PROCESS", "REDUCE", "(":
		b.query(from, to)
	case "INSERT", "UPSERT", "REPLACE":
		query := b.find(from+1, to, b.queryBegins)
		b.flat(from, query)
		b.put(opHard)
		b.query(query, to)
	case "EXPLAIN":
		inner := from + 1
		if b.word(inner) == "QUERY" {
			inner += 2
		}
		b.head(from, inner)
		b.put(opHard)
		b.statementYQL(inner, to)
	case "CREATE", "ALTER":
		b.definition(from, to)
	case "":
		b.assignment(from, to)
	default:
		b.expr(from, to)
	}
}

// queryBegins reports whether a query begins at piece i.
func (b *builder) queryBegins(i int) bool {
	switch b.word(i) {
	case "SELECT", "FROM", "VALUES", "PROCESS", "REDUCE":
		return true
	}
	return b.isQuery(i)
}

// assignment writes $name = value; a query stands on lines of its own.
func (b *builder) assignment(from, to int) {
	equals := b.find(from, to, func(i int) bool { return b.word(i) == "=" })
	value := equals + 1
	b.flat(from, value)
	switch {
	case b.isQuery(value) && b.after(value) == to:
		b.put(opSpace)
		b.flat(value, to)
	case b.queryBegins(value):
		b.indent(func() {
			b.put(opHard)
			b.query(value, to)
		})
	default:
		b.put(opSpace)
		b.expr(value, to)
	}
}

// definition writes CREATE and ALTER: elements and settings one a line, and the body of a streaming query as statements.
func (b *builder) definition(from, to int) {
	body := b.find(from, to, func(i int) bool { return b.word(i) == "AS" && b.word(i+1) == "DO" })
	for i := from; i < body; {
		open := b.find(i, body, func(k int) bool {
			return b.word(k) == "(" && (b.word(k-1) == "WITH" || b.word(k-1) == "SET" || k > from+2 && b.pieces[k-1].name && b.word(from) == "CREATE")
		})
		if i > from {
			b.put(opSpace)
		}
		b.flat(i, open)
		if open == body {
			break
		}
		b.put(opSpace)
		if b.pieces[open-1].name {
			b.block(open, b.elements)
		} else {
			b.block(open, b.settings)
		}
		i = b.after(open)
	}
	if body < to {
		b.put(opHard)
		b.flat(body, to)
	}
}

// settings writes settings one a line.
func (b *builder) settings(from, to int) {
	for i, r := range b.ranges(from, to) {
		if i > 0 {
			b.put(opHard)
		}
		b.expr(r[0], r[1])
		if r[1] < to {
			b.piece(r[1])
		}
	}
}

// statements writes the statements of a body; one that has a query stands apart.
func (b *builder) statements(from, to int) {
	tall := false
	for i := from; i < to; {
		end := b.find(i, to, func(k int) bool { return b.word(k) == ";" })
		before := tall
		tall = b.find(i, end, func(k int) bool { return b.queryBegins(k) || b.word(k) == "{" }) < end
		switch {
		case i == from:
		case tall || before:
			b.put(opEmpty)
		default:
			b.put(opHard)
		}
		if b.word(i) == "RETURN" {
			b.head(i, i+1)
			b.put(opSpace)
			b.expr(i+1, end)
		} else if i < end {
			b.statementYQL(i, end)
		}
		for i = end; i < to && b.word(i) == ";"; i++ {
			if i > end || end == from {
				b.put(opHard)
			}
			b.piece(i)
		}
	}
}
