package flowspec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// maxDepth bounds how deep values of YSON are in each other.
const maxDepth = 200

// isYSON reports whether a text is YSON and not YAML: it begins with a name that '=' follows, in braces or without.
func isYSON(body string) bool {
	p := &ysonParser{text: source.Text{Body: body}}
	p.skip()
	if p.peek() == '<' {
		return true
	}
	if p.peek() == '{' {
		p.at++
		p.skip()
		if p.peek() == '}' {
			return false // the same in both
		}
	}
	if _, err := p.key(); err != nil {
		return false
	}
	p.skip()
	return p.peek() == '='
}

// readYSON reads a text in YSON: maps, lists, strings, numbers, %true and %false, # for nothing. A map may stand without its braces, and attributes are passed over. YT also has a binary
// notation, which no person writes.
func readYSON(text source.Text) (*Node, error) {
	p := &ysonParser{text: text}
	if err := p.attributes(); err != nil {
		return nil, err
	}
	var n *Node
	var err error
	if p.peek() == '{' {
		n, err = p.value()
	} else {
		n = &Node{Kind: Map, Span: p.here()}
		n.Entries, err = p.entries(0)
	}
	if err != nil {
		return nil, err
	}
	p.skip()
	if p.at < len(text.Body) {
		return nil, p.expected("the end of the spec")
	}
	return n, nil
}

type ysonParser struct {
	text  source.Text
	at    int
	depth int
}

// peek is the next byte, 0 at the end.
func (p *ysonParser) peek() byte {
	if p.at < len(p.text.Body) {
		return p.text.Body[p.at]
	}
	return 0
}

func (p *ysonParser) here() source.Span {
	_, size := utf8.DecodeRuneInString(p.text.Body[p.at:])
	return source.Span{Start: p.at, End: p.at + size}
}

func (p *ysonParser) since(start int) source.Span { return source.Span{Start: start, End: p.at} }

func (p *ysonParser) expected(what ...string) error {
	at := p.here()
	got := "the end of the spec"
	if at.End > at.Start {
		got = "'" + p.text.Slice(at) + "'"
	}
	return &source.Error{Code: codeSyntax, Span: at, Message: "found " + got, Expected: what, Text: p.text}
}

// skip passes over blanks and comments.
func (p *ysonParser) skip() {
	for p.at < len(p.text.Body) {
		rest := p.text.Body[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			p.at++
		case strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "///"):
			p.at += len(firstLine(rest))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				p.at = len(p.text.Body)
				return
			}
			p.at += end + 2
		default:
			return
		}
	}
}

// attributes passes over <name=value; …>.
func (p *ysonParser) attributes() error {
	p.skip()
	if p.peek() != '<' {
		return nil
	}
	if err := p.enter(); err != nil {
		return err
	}
	p.at++
	if _, err := p.entries('>'); err != nil {
		return err
	}
	p.depth--
	p.skip()
	return nil
}

func (p *ysonParser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return fault(p.text, p.here(), "a spec is never so deep", "values are more than %d deep in each other", maxDepth)
	}
	return nil
}

func (p *ysonParser) value() (*Node, error) {
	if err := p.attributes(); err != nil {
		return nil, err
	}
	start := p.at
	switch c := p.peek(); {
	case c == '{':
		if err := p.enter(); err != nil {
			return nil, err
		}
		p.at++
		n := &Node{Kind: Map, Span: p.since(start)}
		var err error
		n.Entries, err = p.entries('}')
		p.depth--
		return n, err
	case c == '[':
		return p.list()
	case c == '#':
		p.at++
		return &Node{Kind: Null, Span: p.since(start)}, nil
	case c == '%':
		return p.percent()
	case c == '-' || c == '+' || c >= '0' && c <= '9':
		return p.number()
	case c == '"':
		return p.quoted()
	case bare(c, true):
		return p.bareString(), nil
	}
	return nil, p.expected("a value")
}

func (p *ysonParser) list() (*Node, error) {
	start := p.at
	if err := p.enter(); err != nil {
		return nil, err
	}
	p.at++
	n := &Node{Kind: List, Span: p.since(start)}
	for {
		p.skip()
		if p.peek() == ']' {
			p.at++
			p.depth--
			return n, nil
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, item)
		if err := p.separator(']'); err != nil {
			return nil, err
		}
	}
}

