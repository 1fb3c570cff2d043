package lower

import "github.com/tidemark-sql/tidemark/internal/yql"

// walk calls f for e and for what is in it, as long as f says so. It does not go into queries.
func walk(e yql.Expr, f func(yql.Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range children(e) {
		walk(c, f)
	}
}

// children are the expressions right below e.
func children(e yql.Expr) []yql.Expr {
	switch e := e.(type) {
	case *yql.Member:
		return []yql.Expr{e.Base}
	case *yql.Element:
		return []yql.Expr{e.Base}
	case *yql.Index:
		return []yql.Expr{e.Base, e.Index}
	case *yql.Unary:
		return []yql.Expr{e.Operand}
	case *yql.Binary:
		return []yql.Expr{e.Left, e.Right}
	case *yql.IsNull:
		return []yql.Expr{e.Operand}
	case *yql.Between:
		return []yql.Expr{e.Operand, e.Low, e.High}
	case *yql.In:
		return []yql.Expr{e.Operand, e.Set}
	case *yql.Match:
		return []yql.Expr{e.Operand, e.Pattern}
	case *yql.Cast:
		return []yql.Expr{e.Operand}
	case *yql.Case:
		all := []yql.Expr{e.Operand, e.Else}
		for i := range e.Whens {
			all = append(all, e.Whens[i].Condition, e.Whens[i].Result)
		}
		return present(all)
	case *yql.Call:
		return append(argValues(e.Args), e.Callee)
	case *yql.StructLit:
		return argValues(e.Members)
	case *yql.ListLit:
		return e.Items
	case *yql.TupleLit:
		return e.Items
	case *yql.DictLit:
		var all []yql.Expr
		for i := range e.Items {
			all = append(all, e.Items[i].Key, e.Items[i].Value)
		}
		return present(all)
	}
	return nil
}

func argValues(args []yql.Arg) []yql.Expr {
	var all []yql.Expr
	for i := range args {
		all = append(all, args[i].Value)
	}
	return all
}

func present(all []yql.Expr) []yql.Expr {
	var some []yql.Expr
	for _, e := range all {
		if e != nil {
			some = append(some, e)
		}
	}
	return some
}
