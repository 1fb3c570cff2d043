package jsonpath

import (
	"strings"
	"unicode/utf8"
)

// compiler reads a path. It gives up by panic(*Error), which Compile catches.
type compiler struct {
	path  string
	at    int
	depth int
}

// Compile reads a path; the error is an *Error. Without lax or strict it is strict; the $ at the beginning may be left out.
func Compile(path string) (p *Path, err error) {
	c := &compiler{path: path}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	p = &Path{}
	c.mode(p)
	if c.end() {
		c.fail("nothing")
	}
	rooted := c.accept("$") || c.accept("@")
	c.steps(p, !rooted)
	if c.blanks(); !c.end() {
		c.fail("unexpected text")
	}
	return p, nil
}

func (c *compiler) fail(reason string) { panic(&Error{Path: c.path, At: c.at, Reason: reason}) }

func (c *compiler) unsupported(what string) {
	panic(&Error{Path: c.path, At: c.at, Reason: what, Unsupported: true})
}

func (c *compiler) end() bool { return c.at == len(c.path) }

func (c *compiler) peek() byte {
	if c.end() {
		return 0
	}
	return c.path[c.at]
}

func (c *compiler) accept(s string) bool {
	if !strings.HasPrefix(c.path[c.at:], s) {
		return false
	}
	c.at += len(s)
	return true
}

func (c *compiler) blanks() {
	for c.peek() == ' ' || c.peek() == '\t' || c.peek() == '\n' || c.peek() == '\r' {
		c.at++
	}
}

// mode reads lax or strict, in any case, if a blank follows.
func (c *compiler) mode(p *Path) {
	c.blanks()
	for _, word := range []string{"lax", "strict"} {
		rest := c.path[c.at:]
		if len(rest) > len(word) && strings.EqualFold(rest[:len(word)], word) && strings.ContainsRune(" \t\r\n", rune(rest[len(word)])) {
			c.at += len(word)
			p.Lax = word == "lax"
			c.blanks()
			return
		}
	}
}

// steps reads steps as long as there are any; bare says that a name comes without its point.
func (c *compiler) steps(p *Path, bare bool) {
	for {
		switch {
		case bare && c.peek() != '[':
			c.dotted(p)
		case c.accept(".."):
			p.steps = append(p.steps, step{kind: stepDeep})
			if c.peek() != '[' {
				c.dotted(p)
			}
		case c.accept("."):
			if c.peek() != '[' {
				c.dotted(p)
			}
		case c.peek() == '[':
			c.brackets(p)
		default:
			return
		}
		if bare = false; p.length {
			return
		}
	}
}

// dotted reads name, * or a function.
func (c *compiler) dotted(p *Path) {
	if c.accept("*") {
		p.steps = append(p.steps, step{kind: stepAll})
		return
	}
	end := strings.IndexAny(c.path[c.at:], ".[( \t\n\r)=!<>&|,")
	if end < 0 {
		end = len(c.path) - c.at
	}
	name := c.path[c.at : c.at+end]
	switch {
	case name == "":
		c.fail("a name is missing; write it as ['name'] if it has blanks")
	case strings.HasPrefix(c.path[c.at+end:], "("):
		c.function(p, name)
		return
	}
	c.at += end
	p.steps = append(p.steps, step{kind: stepMember, name: []byte(name)})
}

func (c *compiler) function(p *Path, name string) {
	if name != "length" && name != "size" || !p.Definite() {
		c.unsupported("functions other than length() of one value")
	}
	if c.at += len(name); !c.accept("()") {
		c.fail("length takes no arguments")
	}
	p.length = true
}

// brackets reads what stands in brackets.
func (c *compiler) brackets(p *Path) {
	c.at++
	c.blanks()
	var s step
	switch b := c.peek(); {
	case b == '\'' || b == '"':
		s = step{kind: stepMember, name: c.quoted()}
		if c.blanks(); c.peek() == ',' {
			c.unsupported("several names in one pair of brackets")
		}
	case c.accept("*"):
		s.kind = stepAll
	case c.accept("?"):
		s = c.filterStep()
	default:
		s = c.indexes()
	}
	c.blanks()
	if !c.accept("]") {
		c.fail("a ] is missing")
	}
	p.steps = append(p.steps, s)
}

// quoted reads a name or string in quotes of either kind, in which a backslash stands before what it escapes.
func (c *compiler) quoted() []byte {
	quote := c.path[c.at]
	c.at++
	var out []byte
	for !c.end() {
		b := c.path[c.at]
		c.at++
		switch {
		case b == quote:
			if out == nil {
				out = []byte{}
			}
			return out
		case b == '\\' && !c.end():
			r, width := utf8.DecodeRuneInString(c.path[c.at:])
			c.at += width
			switch r {
			case 'n':
				r = '\n'
			case 't':
				r = '\t'
			case 'r':
				r = '\r'
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, b)
		}
	}
	c.fail("a quote is missing")
	return nil
}

// indexes reads n, n,m and from:to.
func (c *compiler) indexes() step {
	s := step{kind: stepIndex}
	n, ok := c.number()
	if c.accept(":") {
		s.kind, s.from = stepSlice, n
		s.to, ok = c.number()
		s.open = !ok
		return s
	}
	if !ok {
		c.fail("neither a number nor a name in quotes")
	}
	s.indexes = []int{n}
	for c.accept(",") {
		c.blanks()
		if n, ok = c.number(); !ok {
			c.fail("a number is missing")
		}
		s.kind, s.indexes = stepIndexes, append(s.indexes, n)
	}
	return s
}

// number reads a whole number and the blanks around it.
func (c *compiler) number() (n int, ok bool) {
	c.blanks()
	negative := c.accept("-")
	for '0' <= c.peek() && c.peek() <= '9' && n < 1<<31 {
		n = 10*n + int(c.peek()-'0')
		c.at++
		ok = true
	}
	c.blanks()
	if negative {
		n = -n
	}
	return n, ok
}