// entries reads the members of a map up to its end, which is passed; 0 is the end of the text.
func (p *ysonParser) entries(end byte) ([]Entry, error) {
	var all []Entry
	named := map[string]bool{}
	for {
		p.skip()
		if p.peek() == end && (end != 0 || p.at == len(p.text.Body)) {
			if end != 0 {
				p.at++
			}
			return all, nil
		}
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		if named[key.Text] {
			return nil, twice(p.text, key.At, key.Text)
		}
		named[key.Text] = true
		p.skip()
		if p.peek() != '=' {
			return nil, p.expected("'='")
		}
		p.at++
		value, err := p.value()
		if err != nil {
			return nil, err
		}
		all = append(all, Entry{key, value})
		if err := p.separator(end); err != nil {
			return nil, err
		}
	}
}

// separator passes the ';' behind a value, which the last one need not have.
func (p *ysonParser) separator(end byte) error {
	p.skip()
	switch {
	case p.peek() == ';':
		p.at++
		return nil
	case p.peek() == end && (end != 0 || p.at == len(p.text.Body)):
		return nil
	case end == 0:
		return p.expected("';'", "the end of the spec")
	}
	return p.expected("';'", "'"+string(end)+"'")
}

func (p *ysonParser) key() (Word, error) {
	switch {
	case p.peek() == '"':
		n, err := p.quoted()
		if err != nil {
			return Word{}, err
		}
		return n.Word(), nil
	case bare(p.peek(), true):
		return p.bareString().Word(), nil
	}
	return Word{}, p.expected("a name")
}

func bare(c byte, first bool) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && (c >= '0' && c <= '9' || c == '-' || c == '.' || c == '%')
}

func (p *ysonParser) bareString() *Node {
	start := p.at
	for bare(p.peek(), p.at == start) {
		p.at++
	}
	return &Node{Kind: String, Text: p.text.Body[start:p.at], Span: p.since(start), Verbatim: true}
}

func (p *ysonParser) percent() (*Node, error) {
	start := p.at
	p.at++
	word := p.bareString().Text
	at := p.since(start)
	switch word {
	case "true", "false":
		return &Node{Kind: Bool, Text: word, Span: at}, nil
	}
	return nil, &source.Error{Code: codeSyntax, Span: at, Message: "found '%" + word + "'", Expected: []string{"%true", "%false"}, Text: p.text}
}

func (p *ysonParser) number() (*Node, error) {
	start := p.at
	for c := p.peek(); c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c == 'e' || c == 'E'; c = p.peek() {
		p.at++
	}
	text := p.text.Body[start:p.at]
	if p.peek() == 'u' {
		p.at++
	}
	at := p.since(start)
	if _, err := strconv.ParseFloat(text, 64); err != nil || bare(p.peek(), false) {
		for bare(p.peek(), false) {
			p.at++
		}
		at = p.since(start)
		return nil, fault(p.text, at, "put texts that begin with a digit in quotes", "'%s' is not a number", p.text.Slice(at))
	}
	return &Node{Kind: Number, Text: text, Span: at}, nil
}

// quoted reads a string with C's escapes.
func (p *ysonParser) quoted() (*Node, error) {
	start := p.at
	p.at++
	var b strings.Builder
	verbatim := true
	for {
		switch c := p.peek(); {
		case p.at >= len(p.text.Body):
			return nil, fault(p.text, source.Span{Start: start, End: start + 1}, "end it with \"", "the text that begins here has no end")
		case c == '"':
			p.at++
			return &Node{Kind: String, Text: b.String(), Span: p.since(start), Verbatim: verbatim}, nil
		case c == '\\':
			verbatim = false
			at := p.at
			r, multibyte, tail, err := strconv.UnquoteChar(p.text.Body[p.at:], '"')
			if err != nil {
				return nil, fault(p.text, source.Span{Start: at, End: min(at+2, len(p.text.Body))}, "write \\\\ for a backslash", "there is no such escape")
			}
			p.at = len(p.text.Body) - len(tail)
			if multibyte {
				b.WriteRune(r)
			} else {
				b.WriteByte(byte(r))
			}
		default:
			b.WriteByte(c)
			p.at++
		}
	}
}
