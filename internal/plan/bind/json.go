package bind

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// jsonCall binds a function that has clauses of SQL/JSON, which become arguments, see package function; ok is false for others.
func (b *Binder) jsonCall(f *function.Scalar, e *sql.Call, s *scope) (bound expr.Expr, ok bool, err error) {
	switch f.Name {
	case "JSON_VALUE":
		bound, err = b.jsonValue(f, e, s)
	case "JSON_QUERY":
		bound, err = b.jsonQuery(f, e, s)
	case "JSON_EXISTS":
		bound, err = b.jsonExists(f, e, s)
	case "JSON_OBJECT":
		bound, err = b.jsonObject(f, e, s)
	case "JSON_ARRAY":
		bound, err = b.jsonArray(f, e, s)
	case "JSON":
		err = b.errorf(source.CodeType, e.Span(), "a string that holds JSON is JSON already", "JSON(…) stands only as a value of JSON_OBJECT or JSON_ARRAY")
	default:
		return nil, false, nil
	}
	return bound, true, err
}

// clausesOf are the clauses of a call, none if there are none.
func clausesOf(e *sql.Call) *sql.JSONClauses {
	if e.JSON == nil {
		return &sql.JSONClauses{}
	}
	return e.JSON
}

// jsonPathArgs binds document and path.
func (b *Binder) jsonPathArgs(f *function.Scalar, e *sql.Call, s *scope) ([]expr.Expr, error) {
	if len(e.Args) != 2 {
		return nil, b.errorf(source.CodeType, e.Span(), "it is called as "+f.Signatures[0], "%s takes a document and a path", f.Name)
	}
	args, err := b.exprs(e.Args, s)
	if err != nil {
		return nil, err
	}
	for i, what := range []string{"document", "path"} {
		if t := args[i].Type(); !t.IsText() && t.Kind != types.Null {
			return nil, b.errorf(source.CodeType, e.Args[i].Span(), "write CAST("+b.quoted(e.Args[i])+" AS STRING)", "the %s of %s is a string, and this is %s", what, f.Name, t.Nullable())
		}
	}
	return args, nil
}

func (b *Binder) jsonValue(f *function.Scalar, e *sql.Call, s *scope) (expr.Expr, error) {
	clauses := clausesOf(e)
	args, err := b.jsonPathArgs(f, e, s)
	if err != nil {
		return nil, err
	}
	t, err := b.returning(f, clauses.Returning, func(t types.Type) bool {
		return t.Kind == types.String || t.Kind == types.Boolean || t.Kind == types.Int || t.Kind == types.Double
	}, "STRING, VARCHAR(n), BOOLEAN, INT and DOUBLE; CAST the result to another type")
	if err != nil {
		return nil, err
	}
	if clauses.Wrapper != sql.WrapperUnstated {
		return nil, b.errorf(source.CodeType, e.Span(), "JSON_QUERY gives arrays and objects", "JSON_VALUE has no WRAPPER")
	}
	args = append(args, expr.Null(t))
	for _, behavior := range []*sql.JSONBehavior{clauses.OnEmpty, clauses.OnError} {
		word, err := b.behavior(f, behavior, "NULL", "ERROR", "DEFAULT")
		if err != nil {
			return nil, err
		}
		value := expr.Expr(expr.Null(t))
		if behavior != nil && behavior.Default != nil {
			if value, err = b.expr(behavior.Default, s); err != nil {
				return nil, err
			}
			if t.Kind != types.String && !types.Assignable(value.Type().Nullable(), t) {
				return nil, b.errorf(source.CodeType, behavior.Span(), "write a value of that type", "DEFAULT is %s, and RETURNING %s", value.Type().Nullable(), t)
			}
		}
		args = append(args, word, value)
	}
	c, err := expr.NewCall(f, args)
	return c, b.place(err, e.Span())
}

func (b *Binder) jsonQuery(f *function.Scalar, e *sql.Call, s *scope) (expr.Expr, error) {
	clauses := clausesOf(e)
	args, err := b.jsonPathArgs(f, e, s)
	if err != nil {
		return nil, err
	}
	array := types.ArrayOf(types.StringType)
	t, err := b.returning(f, clauses.Returning, func(t types.Type) bool { return t.Kind == types.String || types.Same(t, array) },
		"STRING and ARRAY<STRING>")
	if err != nil {
		return nil, err
	}
	wrapper := [...]string{sql.WrapperUnstated: "WITHOUT", sql.WithoutWrapper: "WITHOUT", sql.ConditionalWrapper: "CONDITIONAL", sql.UnconditionalWrapper: "UNCONDITIONAL"}
	args = append(args, expr.Null(t), expr.LiteralString(wrapper[clauses.Wrapper]))
	words := []string{"NULL", "ERROR", "EMPTY ARRAY", "EMPTY OBJECT"}
	if t.Kind == types.Array {
		words = words[:3]
	}
	for _, behavior := range []*sql.JSONBehavior{clauses.OnEmpty, clauses.OnError} {
		word, err := b.behavior(f, behavior, words...)
		if err != nil {
			return nil, err
		}
		args = append(args, word)
	}
	c, err := expr.NewCall(f, args)
	return c, b.place(err, e.Span())
}

