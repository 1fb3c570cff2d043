package jsontext

// maxDepth is how deep arrays and objects may be nested, as in Flink 2.3.
const maxDepth = 1000

// Parse checks the value at the beginning of doc and returns it without the blanks around it. What follows it does not matter, as in Flink 2.3.
func Parse(doc []byte) (value []byte, ok bool) {
	p := parser{s: doc}
	p.blanks()
	from := p.at
	if !p.value(0) {
		return nil, false
	}
	value = doc[from:p.at]
	if p.at < len(doc) && !ends(value, doc[p.at]) {
		return nil, false
	}
	return value, true
}

// ends reports whether a whole document may end before c: a number wants a blank, a word anything but a letter or digit.
func ends(value []byte, c byte) bool {
	switch value[0] {
	case '{', '[', '"':
		return true
	case 't', 'f', 'n':
		return c < 0x80 && !isWord(c)
	}
	return isBlank(c)
}

func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

type parser struct {
	s  []byte
	at int
}

func (p *parser) blanks() {
	for p.at < len(p.s) && isBlank(p.s[p.at]) {
		p.at++
	}
}

func (p *parser) accept(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *parser) value(depth int) bool {
	if p.at == len(p.s) {
		return false
	}
	switch p.s[p.at] {
	case '{':
		return depth < maxDepth && p.object(depth+1)
	case '[':
		return depth < maxDepth && p.array(depth+1)
	case '"':
		return p.string()
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	case 'n':
		return p.word("null")
	}
	return p.number()
}

func (p *parser) object(depth int) bool {
	p.at++
	p.blanks()
	if p.accept('}') {
		return true
	}
	for {
		if p.at == len(p.s) || p.s[p.at] != '"' || !p.string() {
			return false
		}
		p.blanks()
		if !p.accept(':') {
			return false
		}
		p.blanks()
		if !p.value(depth) {
			return false
		}
		p.blanks()
		if p.accept('}') {
			return true
		}
		if !p.accept(',') {
			return false
		}
		p.blanks()
	}
}

func (p *parser) array(depth int) bool {
	p.at++
	p.blanks()
	if p.accept(']') {
		return true
	}
	for {
		if !p.value(depth) {
			return false
		}
		p.blanks()
		if p.accept(']') {
			return true
		}
		if !p.accept(',') {
			return false
		}
		p.blanks()
	}
}

func (p *parser) string() bool {
	p.at++
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == '"':
			return true
		case c < ' ':
			return false
		case c == '\\':
			if !p.escape() {
				return false
			}
		}
	}
	return false
}

func (p *parser) escape() bool {
	if p.at == len(p.s) {
		return false
	}
	c := p.s[p.at]
	p.at++
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		_, ok := Hex4(p.s[p.at:])
		p.at += 4
		return ok
	}
	return false
}

func (p *parser) word(w string) bool {
	if len(p.s)-p.at < len(w) || string(p.s[p.at:p.at+len(w)]) != w {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) number() bool {
	p.accept('-')
	if !p.accept('0') && p.digits() == 0 {
		return false
	}
	if p.accept('.') && p.digits() == 0 {
		return false
	}
	if p.at < len(p.s) && p.s[p.at]|0x20 == 'e' {
		p.at++
		if !p.accept('+') {
			p.accept('-')
		}
		n := p.digits()
		return n > 0 && n <= maxExponent
	}
	return p.at == len(p.s) || p.s[p.at] < '0' || p.s[p.at] > '9'
}

// maxExponent is how many digits an exponent may have, so that it fits an int32 as in Java.
const maxExponent = 9

func (p *parser) digits() int {
	from := p.at
	for p.at < len(p.s) && '0' <= p.s[p.at] && p.s[p.at] <= '9' {
		p.at++
	}
	return p.at - from
}

// Hex4 reads the four hexadecimal digits that s begins with, as they stand behind \u.
func Hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	r := rune(0)
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
