package lower

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/yql"
	"github.com/tidemark-sql/tidemark/internal/yql/functions"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// literal lowers what is written as a value.
func (l *Lowerer) literal(e yql.Expr, s *scope) (functions.Value, error) {
	switch e := e.(type) {
	case *yql.IntegerLit:
		return functions.Number(e.Text + e.Suffix)
	case *yql.FloatLit:
		if e.Single {
			return functions.Number(e.Text + "f")
		}
		return functions.Number(e.Text)
	case *yql.StringLit:
		switch e.Suffix {
		case "u":
			return functions.Utf8(e.Value)
		case "j":
			return functions.Construct(yqltype.Of(yqltype.Json), e.Value)
		case "y":
			return functions.Construct(yqltype.Of(yqltype.Yson), e.Value)
		}
		return functions.String(e.Value), nil
	case *yql.BoolLit:
		return functions.Bool(e.Value), nil
	case *yql.NullLit:
		return functions.Bare(), nil
	case *yql.ListLit:
		all, err := l.operands(s, e.Items...)
		if err != nil {
			return functions.Value{}, err
		}
		return functions.List(all)
	case *yql.TupleLit:
		all, err := l.operands(s, e.Items...)
		if err != nil {
			return functions.Value{}, err
		}
		return functions.Tuple(all)
	case *yql.StructLit:
		members, err := l.arguments(e.Members, s)
		if err != nil {
			return functions.Value{}, err
		}
		return functions.Struct(members)
	case *yql.DictLit:
		return l.dict(e, s)
	}
	panic(fmt.Sprintf("tidemark bug: expression %T is not known", e))
}

func (l *Lowerer) dict(e *yql.DictLit, s *scope) (functions.Value, error) {
	if e.Set {
		return functions.Value{}, l.unsupported(e.Span(), "write a list: [a, b]", "a set is")
	}
	var pairs []functions.Named
	for i := range e.Items {
		all, err := l.operands(s, e.Items[i].Key, e.Items[i].Value)
		if err != nil {
			return functions.Value{}, err
		}
		pair, err := functions.Tuple(all)
		if err != nil {
			return functions.Value{}, err
		}
		pairs = append(pairs, functions.Named{Value: pair})
	}
	return functions.Call("", "AsDict", pairs)
}
