package sql

import (
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/secret"
	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
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
	tokens.Printer
	// quoted says that all names stand in backticks.
	quoted bool
}

func (f *formatter) ident(id Ident) {
	if id.Quoted || f.quoted || isReserved(id.Name) || !isPlainWord(id.Name) {
		f.Words("`", strings.ReplaceAll(id.Name, "`", "``"), "`")
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
		f.When(i > 0, ".")
		f.ident(part)
	}
}

func (f *formatter) names(names []Ident) {
	f.WriteByte('(')
	tokens.Commas(&f.Printer, names, f.ident)
	f.WriteByte(')')
}

func (f *formatter) string(s StringLit) {
	f.Words("'", strings.ReplaceAll(s.Value, "'", "''"), "'")
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
	tokens.Commas(&f.Printer, hints, func(h Hint) {
		f.plainIdent(h.Name)
		if h.Options != nil || h.Names != nil {
			f.WriteByte('(')
			tokens.Commas(&f.Printer, h.Options, f.option)
			tokens.Commas(&f.Printer, h.Names, f.name)
			f.WriteByte(')')
		}
	})
	f.WriteString(" */")
}

func (f *formatter) typeName(t *TypeName) {
	switch {
	case t.Key != nil:
		f.Words("MAP<")
		f.typeName(t.Key)
		f.WriteString(", ")
		f.typeName(t.Elem)
		f.WriteByte('>')
	case t.Elem != nil:
		f.Words(t.Name, "<")
		f.typeName(t.Elem)
		f.WriteByte('>')
	case t.Fields != nil:
		f.Words("ROW<")
		tokens.Commas(&f.Printer, t.Fields, func(field RowField) {
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
		f.Words("INTERVAL ", formatQualifier(*t.Interval))
	default:
		f.WriteString(t.Name)
		if len(t.Args) > 0 {
			f.WriteByte('(')
			tokens.Commas(&f.Printer, t.Args, func(n int) { f.WriteString(strconv.Itoa(n)) })
			f.WriteByte(')')
		}
	}
	f.When(t.NotNull, " NOT NULL")
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
