package yql

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// typeName reads a type with the question marks behind it.
func (p *parser) typeName() *TypeName {
	defer p.Nested()()
	start := p.Start()
	t := p.bareType()
	for n := 1; p.AtSymbol("?") || p.AtSymbol("??"); n++ {
		p.Link(n)
		t = p.questioned(start, t)
	}
	return t
}

// questioned reads ? or ?? behind a type.
func (p *parser) questioned(start int, t *TypeName) *TypeName {
	p.tight()
	marks := len(p.Advance().Value)
	for range marks {
		t = &TypeName{Located: p.since(start), Name: "Optional", Args: []*TypeName{t}}
	}
	return t
}

func (p *parser) bareType() *TypeName {
	start := p.Start()
	word := p.Token()
	if word.Kind != tokens.Word || isReserved(word.Upper) && word.Upper != "SET" {
		if word.Kind == tokens.String {
			p.Fail("syntax", word.Span, "a type is not a string", "write it without quotes")
		}
		p.Expected("a type")
	}
	p.Advance()
	p.uses[start] = TypeUse
	t := &TypeName{Name: word.Value}
	if name, ok := container(word.Value); ok {
		t.Name = name
		p.typeArgs(t, word)
	} else if p.AtSymbol("(") {
		p.typeParams(t, word)
	} else if p.AtSymbol("<") {
		p.Fail("syntax", p.Token().Span, "type "+tokens.Shown(word.Value)+" takes no others in angle brackets",
			"containers are Optional<T>, List<T>, Dict<K, V>, Tuple<A, B> and Struct<name: T>")
	}
	t.Located = p.since(start)
	return t
}

// typeParams reads the numbers of a Decimal; no other type has some.
func (p *parser) typeParams(t *TypeName, word tokens.Token) {
	if !strings.EqualFold(word.Value, "Decimal") {
		p.Fail("syntax", p.Token().Span, "type "+tokens.Shown(word.Value)+" takes no numbers", foreignTypeHint(word.Upper))
	}
	p.tight()
	t.Params = listInParens(p, func() int {
		n, ok := smallNumber(p.Token())
		if p.Token().Kind != tokens.Integer || !ok || n > maxDecimalParam {
			p.Expected("a small number")
		}
		p.Advance()
		return n
	})
	if len(t.Params) != 2 {
		p.Fail("syntax", p.since(word.Span.Start).At, "a Decimal takes its precision and its scale", "write Decimal(22, 9)")
	}
}

// typeArgs reads what stands in the angle brackets of a container.
func (p *parser) typeArgs(t *TypeName, word tokens.Token) {
	p.tight()
	if p.AcceptSymbol("<>") || p.acceptEmpty() {
		if t.Name != "Tuple" && t.Name != "Struct" {
			p.Fail("syntax", p.since(word.Span.Start).At, t.Name+" needs the type of what is in it", containerHint(t.Name))
		}
		return
	}
	if !p.AtSymbol("<") {
		p.Fail("syntax", p.Token().Span, t.Name+" needs the type of what is in it", containerHint(t.Name))
	}
	p.Advance()
	switch t.Name {
	case "Callable":
		p.ExpectSymbol("(")
		t.Args = listTo(p, ")", p.typeName)
		p.ExpectSymbol("->")
		t.Result = p.typeName()
		p.ExpectSymbol(">")
	case "Struct":
		t.Members = listTo(p, ">", p.typeMember)
	case "Variant":
		if p.Ahead(1).IsSymbol(":") {
			t.Members = listTo(p, ">", p.typeMember)
		} else {
			t.Args = listTo(p, ">", p.typeName)
		}
	case "Enum":
		t.Members = listTo(p, ">", func() TypeMember {
			name := p.memberName()
			return TypeMember{name.Located, name, nil}
		})
	case "Resource":
		t.Tag = p.typeTag()
		p.ExpectSymbol(">")
	case "Tagged":
		t.Args = []*TypeName{p.typeName()}
		p.ExpectSymbol(",")
		t.Tag = p.typeTag()
		p.ExpectSymbol(">")
	default:
		t.Args = listTo(p, ">", p.typeName)
	}
	p.uses[p.Last().Span.Start] = TightUse
	if want, ok := map[string]int{"Optional": 1, "List": 1, "Set": 1, "Stream": 1, "Flow": 1, "Dict": 2}[t.Name]; ok && len(t.Args) != want {
		p.Fail("syntax", p.since(word.Span.Start).At, t.Name+" takes "+map[int]string{1: "one type", 2: "two types"}[want], containerHint(t.Name))
	}
}

// acceptEmpty reads angle brackets with nothing but blanks in them.
func (p *parser) acceptEmpty() bool {
	if !p.AtSymbol("<") || !p.Ahead(1).IsSymbol(">") {
		return false
	}
	p.Advance()
	p.tight()
	p.Advance()
	return true
}

func containerHint(name string) string {
	switch name {
	case "Dict":
		return "write Dict<Key, Value>"
	case "Struct":
		return "write Struct<name: Type, …>"
	case "Tuple", "Variant":
		return "write " + name + "<A, B, …>"
	case "Callable":
		return "write Callable<(A, B) -> Result>"
	}
	return "write " + name + "<Type>"
}

func (p *parser) typeMember() TypeMember {
	start := p.Start()
	name := p.memberName()
	p.tight()
	if !p.AcceptSymbol(":") {
		p.Expected("':' and a type")
	}
	t := p.typeName()
	return TypeMember{p.since(start), name, t}
}

func (p *parser) typeTag() *StringLit {
	t := p.Token()
	if t.Kind != tokens.String && t.Kind != tokens.Word {
		p.Expected("a name in quotes")
	}
	p.Advance()
	p.uses[t.Span.Start] = NameUse
	return &StringLit{Located: Located{t.Span}, Value: t.Value}
}

// atTypeTerm says whether a container with its brackets stands here: List<Int64>. A column called list is compared with blanks around the sign.
func (p *parser) atTypeTerm() bool {
	t, next := p.Token(), p.Ahead(1)
	if _, ok := container(t.Value); !ok || next.Span.Start != t.Span.End {
		return false
	}
	return next.IsSymbol("<") || next.IsSymbol("<>")
}

// atOptional says whether a question mark behind the expression makes an optional type of it.
func (p *parser) atOptional(e Expr) bool {
	if !p.AtSymbol("?") && !(p.AtSymbol("??") && (p.Ahead(1).IsSymbol(",") || p.Ahead(1).IsSymbol(")"))) {
		return false
	}
	_, ok := TypeOf(e)
	return ok
}

func (p *parser) optionalType(start int, e Expr) Expr {
	t, _ := TypeOf(e)
	p.uses[start] = TypeUse
	t = p.questioned(start, t)
	return &TypeExpr{t.Located, t}
}
