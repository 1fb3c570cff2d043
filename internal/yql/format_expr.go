package yql

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

func (f *formatter) int(n int) { f.WriteString(strconv.Itoa(n)) }

// operand writes an expression inside another one, in parentheses if it binds less than least.
func (f *formatter) operand(e Expr, least int) {
	if strength(e) < least {
		f.parens(e)
		return
	}
	f.expr(e)
}

func (f *formatter) parens(e Expr) {
	f.WriteByte('(')
	f.expr(e)
	f.WriteByte(')')
}

// base writes what something is called on or taken from.
func (f *formatter) base(e Expr) {
	switch e.(type) {
	case *IntegerLit, *FloatLit, *Lambda, *TypeExpr:
		f.parens(e)
	default:
		f.operand(e, bindPostfix)
	}
}

func (f *formatter) expr(e Expr) {
	switch e := e.(type) {
	case *ColumnRef:
		f.ident(e.Name)
	case *NamedRef:
		f.named(e.Name)
	case *FunctionRef:
		if e.Module != nil {
			f.ident(*e.Module)
			f.WriteString("::")
		}
		f.ident(e.Name)
	case *Star:
		if e.Qualifier != nil {
			f.ident(*e.Qualifier)
			f.WriteByte('.')
		}
		f.WriteByte('*')
	case *Member:
		f.base(e.Base)
		f.WriteByte('.')
		f.ident(e.Name)
	case *Element:
		f.base(e.Base)
		f.WriteByte('.')
		f.int(e.Index)
	case *Index:
		f.base(e.Base)
		f.WriteByte('[')
		f.expr(e.Index)
		f.WriteByte(']')
	case *Call:
		f.call(e)
	case *Lambda:
		f.lambda(e)
	case *TypeExpr:
		f.typeName(e.Type)
	case *Subquery:
		f.Block("(", ")", func() { f.query(e.Query) })
	case *Exists:
		f.WriteString("EXISTS ")
		f.Block("(", ")", func() { f.query(e.Query) })
	case *Case:
		f.caseExpr(e)
	case *Cast:
		f.When(e.Bits, "BIT")
		f.WriteString("CAST(")
		f.expr(e.Operand)
		f.WriteString(" AS ")
		f.typeName(e.Type)
		f.WriteByte(')')
	default:
		f.operator(e)
	}
}

func (f *formatter) operator(e Expr) {
	switch e := e.(type) {
	case *Unary:
		f.WriteString(string(e.Op))
		f.When(e.Op == OpNot, " ")
		if _, unary := e.Operand.(*Unary); unary {
			f.parens(e.Operand)
			return
		}
		f.operand(e.Operand, bindPostfix)
	case *Binary:
		left, right := e.Op.strength(), e.Op.strength()+1
		switch left {
		case bindEqual:
			left++
		case bindCoalesce:
			left, right = right, left
		}
		f.operand(e.Left, left)
		f.Words(" ", string(e.Op), " ")
		f.operand(e.Right, right)
	case *IsNull:
		f.operand(e.Operand, bindLess)
		f.WriteString(" IS")
		f.When(e.Not, " NOT")
		f.WriteString(" NULL")
	case *Between:
		f.operand(e.Operand, bindLess)
		f.When(e.Not, " NOT")
		f.WriteString(" BETWEEN ")
		f.When(e.Symmetric, "SYMMETRIC ")
		f.operand(e.Low, bindLess)
		f.WriteString(" AND ")
		f.operand(e.High, bindLess)
	case *In:
		f.operand(e.Operand, bindLess)
		f.When(e.Not, " NOT")
		f.WriteString(" IN ")
		f.When(e.Compact, "COMPACT ")
		if tuple, ok := e.Set.(*TupleLit); ok {
			f.WriteByte('(')
			tokens.Commas(&f.Printer, tuple.Items, f.expr)
			f.WriteByte(')')
			return
		}
		f.expr(e.Set)
	case *Match:
		f.operand(e.Operand, bindLess)
		f.When(e.Not, " NOT")
		f.Words(" ", string(e.Op), " ")
		f.operand(e.Pattern, bindLess)
		if e.Escape != nil {
			f.WriteString(" ESCAPE ")
			f.operand(e.Escape, bindLess)
		}
	default:
		f.literal(e)
	}
}

func (f *formatter) literal(e Expr) {
	switch e := e.(type) {
	case *IntegerLit:
		f.Words(e.Text, e.Suffix)
	case *FloatLit:
		f.WriteString(e.Text)
		f.When(e.Single, "f")
	case *StringLit:
		f.string(*e)
	case *BoolLit:
		f.When(e.Value, "TRUE")
		f.When(!e.Value, "FALSE")
	case *NullLit:
		f.WriteString("NULL")
	case *ListLit:
		f.WriteByte('[')
		tokens.Commas(&f.Printer, e.Items, f.expr)
		f.WriteByte(']')
	case *TupleLit:
		f.WriteByte('(')
		tokens.Commas(&f.Printer, e.Items, f.expr)
		f.When(len(e.Items) == 1, ",")
		f.WriteByte(')')
	case *DictLit:
		f.WriteByte('{')
		tokens.Commas(&f.Printer, e.Items, func(item DictItem) {
			f.expr(item.Key)
			if item.Value != nil {
				f.WriteString(": ")
				f.expr(item.Value)
			}
		})
		f.WriteByte('}')
	case *StructLit:
		f.WriteString("<|")
		tokens.Commas(&f.Printer, e.Members, func(m Arg) {
			f.ident(*m.Name)
			f.WriteString(": ")
			f.expr(m.Value)
		})
		f.WriteString("|>")
	default:
		panic("tidemark bug: no format for this kind of expression")
	}
}

