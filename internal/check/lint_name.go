package check

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/sql"
)

// tablesRead are the names of tables, views and WITH queries that a part of a statement reads.
func tablesRead(n sql.Node) []sql.Name {
	var names []sql.Name
	sql.Inspect(n, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.TableName:
			names = append(names, n.Name)
		case *sql.TableQuery:
			names = append(names, n.Table)
		}
		return true
	})
	return names
}

// reads are the names of tables, views and WITH queries that a statement reads.
func (s *statement) reads() []string {
	var names []string
	s.inspect(func(n sql.Node) bool {
		for _, n := range tablesRead(n) {
			names = append(names, n.Last().Name)
		}
		return false
	})
	if _, other := s.tree.(*language.YQLStatement); other && s.query != nil {
		names = s.query.Reads()
	}
	return names
}

// inspect calls visit for every part of the statement, if it is one of Flink SQL.
func (s *statement) inspect(visit func(sql.Node) bool) {
	if tree, ok := s.tree.(sql.Statement); ok {
		sql.Inspect(tree, visit)
	}
}

// named are the names of tables and views that the statements of a script use, other than to make or drop them, and whether there is a
// statement that runs: a script of declarations alone is for other scripts to use.
func (p *pass) named() (names map[string]bool, runs bool) {
	names = map[string]bool{}
	for _, s := range p.statements {
		for _, name := range s.reads() {
			names[name] = true
		}
		if s.query != nil {
			runs = true
			for _, name := range s.query.Writes() {
				names[name] = true
			}
		}
		s.inspect(func(n sql.Node) bool {
			switch n := n.(type) {
			case *sql.Insert:
				names[n.Table.Last().Name], runs = true, true
			case *sql.QueryStatement:
				runs = true
			case *sql.CreateTable:
				if n.Like != nil {
					names[n.Like.Table.Last().Name] = true
				}
			case *sql.Describe:
				names[n.Table.Last().Name] = true
			case *sql.AlterTable:
				names[n.Name.Last().Name] = true
			case *sql.Show:
				if n.Name != nil {
					names[n.Name.Last().Name] = true
				}
			}
			return true
		})
	}
	return names, runs
}

func unusedTable(p *pass) {
	names, runs := p.named()
	p.each(func(s sql.Statement) {
		if c, ok := s.(*sql.CreateTable); ok && runs && c.As == nil && !names[c.Name.Last().Name] {
			p.report(c.Name.Span(), "leave it out", "table '"+c.Name.Last().Name+"' is neither read nor written")
		}
	})
}

func unusedView(p *pass) {
	names, runs := p.named()
	p.each(func(s sql.Statement) {
		if c, ok := s.(*sql.CreateView); ok && runs && !names[c.Name.Last().Name] {
			p.report(c.Name.Span(), "leave it out", "view '"+c.Name.Last().Name+"' is never read")
		}
	})
}

func unusedWith(p *pass) {
	p.inspect(func(n sql.Node) bool {
		w, ok := n.(*sql.With)
		if !ok {
			return true
		}
		read := map[string]bool{} // behind the table
		reads := func(q sql.Query) {
			for _, n := range tablesRead(q) {
				read[n.Last().Name] = true
			}
		}
		reads(w.Body)
		for _, t := range slices.Backward(w.Tables) {
			if !read[t.Name.Name] {
				p.report(t.Name.Span(), "leave it out", "'"+t.Name.Name+"' is never read")
			}
			reads(t.Query)
		}
		return true
	})
}

func hidesTable(p *pass) {
	made := map[string]bool{}
	p.each(func(s sql.Statement) {
		sql.Inspect(s, func(n sql.Node) bool {
			if w, ok := n.(*sql.With); ok {
				for _, t := range w.Tables {
					if made[t.Name.Name] {
						p.report(t.Name.Span(), "give it another name", "'"+t.Name.Name+"' is also a table or view, which cannot be read here")
					}
				}
			}
			return true
		})
		if name := created(s); name != "" {
			made[name] = true
		}
	})
}

// hidesColumn finds an alias of something else that the rest of the SELECT names: there it is the column of FROM.
func hidesColumn(p *pass) {
	p.inspect(func(n sql.Node) bool {
		q, ok := n.(*sql.Select)
		if !ok {
			return true
		}
		for _, item := range q.Items {
			if item.Alias == nil {
				continue
			}
			if c, ok := item.Expr.(*sql.ColumnRef); ok && c.Last().Name == item.Alias.Name {
				continue
			}
			if at := mention(q, item.Alias.Name); at != nil {
				p.report(at.Span(), "give the alias another name, or write the expression again", "'"+item.Alias.Name+"' is the column here, not the alias in SELECT")
			}
		}
		return true
	})
}

// mention is where WHERE or GROUP BY names a column, or nil.
func mention(q *sql.Select, name string) *sql.ColumnRef {
	var found *sql.ColumnRef
	look := func(e sql.Expr) {
		sql.Walk(e, func(e sql.Expr) bool {
			if c, ok := e.(*sql.ColumnRef); ok && found == nil && len(c.Parts) == 1 && c.Last().Name == name {
				found = c
			}
			return found == nil
		})
	}
	look(q.Where)
	for _, g := range q.GroupBy {
		if keys, ok := g.(*sql.GroupKeys); ok {
			for _, k := range keys.Keys {
				look(k)
			}
		}
	}
	return found
}

func lateSet(p *pass) {
	last := -1
	for i, s := range p.statements {
		s.inspect(func(n sql.Node) bool {
			switch n.(type) {
			case *sql.Insert, sql.Query:
				last = i
			}
			return true
		})
	}
	if last < 0 {
		return
	}
	for i := last + 1; i < len(p.statements); i++ {
		p.current = &p.statements[i]
		if set, ok := p.current.tree.(*sql.Set); ok && set.Option != nil && !strings.HasPrefix(set.Option.Key.Value, "client.") {
			p.report(set.Span(), "move it in front of the statements that it is for", "no statement behind this SET reads anything")
		}
	}
}

func idleSetting(p *pass) {
	p.each(func(s sql.Statement) {
		if set, ok := s.(*sql.Set); ok && set.Option != nil {
			if reason, ok := catalog.WithoutEffect(set.Option.Key.Value); ok {
				p.report(set.Span(), "leave it out", "this SET has no effect: "+reason)
			}
		}
	})
}
