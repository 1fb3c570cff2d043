package types

// Common finds the type that values of a and b are both brought to when they meet in a comparison, CASE, UNION or
// arithmetic. NULL yields to the other; whole numbers widen, and any number meets DOUBLE as DOUBLE; instants take the
// finer precision; nothing else mixes. The result is NOT NULL only if both are.
func Common(a, b Type) (Type, bool) {
	t, ok := commonKind(a, b)
	t.NotNull = a.NotNull && b.NotNull
	return t, ok
}

func commonKind(a, b Type) (Type, bool) {
	switch {
	case a.Kind == Null:
		return b, true
	case b.Kind == Null:
		return a, true
	case a.Kind == b.Kind:
		a.Precision = max(a.Precision, b.Precision)
		return a, true
	case a.IsNumeric() && b.IsNumeric():
		return Type{Kind: max(a.Kind, b.Kind)}, true
	}
	return Type{}, false
}

// Assignable reports whether a column of type to takes values of type from without an explicit CAST, as INSERT does.
func Assignable(from, to Type) bool {
	switch {
	case from.Kind == Null:
		return !to.NotNull
	case from.Kind == to.Kind:
		return true
	case from.IsInteger() && (to.Kind == BigInt || to.Kind == Double):
		return true
	case from.IsTime() && to.IsTime():
		return true
	}
	return false
}
