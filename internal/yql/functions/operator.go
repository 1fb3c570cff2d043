package functions

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Unary applies an operator to one value: -, +, ~ or NOT.
func Unary(op string, v Value) (Value, error) {
	if v.Static != nil {
		return Value{}, errorf(CodeType, "%s does not take %s", op, describe([]Value{v}))
	}
	switch strings.ToUpper(op) {
	case "NOT":
		if v, ok := acceptBool.take(v); ok {
			return native("NOT", yqltype.Of(yqltype.Bool), v)
		}
		return Value{}, hintf(CodeType, "NOT binds like a sign: write NOT (a = b), or NOT (a IN (b, c))", "%s does not take %s", op, describe([]Value{v}))
	case "+":
		if v.Type.IsNumber() || v.Type.Kind == yqltype.Interval {
			return v, nil
		}
	case "-":
		if v.Type.IsUnsigned() {
			return wrapped(v.Type, v, "-")
		}
		if v.Type.IsNumber() || v.Type.Kind == yqltype.Interval {
			return native("-", v.Type, v)
		}
	case "~":
		if v.Type.IsInteger() {
			return bitwise(op, v.Type, v)
		}
	}
	return Value{}, errorf(CodeType, "%s does not take %s", op, describe([]Value{v}))
}

// Binary applies an operator to two values: + - * / % == = != <> < <= > >= || ?? AND OR XOR & | ^ << >> |<< >>| and IS [NOT] DISTINCT FROM; LIKE and its
// kin are Like, IN is In.
func Binary(op string, a, b Value) (Value, error) {
	op = strings.ToUpper(op)
	if a.Static != nil || b.Static != nil {
		return Value{}, errorf(CodeType, "%s does not take %s", op, describe([]Value{a, b}))
	}
	switch op {
	case "+", "-", "*", "/", "%":
		return arithmetic(op, a, b)
	case "=", "==":
		return compare("=", a, b)
	case "!=", "<>":
		return compare("<>", a, b)
	case "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
		return compare(op, a, b)
	case "||":
		return concat(a, b)
	case "??":
		return Coalesce([]Value{a, b})
	case "AND", "OR", "XOR":
		return logic(op, a, b)
	case "&", "|", "^":
		if t, ok := yqltype.Promote(a.Type, b.Type); ok && t.IsInteger() {
			return bitwiseOfTwo(op, t, a, b)
		}
	case "<<", ">>", "|<<", ">>|":
		if a.Type.IsInteger() && b.Type.IsInteger() {
			return bitwise(op, a.Type, a, b)
		}
	default:
		return Value{}, errorf(CodeUnsupported, "the operator %s is not supported", op)
	}
	return Value{}, refused(op, a, b)
}

// refused is the error of an operator that does not take its operands.
func refused(op string, a, b Value) error {
	e := &Error{Code: CodeType, Message: op + " does not take " + describe([]Value{a, b}), Arg: -1}
	text := a.Type.IsText() || b.Type.IsText()
	switch {
	case op == "+" && a.Type.IsText() && b.Type.IsText():
		e.Hint = "strings are put together with ||"
	case op == "||":
		e.Hint = "CAST what is no String"
	case text && (a.Type.IsInstant() || b.Type.IsInstant()):
		e.Hint = `CAST the String, or write Timestamp("2031-02-03T04:05:06Z")`
	case text && (a.Type.Kind == yqltype.Interval || b.Type.Kind == yqltype.Interval):
		e.Hint = `write Interval("PT5S")`
	case text && (a.Type.IsNumber() || b.Type.IsNumber()):
		e.Hint = "CAST one of them to the type of the other"
	case a.Type.Kind == yqltype.Json || b.Type.Kind == yqltype.Json:
		e.Hint = "CAST the Json to String, or take a value out of it with JSON_VALUE"
	case a.Type.Kind == yqltype.Node || b.Type.Kind == yqltype.Node:
		e.Hint = "take the value out of the node with Yson::ConvertTo…"
	case (a.Type.IsInstant() || b.Type.IsInstant()) && (a.Type.IsNumber() || b.Type.IsNumber()):
		e.Hint = "a length of time is an Interval: DateTime::IntervalFromSeconds(…)"
	}
	return e
}

