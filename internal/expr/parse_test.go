package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// parse reads the little expression language of the tests: SQL with every operator of the registry, functions called with commas, units as strings, and
// INTERVAL 'n' UNIT. It exists so that tests can be read; the SQL front end is above this package.
func parse(text string, schema types.Schema) (e Expr, err error) {
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(parseError)
			if !ok {
				panic(r)
			}
			err = failed.error
		}
	}()
	p := &parser{tokens: tokenize(text), schema: schema}
	e = p.or()
	p.require(p.peek() == "", "the end")
	return e, nil
}

type parseError struct{ error }

type parser struct {
	tokens []string
	schema types.Schema
}

func tokenize(text string) []string {
	var tokens []string
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case c == ' ':
			i++
			continue
		case c == '\'':
			for i++; text[i] != '\'' || (i+1 < len(text) && text[i+1] == '\''); i++ {
				if text[i] == '\'' {
					i++
				}
			}
			i++
		case isWord(c):
			for i < len(text) && (isWord(text[i]) || text[i] == '.' || ((text[i] == '-' || text[i] == '+') && isNumber(text[start]) && text[i-1] == 'e')) {
				i++
			}
		case i+1 < len(text) && strings.Contains("<> <= >= || !=", text[i:i+2]) && text[i+1] != ' ':
			i += 2
		default:
			i++
		}
		tokens = append(tokens, text[start:i])
	}
	return tokens
}

func isNumber(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool { return c == '_' || isNumber(c) || (c|0x20 >= 'a' && c|0x20 <= 'z') }

func (p *parser) require(ok bool, what string) {
	if !ok {
		panic(parseError{fmt.Errorf("test expression: expected %s at %q", what, strings.Join(p.tokens, " "))})
	}
}

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) next() string {
	t := p.peek()
	p.tokens = p.tokens[1:]
	return t
}

// accept takes words if they come next.
func (p *parser) accept(words ...string) bool {
	if len(p.tokens) < len(words) {
		return false
	}
	for i, w := range words {
		if !strings.EqualFold(p.tokens[i], w) {
			return false
		}
	}
	p.tokens = p.tokens[len(words):]
	return true
}

func (p *parser) expect(word string) { p.require(p.accept(word), word) }

func must(e Expr, err error) Expr {
	if err != nil {
		panic(parseError{err})
	}
	return e
}

func call(name string, args ...Expr) Expr {
	f, ok := function.LookupScalar(name)
	if !ok {
		panic(parseError{fault.Errorf(fault.User, "no function %s", name)})
	}
	return must(NewCall(f, args))
}

func (p *parser) or() Expr {
	e := p.and()
	for p.accept("OR") {
		e = call("OR", e, p.and())
	}
	return e
}

func (p *parser) and() Expr {
	e := p.not()
	for p.accept("AND") {
		e = call("AND", e, p.not())
	}
	return e
}

func (p *parser) not() Expr {
	if p.accept("NOT") {
		return call("NOT", p.not())
	}
	return p.comparison()
}

var postfixTests = [][]string{{"IS", "NULL"}, {"IS", "NOT", "NULL"}, {"IS", "TRUE"}, {"IS", "NOT", "TRUE"}, {"IS", "FALSE"}, {"IS", "NOT", "FALSE"},
	{"IS", "UNKNOWN"}, {"IS", "NOT", "UNKNOWN"}}

func (p *parser) comparison() Expr {
	e := p.sum()
	for _, test := range postfixTests {
		if p.accept(test...) {
			return call(strings.Join(test, " "), e)
		}
	}
	switch {
	case p.accept("IS", "DISTINCT", "FROM"):
		return call("IS DISTINCT FROM", e, p.sum())
	case p.accept("IS", "NOT", "DISTINCT", "FROM"):
		return call("IS NOT DISTINCT FROM", e, p.sum())
	case p.accept("LIKE"):
		return p.pattern("LIKE", e)
	case p.accept("SIMILAR", "TO"):
		return p.pattern("SIMILAR TO", e)
	case p.accept("IN"):
		p.expect("(")
		return must(NewIn(e, p.list()))
	}
	switch op := p.peek(); op {
	case "=", "<>", "!=", "<", "<=", ">", ">=":
		p.next()
		return call(op, e, p.sum())
	}
	return e
}

func (p *parser) pattern(operator string, e Expr) Expr {
	args := []Expr{e, p.sum()}
	if p.accept("ESCAPE") {
		args = append(args, p.sum())
	}
	return call(operator, args...)
}

func (p *parser) sum() Expr {
	e := p.product()
	for {
		switch op := p.peek(); op {
		case "+", "-", "||":
			p.next()
			e = call(op, e, p.product())
		default:
			return e
		}
	}
}

