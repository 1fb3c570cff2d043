package layout

import "strings"

// statement writes one statement.
func (b *builder) statement(from, to int) {
	switch b.word(from) {
	case "SELECT", "WITH", "VALUES", "TABLE", "(":
		b.query(from, to)
	case "INSERT":
		b.insert(from, to)
	case "EXPLAIN":
		inner := b.find(from+1, to, func(i int) bool { return statementWords[b.word(i)] || b.isQuery(i) })
		b.flat(from, inner)
		b.put(opHard)
		b.statement(inner, to)
	case "EXECUTE", "BEGIN":
		if b.word(from) == "EXECUTE" && b.word(from+1) != "STATEMENT" {
			b.flat(from, from+1)
			b.put(opHard)
			b.statement(from+1, to)
			return
		}
		b.statementSet(from, to)
	case "CREATE":
		b.create(from, to)
	case "ALTER":
		b.alter(from, to)
	default:
		b.expr(from, to)
	}
}

// statementWords begin a statement that EXPLAIN can be in front of.
var statementWords = map[string]bool{
	"SELECT": true, "WITH": true, "VALUES": true, "TABLE": true, "INSERT": true, "EXECUTE": true, "BEGIN": true, "CREATE": true, "ALTER": true, "DROP": true,
	"EXPLAIN": true, "SET": true, "RESET": true, "SHOW": true, "DESCRIBE": true, "DESC": true, "USE": true,
}

func (b *builder) insert(from, to int) {
	query := b.find(from+2, to, func(i int) bool {
		switch b.word(i) {
		case "SELECT", "WITH", "VALUES":
			return true
		case "TABLE":
			return i > from+2
		}
		return b.isQuery(i)
	})
	b.flat(from, query)
	b.put(opHard)
	b.query(query, to)
}

func (b *builder) statementSet(from, to int) {
	isInsert := func(i int) bool { return b.word(i) == "INSERT" }
	first := b.find(from, to, isInsert)
	b.flat(from, first)
	b.indent(func() {
		for i := first; i < to && isInsert(i); {
			b.put(opHard)
			end := b.find(i, to, func(k int) bool { return b.word(k) == ";" })
			b.insert(i, end)
			for i = end; b.word(i) == ";"; i++ {
				b.piece(i)
			}
			first = i
		}
	})
	b.put(opHard)
	b.flat(first, to)
}

// create writes CREATE: the elements of a table one a line, and each clause behind them on its own.
func (b *builder) create(from, to int) {
	isClause := func(i int) bool {
		switch b.word(i) {
		case "COMMENT", "DISTRIBUTED", "PARTITIONED", "WITH", "LIKE", "AS":
			return true
		}
		return false
	}
	head := b.find(from, to, isClause)
	b.createHead(from, head)
	for i := head; i < to; {
		if b.word(i) == "AS" {
			b.asQuery(i, to, head)
			return
		}
		end := b.find(i+1, to, isClause)
		if b.word(i) == "WITH" && b.word(i-1) == ")" && i == head {
			b.put(opSpace) // the options go on where the elements end
		} else {
			b.put(opHard)
		}
		b.createClause(i, end)
		i = end
	}
}

// createHead writes CREATE TABLE with its elements; the columns of a view have no types and stay together.
func (b *builder) createHead(from, to int) {
	elements := b.find(from, to, func(i int) bool { return b.word(i) == "(" })
	view := b.find(from, elements, func(i int) bool { return b.word(i) == "VIEW" }) < elements
	if view || elements == to {
		b.flat(from, to)
		return
	}
	b.flat(from, elements)
	b.put(opSpace)
	b.block(elements, b.elements)
}

// asQuery writes AS and the query of a view or table, AS on the line of the head if nothing stands between them.
func (b *builder) asQuery(i, to, head int) {
	if i == head {
		b.put(opSpace)
	} else {
		b.put(opHard)
	}
	b.piece(i)
	b.put(opHard)
	b.query(i+1, to)
}

func (b *builder) createClause(from, to int) {
	open := b.find(from, to, func(i int) bool { return b.word(i) == "(" })
	if w := b.word(from); open == to || w != "WITH" && w != "LIKE" {
		b.flat(from, to)
		return
	}
	b.flat(from, open)
	b.put(opSpace)
	b.block(open, func(from, to int) {
		for i := from; i < to; {
			end := b.find(i+1, to, func(k int) bool {
				switch b.word(k) {
				case "INCLUDING", "EXCLUDING", "OVERWRITING":
					return true
				}
				return b.word(k-1) == ","
			})
			if i > from {
				b.put(opHard)
			}
			b.flat(i, end)
			i = end
		}
	})
}

// alter writes ALTER TABLE; what it adds, modifies or sets stands one a line.
func (b *builder) alter(from, to int) {
	open := b.find(from, to, func(i int) bool { return b.word(i) == "(" })
	switch b.word(open - 1) {
	case "ADD", "MODIFY", "SET":
		b.flat(from, open)
		b.put(opSpace)
		b.block(open, b.elements)
	default:
		b.flat(from, to)
	}
}

// elements writes the elements of a table one a line, with the types of columns below each other.
func (b *builder) elements(from, to int) {
	all := b.ranges(from, to)
	widest := 0
	for _, r := range all {
		if b.column(r[0], r[1]) {
			widest = max(widest, width(b.pieces[r[0]].text))
		}
	}
	for i, r := range all {
		if i > 0 {
			b.put(opHard)
		}
		if b.column(r[0], r[1]) {
			b.piece(r[0])
			b.write(strings.Repeat(" ", widest-width(b.pieces[r[0]].text)))
			b.put(opSpace)
			b.expr(r[0]+1, r[1])
		} else {
			b.expr(r[0], r[1])
		}
		if r[1] < to {
			b.piece(r[1])
		}
	}
}

// column reports whether an element is the definition of a column: a name and more, with no comment between them.
func (b *builder) column(from, to int) bool {
	p := &b.pieces[from]
	return p.name && to-from > 1 && b.word(from+1) != "." && len(p.after) == 0 && len(b.pieces[from+1].before) == 0
}
