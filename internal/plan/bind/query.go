package bind

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// query binds a query.
func (b *Binder) query(q sql.Query) (plan.Node, error) {
	if err := b.Ended(); err != nil {
		return nil, err
	}
	if *b.queries++; *b.queries > maxQueries {
		return nil, b.tooLarge(q.Span())
	}
	outside := b.block
	b.block = nil
	defer func() { b.block = outside }()
	switch q := q.(type) {
	case *sql.Select:
		return b.selectOf(q, nil)
	case *sql.Values:
		return b.values(q)
	case *sql.TableQuery:
		n, _, err := b.tableName(&sql.TableName{Located: q.Located, Name: q.Table})
		return n, err
	case *sql.SetOperation:
		return b.setOperation(q)
	case *sql.With:
		return b.with(q)
	case *sql.Ordered:
		return b.ordered(q)
	}
	panic(fmt.Sprintf("tidemark bug: query %T is not known", q))
}

func (b *Binder) with(q *sql.With) (plan.Node, error) {
	before := len(b.ctes)
	defined := map[string]bool{}
	for i := range q.Tables {
		name := q.Tables[i].Name
		if defined[name.Name] {
			return nil, b.errorf(source.CodeDuplicate, name.Span(), "give it another name", "WITH defines '%s' twice", name.Name)
		}
		defined[name.Name] = true
		b.ctes = append(b.ctes, commonTable{&q.Tables[i], len(b.ctes), new(bool)})
	}
	n, err := b.query(q.Body)
	// What nobody reads must be right too. From the last to the first, for what is bound here may read what stands before it.
	for i := len(b.ctes) - 1; i >= before && err == nil; i-- {
		if c := b.ctes[i]; !*c.read {
			_, err = b.commonTable(c)
		}
	}
	b.ctes = b.ctes[:before]
	return n, err
}

// selectOf binds q, and o over its select list if o is not nil.
func (b *Binder) selectOf(q *sql.Select, o *order) (plan.Node, error) {
	leave, err := b.enter(q)
	if err != nil {
		return nil, err
	}
	defer leave()
	input, s, err := b.from(q)
	if err != nil {
		return nil, err
	}
	if input, s, err = b.withWatermark(q, input, s); err != nil {
		return nil, err
	}
	s = s.behind(q.Items)
	if q.Where != nil {
		if input, s, err = b.where(conjuncts(q.Where), input, s); err != nil {
			return nil, err
		}
	}
	n, err := b.selected(q, input, s, o)
	if err != nil || !q.Distinct {
		return n, err
	}
	if o != nil {
		if err := b.distinctOrder(o); err != nil {
			return nil, err
		}
	}
	return b.distinct(n, b.before(q.Span(), q.Items[0].Span()))
}

// selected binds the select list of q, with GROUP BY and HAVING.
func (b *Binder) selected(q *sql.Select, input plan.Node, s *scope, o *order) (plan.Node, error) {
	if len(q.GroupBy) > 0 || q.Having != nil || b.aggregates(q.Items) {
		return b.grouped(q, input, s, o)
	}
	items := make([]sql.Expr, len(q.Items))
	for i, item := range q.Items {
		items[i] = item.Expr
	}
	input, s, err := b.lift(items, input, s)
	if err != nil {
		return nil, err
	}
	if input, s, err = b.over(q, listed(q), input, s); err != nil {
		return nil, err
	}
	p, err := b.project(q.Items, input, s.in("SELECT"))
	if err == nil && o != nil {
		err = b.order(o, p, s)
	}
	if err != nil || q.Qualify == nil {
		return p, err
	}
	return b.qualified(q, p, p, s, func(e expr.Expr) expr.Expr { return e })
}

// project binds a select list over input.
func (b *Binder) project(items []sql.SelectItem, input plan.Node, s *scope) (*plan.Project, error) {
	p := &plan.Project{Input: input}
	for i := range items {
		item := &items[i]
		if star, ok := item.Expr.(*sql.Star); ok {
			if err := b.star(star, p, s); err != nil {
				return nil, err
			}
			continue
		}
		e, err := b.expr(item.Expr, s)
		if err != nil {
			return nil, err
		}
		p.Exprs = append(p.Exprs, e)
		p.Cols = append(p.Cols, itemColumn(item, e, input.Columns(), itemName(item, e, len(p.Cols))))
	}
	return p, nil
}

// itemName is the alias, or the column's own name. Flink: other expressions are called EXPR$ and their position.
func itemName(item *sql.SelectItem, e expr.Expr, position int) string {
	if item.Alias != nil {
		return item.Alias.Name
	}
	switch of := item.Expr.(type) {
	case *sql.ColumnRef:
		return of.Last().Name
	case *sql.Call:
		if _, column := e.(*expr.Column); column && of.Bare {
			return of.Function.Last().Name
		}
	}
	return fmt.Sprintf("EXPR$%d", position)
}