func (b *Binder) jsonExists(f *function.Scalar, e *sql.Call, s *scope) (expr.Expr, error) {
	clauses := clausesOf(e)
	args, err := b.jsonPathArgs(f, e, s)
	if err != nil {
		return nil, err
	}
	if clauses.OnEmpty != nil || clauses.Returning != nil || clauses.Wrapper != sql.WrapperUnstated {
		return nil, b.errorf(source.CodeType, e.Span(), "it is called as "+f.Signatures[0], "JSON_EXISTS has no clause but ON ERROR")
	}
	word, err := b.behavior(f, clauses.OnError, "FALSE", "TRUE", "UNKNOWN", "ERROR")
	if err != nil {
		return nil, err
	}
	c, err := expr.NewCall(f, append(args, word))
	return c, b.place(err, e.Span())
}

// returning is the type of a RETURNING clause, STRING if there is none.
func (b *Binder) returning(f *function.Scalar, n *sql.TypeName, allowed func(types.Type) bool, list string) (types.Type, error) {
	if n == nil {
		return types.StringType, nil
	}
	t, err := b.typeOf(n)
	if err == nil && !allowed(t) {
		err = b.unsupported(n.Span(), "there are "+list, "RETURNING %s of %s is", t, f.Name)
	}
	return t.Nullable(), err
}

// behavior is the word of an ON EMPTY or ON ERROR clause, the first of words if there is none.
func (b *Binder) behavior(f *function.Scalar, behavior *sql.JSONBehavior, words ...string) (expr.Expr, error) {
	if behavior == nil {
		return expr.LiteralString(words[0]), nil
	}
	for _, w := range words {
		if w == behavior.Word {
			return expr.LiteralString(w), nil
		}
	}
	return nil, b.errorf(source.CodeType, behavior.Span(), "it is called as "+f.Signatures[0], "ON EMPTY or ON ERROR of %s cannot be %s here", f.Name, behavior.Word)
}

// onNull is the word of an ON NULL clause.
func onNull(e *sql.Call, otherwise string) expr.Expr {
	switch clausesOf(e).OnNull {
	case sql.NullOnNull:
		otherwise = "NULL"
	case sql.AbsentOnNull:
		otherwise = "ABSENT"
	}
	return expr.LiteralString(otherwise)
}

func (b *Binder) jsonObject(f *function.Scalar, e *sql.Call, s *scope) (expr.Expr, error) {
	args := []expr.Expr{onNull(e, "NULL")}
	for i := 0; i < len(e.Args); i += 2 {
		key, err := b.expr(e.Args[i], s)
		if err != nil {
			return nil, err
		}
		if !key.Type().IsText() {
			return nil, b.errorf(source.CodeType, e.Args[i].Span(), "write it in quotes", "a key of JSON_OBJECT is a string, and this is %s", key.Type().Nullable())
		}
		value, err := b.jsonPart(f.Name, e.Args[i+1], s)
		if err != nil {
			return nil, err
		}
		args = append(append(args, key), value...)
	}
	c, err := expr.NewCall(f, args)
	return c, b.place(err, e.Span())
}

func (b *Binder) jsonArray(f *function.Scalar, e *sql.Call, s *scope) (expr.Expr, error) {
	args := []expr.Expr{onNull(e, "ABSENT")}
	for _, a := range e.Args {
		value, err := b.jsonPart(f.Name, a, s)
		if err != nil {
			return nil, err
		}
		args = append(args, value...)
	}
	c, err := expr.NewCall(f, args)
	return c, b.place(err, e.Span())
}

// jsonPart is how a value of a function of JSON is written, and the value.
func (b *Binder) jsonPart(of string, e sql.Expr, s *scope) ([]expr.Expr, error) {
	form := function.JSONFormValue
	var value expr.Expr
	var err error
	call, ok := e.(*sql.Call)
	name := ""
	if ok && len(call.Function.Parts) == 1 {
		name = upperASCII(call.Function.Last().Name)
	}
	switch name {
	case "JSON":
		form = function.JSONFormJSON
		value, err = b.applyTo(function.MustScalar(name), e.Span(), s, call.Args)
	case "JSON_OBJECT", "JSON_ARRAY":
		form = function.JSONFormJSON
		fallthrough
	default:
		value, err = b.expr(e, s)
	}
	if err == nil && !function.HasJSON(value.Type()) {
		err = b.errorf(source.CodeType, e.Span(), "write CAST("+b.quoted(e)+" AS STRING)", "%s has no form for %s", of, value.Type().Nullable())
	}
	return []expr.Expr{expr.LiteralString(form), value}, err
}
