package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var patternFunctions = append([]Scalar{
	{
		Name: "LIKE", Family: FamilyPattern, Notation: Infix,
		Signatures: []string{"string LIKE pattern", "string LIKE pattern ESCAPE character"},
		Doc:        "Whether the whole string fits the pattern: % is any characters, _ is one that ends no line. There is no escape character unless given.",
		Example:    "'tidemark' LIKE 'tide%'", ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.BooleanType, Bind: bindLike},
			{Params: stringParams(3), Result: types.BooleanType, Bind: bindLike},
		},
	},
	{
		Name: "SIMILAR TO", Family: FamilyPattern, Notation: Infix,
		Signatures: []string{"string SIMILAR TO pattern", "string SIMILAR TO pattern ESCAPE character"},
		Doc: "Whether the whole string fits the pattern: % and _ as in LIKE, and | * + ? {n,m} ( ) and classes such as [a-z] or [[:DIGIT:]] as in regular expressions. " +
			"Flink 2.3: a point is any character too.",
		Example: "'berth 42' SIMILAR TO '(berth|pier) [0-9]+'", ExampleResult: "TRUE",
		Overloads: []Overload{
			{Params: stringParams(2), Result: types.BooleanType, Bind: bindSimilar},
			{Params: stringParams(3), Result: types.BooleanType, Bind: bindSimilar},
		},
	},
}, regexpFunctions...)

// escapeCharacter is the one character of ESCAPE, which must be constant.
func escapeCharacter(e *vector.Vector) (rune, error) {
	if e == nil || e.IsNullConst() || utf8.RuneCount(e.Bytes(0)) != 1 {
		return 0, constantErrorf("write for instance ESCAPE '!'", "ESCAPE takes a constant string of one character")
	}
	r, _ := utf8.DecodeRune(e.Bytes(0))
	return r, nil
}

// bindLike reads a constant pattern once; one that varies is read for every row.
func bindLike(constants []*vector.Vector) (Kernel, error) {
	escape := rune(-1)
	if len(constants) == 3 {
		var err error
		if escape, err = escapeCharacter(constants[2]); err != nil {
			return nil, err
		}
	}
	if constants[1] == nil || constants[1].IsNullConst() {
		return func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				pattern, err := compileLike(c.Args[1].Bytes(i), escape)
				if err != nil {
					return &RowError{Row: i, Err: err}
				}
				c.Out.Bools[i] = bit(pattern.match(c.Args[0].Bytes(i)))
			}
			return nil
		}, nil
	}
	pattern, err := compileLike(constants[1].Bytes(0), escape)
	if err != nil {
		return nil, &ConstantError{Err: err, Hint: "the escape character stands before %, _ or itself"}
	}
	if part, ok := pattern.contains(); ok {
		return deciding(func(c *Call, i int) bool { return bytes.Contains(c.Args[0].Bytes(i), part) }), nil
	}
	return func(c *Call) error {
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			c.Out.Bools[i] = bit(pattern.match(c.Args[0].Bytes(i)))
		}
		return nil
	}, nil
}

// likePattern is a pattern cut at its percent signs. The first piece stands at the beginning and the last at the end; those between follow in order,
// and the earliest place is always the best.
type likePattern struct {
	pieces []likePiece
}

// likePiece is text in which any[k] marks a place for any one character. When there is no such place, literal is the text.
type likePiece struct {
	literal []byte
	runes   []rune
	any     []bool
	hasAny  bool
}

func compileLike(pattern []byte, escape rune) (likePattern, error) {
	var p likePattern
	var piece likePiece
	escaped := false
	for _, r := range string(pattern) {
		switch {
		case !escaped && r == escape:
			escaped = true
			continue
		case !escaped && r == '%':
			p.pieces = append(p.pieces, piece)
			piece = likePiece{}
			continue
		case escaped && r != '%' && r != '_' && r != escape:
			return p, fault.Errorf(fault.Data, "invalid escape sequence in the LIKE pattern '%s'", pattern)
		}
		wild := r == '_' && !escaped
		piece.runes = append(piece.runes, r)
		piece.any = append(piece.any, wild)
		piece.hasAny = piece.hasAny || wild
		piece.literal = utf8.AppendRune(piece.literal, r)
		escaped = false
	}
	if escaped {
		return p, fault.Errorf(fault.Data, "the LIKE pattern '%s' ends in its escape character", pattern)
	}
	p.pieces = append(p.pieces, piece)
	return p, nil
}

// contains is the text between two percent signs, if that is all there is.
func (p *likePattern) contains() ([]byte, bool) {
	if len(p.pieces) != 3 || p.pieces[1].hasAny || len(p.pieces[0].runes)+len(p.pieces[2].runes) > 0 {
		return nil, false
	}
	return p.pieces[1].literal, true
}

func (p *likePattern) match(s []byte) bool {
	first, last := &p.pieces[0], &p.pieces[len(p.pieces)-1]
	width := first.prefix(s)
	if width < 0 {
		return false
	}
	s = s[width:]
	if len(p.pieces) == 1 {
		return len(s) == 0
	}
	for i := 1; i < len(p.pieces)-1; i++ {
		end := p.pieces[i].find(s)
		if end < 0 {
			return false
		}
		s = s[end:]
	}
	return last.suffix(s)
}

// prefix is the number of bytes at the beginning of s that the piece takes, or -1.
func (p *likePiece) prefix(s []byte) int {
	if !p.hasAny {
		if bytes.HasPrefix(s, p.literal) {
			return len(p.literal)
		}
		return -1
	}
	at := 0
	for k, want := range p.runes {
		if at == len(s) {
			return -1
		}
		r, width := utf8.DecodeRune(s[at:])
		if p.any[k] && endsLine(r) || !p.any[k] && r != want {
			return -1
		}
		at += width
	}
	return at
}

// endsLine reports whether _ leaves r out. Flink 2.3: it does, since it is a point of Java's regular expressions.
func endsLine(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// find is where the first occurrence of the piece in s ends, or -1.
func (p *likePiece) find(s []byte) int {
	if !p.hasAny {
		at := bytes.Index(s, p.literal)
		if at < 0 {
			return -1
		}
		return at + len(p.literal)
	}
	for at := 0; at < len(s); {
		if width := p.prefix(s[at:]); width >= 0 {
			return at + width
		}
		_, width := utf8.DecodeRune(s[at:])
		at += width
	}
	return -1
}

func (p *likePiece) suffix(s []byte) bool {
	if !p.hasAny {
		return bytes.HasSuffix(s, p.literal)
	}
	surplus := utf8.RuneCount(s) - len(p.runes)
	if surplus < 0 {
		return false
	}
	return p.prefix(s[byteOffset(s, surplus):]) >= 0
}
