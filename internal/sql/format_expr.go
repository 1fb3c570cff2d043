package sql

import (
	"encoding/hex"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/sql/tokens"
)

// operand writes an expression inside another one, in parentheses if it binds less
// than least.
func (f *formatter) operand(e Expr, least int) {
	if strength(e) < least {
		f.WriteByte('(')
		f.expr(e)
		f.WriteByte(')')
		return
	}
	f.expr(e)
}

func (f *formatter) expr(e Expr) {
	switch e := e.(type) {
	case *NumberLit:
		f.WriteString(e.Text)
	case *StringLit:
		f.string(*e)
	case *BytesLit:
		f.Words("x'", hex.EncodeToString(e.Value), "'")
	case *BoolLit:
		f.When(e.Value, "TRUE")
		f.When(!e.Value, "FALSE")
	case *NullLit:
		f.When(e.Unknown, "UNKNOWN")
		f.When(!e.Unknown, "NULL")
	case *DatetimeLit:
		f.Words([...]string{DateDatetime: "DATE ", TimeDatetime: "TIME ", TimestampDatetime: "TIMESTAMP "}[e.Kind])
		f.string(e.Value)
	case *IntervalLit:
		f.WriteString("INTERVAL ")
		f.When(e.Negative, "-")
		f.string(e.Value)
		f.Words(" ", formatQualifier(e.Qualifier))
	case *UnitLit:
		f.WriteString(e.Unit.String())
	case *WordLit:
		f.WriteString(e.Word)
	case *ColumnRef:
		f.name(e.Name)
	case *Star:
		if e.Qualifier != nil {
			f.name(*e.Qualifier)
			f.WriteByte('.')
		}
		f.WriteByte('*')
	case *Difference:
		f.WriteByte('(')
		f.operand(e.Left, bindAdd)
		f.WriteString(" - ")
		f.operand(e.Right, bindAdd+1)
		f.WriteString(") ")
		f.WriteString(formatQualifier(e.Qualifier))
	case *Field:
		f.fieldBase(e.Base)
		f.WriteByte('.')
		f.ident(e.Name)
	case *Index:
		f.operand(e.Base, bindPostfix)
		f.WriteByte('[')
		f.expr(e.Index)
		f.WriteByte(']')
	case *Call:
		f.call(e)
	case *NamedArg:
		f.plainIdent(e.Name)
		f.WriteString(" => ")
		f.expr(e.Value)
	case *DefaultArg:
		f.WriteString("DEFAULT")
	case *TableArg:
		f.tableArg(e)
	case *Descriptor:
		f.WriteString("DESCRIPTOR(")
		tokens.Commas(&f.Printer, e.Columns, f.name)
		f.WriteByte(')')
	default:
		f.operation(e)
	}
}

// fieldBase writes what a field is taken from. After a plain name the point would
// go on with the name, after a number with its digits: these need parentheses.
func (f *formatter) fieldBase(e Expr) {
	enclosed := false
	switch e := e.(type) {
	case *ColumnRef, *NumberLit:
		enclosed = true
	case *Call:
		enclosed = e.Bare
	}
	if enclosed {
		f.WriteByte('(')
		f.expr(e)
		f.WriteByte(')')
		return
	}
	f.operand(e, bindPostfix)
}

