package sql

// Walk calls visit for e and, as long as visit returns true, for the expressions within it. Nested queries are not entered.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, child := range children(e) {
		Walk(child, visit)
	}
}

// ReadsColumn reports whether a column is in e.
func ReadsColumn(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		_, column := e.(*ColumnRef)
		found = found || column
		return !found
	})
	return found
}

func children(e Expr) []Expr {
	switch e := e.(type) {
	case *Field:
		return []Expr{e.Base}
	case *Index:
		return []Expr{e.Base, e.Index}
	case *Unary:
		return []Expr{e.Operand}
	case *Binary:
		return []Expr{e.Left, e.Right}
	case *Difference:
		return []Expr{e.Left, e.Right}
	case *Is:
		return []Expr{e.Operand}
	case *Between:
		return []Expr{e.Operand, e.Low, e.High}
	case *In:
		return append([]Expr{e.Operand}, e.List...)
	case *Like:
		return present(e.Operand, e.Pattern, e.Escape)
	case *Case:
		list := present(e.Operand, e.Else)
		for _, w := range e.Whens {
			list = append(list, w.Condition, w.Result)
		}
		return list
	case *Cast:
		return []Expr{e.Operand}
	case *Call:
		return append(present(e.Filter), e.Args...)
	case *NamedArg:
		return []Expr{e.Value}
	}
	return nil
}

// present leaves out what was not written.
func present(list ...Expr) []Expr {
	out := list[:0]
	for _, e := range list {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}
