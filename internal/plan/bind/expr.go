package bind

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// expr binds an expression.
func (b *Binder) expr(e sql.Expr, s *scope) (expr.Expr, error) {
	if err := b.Ended(); err != nil {
		return nil, err
	}
	bound, err := b.exprOf(e, s)
	if err == nil && b.weigh(bound) > maxWeight {
		return nil, b.errorf(source.CodeTooLarge, e.Span(), "compute what is inside in a subquery, and use its column", "the expression comes to more than %d operations, with the operands of NULLIF, CASE and BETWEEN put in where they are compared", maxWeight)
	}
	if err == nil && bound.Type().IsNested() && parts(bound.Type(), maxParts) < 0 {
		return nil, b.errorf(source.CodeTooLarge, e.Span(), "take fewer values together", "the type has more than %d parts", maxParts)
	}
	return bound, err
}

// maxParts bounds the types inside of a type: a query that makes ROW(x, x) of the x of a query that does the same comes to millions after a few.
const maxParts = 20_000

// parts takes the types that t is made of from room, and gives what is left, which is below 0 if there is too little.
func parts(t types.Type, room int) int {
	var inside []types.Type
	switch t.Kind {
	case types.Array, types.Multiset:
		inside = []types.Type{t.Elem()}
	case types.Map:
		inside = []types.Type{t.Key(), t.Elem()}
	case types.Row:
		for _, f := range t.Fields() {
			inside = append(inside, f.Type)
		}
	}
	room--
	for i := 0; i < len(inside) && room >= 0; i++ {
		room = parts(inside[i], room)
	}
	return room
}

// maxWeight bounds the operations that an expression comes to. NULLIF(x, y) compares x and gives it, so a few that are nested come to millions.
const maxWeight = 1_000_000

// weigh counts the operations of e, one that stands in several places as often as it does.
func (b *Binder) weigh(e expr.Expr) int {
	if w, ok := b.weights[e]; ok {
		return w
	}
	w := 1
	for _, child := range e.Children() {
		w = min(w+b.weigh(child), maxWeight+1)
	}
	b.weights[e] = w
	return w
}

