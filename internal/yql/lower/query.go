package lower

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// query lowers a query.
func (l *Lowerer) query(q yql.Query) (*relation, error) {
	if err := l.tables.Ended(); err != nil {
		return nil, err
	}
	if l.queries++; l.queries > maxQueries {
		return nil, l.errorf(source.CodeTooLarge, q.Span(), "split it", "the text has more than %d queries", maxQueries)
	}
	switch q := q.(type) {
	case *yql.Select:
		return l.selected(q)
	case *yql.SetOperation:
		return l.setOperation(q)
	case *yql.Ordered:
		return l.ordered(q)
	case *yql.Values:
		return l.values(q)
	case *yql.Process:
		verb := "PROCESS"
		if q.Reduce {
			verb = "REDUCE"
		}
		return nil, l.unsupported(q.Span(), "write SELECT, with a lambda over the columns if need be", "%s is", verb)
	}
	panic(fmt.Sprintf("tidemark bug: query %T is not known", q))
}

// selected lowers a SELECT in the order in which YQL evaluates it: FROM, WHERE, GROUP BY, HAVING, projection.
func (l *Lowerer) selected(q *yql.Select) (*relation, error) {
	input := &relation{node: &plan.Values{Rows: make([][]*expr.Literal, 1)}}
	if q.From != nil {
		var err error
		if input, err = l.from(q.From); err != nil {
			return nil, err
		}
	}
	if len(q.Windows) > 0 {
		return nil, l.unsupported(q.Windows[0].Span(), "aggregate by HoppingWindow", "WINDOW in a query is")
	}
	s := &scope{rows: input, names: l.names, where: "SELECT", aliases: aliases(q.Items)}
	if q.Where != nil {
		condition, err := l.condition(q.Where, s.in("WHERE"))
		if err != nil {
			return nil, err
		}
		input = input.filtered(condition)
		s.rows = input
	}
	if q.GroupBy != nil || q.Having != nil || l.aggregates(q.Items) {
		return l.grouped(q, s)
	}
	out, err := l.projected(q, s)
	if err != nil || !q.Distinct {
		return out, err
	}
	if out.stream {
		return nil, l.unsupported(source.Span{Start: q.Span().Start, End: q.Items[0].Span().Start}, "GROUP BY the columns and HoppingWindow", "SELECT DISTINCT is")
	}
	g := &plan.GroupAggregate{Input: out.visible()}
	for i, c := range g.Input.Columns() {
		g.Keys = append(g.Keys, i)
		c.Rowtime = false
		g.Cols = append(g.Cols, c)
	}
	distinct := &relation{node: &plan.AtEnd{Input: g}}
	for _, i := range out.plain("") {
		distinct.columns = append(distinct.columns, out.columns[i])
	}
	return distinct, nil
}

// filtered is r with the rows for which a condition is TRUE.
func (r *relation) filtered(condition expr.Expr) *relation {
	out := *r
	out.node = &plan.Filter{Input: r.node, Condition: condition}
	return &out
}

// condition lowers an expression that must be a Bool.
func (l *Lowerer) condition(e yql.Expr, s *scope) (expr.Expr, error) {
	v, err := l.value(e, s)
	if err != nil {
		return nil, err
	}
	if v.Static != nil || v.Type.Kind != yqltype.Bool && v.Type.Kind != yqltype.Null {
		return nil, l.errorf(source.CodeType, e.Span(), "compare it with something", "%s needs a Bool, and this is %s", s.where, describe(v))
	}
	if v.Type.Kind == yqltype.Null {
		return expr.Null(types.BooleanType), nil
	}
	return v.Expr, nil
}

// projected lowers a select list over the rows of s.
func (l *Lowerer) projected(q *yql.Select, s *scope) (*relation, error) {
	p := project(s.rows)
	for i := range q.Items {
		item := &q.Items[i]
		if star, ok := item.Expr.(*yql.Star); ok {
			if err := l.star(star, q, p, s); err != nil {
				return nil, err
			}
			continue
		}
		v, err := l.column(item.Expr, s)
		if err != nil {
			return nil, err
		}
		if err := l.addItem(p, item, i, v); err != nil {
			return nil, err
		}
	}
	return p.done(), nil
}

// addItem adds a column of a select list under its name.
func (l *Lowerer) addItem(p *projection, item *yql.NamedExpr, position int, v functions.Value) error {
	name, at := itemName(item, position)
	if slices.ContainsFunc(p.out.columns, func(c column) bool { return c.name == name }) {
		return l.errorf(source.CodeDuplicate, at, "rename one of them with AS", "column '%s' is there twice", name)
	}
	p.add(name, "", v, plainColumn)
	return nil
}

