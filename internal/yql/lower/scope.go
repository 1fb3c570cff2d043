package lower

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// scope is what an expression may name.
type scope struct {
	// rows have the columns; one without columns is that of constants.
	rows *relation
	// names are the named expressions, and the parameters of the lambdas around.
	names *name
	// group is set behind GROUP BY: expressions are over keys and aggregates.
	group *grouping
	// aliases are the names that SELECT gives, which only what stands behind the query can use.
	aliases []string
	// where says in what the expression stands, for errors: "WHERE".
	where string
}

func (s *scope) in(where string) *scope {
	c := *s
	c.where = where
	return &c
}

// with is s inside a lambda, or behind one more name.
func (s *scope) with(n *name) *scope {
	c := *s
	c.names = n
	return &c
}

// constants is the scope of what has no row.
func (l *Lowerer) constants(where string) *scope {
	return &scope{rows: &relation{node: &plan.Values{}}, names: l.names, where: where}
}

// find resolves the name of a column, with the table that qualifies it or nil.
func (l *Lowerer) find(table, of *yql.Ident, s *scope) (int, error) {
	found := -1
	for i, c := range s.rows.columns {
		if c.kind == carriedColumn || c.name != of.Name || table != nil && c.table != table.Name {
			continue
		}
		if found >= 0 {
			return 0, l.errorf(source.CodeAmbiguous, of.Span(), "write t."+of.Name+", where t is one of: "+strings.Join(s.rows.tables(), ", "), "column '%s' is there twice", of.Name)
		}
		found = i
	}
	if found >= 0 {
		return found, nil
	}
	if table != nil && !slices.Contains(s.rows.tables(), table.Name) {
		return 0, l.errorf(source.CodeUnknownTable, table.Span(), l.noTable(table.Name, s.rows), "no table '%s' in FROM", table.Name)
	}
	return 0, l.noColumn(table, of, s)
}

// noColumn is the error for a column that is not there, or not in the table that qualifies it.
func (l *Lowerer) noColumn(table, of *yql.Ident, s *scope) error {
	if strings.HasPrefix(of.Name, systemPrefix) {
		return l.noSystemColumn(of, s)
	}
	names := s.rows.names()
	hint := didYouMean(of.Name, names, "the columns are: "+strings.Join(names[:min(len(names), maxListed)], ", "))
	if table != nil {
		for _, c := range s.rows.columns {
			if c.kind == plainColumn && c.name == of.Name && c.table != "" {
				return l.errorf(source.CodeUnknownColumn, of.Span(), "it is a column of '"+c.table+"': write "+c.table+"."+of.Name, "'%s' has no column '%s'", table.Name, of.Name)
			}
		}
	}
	switch {
	case len(names) == 0 && s.where != "SELECT" && s.where != "WHERE":
		return l.errorf(source.CodeUnknownColumn, of.Span(), "write a string in quotes, or a lambda with a parameter: ($row) -> ($row."+of.Name+")", "%s has no row, and so no column '%s'", s.where, of.Name)
	case len(names) == 0:
		hint = "add FROM and a topic that has it"
	case slices.Contains(s.aliases, of.Name):
		hint = "'" + of.Name + "' is a name that SELECT gives, which " + s.where + " does not know yet; repeat what it stands for, or make a named query of it"
	default:
		for _, n := range names {
			if strings.EqualFold(n, of.Name) {
				hint = "names of columns mind case: write '" + n + "'"
			}
		}
	}
	return l.errorf(source.CodeUnknownColumn, of.Span(), hint, "unknown column '%s'", of.Name)
}

// maxListed bounds the columns that a hint lists.
const maxListed = 12

// noSystemColumn says why a system column is not there.
func (l *Lowerer) noSystemColumn(of *yql.Ident, s *scope) error {
	var names []string
	for _, k := range knowledge {
		names = append(names, k.name)
	}
	if !slices.Contains(names, of.Name) {
		return l.errorf(source.CodeUnknownColumn, of.Span(), didYouMean(of.Name, names, "the system columns are: "+strings.Join(names, ", ")), "unknown system column '%s'", of.Name)
	}
	for _, t := range l.topics {
		if slices.ContainsFunc(s.rows.columns, func(c column) bool { return c.table == t.Name }) {
			return l.errorf(source.CodeUnknownColumn, of.Span(), "the connector of '"+t.Name+"' does not tell it", "'%s' has no %s", t.Name, of.Name)
		}
	}
	return l.errorf(source.CodeUnknownColumn, of.Span(), "name it there: SELECT t.*, "+of.Name+" AS at FROM topic WITH (…) AS t, and use at here", "%s is known only in the SELECT that reads the topic", of.Name)
}

// columnRef is a column in an expression.
func (l *Lowerer) columnRef(table, of *yql.Ident, s *scope) (functions.Value, error) {
	i, err := l.find(table, of, s)
	if err != nil {
		return functions.Value{}, err
	}
	return s.rows.value(i), nil
}
