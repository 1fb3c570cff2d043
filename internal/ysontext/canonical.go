package ysontext

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// maxDepth is how deep values may lie in each other.
const maxDepth = 256

// SyntaxError says where a document is wrong.
type SyntaxError struct {
	// At is the offset in bytes.
	At      int
	Message string
}

// Error is the message and the place.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Message, e.At) }

// Canonical appends the canonical text of the value that doc is, text or binary. The error is a *SyntaxError.
func Canonical(dst, doc []byte) ([]byte, error) {
	p := parser{doc: doc, dst: dst}
	if err := p.value(); err != nil {
		return nil, err
	}
	if p.blank(); p.at < len(doc) {
		return nil, p.errorf("the document ends before")
	}
	return p.dst, nil
}

type parser struct {
	doc   []byte
	at    int
	dst   []byte
	depth int
}

func (p *parser) errorf(format string, args ...any) error {
	return &SyntaxError{p.at, fmt.Sprintf(format, args...)}
}

func (p *parser) blank() {
	for p.at < len(p.doc) {
		switch p.doc[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek is the next byte that is no blank; 0 at the end.
func (p *parser) peek() byte {
	if p.blank(); p.at < len(p.doc) {
		return p.doc[p.at]
	}
	return 0
}

func (p *parser) value() error {
	if p.depth++; p.depth > maxDepth {
		return p.errorf("values lie deeper than %d in each other", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.peek() == '<' {
		if err := p.entries('<', '>'); err != nil {
			return err
		}
		if p.peek() == '<' {
			return p.errorf("there are attributes behind attributes")
		}
	}
	switch c := p.peek(); {
	case p.at == len(p.doc):
		return p.errorf("a value is missing")
	case c == '{':
		return p.entries('{', '}')
	case c == '[':
		return p.list()
	case c == '#':
		p.at++
		p.dst = append(p.dst, '#')
		return nil
	case c == '%':
		return p.percent()
	case c == '"' || isWordStart(c) || c == 1:
		return p.text()
	case c == '+' || c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c >= 2 && c <= 6:
		return p.binary()
	}
	return p.errorf("a value is missing")
}

func (p *parser) entries(open, end byte) error {
	p.at++
	p.dst = append(p.dst, open)
	for first := true; ; first = false {
		if p.peek() == end {
			p.at++
			p.dst = append(p.dst, end)
			return nil
		}
		if !first {
			p.dst = append(p.dst, ';')
		}
		if c := p.peek(); c != '"' && c != 1 && !isWordStart(c) {
			return p.errorf("a key is missing")
		}
		if err := p.text(); err != nil {
			return err
		}
		if p.peek() != '=' {
			return p.errorf("'=' is missing")
		}
		p.at++
		p.dst = append(p.dst, '=')
		if err := p.value(); err != nil {
			return err
		}
		if err := p.separator(end); err != nil {
			return err
		}
	}
}

func (p *parser) list() error {
	p.at++
	p.dst = append(p.dst, '[')
	for first := true; ; first = false {
		if p.peek() == ']' {
			p.at++
			p.dst = append(p.dst, ']')
			return nil
		}
		if !first {
			p.dst = append(p.dst, ';')
		}
		if err := p.value(); err != nil {
			return err
		}
		if err := p.separator(']'); err != nil {
			return err
		}
	}
}

// separator reads the semicolon between items, which may stand behind the last one too.
func (p *parser) separator(end byte) error {
	switch p.peek() {
	case ';':
		p.at++
	case end:
	default:
		return p.errorf("';' or '%c' is missing", end)
	}
	return nil
}

func (p *parser) percent() error {
	for _, word := range []string{"%true", "%false", "%nan", "%inf", "%+inf", "%-inf"} {
		if rest := p.doc[p.at:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			p.at += len(word)
			if word == "%+inf" {
				word = "%inf"
			}
			p.dst = append(p.dst, word...)
			return nil
		}
	}
	return p.errorf("behind '%%' there is true, false, nan, inf or -inf")
}

func isWordStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// text reads a string: in quotes, as a word, or binary.
func (p *parser) text() error {
	switch c := p.doc[p.at]; {
	case c == 1:
		n, size := binary.Varint(p.doc[p.at+1:])
		from := p.at + 1 + size
		if size <= 0 || n < 0 || n > int64(len(p.doc)-from) {
			return p.errorf("a string does not end")
		}
		p.at = from + int(n)
		p.dst = AppendQuoted(p.dst, p.doc[from:p.at])
		return nil
	case c != '"':
		from := p.at
		for p.at < len(p.doc) && (isWordStart(p.doc[p.at]) || p.doc[p.at] == '-' || p.doc[p.at] == '.' || p.doc[p.at] >= '0' && p.doc[p.at] <= '9') {
			p.at++
		}
		p.dst = AppendQuoted(p.dst, p.doc[from:p.at])
		return nil
	}
	from := p.at
	for p.at++; p.at < len(p.doc); p.at++ {
		switch p.doc[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			p.dst = AppendQuoted(p.dst, AppendText(nil, p.doc[from:p.at]))
			return nil
		}
	}
	p.at = from
	return p.errorf("a string does not end")
}

func (p *parser) number() error {
	from := p.at
	approximate := false
	for p.at < len(p.doc) {
		c := p.doc[p.at]
		if c == '.' || c == 'e' || c == 'E' {
			approximate = true
		} else if c != '+' && c != '-' && (c < '0' || c > '9') {
			break
		}
		p.at++
	}
	digits := string(p.doc[from:p.at])
	if approximate {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			p.at = from
			return p.errorf("%q is no number", digits)
		}
		p.dst = AppendFloat(p.dst, f)
		return nil
	}
	if p.at < len(p.doc) && p.doc[p.at] == 'u' {
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			p.at = from
			return p.errorf("%q is no number of 64 bits", digits)
		}
		p.at++
		p.dst = AppendUint(p.dst, n)
		return nil
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		p.at = from
		return p.errorf("%q is no number of 64 bits", digits)
	}
	p.dst = AppendInt(p.dst, n)
	return nil
}

func (p *parser) binary() error {
	mark := p.doc[p.at]
	rest := p.doc[p.at+1:]
	size := 0
	switch mark {
	case 2:
		var n int64
		n, size = binary.Varint(rest)
		p.dst = AppendInt(p.dst, n)
	case 3:
		if len(rest) < 8 {
			return p.errorf("a number does not end")
		}
		size = 8
		p.dst = AppendFloat(p.dst, math.Float64frombits(binary.LittleEndian.Uint64(rest)))
	case 4:
		p.dst = append(p.dst, "%false"...)
	case 5:
		p.dst = append(p.dst, "%true"...)
	case 6:
		var n uint64
		n, size = binary.Uvarint(rest)
		p.dst = AppendUint(p.dst, n)
	}
	if size < 0 || size == 0 && (mark == 2 || mark == 6) {
		return p.errorf("a number does not end")
	}
	p.at += 1 + size
	return nil
}