func (b *Binder) exprOf(e sql.Expr, s *scope) (expr.Expr, error) {
	if c, ok := e.(*sql.ColumnRef); ok {
		if bound, ok := s.named(c); ok {
			return bound, nil
		}
	}
	if s.match != nil {
		if bound, done, err := s.match.take(b, e, s); done || err != nil {
			return bound, err
		}
	}
	if s.group != nil {
		if bound, done, err := s.group.take(b, e); done || err != nil {
			return bound, err
		}
	}
	switch e := e.(type) {
	case *sql.ColumnRef:
		return b.reference(e, s)
	case *sql.NumberLit:
		return b.number(e)
	case *sql.StringLit:
		return expr.LiteralString(e.Value), nil
	case *sql.BoolLit:
		return expr.LiteralBool(e.Value), nil
	case *sql.NullLit:
		if e.Unknown {
			return expr.Null(types.BooleanType), nil
		}
		return expr.Null(types.NullType), nil
	case *sql.UnitLit:
		return expr.LiteralString(e.Unit.String()), nil
	case *sql.WordLit:
		return expr.LiteralString(e.Word), nil
	case *sql.IntervalLit:
		if e.Qualifier.IsYearMonth() {
			return expr.LiteralInt(types.IntervalMonthType, e.Months), nil
		}
		return expr.LiteralInt(types.IntervalDayType, e.Micros), nil
	case *sql.DatetimeLit:
		return datetime(e), nil
	case *sql.Unary:
		return b.unary(e, s)
	case *sql.Difference:
		name := "DAY TO SECOND"
		if e.Qualifier.IsYearMonth() {
			name = "YEAR TO MONTH"
		}
		return b.apply(name, e.Span(), s, e.Left, e.Right)
	case *sql.Binary:
		switch e.Op {
		case sql.OpOverlaps:
			return b.overlaps(e, s)
		case sql.OpAnd, sql.OpOr:
			return b.logic(e, s)
		}
		return b.apply(string(e.Op), e.Span(), s, e.Left, e.Right)
	case *sql.Is:
		return b.is(e, s)
	case *sql.Between:
		return b.between(e, s)
	case *sql.In:
		return b.in(e, s)
	case *sql.Like:
		return b.like(e, s)
	case *sql.Case:
		return b.caseOf(e, s)
	case *sql.Cast:
		return b.cast(e, s)
	case *sql.Call:
		return b.call(e, s)
	case *sql.BytesLit:
		return expr.LiteralBytes(types.BytesType, e.Value), nil
	case *sql.Field:
		row, err := b.expr(e.Base, s)
		if err != nil {
			return nil, err
		}
		return b.field(row, e.Name)
	case *sql.Index:
		return b.apply("ITEM", e.Span(), s, e.Base, e.Index)
	case *sql.Subquery:
		return b.subquery(e, s)
	case *sql.Exists:
		return nil, b.unsupported(e.Span(), testAlone, "EXISTS %s is", s.standingTest())
	case *sql.NamedArg:
		return nil, b.unsupported(e.Span(), "give the arguments by position", "a named argument of this function is")
	case *sql.Star:
		return nil, b.errorf("syntax", e.Span(), "name a column, or write COUNT(*)", "* is not a value")
	case *sql.Descriptor, *sql.TableArg:
		return nil, b.errorf(source.CodeWindow, e.Span(), "call the window function in FROM: FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "TABLE and DESCRIPTOR are arguments of window functions and no values")
	}
	return nil, b.unsupported(e.Span(), "write a value, a column or a function of them", "this kind of expression is")
}

func (b *Binder) exprs(list []sql.Expr, s *scope) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = b.expr(e, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// condition binds an expression that must be BOOLEAN.
func (b *Binder) condition(e sql.Expr, s *scope) (expr.Expr, error) {
	c, err := b.expr(e, s)
	if err != nil {
		return nil, err
	}
	if k := c.Type().Kind; k == types.Null {
		return expr.Null(types.BooleanType), nil
	} else if k != types.Boolean {
		return nil, b.errorf(source.CodeType, e.Span(), "write a comparison", "%s wants a condition, and this is %s", s.where, c.Type().Nullable())
	}
	return c, nil
}

func (b *Binder) unary(e *sql.Unary, s *scope) (expr.Expr, error) {
	if n, ok := e.Operand.(*sql.NumberLit); ok && e.Op == sql.OpMinus {
		return b.signed(n, "-"+n.Text, e.Span())
	}
	return b.apply(string(e.Op), e.Span(), s, e.Operand)
}

func (b *Binder) is(e *sql.Is, s *scope) (expr.Expr, error) {
	name := "IS " + string(e.Test)
	if e.Not {
		name = "IS NOT " + string(e.Test)
	}
	if _, ok := function.LookupScalar(name); !ok {
		return nil, b.unsupported(e.Span(), "there are IS [NOT] NULL, TRUE, FALSE, UNKNOWN", "%s is", name)
	}
	return b.apply(name, e.Span(), s, e.Operand)
}

func (b *Binder) between(e *sql.Between, s *scope) (expr.Expr, error) {
	args, err := b.exprs([]sql.Expr{e.Operand, e.Low, e.High}, s)
	if err != nil {
		return nil, err
	}
	inside, err := b.inside(e.Span(), args[0], args[1], args[2])
	if err == nil && e.Symmetric {
		var other expr.Expr
		if other, err = b.inside(e.Span(), args[0], args[2], args[1]); err == nil {
			inside, err = expr.NewOr(inside, other)
		}
	}
	return b.negate(inside, err, e.Not, e.Span())
}

func (b *Binder) inside(at source.Span, x, low, high expr.Expr) (expr.Expr, error) {
	from, err := b.newCall(">=", at, x, low)
	if err != nil {
		return nil, err
	}
	to, err := b.newCall("<=", at, x, high)
	if err != nil {
		return nil, err
	}
	return expr.NewAnd(from, to)
}

// negate applies NOT if not is set, and places err.
func (b *Binder) negate(e expr.Expr, err error, not bool, at source.Span) (expr.Expr, error) {
	if err != nil {
		return nil, b.place(err, at)
	}
	if !not {
		return e, nil
	}
	return b.newCall("NOT", at, e)
}

func (b *Binder) in(e *sql.In, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return nil, b.unsupported(e.Span(), testAlone, "IN with a query %s is", s.standingTest())
	}
	operand, err := b.expr(e.Operand, s)
	if err != nil {
		return nil, err
	}
	list, err := b.exprs(e.List, s)
	if err != nil {
		return nil, err
	}
	in, err := expr.NewIn(operand, list)
	return b.negate(in, err, e.Not, e.Span())
}

func (b *Binder) like(e *sql.Like, s *scope) (expr.Expr, error) {
	name := "LIKE"
	if e.Similar {
		name = "SIMILAR TO"
	}
	args := []sql.Expr{e.Operand, e.Pattern}
	if e.Escape != nil {
		args = append(args, e.Escape)
	}
	like, err := b.apply(name, e.Span(), s, args...)
	return b.negate(like, err, e.Not, e.Span())
}

func (b *Binder) caseOf(e *sql.Case, s *scope) (expr.Expr, error) {
	var operand expr.Expr
	var err error
	if e.Operand != nil {
		if operand, err = b.expr(e.Operand, s); err != nil {
			return nil, err
		}
	}
	whens := make([]expr.When, len(e.Whens))
	for i, w := range e.Whens {
		if operand == nil {
			whens[i].Condition, err = b.condition(w.Condition, s.in("WHEN"))
		} else if whens[i].Condition, err = b.expr(w.Condition, s); err == nil {
			whens[i].Condition, err = b.newCall("=", w.Condition.Span(), operand, whens[i].Condition)
		}
		if err != nil {
			return nil, err
		}
		if whens[i].Result, err = b.expr(w.Result, s); err != nil {
			return nil, err
		}
	}
	var otherwise expr.Expr = expr.Null(types.NullType)
	if e.Else != nil {
		if otherwise, err = b.expr(e.Else, s); err != nil {
			return nil, err
		}
	}
	c, err := expr.NewCase(whens, otherwise)
	return c, b.place(err, e.Span())
}

func (b *Binder) cast(e *sql.Cast, s *scope) (expr.Expr, error) {
	operand, err := b.expr(e.Operand, s)
	if err != nil {
		return nil, err
	}
	t, err := b.typeOf(e.Type)
	if err != nil {
		return nil, err
	}
	c, err := expr.NewCast(operand, t, e.Try)
	return c, b.place(err, e.Span())
}
