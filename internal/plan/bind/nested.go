package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// reference binds a name: a column, and the fields taken from it.
func (b *Binder) reference(e *sql.ColumnRef, s *scope) (expr.Expr, error) {
	column, fields := s.split(e.Name)
	if len(fields) > 0 {
		bound, err := b.expr(&sql.ColumnRef{Name: column}, s)
		for _, f := range fields {
			if err != nil {
				break
			}
			bound, err = b.field(bound, f)
		}
		return bound, err
	}
	if s.group != nil {
		return nil, s.group.refuse(b, e)
	}
	if s.outside != nil && !s.has(e.Name) {
		i, err := b.find(e.Name, s.outside)
		if err != nil {
			return nil, err
		}
		c := s.outside.columns[i]
		return expr.NewColumn(outerColumns+i, c.Name, c.Type), nil
	}
	i, err := b.find(e.Name, s)
	if err != nil {
		return nil, err
	}
	return s.column(i), nil
}

// split parts a name into that of a column and fields: table.column.field comes before column.field.field. A name that has no column stays whole.
func (s *scope) split(n sql.Name) (column sql.Name, fields []sql.Ident) {
	if s.group != nil {
		return s.group.input.split(n)
	}
	named := func(table, name string) bool {
		for i, c := range s.columns {
			if c.Name == name && s.belongs(i, table) {
				return true
			}
		}
		return false
	}
	at := len(n.Parts)
	switch {
	case at == 1:
	case named(n.Parts[0].Name, n.Parts[1].Name):
		at = 2
	case named("", n.Parts[0].Name):
		at = 1
	}
	return sql.Name{Parts: n.Parts[:at]}, n.Parts[at:]
}

// field takes a field of a row by its name.
func (b *Binder) field(row expr.Expr, name sql.Ident) (expr.Expr, error) {
	t := row.Type()
	if t.Kind != types.Row {
		return nil, b.errorf(source.CodeType, name.Span(), "only a ROW has fields", "no field '%s' in a value of type %s", name.Name, t.Nullable())
	}
	i := t.Fields().Index(name.Name)
	if i < 0 {
		names := t.Fields().Names()
		return nil, b.errorf(source.CodeUnknownColumn, name.Span(), didYouMean(name.Name, names, "the fields are: "+join(names)), "unknown field '%s'", name.Name)
	}
	return expr.NewField(row, i), nil
}

// rowStar adds all fields of a row column to a select list: r.*. It reports false if the qualifier names no such column.
func (b *Binder) rowStar(star *sql.Star, p *plan.Project, s *scope) (bool, error) {
	column, fields := s.split(*star.Qualifier)
	if len(fields) == 0 && !slices.ContainsFunc(s.columns, func(c plan.Column) bool { return c.Name == column.Last().Name }) {
		return false, nil
	}
	row, err := b.reference(&sql.ColumnRef{Name: *star.Qualifier}, s)
	if err != nil {
		return true, err
	}
	if row.Type().Kind != types.Row {
		return true, b.errorf(source.CodeType, star.Span(), "only a table or a ROW has columns to list", "* cannot list a value of type %s", row.Type().Nullable())
	}
	for i, f := range row.Type().Fields() {
		e := expr.NewField(row, i)
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, plan.Column{Name: f.Name, Type: e.Type()})
	}
	return true, nil
}
