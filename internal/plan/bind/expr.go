package bind

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// expr binds an expression.
func (b *Binder) expr(e sql.Expr, s *scope) (expr.Expr, error) {
	bound, err := b.exprOf(e, s)
	if err == nil && b.weigh(bound) > maxWeight {
		return nil, b.errorf(codeTooLarge, e.Span(), "compute what is inside in a subquery, and use its column", "the expression comes to more than %d operations, with the operands of NULLIF, CASE and BETWEEN put in where they are compared", maxWeight)
	}
	if err == nil && bound.Type().IsNested() && parts(bound.Type(), maxParts) < 0 {
		return nil, b.errorf(codeTooLarge, e.Span(), "take fewer values together", "the type has more than %d parts", maxParts)
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
		if e.Op == sql.OpOverlaps {
			return b.overlaps(e, s)
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
		return nil, b.errorf(codeWindow, e.Span(), "call the window function in FROM: FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", "TABLE and DESCRIPTOR are arguments of window functions and no values")
	}
	return nil, b.unsupported(e.Span(), "write a value, a column or a function of them", "this kind of expression is")
}

// datetime is DATE, TIME or TIMESTAMP with as many fractional digits as were written, a TIMESTAMP with three at least: so it meets time attributes as they are.
func datetime(e *sql.DatetimeLit) expr.Expr {
	switch e.Kind {
	case sql.DateDatetime:
		return expr.LiteralInt(types.DateType, timefmt.FloorDiv(e.Micros, timefmt.Day))
	case sql.TimeDatetime:
		return expr.LiteralInt(types.Type{Kind: types.Time, Precision: int8(e.Precision)}, e.Micros)
	}
	return expr.LiteralInt(types.Type{Kind: types.Timestamp, Precision: int8(max(e.Precision, 3))}, e.Micros)
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
		return nil, b.errorf(codeType, e.Span(), "write a comparison", "%s wants a condition, and this is %s", s.where, c.Type().Nullable())
	}
	return c, nil
}

// apply calls a function by its name in the registry.
func (b *Binder) apply(name string, at source.Span, s *scope, args ...sql.Expr) (expr.Expr, error) {
	return b.applyTo(function.MustScalar(name), at, s, args)
}

// applyTo calls a function with arguments that are still text, so that advice can quote them.
func (b *Binder) applyTo(f *function.Scalar, at source.Span, s *scope, args []sql.Expr) (expr.Expr, error) {
	bound, err := b.exprs(args, s)
	if err != nil {
		return nil, err
	}
	e, err := expr.NewCall(f, bound)
	var signature *function.SignatureError
	if errors.As(err, &signature) && signature.Remedy != nil {
		signature.Hint = signature.Remedy.Of(b.quoted(args[signature.Remedy.Arg]))
	}
	return e, b.place(err, at)
}

// maxQuoted is how much of a statement a hint repeats.
const maxQuoted = 40

// quoted is the text of an expression for a hint, or an ellipsis if it is long.
func (b *Binder) quoted(e sql.Expr) string {
	text := b.text.Slice(e.Span())
	if len(text) > maxQuoted || strings.ContainsAny(text, "\r\n\t") {
		return "…"
	}
	return text
}

func (b *Binder) newCall(name string, at source.Span, args ...expr.Expr) (expr.Expr, error) {
	e, err := expr.NewCall(function.MustScalar(name), args)
	return e, b.place(err, at)
}

// number binds an unsigned number.
func (b *Binder) number(e *sql.NumberLit) (expr.Expr, error) {
	return b.signed(e, e.Text, e.Span())
}

// signed binds a number with its sign. Flink 2.3: one without exponent is INT if it is whole and fits, else BIGINT, and a DECIMAL of the digits that are
// written if there are some behind the point. Here a whole number beyond BIGINT is a DECIMAL too, which Flink refuses.
func (b *Binder) signed(e *sql.NumberLit, text string, at source.Span) (expr.Expr, error) {
	if e.Kind == sql.ApproxNumber {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, b.errorf(codeType, at, "the greatest DOUBLE is about 1.8e308", "%s is beyond DOUBLE", text)
		}
		return expr.LiteralDouble(v), nil
	}
	before, behind, _ := strings.Cut(text, ".")
	if behind == "" {
		if v, err := strconv.ParseInt(before, 10, 64); err == nil && int64(int32(v)) == v {
			return expr.LiteralInt(types.IntType, v), nil
		} else if err == nil {
			return expr.LiteralInt(types.BigIntType, v), nil
		}
		before = strings.TrimPrefix(strings.TrimLeft(before, "-0"), "-")
	}
	precision := min(len(strings.TrimPrefix(before, "-"))+len(behind), types.MaxDigits)
	v, reading := int128.Int{}, numfmt.TooGreat
	if len(behind) <= precision {
		v, reading = numfmt.ReadDecimal([]byte(text), precision, len(behind))
	}
	if reading != numfmt.Read {
		return nil, b.errorf(codeType, at, "write it as a DOUBLE: "+text+"e0", "%s has more than the %d digits of a DECIMAL", text, types.MaxDigits)
	}
	return expr.LiteralDecimal(types.DecimalOf(precision, len(behind)), v), nil
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

// refused are functions that people will write and that are left out on purpose, with what to write instead.
var refused = map[string]string{
	"PROCTIME": "Tidemark works in event time only; declare WATERMARK FOR a time column of the table and window by it",
}

// currentDatabase is a function of the session and not of rows: a query keeps the database that was current when it was bound.
const currentDatabase = "CURRENT_DATABASE"

