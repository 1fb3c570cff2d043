package layout

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
)

// builder writes the steps of one statement. Its methods take the pieces from one index up to another.
type builder struct {
	pieces []piece
	yql    bool
	// match has for an opening bracket, a CASE, a hint and the angle bracket of a type the index of what closes it, and 0 for the others.
	match []int
	// typeEnd marks the angle brackets that close a type, hint the pieces of hints.
	typeEnd, hint []bool
	ops           []op
}

func newBuilder(pieces []piece) *builder {
	b := &builder{pieces: pieces}
	b.pair()
	return b
}

// pair finds what closes each bracket.
func (b *builder) pair() {
	pieces := b.pieces
	b.match, b.typeEnd, b.hint = make([]int, len(pieces)), make([]bool, len(pieces)), make([]bool, len(pieces))
	var open []int
	inHint := false
	for i, p := range pieces {
		switch p.word {
		case "(", "[", "{", "<|", "CASE", "/*+":
			inHint = inHint || p.word == "/*+"
			open = append(open, i)
		case "<":
			if b.opensType(i) {
				open = append(open, i)
			}
		case "BEGIN":
			if b.yql {
				open = append(open, i)
			}
		case ")", "]", "}", "|>", "END", ">", "*/":
			inHint = inHint && p.word != "*/"
			if n := len(open); n > 0 && pairs[pieces[open[n-1]].word] == p.word {
				b.match[open[n-1]], b.typeEnd[i] = i, p.word == ">"
				open = open[:n-1]
			}
		}
		b.hint[i] = inHint
	}
}

var pairs = map[string]string{"(": ")", "[": "]", "{": "}", "<|": "|>", "CASE": "END", "BEGIN": "END", "<": ">", "/*+": "*/"}

// opensType reports whether piece i is the angle bracket of a type: ARRAY<INT>.
func (b *builder) opensType(i int) bool {
	if i == 0 || b.pieces[i].word != "<" {
		return false
	}
	if b.yql {
		return b.pieces[i].tight
	}
	switch b.pieces[i-1].word {
	case "ARRAY", "MAP", "ROW", "MULTISET":
		return true
	}
	return false
}

func (b *builder) word(i int) string {
	if i < 0 || i >= len(b.pieces) {
		return ""
	}
	return b.pieces[i].word
}

// after is the index behind piece i, or behind the bracket that it opens.
func (b *builder) after(i int) int { return max(b.match[i], i) + 1 }

// find is the first index outside brackets at which ok holds, or to.
func (b *builder) find(from, to int, ok func(i int) bool) int {
	for i := from; i < to; i = b.after(i) {
		if ok(i) {
			return i
		}
	}
	return to
}

// ranges are the stretches between the commas that stand outside brackets; each ends at its comma, the last one at to.
func (b *builder) ranges(from, to int) [][2]int {
	var all [][2]int
	for from < to {
		end := b.find(from, to, func(i int) bool { return b.word(i) == "," })
		all = append(all, [2]int{from, end})
		from = end + 1
	}
	return all
}

// piece writes piece i with its comments.
func (b *builder) piece(i int) {
	p := &b.pieces[i]
	for _, c := range p.before {
		b.commentBefore(p, c)
	}
	b.write(p.text)
	for _, c := range p.after {
		b.commentAfter(c)
	}
}

// commentBefore writes a comment on the line of p, or on a line of its own.
func (b *builder) commentBefore(p *piece, c comment) {
	switch {
	case c.ends:
		b.put(opHard)
		b.write(c.text)
		b.put(opHard)
	case p.word != "" && strings.Contains(",;)].[(", p.word):
		b.put(opSpace)
		b.write(c.text)
	default:
		b.write(c.text)
		b.put(opSpace)
	}
}

// commentAfter writes a comment that ends its line.
func (b *builder) commentAfter(c comment) {
	if c.fresh {
		b.put(opHard)
	} else {
		b.put(opSpace)
	}
	b.write(c.text)
	b.put(opHard)
}

// spaced are the words that are not reserved and yet no function before a parenthesis.
var spaced = map[string]bool{"KEY": true, "SETS": true, "ADD": true, "MODIFY": true, "PARTITIONED": true}

// between writes the blank in front of piece i, if there is to be one.
func (b *builder) between(i int) {
	tight := b.tight
	if b.yql {
		tight = b.tightYQL
	}
	if !tight(&b.pieces[i-1], &b.pieces[i], i) {
		b.put(opSpace)
	}
}

// tight reports whether no blank is to stand between p and q, which is piece i.
func (b *builder) tight(p, q *piece, i int) bool {
	switch q.word {
	case ",", ";", ")", "]", "[":
		return true
	case ".":
		return !p.number // 1.a is no number
	case "(":
		switch {
		case p.function, p.name && b.hint[i]:
			return true
		case p.word == "" || !isWord(p.word):
			return p.word == "(" || p.word == "[" || p.word == "." || p.sign
		}
		return sql.Callable(p.word) || !sql.Reserved(p.word) && !spaced[p.word]
	case "<":
		return b.match[i] > 0
	case ">":
		return b.typeEnd[i]
	}
	switch p.word {
	case "(", "[", ".":
		return true
	case "<":
		return b.match[i-1] > 0
	}
	return p.sign && !q.sign
}

func isWord(word string) bool {
	return word[0] >= 'A' && word[0] <= 'Z' || word[0] == '_' || word[0] >= 0x80
}
