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
	strings.Builder
	indent int
}

func (f *formatter) words(parts ...string) {
	for _, part := range parts {
		f.WriteString(part)
	}
}

// when writes text if a condition holds.
func (f *formatter) when(condition bool, text string) {
	if condition {
		f.WriteString(text)
	}
}

func (f *formatter) newLine() {
	f.words("\n", strings.Repeat("  ", f.indent))
}

// block writes body on lines of its own between two signs.
func (f *formatter) block(opening, closing string, body func()) {
	f.WriteString(opening)
	f.indent++
	f.newLine()
	body()
	f.indent--
	f.newLine()
	f.WriteString(closing)
}

// commas writes items with a separator between them.
func commas[T any](f *formatter, items []T, write func(T)) {
	for i, item := range items {
		f.when(i > 0, ", ")
		write(item)
	}
}

// lines writes items one a line with commas between them.
func lines[T any](f *formatter, items []T, write func(T)) {
	for i, item := range items {
		if i > 0 {
			f.WriteByte(',')
			f.newLine()
		}
		write(item)
	}
}

func (f *formatter) ident(id Ident) {
	if id.Quoted || !isPlainWord(id.Name) {
		f.words("`", escape(id.Name, '`'), "`")
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
	commas(f, names, f.ident)
	f.WriteByte(')')
}

func (f *formatter) string(s StringLit) {
	if s.Raw && !strings.Contains(s.Value, "@") {
		f.words("@@", s.Value, "@@", s.Suffix)
		return
	}
	f.words(`"`, escape(s.Value, '"'), `"`, s.Suffix)
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
	f.block(" (", ")", func() { lines(f, settings, f.setting) })
}

func (f *formatter) setting(s Setting) {
	f.ident(s.Key)
	f.WriteString(" = ")
	if s.Nested == nil {
		f.expr(s.Value)
		return
	}
	f.WriteByte('(')
	commas(f, s.Nested, f.setting)
	f.WriteByte(')')
}

func (f *formatter) typeName(t *TypeName) {
	switch {
	case t.Name == "Optional" && len(t.Args) == 1 && t.Args[0].Name != "Optional":
		f.typeName(t.Args[0])
		f.WriteByte('?')
	case t.Name == "Callable":
		f.WriteString("Callable<(")
		commas(f, t.Args, f.typeName)
		f.WriteString(") -> ")
		f.typeName(t.Result)
		f.WriteByte('>')
	case t.Params != nil:
		f.WriteString(t.Name)
		f.WriteByte('(')
		commas(f, t.Params, f.int)
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
	commas(f, t.Args, f.typeName)
	commas(f, t.Members, func(m TypeMember) {
		f.ident(m.Name)
		if m.Type != nil {
			f.WriteString(": ")
			f.typeName(m.Type)
		}
	})
	if t.Tag != nil {
		f.when(len(t.Args) > 0, ", ")
		f.string(*t.Tag)
	}
	f.WriteByte('>')
}
