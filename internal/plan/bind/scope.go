package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// scope is the columns that an expression may name.
type scope struct {
	columns []plan.Column
	// tables has the name that qualifies each column, "" if none does.
	tables []string
	// merged are the columns that USING or NATURAL made one of: another column has their bare name, they are found by table.column.
	merged []int
	// group is set behind GROUP BY: expressions are over keys and aggregates.
	group *grouping
	// output is the columns of the result, which ORDER BY may name too; nil elsewhere.
	output *plan.Project
	// watermark is the column of CURRENT_WATERMARK, 0 if it is not called: it is never the first.
	watermark int
	// match is the rows of a match that the expression may name; nil elsewhere.
	match *matching
	// subqueries are the scalar subqueries whose values are columns.
	subqueries []lifted
	// overs are the columns of the calls with OVER.
	overs map[*sql.Call]*expr.Column
	// outside is the scope of the query outside, if its columns may be named.
	outside *scope
	// aliases are the names that SELECT gives, which only what stands behind the query can use.
	aliases []string
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

// behind is s for the clauses of a query that selects items.
func (s *scope) behind(items []sql.SelectItem) *scope {
	c := *s
	for i := range items {
		if items[i].Alias != nil {
			c.aliases = append(c.aliases, items[i].Alias.Name)
		}
	}
	return &c
}

// names lists the columns that can be named.
func (s *scope) names() []string {
	var names []string
	for i, c := range s.columns {
		if c.Name != "" && !c.Hidden && !slices.Contains(s.merged, i) {
			names = append(names, c.Name)
		}
	}
	return names
}

// noTable is the hint for a qualifier that no item of FROM has.
func (s *scope) noTable(name string) string {
	var names []string
	for _, t := range s.tables {
		if t != "" && !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	otherwise := "FROM has no name here; give it one with AS"
	if len(names) > 0 {
		otherwise = "it is called '" + join(names) + "' here"
	}
	return didYouMean(name, names, otherwise)
}

// belongs reports whether column i is one of a table, or one that a bare name may mean if table is empty.
func (s *scope) belongs(i int, table string) bool {
	if table == "" {
		return !slices.Contains(s.merged, i)
	}
	return s.tables[i] == table
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
		if c.Name != last.Name || !s.belongs(i, table) {
			continue
		}
		if found >= 0 {
			return 0, b.errorf(source.CodeAmbiguous, n.Span(), "rename one of them with AS", "column '%s' is there twice", last.Name)
		}
		found = i
	}
	if found >= 0 {
		return found, nil
	}
	if last.Name == "$rowtime" {
		return 0, b.unsupported(n.Span(), "a query or a view has it if its SELECT names it; for a table declare WATERMARK FOR a column, and a topic gives its records' time to a column ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'", "`$rowtime` of this table is")
	}
	if table != "" {
		if !slices.Contains(s.tables, table) {
			return 0, b.errorf(source.CodeUnknownTable, n.Parts[0].Span(), s.noTable(table), "no table '%s' in FROM", table)
		}
	}
	return 0, b.errorf(source.CodeUnknownColumn, n.Span(), s.noColumn(last.Name), "unknown column '%s'", last.Name)
}

// noColumn is the hint for a column that is not there.
func (s *scope) noColumn(name string) string {
	names := s.names()
	switch {
	case slices.Contains(s.aliases, name):
		return "'" + name + "' is a name that SELECT gives, and WHERE, GROUP BY and HAVING do not know it; repeat what it stands for, or query a query in FROM"
	case len(names) == 0:
		return "add FROM and a table that has it"
	case name == "window_start", name == "window_end", name == "window_time":
		if near := source.Nearest(name, names); near != "" {
			break
		}
		return "a window table function adds it: FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
	case len(names) > maxListed:
		return didYouMean(name, names, "the first columns are: "+join(names[:maxListed]))
	}
	return didYouMean(name, names, "the columns are: "+join(names))
}

// maxListed bounds the columns that a hint lists.
const maxListed = 12

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
