package sql

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (f *formatter) match(m *MatchRecognize) {
	f.tableRef(m.Input)
	f.WriteString(" MATCH_RECOGNIZE ")
	f.Block("(", ")", func() {
		f.matchHead(m)
		if m.Skip != nil {
			f.Words("AFTER MATCH SKIP ", string(m.Skip.To))
			if m.Skip.Variable.Name != "" {
				f.WriteByte(' ')
				f.ident(m.Skip.Variable)
			}
			f.NewLine()
		}
		f.WriteString("PATTERN (")
		for i, t := range m.Pattern {
			f.When(i > 0, " ")
			f.ident(t.Variable)
			f.WriteString(t.quantifier())
		}
		f.WriteByte(')')
		if m.Within != nil {
			f.NewLine()
			f.WriteString("WITHIN ")
			f.expr(m.Within)
		}
		f.NewLine()
		f.WriteString("DEFINE ")
		tokens.Commas(&f.Printer, m.Define, func(d Definition) {
			f.ident(d.Variable)
			f.WriteString(" AS ")
			f.expr(d.Condition)
		})
	})
	f.alias(m.Alias)
}

// matchHead writes what stands in front of AFTER MATCH.
func (f *formatter) matchHead(m *MatchRecognize) {
	if m.PartitionBy != nil {
		f.WriteString("PARTITION BY ")
		tokens.Commas(&f.Printer, m.PartitionBy, f.expr)
		f.NewLine()
	}
	if m.OrderBy != nil {
		f.orderBy(m.OrderBy)
		f.NewLine()
	}
	if m.Measures != nil {
		f.WriteString("MEASURES ")
		tokens.Commas(&f.Printer, m.Measures, func(x Measure) {
			f.expr(x.Expr)
			f.WriteString(" AS ")
			f.ident(x.Name)
		})
		f.NewLine()
	}
	f.WriteString("ONE ROW PER MATCH")
	f.NewLine()
}

// quantifier is how often t may stand, in SQL.
func (t PatternTerm) quantifier() string {
	text := ""
	switch {
	case t.Min == 1 && t.Max == 1:
		return ""
	case t.Min == 0 && t.Max == -1:
		text = "*"
	case t.Min == 1 && t.Max == -1:
		text = "+"
	case t.Min == 0 && t.Max == 1:
		text = "?"
	case t.Min == t.Max:
		text = "{" + strconv.Itoa(t.Min) + "}"
	case t.Max == -1:
		text = "{" + strconv.Itoa(t.Min) + ",}"
	default:
		text = "{" + strconv.Itoa(t.Min) + "," + strconv.Itoa(t.Max) + "}"
	}
	if t.Reluctant {
		text += "?"
	}
	return text
}
