package sql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// How tightly queries hold together: operands of a set operation that hold less
// tightly than it need parentheses.
const (
	holdWith = iota
	holdOrdered
	holdUnion
	holdIntersect
	holdTerm
)

func hold(q Query) int {
	switch q := q.(type) {
	case *With:
		return holdWith
	case *Ordered:
		return holdOrdered
	case *SetOperation:
		if q.Op == Intersect {
			return holdIntersect
		}
		return holdUnion
	}
	return holdTerm
}

// queryOperand writes a query inside another one.
func (f *formatter) queryOperand(q Query, least int) {
	if hold(q) < least {
		f.Block("(", ")", func() { f.query(q) })
		return
	}
	f.query(q)
}

func (f *formatter) query(q Query) {
	switch q := q.(type) {
	case *With:
		f.WriteString("WITH ")
		tokens.Commas(&f.Printer, q.Tables, func(c CommonTable) {
			f.ident(c.Name)
			f.WriteByte(' ')
			if c.Columns != nil {
				f.names(c.Columns)
				f.WriteByte(' ')
			}
			f.WriteString("AS ")
			f.Block("(", ")", func() { f.query(c.Query) })
		})
		f.NewLine()
		f.queryOperand(q.Body, holdOrdered)
	case *Ordered:
		f.queryOperand(q.Body, holdUnion)
		if q.OrderBy != nil {
			f.NewLine()
			f.orderBy(q.OrderBy)
		}
		f.clause("LIMIT ", q.Limit)
		f.clause("OFFSET ", q.Offset)
	case *SetOperation:
		f.queryOperand(q.Left, hold(q))
		f.NewLine()
		f.WriteString(string(q.Op))
		f.When(q.All, " ALL")
		f.NewLine()
		f.queryOperand(q.Right, hold(q)+1)
	case *Values:
		f.WriteString("VALUES ")
		tokens.Commas(&f.Printer, q.Rows, func(r ValuesRow) {
			f.WriteByte('(')
			tokens.Commas(&f.Printer, r.Exprs, f.expr)
			f.WriteByte(')')
		})
	case *TableQuery:
		f.WriteString("TABLE ")
		f.name(q.Table)
	case *Select:
		f.selectQuery(q)
	}
}

// clause writes a clause on its own line if it is there.
func (f *formatter) clause(words string, e Expr) {
	if e != nil {
		f.NewLine()
		f.WriteString(words)
		f.expr(e)
	}
}

func (f *formatter) selectQuery(q *Select) {
	f.WriteString("SELECT")
	f.hints(q.Hints)
	f.When(q.Distinct, " DISTINCT")
	f.WriteByte(' ')
	tokens.Commas(&f.Printer, q.Items, func(item SelectItem) {
		f.expr(item.Expr)
		if item.Alias != nil {
			f.WriteString(" AS ")
			f.ident(*item.Alias)
		}
	})
	if q.From != nil {
		f.NewLine()
		f.WriteString("FROM ")
		f.tableRef(q.From)
	}
	f.clause("WHERE ", q.Where)
	if q.GroupBy != nil {
		f.NewLine()
		f.WriteString("GROUP BY ")
		tokens.Commas(&f.Printer, q.GroupBy, f.groupItem)
	}
	f.clause("HAVING ", q.Having)
	if q.Windows != nil {
		f.NewLine()
		f.WriteString("WINDOW ")
		tokens.Commas(&f.Printer, q.Windows, func(w NamedWindow) {
			f.ident(w.Name)
			f.WriteString(" AS ")
			f.windowSpec(w.Spec)
		})
	}
	f.clause("QUALIFY ", q.Qualify)
}

func (f *formatter) groupItem(g GroupItem) {
	switch g := g.(type) {
	case *GroupKeys:
		if len(g.Keys) == 1 {
			f.expr(g.Keys[0])
			return
		}
		f.WriteByte('(')
		tokens.Commas(&f.Printer, g.Keys, f.expr)
		f.WriteByte(')')
	case *GroupingSets:
		f.Words(string(g.Kind), " (")
		tokens.Commas(&f.Printer, g.Sets, f.groupItem)
		f.WriteByte(')')
	}
}

func (f *formatter) orderBy(items []OrderItem) {
	f.WriteString("ORDER BY ")
	tokens.Commas(&f.Printer, items, f.orderItem)
}

func (f *formatter) orderItem(item OrderItem) {
	f.expr(item.Expr)
	f.When(item.Desc, " DESC")
	f.When(item.Nulls == NullsFirst, " NULLS FIRST")
	f.When(item.Nulls == NullsLast, " NULLS LAST")
}

func (f *formatter) tableRef(t TableRef) {
	switch t := t.(type) {
	case *TableName:
		f.name(t.Name)
		f.hints(t.Hints)
		if t.AsOf != nil {
			f.WriteString(" FOR SYSTEM_TIME AS OF ")
			f.expr(t.AsOf)
		}
		f.alias(t.Alias)
	case *Derived:
		f.When(t.Lateral, "LATERAL ")
		f.Block("(", ")", func() { f.query(t.Query) })
		f.alias(t.Alias)
	case *TableFunction:
		f.When(t.Lateral, "LATERAL ")
		f.WriteString("TABLE(")
		f.call(t.Call)
		f.WriteByte(')')
		f.alias(t.Alias)
	case *Unnest:
		f.When(t.Lateral, "LATERAL ")
		f.WriteString("UNNEST(")
		f.expr(t.Collection)
		f.WriteByte(')')
		f.When(t.Ordinality, " WITH ORDINALITY")
		f.alias(t.Alias)
	case *MatchRecognize:
		f.match(t)
	case *Join:
		f.join(t)
	}
}

func (f *formatter) alias(a *Alias) {
	if a == nil {
		return
	}
	f.WriteString(" AS ")
	f.ident(a.Name)
	if a.Columns != nil {
		f.names(a.Columns)
	}
}

func (f *formatter) join(j *Join) {
	f.tableRef(j.Left)
	f.NewLine()
	f.When(j.Natural, "NATURAL ")
	f.Words(string(j.Kind), " ")
	if _, nested := j.Right.(*Join); nested {
		f.Block("(", ")", func() { f.tableRef(j.Right) })
	} else {
		f.tableRef(j.Right)
	}
	if j.On != nil {
		f.WriteString(" ON ")
		f.expr(j.On)
	}
	if j.Using != nil {
		f.WriteString(" USING ")
		f.names(j.Using)
	}
}