// compare compares values of comparable types; NULL if one is NULL, but for IS DISTINCT FROM.
func compare(op string, a, b Value) (Value, error) {
	ok, ordered := yqltype.Comparable(a.Type, b.Type)
	if !ok || !ordered && op != "=" && op != "<>" && !strings.HasPrefix(op, "IS ") {
		return Value{}, refused(op, a, b)
	}
	if a.Type.Kind == yqltype.Tuple && b.Type.Kind == yqltype.Tuple && strings.ContainsAny(op, "<>") && op != "<>" {
		return compareTuples(op, a, b)
	}
	both := []Value{a, b}
	if (a.Type.Kind == yqltype.Decimal) == (b.Type.Kind == yqltype.Decimal) {
		if both, _, ok = Unify(both); !ok {
			return Value{}, refused(op, a, b)
		}
	}
	result := yqltype.Of(yqltype.Bool)
	v, err := native(op, result, both...)
	if strings.HasPrefix(op, "IS ") {
		v.Type.Optional = false
	}
	return v, err
}

// compareTuples compares element by element: the first that differ decide.
func compareTuples(op string, a, b Value) (Value, error) {
	n := len(a.Type.Elems())
	if n == 0 {
		return Bool(op == "<=" || op == ">="), nil
	}
	last, err := compare(op, partOf(a, n-1), partOf(b, n-1))
	strict := strings.TrimSuffix(op, "=")
	for i := n - 2; i >= 0 && err == nil; i-- {
		var before, equal Value
		if before, err = compare(strict, partOf(a, i), partOf(b, i)); err != nil {
			break
		}
		if equal, err = compare("=", partOf(a, i), partOf(b, i)); err != nil {
			break
		}
		if last, err = logic("AND", equal, last); err != nil {
			break
		}
		last, err = logic("OR", before, last)
	}
	return last, err
}

func concat(a, b Value) (Value, error) {
	x, ok := acceptText.take(a)
	y, ok2 := acceptText.take(b)
	if !ok || !ok2 {
		if isList(a) && isList(b) {
			return concatLists([]Value{a, b})
		}
		return Value{}, refused("||", a, b)
	}
	t := yqltype.Of(yqltype.String)
	if x.Type.Kind == yqltype.Utf8 && y.Type.Kind == yqltype.Utf8 {
		t = yqltype.Of(yqltype.Utf8)
	}
	return native("||", t, x, y)
}

func logic(op string, a, b Value) (Value, error) {
	if op != "XOR" {
		return Logic(op, a, b)
	}
	x, ok := acceptBool.take(a)
	y, ok2 := acceptBool.take(b)
	if !ok || !ok2 {
		return Value{}, refused(op, a, b)
	}
	return native("<>", yqltype.Of(yqltype.Bool), x, y)
}

// Logic is AND or OR of two or more values. An error is about one that does not fit and one beside it.
func Logic(op string, all ...Value) (Value, error) {
	args := make([]Value, len(all))
	for i, a := range all {
		var ok bool
		if args[i], ok = acceptBool.take(a); !ok {
			first := max(i-1, 0)
			return Value{}, refused(op, all[first], all[first+1])
		}
	}
	return native(op, yqltype.Of(yqltype.Bool), args...)
}

// IsNull is v IS NULL, or IS NOT NULL if not.
func IsNull(v Value, not bool) (Value, error) {
	if v.Static != nil {
		return Value{}, errorf(CodeType, "IS NULL does not take %s", v.describe())
	}
	name := "IS NULL"
	if not {
		name = "IS NOT NULL"
	}
	w, err := native(name, yqltype.Of(yqltype.Bool), v)
	w.Type.Optional = false
	return w, err
}

// Between is v BETWEEN low AND high.
func Between(v, low, high Value) (Value, error) {
	over, err := Binary(">=", v, low)
	if err != nil {
		return Value{}, err
	}
	under, err := Binary("<=", v, high)
	if err != nil {
		return Value{}, err
	}
	return logic("AND", over, under)
}

// In is v IN (list): of values, of one List whose elements are looked through, or of one Dict, whose keys are.
func In(v Value, list []Value) (Value, error) {
	if len(list) == 1 && v.Static == nil {
		switch list[0].Type.Kind {
		case yqltype.List:
			if !isList(v) {
				return hasElement(list[0], v)
			}
		case yqltype.Dict:
			return hasKey(list[0], v)
		case yqltype.EmptyList, yqltype.EmptyDict:
			return Bool(false), nil
		case yqltype.Tuple:
			if v.Type.Kind != yqltype.Tuple {
				list = partsOf(list[0])
			}
		}
	}
	if len(list) == 0 {
		return Bool(false), nil
	}
	for _, w := range list {
		if ok, _ := yqltype.Comparable(v.Type, w.Type); !ok || v.Static != nil || w.Static != nil {
			return Value{}, refused("IN", v, w)
		}
	}
	all, t, ok := Unify(append([]Value{v}, list...))
	if !ok {
		return Value{}, errorf(CodeType, "IN does not take %s", describe(append([]Value{v}, list...)))
	}
	exprs := make([]expr.Expr, len(list))
	for i, w := range all[1:] {
		exprs[i] = w.Expr
	}
	e, err := expr.NewIn(all[0].Expr, exprs)
	if err != nil {
		return Value{}, own("IN", all, err)
	}
	return Value{Expr: e, Type: yqltype.Type{Kind: yqltype.Bool, Optional: t.Optional}}, nil
}