func (f *formatter) caseExpr(e *Case) {
	f.WriteString("CASE")
	if e.Operand != nil {
		f.WriteByte(' ')
		f.expr(e.Operand)
	}
	for _, w := range e.Whens {
		f.WriteString(" WHEN ")
		f.expr(w.Condition)
		f.WriteString(" THEN ")
		f.expr(w.Result)
	}
	if e.Else != nil {
		f.WriteString(" ELSE ")
		f.expr(e.Else)
	}
	f.WriteString(" END")
}

func (f *formatter) arg(a Arg) {
	f.expr(a.Value)
	if a.Name != nil {
		f.WriteString(" AS ")
		f.ident(*a.Name)
	}
}

func (f *formatter) call(e *Call) {
	f.base(e.Callee)
	f.WriteByte('(')
	f.When(e.Star, "*")
	f.When(e.Distinct, "DISTINCT ")
	tokens.Commas(&f.Printer, e.Args, f.arg)
	if e.JSON != nil {
		f.jsonClauses(e.JSON)
	}
	f.WriteByte(')')
	f.When(e.Nulls == RespectNulls, " RESPECT NULLS")
	f.When(e.Nulls == IgnoreNulls, " IGNORE NULLS")
	if e.Filter != nil {
		f.WriteString(" FILTER (WHERE ")
		f.expr(e.Filter)
		f.WriteByte(')')
	}
	if e.Over == nil {
		return
	}
	f.WriteString(" OVER ")
	if w := e.Over; w.Ref != nil && w.bare() {
		f.ident(*w.Ref)
		return
	}
	f.windowSpec(e.Over)
}

// bare says that the window is only the name of another one.
func (w *WindowSpec) bare() bool { return w.PartitionBy == nil && w.OrderBy == nil && w.Frame == nil }

func (f *formatter) jsonClauses(j *JSONClauses) {
	if j.Passing != nil {
		f.WriteString(" PASSING ")
		tokens.Commas(&f.Printer, j.Passing, f.arg)
	}
	if j.Returning != nil {
		f.WriteString(" RETURNING ")
		f.typeName(j.Returning)
	}
	f.When(j.Wrapper != "", " "+j.Wrapper+" WRAPPER")
	f.jsonHandler(j.OnEmpty, j.EmptyDefault, "EMPTY")
	f.jsonHandler(j.OnError, j.ErrorDefault, "ERROR")
}

func (f *formatter) jsonHandler(action string, otherwise Expr, on string) {
	if action == "" {
		return
	}
	f.Words(" ", action)
	if otherwise != nil {
		f.WriteByte(' ')
		f.operand(otherwise, bindCoalesce)
	}
	f.Words(" ON ", on)
}

func (f *formatter) lambda(e *Lambda) {
	f.WriteByte('(')
	tokens.Commas(&f.Printer, e.Params, func(p LambdaParam) {
		f.named(p.Name)
		f.When(p.Optional, "?")
	})
	f.WriteString(") -> ")
	if len(e.Body) == 0 {
		f.parens(e.Result)
		return
	}
	f.Block("{", "}", func() {
		for _, s := range e.Body {
			f.assign(s)
			f.WriteByte(';')
			f.NewLine()
		}
		f.WriteString("RETURN ")
		f.expr(e.Result)
		f.WriteByte(';')
	})
}

func (f *formatter) windowSpec(w *WindowSpec) {
	separator := ""
	next := func() {
		f.WriteString(separator)
		separator = " "
	}
	f.WriteByte('(')
	if w.Ref != nil {
		next()
		f.ident(*w.Ref)
	}
	if w.PartitionBy != nil {
		next()
		f.WriteString("PARTITION BY ")
		tokens.Commas(&f.Printer, w.PartitionBy, f.namedExpr)
	}
	if w.OrderBy != nil {
		next()
		f.orderBy(w.OrderBy)
	}
	if w.Frame != nil {
		next()
		f.Words(w.Frame.Unit, " ")
		f.When(w.Frame.End != nil, "BETWEEN ")
		f.frameBound(w.Frame.Start)
		if w.Frame.End != nil {
			f.WriteString(" AND ")
			f.frameBound(*w.Frame.End)
		}
	}
	f.WriteByte(')')
}

func (f *formatter) frameBound(b FrameBound) {
	switch {
	case b.Current:
		f.WriteString("CURRENT ROW")
		return
	case b.Offset == nil:
		f.WriteString("UNBOUNDED")
	default:
		f.operand(b.Offset, bindCoalesce)
	}
	f.When(b.Following, " FOLLOWING")
	f.When(!b.Following, " PRECEDING")
}
