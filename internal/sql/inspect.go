package sql

// Inspect calls visit for n and, as long as that returns true, for the statements, queries, tables and expressions within it, nested queries
// included, in the order of the text as far as the grammar has one. Names, types and options are not visited.
func Inspect(n Node, visit func(Node) bool) {
	i := inspector{visit}
	switch n := n.(type) {
	case Statement:
		i.statement(n)
	case Query:
		i.query(n)
	case TableRef:
		i.table(n)
	case Expr:
		i.expr(n)
	default:
		visit(n)
	}
}

type inspector struct{ visit func(Node) bool }

func (i inspector) statement(s Statement) {
	if !i.visit(s) {
		return
	}
	switch s := s.(type) {
	case *QueryStatement:
		i.query(s.Query)
	case *Insert:
		i.query(s.Query)
	case *StatementSet:
		for _, insert := range s.Inserts {
			i.statement(insert)
		}
	case *Explain:
		i.statement(s.Statement)
	case *CreateView:
		i.query(s.Query)
	case *CreateTable:
		i.schema(s.Schema)
		if s.As != nil {
			i.query(s.As)
		}
	case *AlterTable:
		switch a := s.Action.(type) {
		case *AlterAdd:
			i.schema(a.Schema)
		case *AlterModify:
			i.schema(a.Schema)
		}
	}
}

func (i inspector) schema(s TableSchema) {
	for _, c := range s.Columns {
		i.optional(c.As)
	}
	if s.Watermark != nil && i.visit(s.Watermark) {
		i.expr(s.Watermark.Expr)
	}
}

func (i inspector) query(q Query) {
	if !i.visit(q) {
		return
	}
	switch q := q.(type) {
	case *With:
		for _, t := range q.Tables {
			i.query(t.Query)
		}
		i.query(q.Body)
	case *Ordered:
		i.query(q.Body)
		i.order(q.OrderBy)
		i.optional(q.Limit)
		i.optional(q.Offset)
	case *SetOperation:
		i.query(q.Left)
		i.query(q.Right)
	case *Values:
		for _, r := range q.Rows {
			i.exprs(r.Exprs)
		}
	case *Select:
		i.selectQuery(q)
	}
}

func (i inspector) selectQuery(q *Select) {
	for _, item := range q.Items {
		i.expr(item.Expr)
	}
	if q.From != nil {
		i.table(q.From)
	}
	i.optional(q.Where)
	for _, g := range q.GroupBy {
		i.group(g)
	}
	i.optional(q.Having)
	for _, w := range q.Windows {
		i.window(w.Spec)
	}
	i.optional(q.Qualify)
}

func (i inspector) group(g GroupItem) {
	switch g := g.(type) {
	case *GroupKeys:
		i.exprs(g.Keys)
	case *GroupingSets:
		for _, s := range g.Sets {
			i.group(s)
		}
	}
}

func (i inspector) table(t TableRef) {
	if !i.visit(t) {
		return
	}
	switch t := t.(type) {
	case *TableName:
		i.optional(t.AsOf)
	case *Derived:
		i.query(t.Query)
	case *TableFunction:
		i.expr(t.Call)
	case *Unnest:
		i.expr(t.Collection)
	case *MatchRecognize:
		i.match(t)
	case *Join:
		i.table(t.Left)
		i.table(t.Right)
		i.optional(t.On)
	}
}

func (i inspector) match(m *MatchRecognize) {
	i.table(m.Input)
	i.exprs(m.PartitionBy)
	i.order(m.OrderBy)
	for _, x := range m.Measures {
		i.expr(x.Expr)
	}
	if m.Within != nil {
		i.expr(m.Within)
	}
	for _, d := range m.Define {
		i.expr(d.Condition)
	}
}

func (i inspector) optional(e Expr) {
	if e != nil {
		i.expr(e)
	}
}

func (i inspector) exprs(list []Expr) {
	for _, e := range list {
		i.expr(e)
	}
}

func (i inspector) order(items []OrderItem) {
	for _, item := range items {
		i.expr(item.Expr)
	}
}

func (i inspector) window(w *WindowSpec) {
	if w == nil {
		return
	}
	i.exprs(w.PartitionBy)
	i.order(w.OrderBy)
}

func (i inspector) expr(e Expr) {
	if !i.visit(e) {
		return
	}
	switch e := e.(type) {
	case *TableArg:
		i.table(e.Table)
		i.exprs(e.PartitionBy)
		i.order(e.OrderBy)
	case *Call:
		i.exprs(e.Args)
		i.order(e.OrderBy)
		i.optional(e.Filter)
		i.window(e.Over)
	case *In:
		i.exprs(children(e))
		if e.Query != nil {
			i.query(e.Query)
		}
	case *Exists:
		i.query(e.Query)
	case *Subquery:
		i.query(e.Query)
	default:
		i.exprs(children(e))
	}
}
