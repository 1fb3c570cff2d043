package layout

// expr writes an expression, or anything else without clauses of its own. Where it does not fit on the line it breaks in front of the operators
// that bind least.
func (b *builder) expr(from, to int) { b.chain(from, to, true) }

// chain writes an expression; its later lines are further in than the first, or not.
func (b *builder) chain(from, to int, further bool) {
	for _, level := range levels {
		cuts := b.cuts(from, to, level)
		if len(cuts) == 0 {
			continue
		}
		b.group(func() {
			b.expr(from, cuts[0])
			if further {
				b.put(opIndent)
			}
			for k, at := range cuts {
				end := to
				if k+1 < len(cuts) {
					end = cuts[k+1]
				}
				b.put(opLine)
				b.piece(at)
				b.put(opSpace)
				b.expr(at+1, end)
			}
			if further {
				b.put(opDedent)
			}
		})
		return
	}
	b.flat(from, to)
}

// levels are the operators in front of which a line may break, from those that bind least.
var levels = []map[string]bool{
	{"OR": true},
	{"AND": true},
	{"+": true, "-": true, "||": true},
	{"*": true, "/": true, "%": true},
}

// cuts are the operators of a level that stand outside brackets and have an operand on either side.
func (b *builder) cuts(from, to int, level map[string]bool) []int {
	var cuts []int
	bounds := 0 // BETWEENs whose AND is still to come
	for i := from; i < to; i = b.after(i) {
		switch word := b.word(i); {
		case word == "BETWEEN":
			bounds++
		case word == "AND" && bounds > 0:
			bounds--
		case level[word] && !b.pieces[i].sign && i > from && i+1 < to && b.word(i-1) != "." && b.word(i+1) != ",":
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// flat writes pieces one behind the other; only brackets in them break.
func (b *builder) flat(from, to int) {
	for i := from; i < to; i = b.after(i) {
		if i > from {
			b.between(i)
		}
		switch {
		case b.match[i] == 0:
			b.piece(i)
		case b.word(i) == "CASE":
			b.caseExpr(i, b.match[i])
		case b.isQuery(i):
			b.block(i, func(from, to int) { b.query(from, to) })
		case b.word(i) == "BEGIN", b.word(i) == "{" && b.word(i-1) == "->":
			b.block(i, b.statements)
		case b.word(i) == "<":
			b.tightList(i, b.match[i])
		case b.word(i) == "/*+":
			b.hintText(i, b.match[i])
		default:
			b.list(i, b.match[i])
		}
	}
}

// list writes what stands between two brackets, with commas.
func (b *builder) list(open, closing int) {
	b.group(func() {
		b.piece(open)
		if open+1 < closing {
			b.indent(func() {
				b.put(opCut)
				if b.find(open+1, closing, func(i int) bool { return b.word(i) == "," }) == closing {
					b.argument(open+1, closing, false)
				} else {
					b.items(open+1, closing, b.listed)
				}
			})
			b.put(opCut)
		}
		b.piece(closing)
	})
}

// tightList writes the parameters of a type.
func (b *builder) tightList(open, closing int) {
	b.piece(open)
	b.flat(open+1, closing)
	b.piece(closing)
}

// hintText writes a hint, which is never broken.
func (b *builder) hintText(open, closing int) {
	b.piece(open)
	for i := open + 1; i <= closing; i++ {
		b.between(i)
		b.piece(i)
	}
}

// items writes stretches with commas between them; the enclosing group may break behind each comma.
func (b *builder) items(from, to int, write func(from, to int)) {
	for _, r := range b.ranges(from, to) {
		write(r[0], r[1])
		if r[1] < to {
			b.piece(r[1])
			if r[1]+1 < to {
				b.put(opLine)
			}
		}
	}
}

func (b *builder) listed(from, to int) { b.argument(from, to, true) }

// argument writes what stands between two commas of a list; it may hold the clauses of a window or of an aggregate.
func (b *builder) argument(from, to int, further bool) {
	clause := b.find(from+1, to, func(i int) bool {
		switch b.word(i) {
		case "ORDER", "PARTITION":
			return true
		case "ROWS", "RANGE":
			return b.word(i+1) == "BETWEEN" || b.word(i+1) == "UNBOUNDED" || b.word(i+1) == "CURRENT"
		}
		return false
	})
	b.chain(from, clause, further)
	if clause < to {
		b.put(opLine)
		b.argument(clause, to, further)
	}
}

func (b *builder) caseExpr(from, end int) {
	branch := func(i int) bool { return b.word(i) == "WHEN" || b.word(i) == "ELSE" }
	b.group(func() {
		b.piece(from)
		at := b.find(from+1, end, branch)
		if at > from+1 {
			b.put(opSpace)
			b.expr(from+1, at)
		}
		b.indent(func() {
			for at < end {
				next := b.find(at+1, end, branch)
				b.put(opLine)
				b.branch(at, next)
				at = next
			}
		})
		b.put(opLine)
		b.piece(end)
	})
}

// branch writes WHEN … THEN … or ELSE ….
func (b *builder) branch(from, to int) {
	then := b.find(from, to, func(i int) bool { return b.word(i) == "THEN" })
	b.piece(from)
	b.put(opSpace)
	b.expr(from+1, then)
	if then < to {
		b.put(opSpace)
		b.piece(then)
		b.put(opSpace)
		b.expr(then+1, to)
	}
}
