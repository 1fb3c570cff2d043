package jsonpath

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/javaregexp"
	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

// condition is what stands in [?(…)].
type condition interface {
	holds(root, current []byte) bool
}

type (
	anyOf []condition
	allOf []condition
	not   struct{ of condition }
	// exists asks whether a path leads anywhere.
	exists struct{ operand operand }
	// comparison compares two operands; op is ==, !=, <, <=, > or >=.
	comparison struct {
		op          string
		left, right operand
	}
	// match asks whether a regular expression fits all of a string.
	match struct {
		operand operand
		pattern *javaregexp.Pattern
	}
)

// operand is a constant, or a path from the root or the current value.
type operand struct {
	constant []byte // JSON text; nil for a path
	path     *Path
	rooted   bool
}

// value is JSON text, nil if the path leads nowhere.
func (o *operand) value(root, current []byte) []byte {
	switch {
	case o.path == nil:
		return o.constant
	case o.rooted:
		current = root
	}
	v, _ := o.path.One(root, current)
	return v
}

func (c anyOf) holds(root, current []byte) bool {
	for _, of := range c {
		if of.holds(root, current) {
			return true
		}
	}
	return false
}

func (c allOf) holds(root, current []byte) bool {
	for _, of := range c {
		if !of.holds(root, current) {
			return false
		}
	}
	return true
}

func (c not) holds(root, current []byte) bool { return !c.of.holds(root, current) }

func (c exists) holds(root, current []byte) bool { return c.operand.value(root, current) != nil }

func (c match) holds(root, current []byte) bool {
	v := c.operand.value(root, current)
	return v != nil && jsontext.KindOf(v) == jsontext.String && c.pattern.Match(jsontext.AppendUnquoted(nil, v))
}

// holds compares numbers by value and strings by their characters. A string equals the number it says, otherwise different kinds are not equal.
func (c comparison) holds(root, current []byte) bool {
	left, right := c.left.value(root, current), c.right.value(root, current)
	if left == nil || right == nil {
		return c.op == "!=" && (left == nil) != (right == nil)
	}
	order, ordered, same := compare(left, right)
	switch c.op {
	case "==":
		return same
	case "!=":
		return !same
	case "<":
		return ordered && order < 0
	case "<=":
		return ordered && order <= 0
	case ">":
		return ordered && order > 0
	}
	return ordered && order >= 0
}

func compare(a, b []byte) (order int, ordered, same bool) {
	kind, other := jsontext.KindOf(a), jsontext.KindOf(b)
	switch {
	case kind == jsontext.Number && other == jsontext.String:
		return 0, false, isNumber(b, a)
	case kind == jsontext.String && other == jsontext.Number:
		return 0, false, isNumber(a, b)
	case kind != other:
		return 0, false, false
	}
	switch kind {
	case jsontext.Number:
		order = jsontext.CompareNumbers(a, b)
		return order, true, order == 0
	case jsontext.String:
		order = jsontext.CompareNames(jsontext.AppendUnquoted(nil, a), jsontext.AppendUnquoted(nil, b))
		return order, true, order == 0
	case jsontext.Array, jsontext.Object:
		var w jsontext.Writer
		return 0, false, bytes.Equal(w.Append(nil, a), w.Append(nil, b))
	}
	return 0, false, bytes.Equal(a, b)
}

// isNumber reports whether a string says a number.
func isNumber(quoted, number []byte) bool {
	said := jsontext.AppendUnquoted(nil, quoted)
	value, ok := jsontext.Parse(said)
	return ok && len(value) == len(said) && jsontext.KindOf(value) == jsontext.Number && jsontext.CompareNumbers(value, number) == 0
}

// maxNested bounds parentheses.
const maxNested = 200

// filterStep reads (…) behind a ?.
func (c *compiler) filterStep() step {
	c.blanks()
	if !c.accept("(") {
		c.fail("a ( is missing")
	}
	s := step{kind: stepFilter, filter: c.disjunction()}
	if c.blanks(); !c.accept(")") {
		c.fail("a ) is missing")
	}
	return s
}

func (c *compiler) disjunction() condition {
	list := anyOf{c.conjunction()}
	for c.blanks(); c.accept("||"); c.blanks() {
		list = append(list, c.conjunction())
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func (c *compiler) conjunction() condition {
	list := allOf{c.term()}
	for c.blanks(); c.accept("&&"); c.blanks() {
		list = append(list, c.term())
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

func (c *compiler) term() condition {
	if c.depth++; c.depth > maxNested {
		c.unsupported("so deep parentheses")
	}
	defer func() { c.depth-- }()
	c.blanks()
	switch {
	case c.accept("!"):
		return not{c.term()}
	case c.accept("("):
		inner := c.disjunction()
		if c.blanks(); !c.accept(")") {
			c.fail("a ) is missing")
		}
		return inner
	}
	left := c.operand()
	c.blanks()
	if c.accept("=~") {
		c.blanks()
		return match{left, c.regexp()}
	}
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if c.accept(op) {
			c.blanks()
			return comparison{op, left, c.operand()}
		}
	}
	if b := c.peek(); 'a' <= b|0x20 && b|0x20 <= 'z' {
		c.unsupported("operators of filters but ==, !=, <, <=, >, >=, =~")
	}
	return exists{left}
}

func (c *compiler) operand() operand {
	switch b := c.peek(); {
	case b == '@' || b == '$':
		c.at++
		p := &Path{Lax: true}
		c.steps(p, false)
		if !p.Definite() {
			c.unsupported("paths to lists inside of filters")
		}
		return operand{path: p, rooted: b == '$'}
	case b == '\'' || b == '"':
		return operand{constant: jsontext.AppendQuoted(nil, c.quoted())}
	}
	end := strings.IndexAny(c.path[c.at:], " \t\n\r)=!<>&|],")
	if end < 0 {
		end = len(c.path) - c.at
	}
	word := c.path[c.at : c.at+end]
	value, ok := jsontext.Parse([]byte(word))
	if !ok || len(value) != len(word) || !jsontext.IsScalar(value) {
		c.fail("neither a path beginning with @ or $ nor a number, a string in quotes, true, false or null")
	}
	c.at += end
	return operand{constant: value}
}

// regexp reads /pattern/ and the flag i.
func (c *compiler) regexp() *javaregexp.Pattern {
	start := c.at
	if !c.accept("/") {
		c.fail("a regular expression between slashes is missing")
	}
	var pattern strings.Builder
	for !c.end() && c.peek() != '/' {
		if !c.accept(`\/`) {
			pattern.WriteByte(c.peek())
			c.at++
			continue
		}
		pattern.WriteByte('/')
	}
	if !c.accept("/") {
		c.fail("a / is missing")
	}
	text := pattern.String()
	if c.accept("i") {
		text = "(?i)" + text
	}
	p, err := javaregexp.CompileWhole(text)
	if err != nil {
		var e *javaregexp.UnsupportedError
		c.at = start
		panic(&Error{Path: c.path, At: c.at, Reason: "such regular expressions (" + strconv.Quote(text) + ")", Unsupported: errors.As(err, &e)})
	}
	return p
}
