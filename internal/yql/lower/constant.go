package lower

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
)

// constant lowers an expression that reads no row, and computes it.
func (l *Lowerer) constant(e yql.Expr, of string) (*expr.Literal, error) {
	v, err := l.value(e, l.constants(of))
	if err != nil {
		return nil, err
	}
	return l.folded(v, e, of)
}

// folded is the value of a constant.
func (l *Lowerer) folded(v functions.Value, e yql.Expr, of string) (*expr.Literal, error) {
	if v.Static != nil {
		return nil, l.errorf(source.CodeType, e.Span(), "write a value", "%s is %s", of, describe(v))
	}
	c, err := expr.Constant(v.Expr, time.UTC)
	if err != nil {
		return nil, l.place(err, e.Span())
	}
	if c == nil {
		return nil, l.errorf(source.CodeType, e.Span(), "write a value", "%s must be constant", of)
	}
	return c, nil
}

// sound refuses an expression that fails whatever the row is.
func (l *Lowerer) sound(v functions.Value, e yql.Expr) error {
	if l.perhaps > 0 || l.calls > 0 || v.Static != nil || !readsNothing(v.Expr, maxLooked) {
		return nil
	}
	_, err := expr.Constant(v.Expr, time.UTC)
	failed, ok := errors.AsType[*expr.RowError](err)
	if !ok {
		return nil
	}
	message, hint := failed.Err.Error(), failed.Hint
	if hint == "" {
		message, hint, _ = strings.Cut(message, "; ")
	}
	return l.errorf(functions.CodeValue, e.Span(), hint, "%s", message)
}

// maxLooked is how deep an expression is looked through for columns: what it consists of was looked at before.
const maxLooked = 4

// readsNothing reports whether e consists of literals. An operation over what was not found to fail is one over literals, for others are computed at once.
func readsNothing(e expr.Expr, depth int) bool {
	if _, ok := e.(*expr.Literal); ok {
		return true
	}
	parts := e.Children()
	return depth > 0 && len(parts) > 0 && !slices.ContainsFunc(parts, func(part expr.Expr) bool { return !readsNothing(part, depth-1) })
}

// branches begins what may be computed for no row; the function that it gives ends that.
func (l *Lowerer) branches() func() {
	l.perhaps++
	return func() { l.perhaps-- }
}

// located gives an error of the functions its place: the argument that it is about, or the whole expression.
func (l *Lowerer) located(err error, e yql.Expr) error {
	if err == nil {
		return nil
	}
	if _, placed := errors.AsType[*source.Error](err); placed {
		return err
	}
	at := e.Span()
	if f, ok := errors.AsType[*functions.Error](err); ok {
		if c, call := e.(*yql.Call); call && f.Arg >= 0 && f.Arg < len(c.Args) {
			at = c.Args[f.Arg].Value.Span()
		}
		return l.errorf(f.Code, at, f.Hint, "%s", f.Message)
	}
	return l.place(err, at)
}

// hinted parts a message from what to do.
func hinted(err error) (message, hint string) {
	if f, ok := errors.AsType[*functions.Error](err); ok {
		return f.Message, f.Hint
	}
	message, hint, _ = strings.Cut(err.Error(), "; ")
	return message, hint
}

// describe is what an error calls a value.
func describe(v functions.Value) string {
	switch v.Static.(type) {
	case nil:
		return v.Type.String()
	case *functions.Callable:
		return "a lambda"
	case functions.TypeName:
		return "a type"
	}
	return "no value"
}