// Like is v LIKE pattern and its kin: op is LIKE, ILIKE, GLOB, MATCH, REGEXP, RLIKE; escape is the zero Value if there is none.
func Like(op string, v, pattern, escape Value) (Value, error) {
	op = strings.ToUpper(op)
	x, ok := acceptText.take(v)
	p, ok2 := acceptText.take(pattern)
	if !ok || !ok2 {
		return Value{}, refused(op, v, pattern)
	}
	result := yqltype.Of(yqltype.Bool)
	switch op {
	case "LIKE", "ILIKE":
		if op == "ILIKE" {
			var err error
			if x, err = native("LOWER", x.Type, x); err != nil {
				return Value{}, err
			}
			if p, err = native("LOWER", p.Type, p); err != nil {
				return Value{}, err
			}
		}
		if escape.Expr != nil {
			return native("LIKE", result, x, p, escape)
		}
		return native("LIKE", result, x, p)
	case "REGEXP", "RLIKE":
		return matching(p, false, x)
	case "MATCH":
		return matching(p, true, x)
	}
	return Value{}, hintf(CodeUnsupported, "write LIKE, REGEXP or MATCH", "%s is not supported", op)
}

// When is a branch of CASE.
type When struct{ Condition, Result Value }

// Case is CASE WHEN … THEN … ELSE otherwise END; of an absent ELSE otherwise is Bare(). A condition that is NULL does not hold.
func Case(whens []When, otherwise Value) (Value, error) {
	results := make([]Value, 0, len(whens)+1)
	for _, w := range whens {
		results = append(results, w.Result)
	}
	results, t, ok := Unify(append(results, otherwise))
	if !ok {
		var all []Value
		for _, w := range whens {
			all = append(all, w.Result)
		}
		all = append(all, otherwise)
		return Value{}, hintf(CodeType, "CAST some of them", "the results have no common type: %s", describe(all))
	}
	branches := make([]expr.When, len(whens))
	for i, w := range whens {
		condition, ok := acceptBool.take(w.Condition)
		if !ok {
			return Value{}, errorf(CodeType, "a condition is %s, and Bool is wanted", w.Condition.describe())
		}
		branches[i] = expr.When{Condition: condition.Expr, Result: results[i].Expr}
	}
	e, err := expr.NewCase(branches, results[len(whens)].Expr)
	if err != nil {
		return Value{}, own("CASE", results, err)
	}
	return Value{Expr: e, Type: t}, nil
}

// If is IF(condition, then, otherwise).
func If(condition, then, otherwise Value) (Value, error) {
	return Case([]When{{condition, then}}, otherwise)
}

// Coalesce is the first of values that is not NULL.
func Coalesce(list []Value) (Value, error) {
	unified, t, ok := Unify(list)
	if !ok {
		return Value{}, hintf(CodeType, "CAST some of them", "the values have no common type: %s", describe(list))
	}
	t.Optional = true
	exprs := make([]expr.Expr, len(unified))
	for i, v := range unified {
		exprs[i] = v.Expr
		t.Optional = t.Optional && (list[i].Type.Optional || list[i].Type.Kind == yqltype.Null)
	}
	e, err := expr.NewCall(function.MustScalar("COALESCE"), exprs)
	return Value{Expr: e, Type: t}, own("Coalesce", list, err)
}

// nullWith makes a value of the parts of v, which is NULL where v is. make is given v without its Optional.
func nullWith(v Value, make func(v Value) (Value, error)) (Value, error) {
	optional := v.Type.Optional
	v.Type.Optional = false
	made, err := make(v)
	if err != nil || !optional {
		return made, err
	}
	null, err := IsNull(v, false)
	if err != nil {
		return Value{}, err
	}
	return If(null, Null(made.Type), made)
}
