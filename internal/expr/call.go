package expr

import (
	"strings"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Call applies a function or operator.
type Call struct {
	Function *function.Scalar
	overload function.Overload
	args     []Expr
}

// NewCall applies f: it finds the overload, converts the arguments where the types differ, and computes the call at once if everything is constant. For
// functions of another form it makes the node of that form. Errors are the user's; a *function.SignatureError if the types do not fit.
func NewCall(f *function.Scalar, args []Expr) (Expr, error) {
	switch f.Form {
	case function.FormAnd:
		return newLogic(f, args)
	case function.FormOr:
		return newLogic(f, args)
	case function.FormCoalesce:
		return newCoalesce(f, args)
	case function.FormIf:
		return newIf(f, args)
	case function.FormNullIf:
		return newNullIf(f, args)
	}
	argTypes := make([]types.Type, len(args))
	constants := make([]*vector.Vector, len(args))
	for i, a := range args {
		argTypes[i] = a.Type()
		if l, ok := a.(*Literal); ok {
			constants[i] = l.Value()
		}
	}
	o, err := f.Resolve(argTypes, constants)
	if err != nil {
		return nil, err
	}
	converted := make([]Expr, len(args))
	for i, a := range args {
		if converted[i], err = Convert(a, o.Params[i]); err != nil {
			return nil, err
		}
		if l, ok := converted[i].(*Literal); ok {
			constants[i] = l.Value()
		}
	}
	if o.Bind != nil {
		if o.Kernel, err = o.Bind(constants); err != nil {
			return nil, err
		}
	}
	return fold(&Call{f, o, converted}, &o), nil
}

// Type is the result type of the overload.
func (e *Call) Type() types.Type { return e.overload.Result }

// Eval evaluates the arguments and then the function.
func (e *Call) Eval(c *Context, b *vector.Batch, rows vector.Rows) (*vector.Vector, error) {
	args := c.Arena.Columns(len(e.args))
	for i, a := range e.args {
		v, err := a.Eval(c, b, rows)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return e.overload.Eval(c.Arena, c.Env, args, rows, b.N)
}

// String writes the call as its function's notation asks for.
func (e *Call) String() string {
	name := e.Function.Name
	if e.Function.Spell != nil {
		args := make([]string, len(e.args))
		for i, a := range e.args {
			args[i] = a.String()
		}
		return e.Function.Spell(args, e.overload.Params)
	}
	if e.Function.Notation == function.Prefix {
		if len(e.args) == 0 && e.Function.Signatures[0] == name {
			return name // CURRENT_TIMESTAMP takes no parentheses
		}
		return name + "(" + joinExprs(e.args) + ")"
	}
	if e.Function.Notation == function.Bracketed {
		return name + "[" + joinExprs(e.args) + "]"
	}
	first := e.args[0].String()
	switch {
	case e.Function.Notation == function.Subscript:
		return first + "[" + e.args[1].String() + "]"
	case e.Function.Notation == function.Difference:
		return "((" + first + " - " + e.args[1].String() + ") " + name + ")"
	case e.Function.Notation == function.Postfix:
		return "(" + first + " " + name + ")"
	case len(e.args) == 1 && name == "-":
		return "(-" + first + ")"
	case len(e.args) == 1:
		return "(" + name + " " + first + ")"
	case len(e.args) == 3:
		return "(" + first + " " + name + " " + e.args[1].String() + " ESCAPE " + e.args[2].String() + ")"
	}
	return "(" + first + " " + name + " " + e.args[1].String() + ")"
}

// Children are the arguments.
func (e *Call) Children() []Expr { return e.args }

func (e *Call) withChildren(children []Expr) Expr { return &Call{e.Function, e.overload, children} }

func (e *Call) same(other Expr) bool {
	o := other.(*Call)
	return e.Function.Same(o.Function) && e.overload.Result == o.overload.Result
}

func joinExprs(list []Expr) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = e.String()
	}
	return strings.Join(texts, ", ")
}