func (b *Binder) call(e *sql.Call, s *scope) (expr.Expr, error) {
	name := e.Function.Last().Name
	if e.Bare {
		// FLIP-296 has an example with a column current_time: a column of that name wins.
		if i, err := b.find(e.Function, s); err == nil && s.group == nil {
			return s.column(i), nil
		}
	}
	upper := upperASCII(name)
	if hint, ok := refused[upper]; ok {
		return nil, b.unsupported(e.Span(), hint, "%s is", upper)
	}
	if e.Over != nil {
		return b.overResult(e, s)
	}
	if _, ok := function.LookupAggregate(upper); ok {
		hint := "aggregate in SELECT or HAVING of a query in FROM, and use its result outside it"
		if s.where == "WHERE" {
			hint = "WHERE looks at single rows; write HAVING behind GROUP BY, or compare the result of a query in FROM"
		}
		return nil, b.errorf(codeGrouping, e.Span(), hint, "aggregate %s cannot stand in %s", upper, s.where)
	}
	if _, ok := function.LookupOver(upper); ok {
		return nil, b.errorf(codeWindow, e.Span(), "write "+upper+"(…) OVER (PARTITION BY … ORDER BY …)", "%s stands before OVER alone", upper)
	}
	if upper == currentWatermark {
		return b.watermarkColumn(e, s)
	}
	if upper == currentDatabase {
		if len(e.Args) > 0 {
			return nil, b.errorf(codeType, e.Span(), "call it as CURRENT_DATABASE()", "%s takes no arguments", currentDatabase)
		}
		return expr.LiteralString(b.session.Current().Database), nil
	}
	if groupWindows[upper] {
		return nil, b.unsupported(e.Span(), "use the table function: FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) … GROUP BY window_start, window_end", "the old group window %s is", upper)
	}
	f, ok := function.LookupScalar(upper)
	if !ok || f.Notation != function.Prefix && f.Notation != function.Bracketed {
		return nil, b.noFunction(e)
	}
	if e.Star || e.Distinct || e.Filter != nil || e.OrderBy != nil {
		return nil, b.errorf(codeType, e.Span(), "DISTINCT, FILTER, ORDER BY and * are for aggregates", "%s is not an aggregate", upper)
	}
	if bound, ok, err := b.jsonCall(f, e, s); ok {
		return bound, err
	}
	return b.applyTo(f, e.Span(), s, e.Args)
}

// foreignFunctions are functions of other systems and what to write for them here.
var foreignFunctions = map[string]string{
	"NVL": "COALESCE(a, b)", "IFF": "IF(condition, a, b)", "LEN": "CHAR_LENGTH(string)", "STRLEN": "CHAR_LENGTH(string)", "CHARINDEX": "LOCATE(part, string)",
	"STRING_AGG": "LISTAGG(string, ',')", "GROUP_CONCAT": "LISTAGG(string, ',')", "DATE_TRUNC": "FLOOR(ts TO DAY)", "DATEDIFF": "TIMESTAMPDIFF(DAY, a, b)",
	"DATE_DIFF": "TIMESTAMPDIFF(DAY, a, b)", "DATEADD": "ts + INTERVAL '1' DAY", "DATE_ADD": "ts + INTERVAL '1' DAY", "DATE_SUB": "ts - INTERVAL '1' DAY",
	"DATE_PART": "EXTRACT(DAY FROM ts)", "TO_CHAR": "DATE_FORMAT(ts, 'yyyy-MM-dd')", "GETDATE": "CURRENT_TIMESTAMP", "SYSDATE": "CURRENT_TIMESTAMP",
	"ANY_VALUE": "FIRST_VALUE(a)", "COUNT_IF": "COUNT(*) FILTER (WHERE condition)", "COUNTIF": "COUNT(*) FILTER (WHERE condition)",
}

// noFunction refuses a function that is not there.
func (b *Binder) noFunction(e *sql.Call) error {
	const list = "SHOW FUNCTIONS lists those there are"
	name := e.Function.Last().Name
	if upperASCII(name) == sourceFunction {
		return b.errorf(codeUnsupported, e.Span(), "write it alone after AS, WATERMARK FOR ts AS SOURCE_WATERMARK(); what the watermark is now says CURRENT_WATERMARK(ts)", "SOURCE_WATERMARK() is a watermark and not a value")
	}
	if instead, ok := function.LookupNotYet(name); ok {
		return b.errorf(codeUnsupported, e.Function.Span(), cmp.Or(instead, list), "%s is not there yet", upperASCII(name))
	}
	if ours, ok := foreignFunctions[upperASCII(name)]; ok {
		return b.errorf(codeUnknownFunc, e.Function.Span(), "write "+ours, "unknown function '%s'", name)
	}
	names := slices.Concat(function.CallNames(), function.AggregateNames())
	return b.errorf(codeUnknownFunc, e.Function.Span(), didYouMean(name, names, list), "unknown function '%s'", name)
}

var groupWindows = map[string]bool{"TUMBLE": true, "HOP": true, "SESSION": true, "TUMBLE_START": true, "TUMBLE_END": true, "TUMBLE_ROWTIME": true,
	"TUMBLE_PROCTIME": true, "HOP_START": true, "HOP_END": true, "HOP_ROWTIME": true, "HOP_PROCTIME": true, "SESSION_START": true, "SESSION_END": true,
	"SESSION_ROWTIME": true, "SESSION_PROCTIME": true}

func upperASCII(s string) string {
	u := []byte(s)
	for i, c := range u {
		if 'a' <= c && c <= 'z' {
			u[i] = c - 'a' + 'A'
		}
	}
	return string(u)
}