func (f *formatter) operation(e Expr) {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			f.WriteString("NOT ")
			f.operand(e.Operand, bindNot)
			return
		}
		// One sign needs parentheses inside another: two minus signs begin a comment.
		f.WriteString(string(e.Op))
		f.operand(e.Operand, bindSign+1)
	case *Binary:
		f.operand(e.Left, e.Op.strength())
		f.Words(" ", string(e.Op), " ")
		f.operand(e.Right, e.Op.strength()+1)
	case *Is:
		f.operand(e.Operand, bindIs)
		f.WriteString(" IS ")
		f.When(e.Not, "NOT ")
		f.WriteString(string(e.Test))
	case *Between:
		f.operand(e.Operand, bindBetween)
		f.When(e.Not, " NOT")
		f.WriteString(" BETWEEN ")
		f.When(e.Symmetric, "SYMMETRIC ")
		f.operand(e.Low, bindAdd)
		f.WriteString(" AND ")
		f.operand(e.High, bindAdd)
	case *In:
		f.operand(e.Operand, bindBetween)
		f.When(e.Not, " NOT")
		f.WriteString(" IN ")
		if e.Query != nil {
			f.Block("(", ")", func() { f.query(e.Query) })
			return
		}
		f.WriteByte('(')
		tokens.Commas(&f.Printer, e.List, f.expr)
		f.WriteByte(')')
	case *Like:
		f.operand(e.Operand, bindBetween)
		f.When(e.Not, " NOT")
		f.When(e.Similar, " SIMILAR TO ")
		f.When(!e.Similar, " LIKE ")
		f.operand(e.Pattern, bindAdd)
		if e.Escape != nil {
			f.WriteString(" ESCAPE ")
			f.operand(e.Escape, bindAdd)
		}
	case *Exists:
		f.WriteString("EXISTS ")
		f.Block("(", ")", func() { f.query(e.Query) })
	case *Subquery:
		f.Block("(", ")", func() { f.query(e.Query) })
	case *Case:
		f.caseExpr(e)
	case *Cast:
		f.When(e.Try, "TRY_")
		f.WriteString("CAST(")
		f.expr(e.Operand)
		f.WriteString(" AS ")
		f.typeName(e.Type)
		f.WriteByte(')')
	}
}

func (f *formatter) caseExpr(c *Case) {
	f.WriteString("CASE ")
	if c.Operand != nil {
		f.expr(c.Operand)
		f.WriteByte(' ')
	}
	for _, when := range c.Whens {
		f.WriteString("WHEN ")
		f.expr(when.Condition)
		f.WriteString(" THEN ")
		f.expr(when.Result)
		f.WriteByte(' ')
	}
	if c.Else != nil {
		f.WriteString("ELSE ")
		f.expr(c.Else)
		f.WriteByte(' ')
	}
	f.WriteString("END")
}

// keyword returns the name of a call that may be a special form, in upper case.
func (c *Call) keyword() string {
	if len(c.Function.Parts) != 1 || c.Function.Parts[0].Quoted {
		return ""
	}
	return strings.ToUpper(c.Function.Parts[0].Name)
}

func (f *formatter) call(c *Call) {
	keyword := c.keyword()
	if keyword != "" {
		f.WriteString(c.Function.Parts[0].Name)
	} else {
		f.name(c.Function)
	}
	if c.Bare {
		return
	}
	if keyword == "ARRAY" || keyword == "MAP" {
		f.WriteByte('[')
		tokens.Commas(&f.Printer, c.Args, f.expr)
		f.WriteByte(']')
		return
	}
	f.WriteByte('(')
	f.When(c.Star, "*")
	f.When(c.Distinct, "DISTINCT ")
	if separators := argSeparators(keyword, c.Args); separators != nil {
		for i, arg := range c.Args {
			f.When(i > 0, separators[i])
			// The first operand of IN must not swallow it.
			if keyword == "POSITION" && i == 0 {
				f.operand(arg, bindAdd)
			} else {
				f.expr(arg)
			}
		}
	} else {
		tokens.Commas(&f.Printer, c.Args, f.expr)
	}
	if c.OrderBy != nil && !c.WithinGroup {
		f.WriteByte(' ')
		f.orderBy(c.OrderBy)
	}
	if c.JSON != nil {
		f.jsonClauses(c.JSON, len(c.Args) > 0)
	}
	f.WriteByte(')')
	f.callSuffix(c)
}

// argSeparators returns what stands before each argument of a special form, or nil
// when commas do.
func argSeparators(keyword string, args []Expr) []string {
	switch keyword {
	case "EXTRACT":
		return []string{"", " FROM "}
	case "FLOOR", "CEIL", "CEILING":
		if len(args) == 2 {
			if _, ok := args[1].(*UnitLit); ok {
				return []string{"", " TO "}
			}
		}
	case "POSITION":
		return []string{"", " IN ", " FROM "}
	case "TRIM":
		if _, sided := firstArg(args).(*WordLit); sided {
			return []string{"", " ", " FROM "}
		}
	case "OVERLAY":
		return []string{"", " PLACING ", " FROM ", " FOR "}
	case "JSON_OBJECT", "JSON_OBJECTAGG":
		separators := make([]string, len(args))
		for i := range separators {
			separators[i] = ", "
			if i%2 == 1 {
				separators[i] = " VALUE "
			}
		}
		return separators
	}
	return nil
}