// itemColumn describes the column of an item of SELECT. Only a column that is named stays a time attribute or an edge: Flink 2.3 makes an ordinary
// timestamp of one that goes through CAST or a function, even if that leaves the value as it is.
func itemColumn(item *sql.SelectItem, e expr.Expr, input []plan.Column, name string) plan.Column {
	if !namesColumn(item.Expr) {
		input = nil
	}
	return resultColumn(e, input, name)
}

// namesColumn reports whether e is the name of a column and nothing else, or TUMBLE_ROWTIME and the like, which Flink 2.3 makes a time attribute.
func namesColumn(e sql.Expr) bool {
	switch e := e.(type) {
	case *sql.ColumnRef:
		return true
	case *sql.Call:
		return e.Bare || windowProperties[callName(e)].edge == plan.TimeEdge
	}
	return false
}

// resultColumn describes a computed column: a column of input that is passed on stays a time attribute or a window's edge.
func resultColumn(e expr.Expr, input []plan.Column, name string) plan.Column {
	col := plan.Column{Name: name, Type: e.Type()}
	if c, ok := e.(*expr.Column); ok && c.Index < len(input) {
		from := input[c.Index]
		col.Rowtime, col.Edge, col.Window = from.Rowtime, from.Edge, from.Window
	}
	return col
}

func (b *Binder) star(star *sql.Star, p *plan.Project, s *scope) error {
	if s.group != nil {
		return b.errorf(source.CodeGrouping, star.Span(), "name the keys and aggregates", "* cannot stand in SELECT of a query with GROUP BY")
	}
	table := ""
	if star.Qualifier != nil {
		table = star.Qualifier.Last().Name
		if !slices.Contains(s.tables, table) || len(star.Qualifier.Parts) > 1 {
			if done, err := b.rowStar(star, p, s); done || err != nil {
				return err
			}
			return b.errorf(source.CodeUnknownTable, star.Qualifier.Span(), s.noTable(table), "no table '%s' in FROM", table)
		}
	}
	if len(s.columns) == 0 {
		return b.errorf(source.CodeUnknownTable, star.Span(), "add FROM and a table", "* needs a table")
	}
	var listed []int
	for i, c := range s.columns {
		if i == s.watermark && i > 0 || slices.ContainsFunc(s.subqueries, func(l lifted) bool { return l.column == i }) {
			continue
		}
		if !c.Hidden && s.belongs(i, table) {
			c.Name = unique(c.Name, p.Cols)
			p.Exprs = append(p.Exprs, s.column(i))
			p.Cols = append(p.Cols, c)
			listed = append(listed, i)
		}
	}
	if b.stars != nil {
		b.stars[star] = starItems(star, s, listed, p.Cols[len(p.Cols)-len(listed):])
	}
	return nil
}

// unique is name, or with the first number behind it that no column has yet. Flink 2.3 names what * lists so, and leaves columns that are named alone.
func unique(name string, cols []plan.Column) string {
	used := func(name string) bool {
		return slices.ContainsFunc(cols, func(c plan.Column) bool { return c.Name == name })
	}
	found := name
	for n := 0; name != "" && used(found); n++ {
		found = fmt.Sprintf("%s%d", name, n)
	}
	return found
}

// starItems is what a star stands for that lists columns of s under the names of cols, nil if they cannot all be named.
func starItems(star *sql.Star, s *scope, listed []int, cols []plan.Column) []sql.SelectItem {
	var items []sql.SelectItem
	var seen []string
	for k, i := range listed {
		c := s.columns[i]
		ref := &sql.ColumnRef{}
		if s.tables[i] != "" {
			ref.Parts = append(ref.Parts, sql.Ident{Located: star.Located, Name: s.tables[i]})
		}
		ref.Parts = append(ref.Parts, sql.Ident{Located: star.Located, Name: c.Name})
		if name := s.tables[i] + "\x00" + c.Name; c.Name == "" || slices.Contains(seen, name) {
			return nil
		} else {
			seen = append(seen, name)
		}
		item := sql.SelectItem{Located: star.Located, Expr: ref}
		if cols[k].Name != c.Name {
			item.Alias = &sql.Ident{Located: star.Located, Name: cols[k].Name}
		}
		items = append(items, item)
	}
	return items
}

// convert brings the columns of n to the types of cols, where they differ.
func (b *Binder) convert(n plan.Node, cols []plan.Column) (plan.Node, error) {
	p := &plan.Project{Input: n, Cols: slices.Clone(cols)}
	changed := false
	for i, c := range n.Columns() {
		var e expr.Expr = expr.NewColumn(i, c.Name, c.Type)
		to, err := expr.Convert(e, cols[i].Type)
		if err != nil {
			return nil, err
		}
		changed = changed || to != e
		p.Exprs = append(p.Exprs, to)
	}
	if !changed {
		return n, nil
	}
	return p, nil
}
