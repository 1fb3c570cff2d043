package javaregexp

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// flags are those of Java that a pattern can set.
type flags struct {
	fold      bool // i
	multiline bool // m
	dotAll    bool // s
	comments  bool // x
	unicode   bool // u: i folds all letters and not only ASCII
	unixLines bool // d: only \n ends a line
}

// translator reads a pattern of Java and writes the same for RE2. It gives up by panic(error), which translate catches.
type translator struct {
	pattern string
	at      int
	depth   int
	flags   flags
	names   map[string]bool
	out     strings.Builder
}

// RE2 takes no more of either.
const (
	maxRepeat = 1000
	maxDepth  = 900
)

type failure struct{ error }

func translate(pattern string) (translated string, err error) {
	t := &translator{pattern: pattern, names: map[string]bool{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	t.alternatives()
	if !t.done() {
		t.fail(t.at, "a ) without a (")
	}
	return t.out.String(), nil
}

func (t *translator) fail(at int, reason string) {
	panic(failure{&SyntaxError{t.pattern, at, reason}})
}

func (t *translator) unsupported(at int, what string) {
	panic(failure{&UnsupportedError{t.pattern, at, what}})
}

func (t *translator) done() bool { return t.at == len(t.pattern) }

// peek is the next character, or -1.
func (t *translator) peek() rune {
	if t.done() {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(t.pattern[t.at:])
	return r
}

// next takes a character; at the end the pattern breaks off.
func (t *translator) next() rune {
	if t.done() {
		t.fail(t.at, "it breaks off")
	}
	r, width := utf8.DecodeRuneInString(t.pattern[t.at:])
	t.at += width
	return r
}

func (t *translator) accept(s string) bool {
	if !strings.HasPrefix(t.pattern[t.at:], s) {
		return false
	}
	t.at += len(s)
	return true
}

// alternatives reads up to the end or a closing parenthesis.
func (t *translator) alternatives() {
	for {
		t.skipComments()
		at := t.at
		switch c := t.peek(); c {
		case -1, ')':
			return
		case '|':
			t.next()
			t.out.WriteByte('|')
			continue
		case '*', '+', '?':
			t.fail(at, "nothing to repeat")
		case '{':
			t.fail(at, "a { that begins no number of repetitions")
		case '(':
			if !t.group() {
				continue
			}
		case '\\':
			t.next()
			if t.accept("Q") {
				t.quoted(t.literal)
			} else {
				t.escape(at)
			}
		case '[':
			t.next()
			t.set(t.class(at))
		case '^':
			t.next()
			t.out.WriteString(map[bool]string{false: `(?:\A)`, true: `(?m:^)`}[t.flags.multiline])
		case '$':
			t.next()
			t.out.WriteString(map[bool]string{false: `(?:\z)`, true: `(?m:$)`}[t.flags.multiline])
		case '.':
			t.next()
			t.set(t.dot())
		default:
			t.literal(t.next())
		}
		t.quantifier()
	}
}

func (t *translator) dot() runeSet {
	switch {
	case t.flags.dotAll:
		return runeSet{}.negated()
	case t.flags.unixLines:
		return setOf('\n', '\n').negated()
	}
	return lineEnds.negated()
}

// skipComments skips blanks and comments if the flag x says so.
func (t *translator) skipComments() {
	for t.flags.comments && !t.done() {
		switch c := t.pattern[t.at]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			t.at++
		case c == '#':
			end := strings.IndexByte(t.pattern[t.at:], '\n')
			if end < 0 {
				t.at = len(t.pattern)
				return
			}
			t.at += end
		default:
			return
		}
	}
}

// quoted calls each with every character up to \E.
func (t *translator) quoted(each func(rune)) {
	for !t.done() && !t.accept(`\E`) {
		each(t.next())
	}
}

func (t *translator) literal(r rune) {
	if t.flags.fold {
		if s := setOf(r, r).folded(t.flags.unicode); len(s) > 1 {
			t.set(s)
			return
		}
	}
	t.out.WriteString(regexp.QuoteMeta(string(r)))
}

func (t *translator) set(s runeSet) { s.write(&t.out) }

// group reads what a ( begins; false if it only set flags.
func (t *translator) group() bool {
	at := t.at
	t.next()
	outer := t.flags
	switch {
	case t.accept("?="), t.accept("?!"):
		t.unsupported(at, "look-ahead groups")
	case t.accept("?<="), t.accept("?<!"):
		t.unsupported(at, "look-behind groups")
	case t.accept("?>"):
		t.unsupported(at, "atomic groups")
	case t.accept("?<"):
		t.groupName(at)
		t.out.WriteByte('(')
	case t.accept("?"):
		if t.readFlags(at) {
			return false
		}
		t.out.WriteString("(?:")
	default:
		t.out.WriteByte('(')
	}
	if t.depth++; t.depth > maxDepth {
		t.unsupported(at, "so deep groups")
	}
	t.alternatives()
	t.depth--
	if !t.accept(")") {
		t.fail(at, "a ( without a )")
	}
	t.out.WriteByte(')')
	t.flags = outer
	return true
}

// groupName reads name>. RE2 need not know it: nothing can refer to it.
func (t *translator) groupName(at int) {
	end := strings.IndexByte(t.pattern[t.at:], '>')
	if end < 0 {
		t.fail(at, "the name of a group does not end")
	}
	name := t.pattern[t.at : t.at+end]
	for i, c := range []byte(name) {
		if letter := 'a' <= c|0x20 && c|0x20 <= 'z'; !letter && (i == 0 || c < '0' || c > '9') {
			t.fail(at, "the name of a group is of letters and digits")
		}
	}
	if name == "" || t.names[name] {
		t.fail(at, "the name of a group is missing or given twice")
	}
	t.names[name] = true
	t.at += end + 1
}

// readFlags reads flags up to the : of a group or to the ) that makes them go on to the end of the group around; it returns true for the latter.
func (t *translator) readFlags(at int) bool {
	on := true
	for {
		switch t.next() {
		case 'i':
			t.flags.fold = on
		case 'm':
			t.flags.multiline = on
		case 's':
			t.flags.dotAll = on
		case 'x':
			t.flags.comments = on
		case 'u':
			t.flags.unicode = on
		case 'd':
			t.flags.unixLines = on
		case 'U':
			t.unsupported(at, "classes of Unicode by (?U)")
		case '-':
			if !on {
				t.fail(at, "an unknown flag")
			}
			on = false
		case ':':
			return false
		case ')':
			return true
		default:
			t.fail(at, "an unknown flag or kind of group")
		}
	}
}

// quantifier reads what may repeat the atom before it.
func (t *translator) quantifier() {
	t.skipComments()
	at := t.at
	switch t.peek() {
	case '*', '+', '?':
		t.out.WriteRune(t.next())
	case '{':
		t.next()
		t.count(at)
	default:
		return
	}
	switch t.peek() {
	case '?':
		t.out.WriteRune(t.next())
	case '+':
		t.unsupported(at, "possessive quantifiers")
	}
}

// count reads n}, n,} or n,m}.
func (t *translator) count(at int) {
	least := t.number(at)
	most := least
	if t.accept(",") {
		most = -1
		if c := t.peek(); '0' <= c && c <= '9' {
			most = t.number(at)
		}
	}
	switch {
	case !t.accept("}"):
		t.fail(at, "a { that begins no number of repetitions")
	case most >= 0 && most < least:
		t.fail(at, "a greatest number of repetitions that is less than the least")
	}
	t.out.WriteString("{" + strconv.Itoa(least))
	if most != least {
		t.out.WriteByte(',')
		if most >= 0 {
			t.out.WriteString(strconv.Itoa(most))
		}
	}
	t.out.WriteByte('}')
}

func (t *translator) number(at int) int {
	from := t.at
	for c := t.peek(); '0' <= c && c <= '9'; c = t.peek() {
		t.at++
	}
	if from == t.at {
		t.fail(at, "a { that begins no number of repetitions")
	}
	n, err := strconv.Atoi(t.pattern[from:t.at])
	if err != nil || n > maxRepeat {
		t.unsupported(at, "more than 1000 repetitions")
	}
	return n
}
