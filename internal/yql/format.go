package yql

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// Format writes a statement, query or expression as canonical YQL: keywords in upper case, a clause a line, no more parentheses than needed.
// What it writes parses to the same tree, places aside. Comments are not part of a tree and get lost.
func Format(n Node) string {
	f := formatter{}
	switch n := n.(type) {
	case Statement:
		f.statement(n)
	case Query:
		f.query(n)
	case Expr:
		f.expr(n)
	case TableRef:
		f.tableRef(n)
	case *TypeName:
		f.typeName(n)
	default:
		panic("tidemark bug: no format for this kind of node")
	}
	return f.String()
}

// formatter collects text; its methods are named for what they write.
type formatter struct {
	tokens.Printer
}

func (f *formatter) ident(id Ident) {
	if id.Quoted || !isPlainWord(id.Name) {
		f.Words("`", escape(id.Name, '`'), "`")
		return
	}
	f.WriteString(id.Name)
}

// named writes $name.
func (f *formatter) named(id Ident) {
	f.WriteByte('$')
	f.ident(id)
}

func isPlainWord(name string) bool {
	for _, r := range name {
		return tokens.IsLetter(r) && wordLength(name) == len(name)
	}
	return false
}

func (f *formatter) name(n Name) {
	if n.Source != nil {
		f.ident(*n.Source)
		f.WriteByte('.')
	}
	f.ident(n.Path)
}

func (f *formatter) idents(names []Ident) {
	f.WriteByte('(')
	tokens.Commas(&f.Printer, names, f.ident)
	f.WriteByte(')')
}

func (f *formatter) string(s StringLit) {
	if s.Raw && !strings.Contains(s.Value, "@") {
		f.Words("@@", s.Value, "@@", s.Suffix)
		return
	}
	f.Words(`"`, escape(s.Value, '"'), `"`, s.Suffix)
}

// escape makes a text fit between quotes.
func escape(value string, quote rune) string {
	var b strings.Builder
	for i := 0; i < len(value); {
		r, size := utf8.DecodeRuneInString(value[i:])
		switch {
		case r == quote || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && unicode.IsControl(r):
			const digits = "0123456789ABCDEF"
			b.WriteString(`\x`)
			b.WriteByte(digits[value[i]>>4])
			b.WriteByte(digits[value[i]&15])
		default:
			b.WriteString(value[i : i+size])
		}
		i += size
	}
	return b.String()
}

func (f *formatter) settings(keyword string, settings []Setting) {
	if len(settings) == 0 {
		return
	}
	f.WriteString(keyword)
	f.Block(" (", ")", func() { tokens.Lines(&f.Printer, settings, f.setting) })
}

func (f *formatter) setting(s Setting) {
	f.ident(s.Key)
	f.WriteString(" = ")
	if s.Nested == nil {
		f.expr(s.Value)
		return
	}
	f.WriteByte('(')
	tokens.Commas(&f.Printer, s.Nested, f.setting)
	f.WriteByte(')')
}

func (f *formatter) typeName(t *TypeName) {
	switch {
	case t.Name == "Optional" && len(t.Args) == 1 && t.Args[0].Name != "Optional":
		f.typeName(t.Args[0])
		f.WriteByte('?')
	case t.Name == "Callable":
		f.WriteString("Callable<(")
		tokens.Commas(&f.Printer, t.Args, f.typeName)
		f.WriteString(") -> ")
		f.typeName(t.Result)
		f.WriteByte('>')
	case t.Params != nil:
		f.WriteString(t.Name)
		f.WriteByte('(')
		tokens.Commas(&f.Printer, t.Params, f.int)
		f.WriteByte(')')
	default:
		f.WriteString(t.Name)
		f.typeArgs(t)
	}
}

func (f *formatter) typeArgs(t *TypeName) {
	if _, takes := container(t.Name); !takes {
		return
	}
	f.WriteByte('<')
	tokens.Commas(&f.Printer, t.Args, f.typeName)
	tokens.Commas(&f.Printer, t.Members, func(m TypeMember) {
		f.ident(m.Name)
		if m.Type != nil {
			f.WriteString(": ")
			f.typeName(m.Type)
		}
	})
	if t.Tag != nil {
		f.When(len(t.Args) > 0, ", ")
		f.string(*t.Tag)
	}
	f.WriteByte('>')
}
