package yql

import "strings"

// typeName reads a type with the question marks behind it.
func (p *parser) typeName() *TypeName {
	defer p.nested()()
	start := p.start()
	t := p.bareType()
	for n := 1; p.atSymbol("?") || p.atSymbol("??"); n++ {
		p.link(n)
		t = p.questioned(start, t)
	}
	return t
}

// questioned reads ? or ?? behind a type.
func (p *parser) questioned(start int, t *TypeName) *TypeName {
	p.tight()
	marks := len(p.advance().value)
	for range marks {
		t = &TypeName{Located: p.since(start), Name: "Optional", Args: []*TypeName{t}}
	}
	return t
}

func (p *parser) bareType() *TypeName {
	start := p.start()
	word := p.token()
	if word.kind != tokenWord || isReserved(word.upper) && word.upper != "SET" {
		if word.kind == tokenString {
			p.fail("syntax", word.span, "a type is not a string", "write it without quotes")
		}
		p.expected("a type")
	}
	p.advance()
	p.uses[start] = TypeUse
	t := &TypeName{Name: word.value}
	if name, ok := container(word.value); ok {
		t.Name = name
		p.typeArgs(t, word)
	} else if p.atSymbol("(") {
		p.typeParams(t, word)
	} else if p.atSymbol("<") {
		p.fail("syntax", p.token().span, "type "+shown(word.value)+" takes no others in angle brackets",
			"containers are Optional<T>, List<T>, Dict<K, V>, Tuple<A, B> and Struct<name: T>")
	}
	t.Located = p.since(start)
	return t
}

// typeParams reads the numbers of a Decimal; no other type has some.
func (p *parser) typeParams(t *TypeName, word token) {
	if !strings.EqualFold(word.value, "Decimal") {
		p.fail("syntax", p.token().span, "type "+shown(word.value)+" takes no numbers", foreignTypeHint(word.upper))
	}
	p.tight()
	t.Params = listInParens(p, func() int {
		n, ok := smallNumber(p.token())
		if p.token().kind != tokenInteger || !ok || n > maxDecimalParam {
			p.expected("a small number")
		}
		p.advance()
		return n
	})
	if len(t.Params) != 2 {
		p.fail("syntax", p.since(word.span.Start).At, "a Decimal takes its precision and its scale", "write Decimal(22, 9)")
	}
}

// typeArgs reads what stands in the angle brackets of a container.
func (p *parser) typeArgs(t *TypeName, word token) {
	p.tight()
	if p.acceptSymbol("<>") || p.acceptEmpty() {
		if t.Name != "Tuple" && t.Name != "Struct" {
			p.fail("syntax", p.since(word.span.Start).At, t.Name+" needs the type of what is in it", containerHint(t.Name))
		}
		return
	}
	if !p.atSymbol("<") {
		p.fail("syntax", p.token().span, t.Name+" needs the type of what is in it", containerHint(t.Name))
	}
	p.advance()
	switch t.Name {
	case "Callable":
		p.expectSymbol("(")
		t.Args = listTo(p, ")", p.typeName)
		p.expectSymbol("->")
		t.Result = p.typeName()
		p.expectSymbol(">")
	case "Struct":
		t.Members = listTo(p, ">", p.typeMember)
	case "Variant":
		if p.ahead(1).isSymbol(":") {
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
		p.expectSymbol(">")
	case "Tagged":
		t.Args = []*TypeName{p.typeName()}
		p.expectSymbol(",")
		t.Tag = p.typeTag()
		p.expectSymbol(">")
	default:
		t.Args = listTo(p, ">", p.typeName)
	}
	p.uses[p.tokens[p.pos-1].span.Start] = TightUse
	if want, ok := map[string]int{"Optional": 1, "List": 1, "Set": 1, "Stream": 1, "Flow": 1, "Dict": 2}[t.Name]; ok && len(t.Args) != want {
		p.fail("syntax", p.since(word.span.Start).At, t.Name+" takes "+map[int]string{1: "one type", 2: "two types"}[want], containerHint(t.Name))
	}
}

// acceptEmpty reads angle brackets with nothing but blanks in them.
func (p *parser) acceptEmpty() bool {
	if !p.atSymbol("<") || !p.ahead(1).isSymbol(">") {
		return false
	}
	p.advance()
	p.tight()
	p.advance()
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
	start := p.start()
	name := p.memberName()
	p.tight()
	if !p.acceptSymbol(":") {
		p.expected("':' and a type")
	}
	t := p.typeName()
	return TypeMember{p.since(start), name, t}
}

func (p *parser) typeTag() *StringLit {
	t := p.token()
	if t.kind != tokenString && t.kind != tokenWord {
		p.expected("a name in quotes")
	}
	p.advance()
	p.uses[t.span.Start] = NameUse
	return &StringLit{Located: Located{t.span}, Value: t.value}
}

// atTypeTerm says whether a container with its brackets stands here: List<Int64>. A column called list is compared with blanks around the sign.
func (p *parser) atTypeTerm() bool {
	t, next := p.token(), p.ahead(1)
	if _, ok := container(t.value); !ok || next.span.Start != t.span.End {
		return false
	}
	return next.isSymbol("<") || next.isSymbol("<>")
}

// atOptional says whether a question mark behind the expression makes an optional type of it.
func (p *parser) atOptional(e Expr) bool {
	if !p.atSymbol("?") && !(p.atSymbol("??") && (p.ahead(1).isSymbol(",") || p.ahead(1).isSymbol(")"))) {
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
