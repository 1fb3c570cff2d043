package layout

// isQuery reports whether piece i is a parenthesis around a query.
func (b *builder) isQuery(i int) bool {
	if b.word(i) != "(" || b.match[i] == 0 {
		return false
	}
	switch b.word(i + 1) {
	case "SELECT", "WITH", "VALUES":
		return true
	case "FROM", "PROCESS", "REDUCE":
		return b.yql
	case "(":
		if !b.isQuery(i + 1) {
			return false
		}
		behind := b.match[i+1] + 1
		return behind == b.match[i] || setOperators[b.word(behind)] || b.clause(behind)
	}
	return false
}

var setOperators = map[string]bool{"UNION": true, "INTERSECT": true, "EXCEPT": true, "MINUS": true}

// clause reports whether a clause of a query begins at piece i, which stands outside the brackets of that query.
func (b *builder) clause(i int) bool {
	switch b.word(i) {
	case "SELECT", "WHERE", "HAVING", "QUALIFY", "WINDOW", "LIMIT", "OFFSET", "FETCH":
		return true
	case "FROM":
		return b.word(i-1) != "DISTINCT" // a IS DISTINCT FROM b
	case "GROUP", "ORDER":
		return b.word(i+1) == "BY" && b.word(i-1) != "ASSUME" || b.word(i+1) == "COMPACT"
	case "ASSUME", "PROCESS", "REDUCE":
		return b.yql
	}
	return setOperators[b.word(i)]
}

// block writes a bracket and what is in it, on lines of their own.
func (b *builder) block(open int, inside func(from, to int)) {
	b.piece(open)
	b.indent(func() {
		b.put(opHard)
		inside(open+1, b.match[open])
	})
	b.put(opHard)
	b.piece(b.match[open])
}

// query writes a query, a clause a line.
func (b *builder) query(from, to int) {
	for i := from; i < to; {
		if i > from {
			b.put(opHard)
		}
		switch {
		case b.isQuery(i):
			b.block(i, func(from, to int) { b.query(from, to) })
			i = b.after(i)
			continue
		case b.word(i) == "WITH":
			i = b.commonTables(i, to)
			continue
		case setOperators[b.word(i)]:
			i = b.setOperator(i)
			continue
		}
		end := b.find(b.after(i), to, b.clause)
		switch b.word(i) {
		case "SELECT":
			b.selectList(i, end)
		case "FROM":
			b.from(i, end)
		case "GROUP", "ORDER", "ASSUME":
			by := b.find(i, end, func(k int) bool { return b.word(k) == "BY" }) + 1
			b.head(i, by)
			b.clauseItems(by, end, b.listed)
		case "VALUES", "WINDOW":
			b.head(i, i+1)
			b.clauseItems(i+1, end, b.expr)
		default:
			b.head(i, i+1)
			b.put(opSpace)
			b.expr(i+1, end)
		}
		i = end
	}
}

// head writes the words that begin a clause.
func (b *builder) head(from, to int) {
	for i := from; i < to; i++ {
		if i > from {
			b.put(opSpace)
		}
		b.piece(i)
	}
}

// clauseItems writes the list of a clause: all on its line, or one a line.
func (b *builder) clauseItems(from, to int, write func(from, to int)) {
	b.group(func() {
		b.indent(func() {
			b.put(opLine)
			b.items(from, to, write)
		})
	})
}

func (b *builder) setOperator(i int) int {
	end := i + 1
	if w := b.word(end); w == "ALL" || w == "DISTINCT" {
		end++
	}
	b.head(i, end)
	return end
}

// commonTables writes WITH and its queries.
func (b *builder) commonTables(i, to int) int {
	b.piece(i)
	b.put(opSpace)
	for i++; i < to; {
		as := b.find(i, to, func(k int) bool { return b.word(k) == "AS" })
		b.flat(i, as)
		b.put(opSpace)
		b.piece(as)
		b.put(opSpace)
		b.block(as+1, func(from, to int) { b.query(from, to) })
		i = b.after(as + 1)
		if b.word(i) != "," {
			return i
		}
		b.piece(i)
		b.put(opHard)
		i++
	}
	return i
}

func (b *builder) selectList(from, to int) {
	i := from + 1
	for b.word(i) == "/*+" {
		i = b.after(i)
	}
	if w := b.word(i); w == "DISTINCT" || w == "ALL" {
		i++
	}
	b.flat(from, i)
	b.clauseItems(i, to, b.expr)
}

// from writes FROM: a join a line, and items between commas one a line if they do not fit.
func (b *builder) from(from, to int) {
	b.piece(from)
	if len(b.ranges(from+1, to)) == 1 {
		b.put(opSpace)
		b.joins(from+1, to)
		return
	}
	b.clauseItems(from+1, to, b.joins)
}

// joined writes tables in parentheses.
func (b *builder) joined(from, to int) {
	b.group(func() { b.items(from, to, b.joins) })
}

func (b *builder) joins(from, to int) {
	for i := from; i < to; {
		if i > from {
			b.put(opHard)
		}
		table := i
		for joinWords[b.word(table)] && b.word(table+1) != "(" || b.word(table) == "JOIN" {
			table++
		}
		if b.head(i, table); table > i {
			b.put(opSpace)
		}
		end := b.find(b.after(table), to, b.joinWord)
		on := b.find(table, end, func(k int) bool { return b.word(k) == "ON" || b.word(k) == "USING" })
		if b.word(table) == "(" && !b.isQuery(table) {
			b.block(table, b.joined)
		} else {
			b.flat(table, on)
		}
		if on < end {
			b.group(func() {
				b.indent(func() {
					b.put(opLine)
					b.piece(on)
					b.put(opSpace)
					b.expr(on+1, end)
				})
			})
		}
		i = end
	}
}

var joinWords = map[string]bool{"NATURAL": true, "INNER": true, "LEFT": true, "RIGHT": true, "FULL": true, "OUTER": true, "CROSS": true, "JOIN": true,
	"ONLY": true, "SEMI": true, "EXCLUSION": true}

// joinWord reports whether the words of a join begin at piece i; LEFT and RIGHT are functions too.
func (b *builder) joinWord(i int) bool {
	return joinWords[b.word(i)] && b.word(i+1) != "(" || b.word(i) == "JOIN"
}
