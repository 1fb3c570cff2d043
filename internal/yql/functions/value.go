package functions

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Value is an expression with its YQL type, or something that is there only while a query is bound: a callable, a type, options.
type Value struct {
	// Expr computes the value; nil if Static is set. Its type holds what Type.Physical holds, and may say NOT NULL where Type says Optional.
	Expr expr.Expr
	Type yqltype.Type
	// Static is what stands for no value of a row.
	Static Static

	document *Value // of what Yson::From gives: what it was made of
}

// Static is what an argument can be beside a value: *Callable, TypeName, YsonOptions, *Factory.
type Static interface {
	// describe is what an error calls it.
	describe() string
}

// Callable is a function as a value: a lambda, or what a function gives that is to be applied to something else.
type Callable struct {
	// Name is what errors call it: "the lambda", "DateTime::Format(…)".
	Name string
	// Least and Most are how many arguments it takes.
	Least, Most int
	// Apply makes the value of a call. Errors are the user's.
	Apply func(args []Value) (Value, error)
}

func (c *Callable) describe() string { return "Callable" }

// Call applies c.
func (c *Callable) Call(args ...Value) (Value, error) {
	if len(args) < c.Least || len(args) > c.Most {
		return Value{}, errorf(CodeSignature, "%s takes %s, not %d", c.Name, counted(c.Least, c.Most, "argument"), len(args))
	}
	return c.Apply(args)
}

// Lambda makes a lambda of n parameters a value.
func Lambda(n int, apply func(args []Value) (Value, error)) Value {
	return Value{Static: &Callable{Name: "the lambda", Least: n, Most: n, Apply: apply}}
}

// TypeName is a type as an argument: Yson::ConvertTo(node, List<Int64>).
type TypeName struct{ Type yqltype.Type }

func (t TypeName) describe() string { return "Type<" + t.Type.String() + ">" }

// OfType makes a type an argument.
func OfType(t yqltype.Type) Value { return Value{Static: TypeName{t}} }

// Column is the value of a column of a table, whose type is one of the engine's, in the YQL type that takes its place; values are converted where they are
// held in another way. The error is the user's: YQL has no such type.
func Column(e expr.Expr) (Value, error) {
	t, exact, ok := yqltype.OfPhysical(e.Type())
	if !ok {
		return Value{}, hintf(CodeType, "CAST it in a view, or leave the column out", "YQL has no type for %s, that of %s", e.Type().Nullable(), e)
	}
	if exact {
		return Value{Expr: e, Type: t}, nil
	}
	return adopt(e, t)
}

// adopt converts a value of the engine to the physical type of t.
func adopt(e expr.Expr, t yqltype.Type) (Value, error) {
	if e.Type().Kind == types.Timestamp {
		return call("INSTANT", spec{kernel: keep}, yqltype.Type{Kind: yqltype.Timestamp}, Value{Expr: e, Type: t})
	}
	if t.Kind == yqltype.Struct {
		return adoptStruct(e, t)
	}
	if e.Type().IsBytes() {
		return call("STRING", spec{kernel: keep}, yqltype.Of(yqltype.String), Value{Expr: e, Type: t})
	}
	converted, err := expr.NewCast(e, t.Physical(), false)
	if err != nil {
		return Value{}, hintf(CodeType, "CAST it in a view", "%s cannot be read as %s", e, t)
	}
	return Value{Expr: converted, Type: t}, nil
}

// adoptStruct puts the fields of a ROW into the order of their names.
func adoptStruct(e expr.Expr, t yqltype.Type) (Value, error) {
	fields := e.Type().Fields()
	members := make([]Named, len(fields))
	for i, f := range fields {
		v, err := Column(expr.NewField(e, i))
		if err != nil {
			return Value{}, err
		}
		members[i] = Named{f.Name, v}
	}
	return nullWith(Value{Expr: e, Type: t}, func(Value) (Value, error) { return Struct(members) })
}

// Named is a value with the name of a member or an argument.
type Named struct {
	Name  string
	Value Value
}

// constant is the literal that v is, nil if it is none.
func constant(v Value) *expr.Literal {
	l, _ := v.Expr.(*expr.Literal)
	return l
}

// describe is how errors name the type of an argument.
func (v Value) describe() string {
	if v.Static != nil {
		return v.Static.describe()
	}
	return v.Type.String()
}