func firstArg(args []Expr) Expr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func (f *formatter) jsonClauses(j *JSONClauses, afterArgs bool) {
	if j.Returning != nil {
		f.WriteString(" RETURNING ")
		f.typeName(j.Returning)
	}
	f.WriteString([...]string{
		WrapperUnstated: "", WithoutWrapper: " WITHOUT WRAPPER",
		ConditionalWrapper: " WITH CONDITIONAL WRAPPER", UnconditionalWrapper: " WITH WRAPPER",
	}[j.Wrapper])
	f.jsonBehavior(j.OnEmpty, " ON EMPTY")
	f.jsonBehavior(j.OnError, " ON ERROR")
	f.When(j.OnNull != JSONNullsUnstated && afterArgs, " ")
	f.When(j.OnNull == NullOnNull, "NULL ON NULL")
	f.When(j.OnNull == AbsentOnNull, "ABSENT ON NULL")
}

func (f *formatter) jsonBehavior(b *JSONBehavior, on string) {
	if b == nil {
		return
	}
	f.Words(" ", b.Word)
	if b.Default != nil {
		f.WriteByte(' ')
		f.expr(b.Default)
	}
	f.WriteString(on)
}

func (f *formatter) callSuffix(c *Call) {
	if c.WithinGroup {
		f.WriteString(" WITHIN GROUP (")
		f.orderBy(c.OrderBy)
		f.WriteByte(')')
	}
	f.When(c.Nulls == IgnoreNulls, " IGNORE NULLS")
	f.When(c.Nulls == RespectNulls, " RESPECT NULLS")
	if c.Filter != nil {
		f.WriteString(" FILTER (WHERE ")
		f.expr(c.Filter)
		f.WriteByte(')')
	}
	if c.Over != nil {
		f.WriteString(" OVER ")
		f.windowSpec(c.Over)
	}
}

func (f *formatter) windowSpec(w *WindowSpec) {
	f.WriteByte('(')
	separator := ""
	part := func(write func()) {
		f.WriteString(separator)
		separator = " "
		write()
	}
	if w.Ref != nil {
		part(func() { f.ident(*w.Ref) })
	}
	if w.PartitionBy != nil {
		part(func() {
			f.WriteString("PARTITION BY ")
			tokens.Commas(&f.Printer, w.PartitionBy, f.expr)
		})
	}
	if w.OrderBy != nil {
		part(func() { f.orderBy(w.OrderBy) })
	}
	if w.Frame != nil {
		part(func() { f.frame(w.Frame) })
	}
	f.WriteByte(')')
}

func (f *formatter) frame(frame *Frame) {
	f.When(frame.Rows, "ROWS ")
	f.When(!frame.Rows, "RANGE ")
	if frame.End == nil {
		f.frameBound(frame.Start)
		return
	}
	f.WriteString("BETWEEN ")
	f.frameBound(frame.Start)
	f.WriteString(" AND ")
	f.frameBound(*frame.End)
}

func (f *formatter) frameBound(b FrameBound) {
	if b.Offset != nil {
		f.expr(b.Offset)
	}
	f.WriteString([...]string{
		UnboundedPreceding: "UNBOUNDED PRECEDING", Preceding: " PRECEDING", CurrentRow: "CURRENT ROW",
		Following: " FOLLOWING", UnboundedFollowing: "UNBOUNDED FOLLOWING",
	}[b.Kind])
}

func (f *formatter) tableArg(a *TableArg) {
	f.WriteString("TABLE ")
	f.tableRef(a.Table)
	if a.PartitionBy != nil {
		f.WriteString(" PARTITION BY (")
		tokens.Commas(&f.Printer, a.PartitionBy, f.expr)
		f.WriteByte(')')
	}
	if a.OrderBy != nil {
		f.WriteString(" ORDER BY (")
		tokens.Commas(&f.Printer, a.OrderBy, f.orderItem)
		f.WriteByte(')')
	}
}
