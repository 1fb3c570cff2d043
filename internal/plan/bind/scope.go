package bind

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// scope is the columns that an expression may name.
type scope struct {
	columns []plan.Column
	// tables has the name that qualifies each column, "" if none does.
	tables []string
	// group is set behind GROUP BY: expressions are over keys and aggregates.
	group *grouping
	// where says in what the expression stands, for errors: "WHERE".
	where string
}

func scopeOf(columns []plan.Column, table string) *scope {
	s := &scope{columns: columns, tables: make([]string, len(columns))}
	for i := range s.tables {
		s.tables[i] = table
	}
	return s
}

func (s *scope) in(where string) *scope {
	c := *s
	c.where = where
	return &c
}

func (s *scope) names() []string {
	names := make([]string, len(s.columns))
	for i, c := range s.columns {
		names[i] = c.Name
	}
	return names
}

func (s *scope) column(i int) *expr.Column {
	return expr.NewColumn(i, s.columns[i].Name, s.columns[i].Type)
}

// find resolves a column name.
func (b *Binder) find(n sql.Name, s *scope) (int, error) {
	last := n.Last()
	table := ""
	switch len(n.Parts) {
	case 1:
	case 2:
		table = n.Parts[0].Name
	default:
		return 0, b.unsupported(n.Span(), "write column or table.column", "a name of %d parts is", len(n.Parts))
	}
	found := -1
	for i, c := range s.columns {
		if c.Name != last.Name || table != "" && s.tables[i] != table {
			continue
		}
		if found >= 0 {
			return 0, b.errorf(codeAmbiguous, n.Span(), "rename one of them with AS", "column '%s' is there twice", last.Name)
		}
		found = i
	}
	if found >= 0 {
		return found, nil
	}
	if last.Name == "$rowtime" {
		return 0, b.unsupported(n.Span(), "files and generated rows have no record timestamp; declare WATERMARK FOR a column of the table", "`$rowtime` of this table is")
	}
	if table != "" {
		known := false
		for _, t := range s.tables {
			known = known || t == table
		}
		if !known {
			return 0, b.errorf(codeUnknownTable, n.Parts[0].Span(), didYouMean(table, s.tables, ""), "no table '%s' in FROM", table)
		}
	}
	hint := didYouMean(last.Name, s.names(), "")
	if hint == "" && len(s.columns) > 0 && len(s.columns) <= 12 {
		hint = fmt.Sprintf("the columns are: %s", join(s.names()))
	}
	return 0, b.errorf(codeUnknownColumn, n.Span(), hint, "unknown column '%s'", last.Name)
}

func join(names []string) string {
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return text
}
