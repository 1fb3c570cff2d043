package yql

import "github.com/tidemark-sql/tidemark/internal/sql/tokens"

// How tightly queries hold together: operands of a set operation that hold less tightly than it need parentheses.
const (
	holdOrdered = iota
	holdUnion
	holdIntersect
	holdTerm
)

func hold(q Query) int {
	switch q := q.(type) {
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
	case *Ordered:
		f.queryOperand(q.Body, holdUnion)
		if q.OrderBy != nil {
			f.NewLine()
			f.When(q.Assume, "ASSUME ")
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
	case *Process:
		f.process(q)
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

func (f *formatter) namedExpr(n NamedExpr) {
	f.expr(n.Expr)
	f.as(n.Alias)
}

// as writes an alias if there is one.
func (f *formatter) as(alias *Ident) {
	if alias != nil {
		f.WriteString(" AS ")
		f.ident(*alias)
	}
}

func (f *formatter) selectQuery(q *Select) {
	f.WriteString("SELECT")
	f.hints(q.Hints)
	f.When(q.Stream, " STREAM")
	f.When(q.Distinct, " DISTINCT")
	f.WriteByte(' ')
	tokens.Commas(&f.Printer, q.Items, f.namedExpr)
	if q.Without != nil {
		f.NewLine()
		f.WriteString("WITHOUT ")
		f.When(q.WithoutIfExists, "IF EXISTS ")
		f.WriteByte('(')
		tokens.Commas(&f.Printer, q.Without, f.expr)
		f.WriteByte(')')
	}
	if q.From != nil {
		f.NewLine()
		f.WriteString("FROM ")
		f.tableRef(q.From)
	}
	f.clause("WHERE ", q.Where)
	if g := q.GroupBy; g != nil {
		f.NewLine()
		f.WriteString("GROUP ")
		f.When(g.Compact, "COMPACT ")
		f.WriteString("BY ")
		f.When(g.Distinct, "DISTINCT ")
		tokens.Commas(&f.Printer, g.Items, f.groupItem)
		if g.With != nil {
			f.WriteString(" WITH ")
			f.ident(*g.With)
		}
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
}

func (f *formatter) groupItem(g GroupItem) {
	switch g := g.(type) {
	case *GroupKey:
		f.namedExpr(g.NamedExpr)
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

func (f *formatter) orderItem(o OrderItem) {
	f.expr(o.Expr)
	f.When(o.Desc, " DESC")
}

func (f *formatter) process(q *Process) {
	f.When(q.Reduce, "REDUCE ")
	f.When(!q.Reduce, "PROCESS ")
	f.When(q.Stream, "STREAM ")
	tokens.Commas(&f.Printer, q.Sources, f.tableRef)
	if q.Presort != nil {
		f.WriteString(" PRESORT ")
		tokens.Commas(&f.Printer, q.Presort, f.orderItem)
	}
	if q.On != nil {
		f.WriteString(" ON (")
		tokens.Commas(&f.Printer, q.On, f.expr)
		f.WriteByte(')')
	}
	if q.Using != nil {
		f.WriteString(" USING ")
		f.When(q.All, "ALL ")
		f.expr(q.Using)
		f.as(q.Alias)
	}
	f.clause("WHERE ", q.Where)
	f.clause("HAVING ", q.Having)
}

func (f *formatter) tableRef(t TableRef) {
	switch t := t.(type) {
	case *TableName:
		f.name(t.Name)
		if t.View != nil {
			f.WriteString(" VIEW ")
			f.ident(*t.View)
		}
		f.tableTail(t.Options, t.Alias, t.Columns)
	case *NamedTable:
		f.named(t.Ref.Name)
		if t.Args != nil {
			f.WriteByte('(')
			tokens.Commas(&f.Printer, t.Args, f.expr)
			f.WriteByte(')')
		}
		f.tableTail(t.Options, t.Alias, t.Columns)
	case *Derived:
		f.Block("(", ")", func() { f.query(t.Query) })
		f.tableTail(t.Options, t.Alias, t.Columns)
	case *TableFunction:
		f.call(t.Call)
		f.tableTail(t.Options, t.Alias, t.Columns)
	case *Flatten:
		f.tableRef(t.Source)
		f.WriteString(" FLATTEN ")
		if t.Kind == FlattenColumns {
			f.WriteString("COLUMNS")
			return
		}
		f.When(t.Kind != FlattenAny, string(t.Kind)+" ")
		f.WriteString("BY (")
		tokens.Commas(&f.Printer, t.By, f.namedExpr)
		f.WriteByte(')')
	case *Join:
		f.join(t)
	}
}

func (f *formatter) tableTail(options []TableOption, alias *Ident, columns []Ident) {
	if options != nil {
		f.WriteString(" WITH")
		f.Block(" (", ")", func() { tokens.Lines(&f.Printer, options, f.tableOption) })
	}
	f.as(alias)
	if columns != nil {
		f.idents(columns)
	}
}

func (f *formatter) tableOption(o TableOption) {
	f.ident(o.Key)
	switch {
	case o.IsSchema && len(o.Schema) == 0:
		f.WriteString(" = ()")
	case o.IsSchema:
		f.Block(" = (", ")", func() { tokens.Lines(&f.Printer, o.Schema, f.schemaColumn) })
	case o.Type != nil:
		f.WriteString(" = ")
		f.typeName(o.Type)
	case o.Value != nil:
		f.WriteString(" = ")
		f.expr(o.Value)
	}
}

func (f *formatter) schemaColumn(c SchemaColumn) {
	f.ident(c.Name)
	f.WriteByte(' ')
	f.typeName(c.Type)
	f.When(c.NotNull, " NOT NULL")
}

func (f *formatter) join(j *Join) {
	f.When(j.LeftAny, "ANY ")
	f.tableRef(j.Left)
	f.NewLine()
	f.WriteString(string(j.Kind))
	f.hints(j.Hints)
	f.WriteByte(' ')
	f.When(j.RightAny, "ANY ")
	f.tableRef(j.Right)
	if j.On != nil {
		f.WriteString(" ON ")
		f.expr(j.On)
	}
	if j.Using != nil {
		f.WriteString(" USING ")
		f.idents(j.Using)
	}
}
