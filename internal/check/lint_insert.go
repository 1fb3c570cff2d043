package check

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql"
)

// inserts calls look for every INSERT, those of statement sets too.
func (p *pass) inserts(look func(*sql.Insert)) {
	p.inspect(func(n sql.Node) bool {
		if i, ok := n.(*sql.Insert); ok {
			look(i)
		}
		_, statement := n.(sql.Statement)
		return statement
	})
}

// selects are the SELECTs whose rows are those of q.
func selects(q sql.Query) []*sql.Select {
	switch q := q.(type) {
	case *sql.Select:
		return []*sql.Select{q}
	case *sql.With:
		return selects(q.Body)
	case *sql.Ordered:
		return selects(q.Body)
	case *sql.SetOperation:
		return append(selects(q.Left), selects(q.Right)...)
	}
	return nil
}

func star(p *pass) {
	p.inserts(func(i *sql.Insert) {
		for _, q := range selects(i.Query) {
			for _, item := range q.Items {
				if s, ok := item.Expr.(*sql.Star); ok {
					p.report(s.Span(), "name the columns", "* in an INSERT changes its meaning when a column is added to the source")
				}
			}
		}
	})
}

// order compares the names of what is selected with those of the sink, if the script declares it.
func order(p *pass) {
	sinks := map[string][]string{}
	p.each(func(s sql.Statement) {
		if c, ok := s.(*sql.CreateTable); ok && c.Like == nil && c.As == nil {
			sinks[c.Name.Last().Name] = written(c)
		}
	})
	p.inserts(func(i *sql.Insert) {
		want := sinks[i.Table.Last().Name]
		if i.Columns != nil {
			want = nil
			for _, c := range i.Columns {
				want = append(want, c.Name)
			}
		}
		for _, q := range selects(i.Query) {
			have := selected(q)
			if have != nil && !slices.Equal(have, want) && slices.Equal(slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(want))) {
				p.report(q.Items[0].Span().To(q.Items[len(q.Items)-1].Span()), "select them as "+strings.Join(want, ", ")+", or name the columns behind the table",
					"the columns of '"+i.Table.Last().Name+"' come in another order")
			}
		}
	})
}

// written are the columns of a table that INSERT gives values for.
func written(c *sql.CreateTable) []string {
	var names []string
	for _, column := range c.Schema.Columns {
		if column.Kind == sql.PhysicalColumn || column.Kind == sql.MetadataColumn && !column.Virtual {
			names = append(names, column.Name.Last().Name)
		}
	}
	return names
}

// selected are the names of the columns of q, or nil if one has none.
func selected(q *sql.Select) []string {
	var names []string
	for _, item := range q.Items {
		c, plain := item.Expr.(*sql.ColumnRef)
		switch {
		case item.Alias != nil:
			names = append(names, item.Alias.Name)
		case plain:
			names = append(names, c.Last().Name)
		default:
			return nil
		}
	}
	return names
}

func loop(p *pass) {
	p.inserts(func(i *sql.Insert) {
		for _, r := range tablesRead(i) {
			if r.Last().Name == i.Table.Last().Name {
				p.report(r.Span(), "write into another table", "'"+r.Last().Name+"' is read and written by one statement")
			}
		}
	})
}

func duplicate(p *pass) {
	seen := map[string]bool{}
	p.inserts(func(i *sql.Insert) {
		text := sql.Format(i)
		if _, values := i.Query.(*sql.Values); seen[text] && !values {
			p.report(i.Span(), "leave one of them out", "this INSERT is there twice")
		}
		seen[text] = true
	})
}
