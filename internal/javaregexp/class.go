package javaregexp

// class reads a class behind its [, which is at position at. A class in a class adds to it, && cuts it with what follows, a ^ at the beginning turns all of
// it around.
func (t *translator) class(at int) runeSet {
	if t.depth++; t.depth > maxDepth {
		t.unsupported(at, "so deep classes")
	}
	defer func() { t.depth-- }()
	negated := t.accept("^")
	set := t.classUnion(at)
	for t.accept("&&") {
		set = set.intersect(t.classUnion(at))
	}
	if !t.accept("]") {
		t.fail(at, "a [ without a ]")
	}
	if negated {
		return set.negated()
	}
	return set
}

// classUnion reads up to ] or &&. A ] at the beginning is a character.
func (t *translator) classUnion(class int) runeSet {
	var set runeSet
	for empty := true; ; empty = false {
		t.skipBlanks()
		at := t.at
		switch c := t.peek(); {
		case c == -1:
			t.fail(class, "a [ without a ]")
		case c == ']' && !empty, c == '&' && t.ahead("&&"):
			return set
		case c == '[':
			t.next()
			set = set.union(t.class(at))
			continue
		case c == '\\':
			t.next()
			if t.accept("Q") {
				t.quoted(func(r rune) { set = set.union(t.foldedSet(r, r)) })
				continue
			}
			if s, ok := t.classEscape(at); ok {
				set = set.union(s)
				continue
			}
			set = set.union(t.classRange(at, t.runeEscape(at)))
		default:
			set = set.union(t.classRange(at, t.next()))
		}
	}
}

func (t *translator) ahead(s string) bool {
	ok := t.accept(s)
	if ok {
		t.at -= len(s)
	}
	return ok
}

func (t *translator) skipBlanks() {
	for t.flags.comments && !t.done() {
		if c := t.pattern[t.at]; c != ' ' && (c < '\t' || c > '\r') {
			return
		}
		t.at++
	}
}

// classRange is the character lo, or lo to another if a - and a character follow.
func (t *translator) classRange(at int, lo rune) runeSet {
	t.skipBlanks()
	if t.peek() != '-' || t.ahead("-]") || t.ahead("-[") || t.ahead("-&&") {
		return t.foldedSet(lo, lo)
	}
	t.next()
	t.skipBlanks()
	hi := t.next()
	if hi == '\\' {
		hi = t.runeEscape(t.at - 1)
	}
	if hi < lo {
		t.fail(at, "a range that ends before it begins")
	}
	return t.foldedSet(lo, hi)
}

func (t *translator) foldedSet(lo, hi rune) runeSet {
	set := setOf(lo, hi)
	if t.flags.fold {
		set = set.folded(t.flags.unicode)
	}
	return set
}