// itemName is the alias, the name of a column or a member, or YQL's for others: column and the position.
func itemName(item *yql.NamedExpr, position int) (string, source.Span) {
	if item.Alias != nil {
		return item.Alias.Name, item.Alias.Span()
	}
	switch e := item.Expr.(type) {
	case *yql.ColumnRef:
		return e.Name.Name, e.Span()
	case *yql.Member:
		return e.Name.Name, e.Span()
	}
	return fmt.Sprintf("column%d", position), item.Expr.Span()
}

// column lowers an expression whose value is that of a column.
func (l *Lowerer) column(e yql.Expr, s *scope) (functions.Value, error) {
	v, err := l.value(e, s)
	if err != nil {
		return v, err
	}
	return l.storable(v, e.Span())
}

// storable wants a value that a row can have.
func (l *Lowerer) storable(v functions.Value, at source.Span) (functions.Value, error) {
	switch {
	case v.Static != nil:
		return v, l.errorf(source.CodeType, at, "call it, or leave it out", "a column cannot be %s", describe(v))
	case v.Type.Kind == yqltype.Null:
		return v, l.errorf(source.CodeType, at, "give NULL a type: CAST(NULL AS String)", "the column has no type")
	case v.Type.Kind == yqltype.EmptyList, v.Type.Kind == yqltype.EmptyDict:
		return v, l.errorf(source.CodeType, at, "give it a type: ListCreate(String), CAST([] AS List<String>)", "the column is an %s, whose elements have no type", v.Type)
	}
	return v, nil
}

// star adds the columns that a star stands for.
func (l *Lowerer) star(star *yql.Star, q *yql.Select, p *projection, s *scope) error {
	table := ""
	if star.Qualifier != nil {
		table = star.Qualifier.Name
		if !slices.Contains(s.rows.tables(), table) {
			return l.errorf(source.CodeUnknownTable, star.Qualifier.Span(), l.noTable(table, s.rows), "no table '%s' in FROM", table)
		}
	}
	if len(s.rows.columns) == 0 {
		return l.errorf(source.CodeUnknownTable, star.Span(), "add FROM and a topic", "* needs a table")
	}
	left, err := l.without(q, s)
	if err != nil {
		return err
	}
	for _, i := range s.rows.plain(table) {
		c := s.rows.columns[i]
		if slices.Contains(left, i) {
			continue
		}
		if slices.ContainsFunc(p.out.columns, func(before column) bool { return before.name == c.name }) {
			return l.errorf(source.CodeDuplicate, star.Span(), "leave it out: * WITHOUT ("+c.name+"), or name the columns", "column '%s' is there twice", c.name)
		}
		p.add(c.name, "", s.rows.value(i), plainColumn)
	}
	return nil
}

// without are the columns that WITHOUT names.
func (l *Lowerer) without(q *yql.Select, s *scope) ([]int, error) {
	var all []int
	for _, e := range q.Without {
		table, of, ok := qualified(e)
		if !ok {
			return nil, l.errorf(source.CodeUnknownColumn, e.Span(), "name a column", "WITHOUT takes columns")
		}
		i, err := l.find(table, of, s)
		if err != nil {
			if q.WithoutIfExists {
				continue
			}
			return nil, err
		}
		all = append(all, i)
	}
	return all, nil
}

// qualified takes a or t.a apart.
func qualified(e yql.Expr) (table *yql.Ident, of *yql.Ident, ok bool) {
	switch e := e.(type) {
	case *yql.ColumnRef:
		return nil, &e.Name, true
	case *yql.Member:
		if base, ok := e.Base.(*yql.ColumnRef); ok {
			return &base.Name, &e.Name, true
		}
	}
	return nil, nil, false
}

func aliases(items []yql.NamedExpr) []string {
	var all []string
	for _, i := range items {
		if i.Alias != nil {
			all = append(all, i.Alias.Name)
		}
	}
	return all
}

// values lowers VALUES, whose columns YQL calls column0 and so on.
func (l *Lowerer) values(q *yql.Values) (*relation, error) {
	var union *relation
	for _, row := range q.Rows {
		p := project(&relation{node: &plan.Values{Rows: make([][]*expr.Literal, 1)}})
		for i, e := range row.Exprs {
			v, err := l.column(e, l.constants("VALUES"))
			if err != nil {
				return nil, err
			}
			p.add(fmt.Sprintf("column%d", i), "", v, plainColumn)
		}
		r := p.done()
		if union == nil {
			union = r
			continue
		}
		if len(r.columns) != len(union.columns) {
			return nil, l.errorf(source.CodeType, row.Span(), "give every row as many values", "this row of VALUES has %s, and the first has %d", counted(len(r.columns), "value"), len(union.columns))
		}
		var err error
		if union, err = l.union(union, r, row.Span()); err != nil {
			return nil, err
		}
	}
	return union, nil
}
