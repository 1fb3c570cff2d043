package lower

import (
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// value lowers an expression over the rows of s.
func (l *Lowerer) value(e yql.Expr, s *scope) (functions.Value, error) {
	if err := l.tables.Ended(); err != nil {
		return functions.Value{}, err
	}
	if s.group != nil {
		if v, done, err := s.group.take(l, e, s); done || err != nil {
			return v, err
		}
	}
	if l.calls > 0 {
		l.steps++
	}
	if l.steps > maxSteps {
		return functions.Value{}, l.tooLarge(e, "the lambdas of a statement come", maxSteps, ", each put in where it is applied")
	}
	v, err := l.valueOf(e, s)
	if err == nil && v.Static == nil && l.weigh(v.Expr) > maxWeight {
		err = l.tooLarge(e, "the expression comes", maxWeight, " and values, those of lambdas and named expressions that it uses included")
	}
	if err == nil {
		err = l.sound(v, e)
	}
	return v, l.located(err, e)
}

func (l *Lowerer) tooLarge(e yql.Expr, what string, limit int, counted string) error {
	return l.errorf(source.CodeTooLarge, e.Span(), "compute parts of it in a named query; join a table that has the values of a long list", "%s to more than %d operations%s", what, limit, counted)
}

// maxWeight bounds the operations that an expression comes to: a few lambdas that use their parameter twice come to millions.
const maxWeight = 100_000

// maxSteps bounds what is lowered in bodies of lambdas: calls over constants come to one constant, which weighs nothing, however many they are.
const maxSteps = 300_000

// weigh counts the operations of e, one that stands in several places as often as it does.
func (l *Lowerer) weigh(e expr.Expr) int {
	if w, ok := l.weights[e]; ok {
		return w
	}
	w := 1
	for _, child := range e.Children() {
		w = min(w+l.weigh(child), maxWeight+1)
	}
	l.weights[e] = w
	return w
}

// maxCalls bounds how deep lambdas are applied inside of each other: one that is given itself would not come to an end.
const maxCalls = 100

func (l *Lowerer) valueOf(e yql.Expr, s *scope) (functions.Value, error) {
	switch e := e.(type) {
	case *yql.ColumnRef:
		if s.group != nil {
			return functions.Value{}, s.group.refuse(l, nil, &e.Name)
		}
		return l.columnRef(nil, &e.Name, s)
	case *yql.NamedRef:
		n, err := l.named(*e, s.names)
		if err != nil {
			return functions.Value{}, err
		}
		if n.rows != nil {
			return functions.Value{}, l.unsupported(e.Span(), "read it in FROM: SELECT … FROM $"+n.of, "a query as a value is")
		}
		return n.value, nil
	case *yql.Member:
		return l.member(e, s)
	case *yql.Element:
		base, err := l.value(e.Base, s)
		if err != nil {
			return base, err
		}
		return functions.Member(base, strconv.Itoa(e.Index))
	case *yql.Index:
		all, err := l.operands(s, e.Base, e.Index)
		if err != nil {
			return functions.Value{}, err
		}
		return functions.Subscript(all[0], all[1])
	case *yql.Unary:
		v, err := l.value(e.Operand, s)
		if err != nil {
			return v, err
		}
		return functions.Unary(string(e.Op), v)
	case *yql.Binary:
		return l.binary(e, s)
	case *yql.IsNull:
		v, err := l.value(e.Operand, s)
		if err != nil {
			return v, err
		}
		return functions.IsNull(v, e.Not)
	case *yql.Between:
		return l.between(e, s)
	case *yql.In:
		return l.in(e, s)
	case *yql.Match:
		return l.match(e, s)
	case *yql.Case:
		return l.caseOf(e, s)
	case *yql.Cast:
		return l.cast(e, s)
	case *yql.Call:
		return l.call(e, s)
	case *yql.Lambda:
		return l.lambda(e, s), nil
	case *yql.FunctionRef:
		return l.functionValue(e)
	case *yql.TypeExpr:
		t, err := l.typeOf(e.Type)
		return functions.OfType(t), err
	case *yql.Exists, *yql.Subquery:
		return functions.Value{}, l.unsupported(e.Span(), "JOIN the table, or make a named query and read it in FROM", "a query as a value is")
	case *yql.Star:
		return functions.Value{}, l.errorf(source.CodeUnknownColumn, e.Span(), "write TableRow() for the whole row, or name a column", "* is no value")
	}
	return l.literal(e, s)
}

// operands lowers several expressions.
func (l *Lowerer) operands(s *scope, all ...yql.Expr) ([]functions.Value, error) {
	values := make([]functions.Value, len(all))
	for i, e := range all {
		var err error
		if values[i], err = l.value(e, s); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// member is a member of a struct, or the column of a table.
func (l *Lowerer) member(e *yql.Member, s *scope) (functions.Value, error) {
	if base, ok := e.Base.(*yql.ColumnRef); ok && l.isTable(base.Name.Name, s) {
		if s.group != nil {
			return functions.Value{}, s.group.refuse(l, &base.Name, &e.Name)
		}
		return l.columnRef(&base.Name, &e.Name, s)
	}
	base, err := l.value(e.Base, s)
	if err != nil {
		return base, err
	}
	return functions.Member(base, e.Name.Name)
}

// isTable reports whether a name in front of a dot is that of a table and of no column.
func (l *Lowerer) isTable(of string, s *scope) bool {
	rows := s.rows
	if s.group != nil {
		rows = s.group.input.rows
	}
	table := false
	for _, c := range rows.columns {
		if c.kind != carriedColumn && c.name == of {
			return false
		}
		table = table || c.table == of
	}
	return table || !s.constant()
}

// constant reports whether s has no row.
func (s *scope) constant() bool { return s.group == nil && len(s.rows.columns) == 0 }

func (l *Lowerer) between(e *yql.Between, s *scope) (functions.Value, error) {
	all, err := l.operands(s, e.Operand, e.Low, e.High)
	if err != nil {
		return functions.Value{}, err
	}
	v, err := functions.Between(all[0], all[1], all[2])
	if err == nil && e.Symmetric {
		var other functions.Value
		if other, err = functions.Between(all[0], all[2], all[1]); err == nil {
			v, err = functions.Binary("OR", v, other)
		}
	}
	return negated(v, e.Not, err)
}

func negated(v functions.Value, not bool, err error) (functions.Value, error) {
	if err != nil || !not {
		return v, err
	}
	return functions.Unary("NOT", v)
}

func (l *Lowerer) in(e *yql.In, s *scope) (functions.Value, error) {
	operand, err := l.value(e.Operand, s)
	if err != nil {
		return operand, err
	}
	if q, ok := e.Set.(*yql.Subquery); ok {
		return operand, l.unsupported(q.Span(), "JOIN the table on its PRIMARY KEY; a list is IN (a, b)", "IN with a query is")
	}
	if t, ok := e.Set.(*yql.TupleLit); ok {
		list, err := l.operands(s, t.Items...)
		if err != nil {
			return operand, err
		}
		v, err := functions.In(operand, list)
		return negated(v, e.Not, err)
	}
	set, err := l.value(e.Set, s)
	if err != nil {
		return operand, err
	}
	of := "ListHas"
	if set.Static == nil && set.Type.Kind == yqltype.Dict {
		of = "DictContains"
	}
	v, err := functions.Call("", of, []functions.Named{{Value: set}, {Value: operand}})
	return negated(v, e.Not, err)
}

func (l *Lowerer) match(e *yql.Match, s *scope) (functions.Value, error) {
	all, err := l.operands(s, e.Operand, e.Pattern)
	if err != nil {
		return functions.Value{}, err
	}
	var escape functions.Value
	if e.Escape != nil {
		if escape, err = l.value(e.Escape, s); err != nil {
			return escape, err
		}
	}
	v, err := functions.Like(string(e.Op), all[0], all[1], escape)
	return negated(v, e.Not, err)
}

func (l *Lowerer) caseOf(e *yql.Case, s *scope) (functions.Value, error) {
	defer l.branches()()
	var operand functions.Value
	var err error
	if e.Operand != nil {
		if operand, err = l.value(e.Operand, s); err != nil {
			return operand, err
		}
	}
	var whens []functions.When
	for i := range e.Whens {
		all, err := l.operands(s, e.Whens[i].Condition, e.Whens[i].Result)
		if err != nil {
			return operand, err
		}
		if e.Operand != nil {
			if all[0], err = functions.Binary("=", operand, all[0]); err != nil {
				return operand, l.located(err, e.Whens[i].Condition)
			}
		}
		whens = append(whens, functions.When{Condition: all[0], Result: all[1]})
	}
	otherwise := functions.Bare()
	if e.Else != nil {
		if otherwise, err = l.value(e.Else, s); err != nil {
			return otherwise, err
		}
	}
	return functions.Case(whens, otherwise)
}

func (l *Lowerer) cast(e *yql.Cast, s *scope) (functions.Value, error) {
	if e.Bits {
		return functions.Value{}, l.unsupported(e.Span(), "write CAST", "BITCAST is")
	}
	t, err := l.typeOf(e.Type)
	if err != nil {
		return functions.Value{}, err
	}
	v, err := l.value(e.Operand, s)
	if err != nil {
		return v, err
	}
	return functions.Cast(v, t)
}

// lambda is a function whose body is lowered for the arguments of each call.
func (l *Lowerer) lambda(e *yql.Lambda, s *scope) functions.Value {
	return functions.Lambda(len(e.Params), func(args []functions.Value) (functions.Value, error) {
		if l.calls == maxCalls {
			return functions.Value{}, l.errorf(source.CodeTooLarge, e.Span(), "a lambda cannot call itself", "lambdas are applied deeper than %d inside of each other", maxCalls)
		}
		l.calls++
		defer func() { l.calls-- }()
		names := s.names
		for i, p := range e.Params {
			names = &name{of: p.Name.Name, at: p.Span(), value: args[i], before: names}
		}
		for _, a := range e.Body {
			v, err := l.value(a.Value, s.with(names))
			if err != nil {
				return v, err
			}
			if len(a.Names) > 1 {
				for i, n := range a.Names {
					part, err := functions.Member(v, strconv.Itoa(i))
					if err != nil {
						return v, l.located(err, a.Value)
					}
					names = &name{of: n.Name.Name, at: n.Span(), value: part, before: names}
				}
				continue
			}
			names = &name{of: a.Names[0].Name.Name, at: a.Names[0].Span(), value: v, before: names}
		}
		return l.value(e.Result, s.with(names))
	})
}

// functionValue is a function by its name alone, to be applied elsewhere: ListMap(list, String::Strip).
func (l *Lowerer) functionValue(e *yql.FunctionRef) (functions.Value, error) {
	f, err := functions.Lookup(module(e), e.Name.Name)
	if err != nil {
		return functions.Value{}, err
	}
	return f.Callable(), nil
}

func module(e *yql.FunctionRef) string {
	if e.Module == nil {
		return ""
	}
	return e.Module.Name
}
