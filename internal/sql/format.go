package sql

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/secret"
)

// Format writes a statement, query or expression as canonical SQL: keywords in
// upper case, a clause a line, no more parentheses than needed. What it writes
// parses to the same tree, places aside. Comments are not part of a tree and get lost.
func Format(n Node) string { return format(n, false) }

// FormatQuoted is Format with every name of a user in backticks, as Flink shows what it has in its catalog, and without the values of options
// that are secrets.
func FormatQuoted(n Node) string { return format(n, true) }

func format(n Node, quoted bool) string {
	f := formatter{quoted: quoted}
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
	// quoted says that all names stand in backticks.
	quoted bool
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

// block writes body on lines of its own between parentheses.
func (f *formatter) block(body func()) {
	f.WriteByte('(')
	f.indent++
	f.newLine()
	body()
	f.indent--
	f.newLine()
	f.WriteByte(')')
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
	if id.Quoted || f.quoted || isReserved(id.Name) || !isPlainWord(id.Name) {
		f.words("`", strings.ReplaceAll(id.Name, "`", "``"), "`")
		return
	}
	f.WriteString(id.Name)
}

// plainIdent writes a name that is not the user's, such as that of a function, without backticks if it can.
func (f *formatter) plainIdent(id Ident) {
	quoted := f.quoted
	f.quoted = false
	f.ident(id)
	f.quoted = quoted
}

func isPlainWord(name string) bool {
	for _, r := range name {
		return isWordStart(r) && wordLength(name) == len(name)
	}
	return false
}

func (f *formatter) name(n Name) {
	for i, part := range n.Parts {
		f.when(i > 0, ".")
		f.ident(part)
	}
}

func (f *formatter) names(names []Ident) {
	f.WriteByte('(')
	commas(f, names, f.ident)
	f.WriteByte(')')
}

func (f *formatter) string(s StringLit) {
	f.words("'", strings.ReplaceAll(s.Value, "'", "''"), "'")
}

func (f *formatter) option(o Option) {
	f.string(o.Key)
	f.WriteString(" = ")
	if f.quoted {
		o.Value.Value = secret.Shown(o.Key.Value, o.Value.Value)
	}
	f.string(o.Value)
}

func (f *formatter) hints(hints []Hint) {
	if len(hints) == 0 {
		return
	}
	f.WriteString(" /*+ ")
	commas(f, hints, func(h Hint) {
		f.plainIdent(h.Name)
		if h.Options != nil || h.Names != nil {
			f.WriteByte('(')
			commas(f, h.Options, f.option)
			commas(f, h.Names, f.name)
			f.WriteByte(')')
		}
	})
	f.WriteString(" */")
}

func (f *formatter) typeName(t *TypeName) {
	switch {
	case t.Key != nil:
		f.words("MAP<")
		f.typeName(t.Key)
		f.WriteString(", ")
		f.typeName(t.Elem)
		f.WriteByte('>')
	case t.Elem != nil:
		f.words(t.Name, "<")
		f.typeName(t.Elem)
		f.WriteByte('>')
	case t.Fields != nil:
		f.words("ROW<")
		commas(f, t.Fields, func(field RowField) {
			f.ident(field.Name)
			f.WriteByte(' ')
			f.typeName(field.Type)
			if field.Comment != nil {
				f.WriteByte(' ')
				f.string(*field.Comment)
			}
		})
		f.WriteByte('>')
	case t.Interval != nil:
		f.words("INTERVAL ", formatQualifier(*t.Interval))
	default:
		f.WriteString(t.Name)
		if len(t.Args) > 0 {
			f.WriteByte('(')
			commas(f, t.Args, func(n int) { f.WriteString(strconv.Itoa(n)) })
			f.WriteByte(')')
		}
	}
	f.when(t.NotNull, " NOT NULL")
}

func formatQualifier(q IntervalQualifier) string {
	leading, fraction := "", ""
	if q.LeadingPrecision >= 0 {
		leading = strconv.Itoa(q.LeadingPrecision)
	}
	if q.FractionPrecision >= 0 {
		fraction = strconv.Itoa(q.FractionPrecision)
	}
	if q.To == NoUnit {
		if leading != "" && fraction != "" {
			leading += ", " + fraction
		}
		return q.From.String() + inBrackets(leading)
	}
	return q.From.String() + inBrackets(leading) + " TO " + q.To.String() + inBrackets(fraction)
}

func inBrackets(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}