func (p *parser) product() Expr {
	e := p.unary()
	for {
		switch op := p.peek(); op {
		case "*", "/", "%":
			p.next()
			e = call(op, e, p.unary())
		default:
			return e
		}
	}
}

func (p *parser) unary() Expr {
	if p.accept("-") {
		return call("-", p.unary())
	}
	return p.primary()
}

func (p *parser) list() []Expr {
	var args []Expr
	for !p.accept(")") {
		args = append(args, p.or())
		if p.peek() != ")" {
			p.expect(",")
		}
	}
	return args
}

func (p *parser) primary() Expr {
	t := p.next()
	switch {
	case t == "(":
		e := p.or()
		p.expect(")")
		return e
	case t[0] == '\'':
		return LiteralString(unquote(t))
	case isNumber(t[0]):
		return numberLiteral(t)
	}
	switch strings.ToUpper(t) {
	case "NULL":
		return Null(types.NullType)
	case "TRUE":
		return LiteralBool(true)
	case "FALSE":
		return LiteralBool(false)
	case "TIMESTAMP", "TIMESTAMP_LTZ":
		return timestampLiteral(strings.ToUpper(t), unquote(p.next()))
	case "INTERVAL":
		return p.interval()
	case "CAST", "TRY_CAST":
		p.expect("(")
		e := p.or()
		p.expect("AS")
		to := p.typeName()
		p.expect(")")
		return must(NewCast(e, to, strings.EqualFold(t, "TRY_CAST")))
	case "CASE":
		return p.caseWhen()
	}
	if p.accept("(") {
		return call(t, p.list()...)
	}
	if i := p.schema.Index(t); i >= 0 {
		return NewColumn(i, t, p.schema[i].Type)
	}
	return call(t)
}

func unquote(t string) string { return strings.ReplaceAll(t[1:len(t)-1], "''", "'") }

func numberLiteral(t string) Expr {
	if strings.ContainsAny(t, "e.") {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			panic(parseError{err})
		}
		return LiteralDouble(v)
	}
	v, err := strconv.ParseInt(t, 10, 64)
	if err != nil {
		panic(parseError{err})
	}
	if v == int64(int32(v)) {
		return LiteralInt(types.IntType, v)
	}
	return LiteralInt(types.BigIntType, v)
}

// timestampLiteral has as many fractional digits as are written.
func timestampLiteral(kind, text string) Expr {
	micros, _, ok := timefmt.ParseTimestamp([]byte(text))
	if !ok {
		panic(parseError{fmt.Errorf("no timestamp: %s", text)})
	}
	t := types.Type{Kind: types.Timestamp}
	if kind == "TIMESTAMP_LTZ" {
		t.Kind = types.TimestampLTZ
	}
	if _, fraction, ok := strings.Cut(strings.TrimSuffix(text, "Z"), "."); ok {
		t.Precision = int8(len(fraction))
	}
	return LiteralInt(t, micros)
}

func (p *parser) interval() Expr {
	n, err := strconv.ParseFloat(unquote(p.next()), 64)
	if err != nil {
		panic(parseError{err})
	}
	switch unit := strings.ToUpper(p.next()); unit {
	case "MONTH":
		return LiteralInt(types.IntervalMonthType, int64(n))
	case "YEAR":
		return LiteralInt(types.IntervalMonthType, 12*int64(n))
	default:
		units := map[string]int64{"SECOND": timefmt.Second, "MINUTE": timefmt.Minute, "HOUR": timefmt.Hour, "DAY": timefmt.Day}
		return LiteralInt(types.IntervalDayType, int64(n*float64(units[unit])))
	}
}

func (p *parser) typeName() types.Type {
	names := map[string]types.Type{"INT": types.IntType, "BIGINT": types.BigIntType, "DOUBLE": types.DoubleType, "STRING": types.StringType,
		"BOOLEAN": types.BooleanType, "TIMESTAMP": types.TimestampType, "TIMESTAMP_LTZ": types.TimestampLTZType}
	t, ok := names[strings.ToUpper(p.next())]
	p.require(ok, "a type")
	if p.accept("(") {
		digits, err := strconv.Atoi(p.next())
		p.require(err == nil, "a precision")
		t.Precision = int8(digits)
		p.expect(")")
	}
	return t
}

func (p *parser) caseWhen() Expr {
	var whens []When
	for p.accept("WHEN") {
		condition := p.or()
		p.expect("THEN")
		whens = append(whens, When{condition, p.or()})
	}
	var otherwise Expr
	if p.accept("ELSE") {
		otherwise = p.or()
	}
	p.expect("END")
	return must(NewCase(whens, otherwise))
}
