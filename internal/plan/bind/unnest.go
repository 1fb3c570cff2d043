package bind

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// unnestJoin binds left CROSS JOIN UNNEST(…), INNER JOIN UNNEST(…) ON condition and LEFT JOIN UNNEST(…) ON TRUE.
func (b *Binder) unnestJoin(r *sql.Join, u *sql.Unnest) (plan.Node, *scope, error) {
	if r.Kind != sql.CrossJoin && r.Kind != sql.InnerJoin && r.Kind != sql.LeftJoin || r.Natural || r.Using != nil {
		return nil, nil, b.unsupported(r.Span(), "write CROSS JOIN UNNEST(…), or LEFT JOIN UNNEST(…) ON TRUE", "this join with UNNEST is")
	}
	input, left, err := b.tableRef(r.Left)
	if err != nil {
		return nil, nil, err
	}
	n, s, err := b.unnest(input, left, u, r.Kind == sql.LeftJoin)
	if err != nil || r.On == nil {
		return n, s, err
	}
	on, err := b.condition(r.On, s.in("ON"))
	if err != nil {
		return nil, nil, err
	}
	if l, ok := on.(*expr.Literal); ok && !l.IsNull() && l.Value().Bool(0) {
		return n, s, nil
	}
	if r.Kind == sql.LeftJoin {
		return nil, nil, b.unsupported(r.On.Span(), "write LEFT JOIN UNNEST(…) ON TRUE, and put the condition into WHERE", "a condition on a LEFT JOIN with UNNEST is")
	}
	return &plan.Filter{Input: n, Condition: on}, s, nil
}

// unnest binds UNNEST over what stands before it in FROM.
func (b *Binder) unnest(input plan.Node, left *scope, u *sql.Unnest, outer bool) (plan.Node, *scope, error) {
	collection, err := b.expr(u.Collection, left.in("UNNEST"))
	if err != nil {
		return nil, nil, err
	}
	elements, ok := plan.ElementsOf(collection.Type(), outer)
	if !ok {
		return nil, nil, b.errorf(source.CodeType, u.Collection.Span(), "UNNEST takes an ARRAY, a MAP or a MULTISET", "UNNEST cannot take a value of type %s", collection.Type().Nullable())
	}
	if u.Ordinality {
		elements = append(elements, types.Field{Name: "ORDINALITY", Type: types.Type{Kind: types.Int, NotNull: !outer}})
	}
	table, names := "", elements.Names()
	if a := u.Alias; a != nil {
		table = a.Name.Name
		switch {
		case len(a.Columns) > 0:
			if len(a.Columns) != len(elements) {
				return nil, nil, b.errorf(source.CodeType, a.Columns[0].Span().To(a.Columns[len(a.Columns)-1].Span()), "name all columns or none",
					"%s for %s", counted(len(a.Columns), "name"), counted(len(elements), "column"))
			}
			for i, c := range a.Columns {
				names[i] = c.Name
			}
		case len(elements) == 1 && collection.Type().Elem().Kind != types.Row:
			names[0] = table // Flink 2.3: a lone element is called as the alias is
		}
	}
	n := &plan.Unnest{Input: input, Collection: collection, Outer: outer, Ordinality: u.Ordinality, Cols: slices.Clone(input.Columns())}
	s := &scope{tables: slices.Clone(left.tables), merged: left.merged}
	for i, e := range elements {
		n.Cols = append(n.Cols, plan.Column{Name: names[i], Type: e.Type})
		s.tables = append(s.tables, table)
	}
	s.columns = n.Cols
	return n, s, nil
}
