package types

// Common finds the type that values of a and b are both brought to when they meet in a comparison, CASE, UNION or
// COALESCE. NULL yields to the other; whole numbers widen; a DECIMAL takes the digits of both; any number meets FLOAT or DOUBLE as DOUBLE, whole numbers
// meet FLOAT as FLOAT; strings and bytes take the longer; instants take the finer precision, a DATE meets a TIMESTAMP at midnight, and a
// TIMESTAMP meets a TIMESTAMP_LTZ as the instant that it is in the session's zone; nested
// types meet if all that is in them does. Nothing else mixes. The result is NOT NULL only if both are.
func Common(a, b Type) (Type, bool) {
	t, ok := commonKind(a, b)
	t.NotNull = a.NotNull && b.NotNull
	return t, ok
}

func commonKind(a, b Type) (Type, bool) {
	switch {
	case a.Kind == Null:
		return b, true
	case b.Kind == Null || Same(a, b):
		return a, true
	case a.IsNumeric() && b.IsNumeric():
		return commonNumber(a, b), true
	case a.IsText() && b.IsText():
		return Type{Kind: String, Length: longer(a.Length, b.Length)}, true
	case a.IsBytes() && b.IsBytes():
		return Type{Kind: VarBinary, Length: longer(a.Length, b.Length)}, true
	case a.IsTime() && b.IsTime():
		return Type{Kind: max(a.Kind, b.Kind), Precision: max(a.Precision, b.Precision)}, true
	case a.Kind == Date && b.IsTime():
		return b, true
	case b.Kind == Date && a.IsTime():
		return a, true
	case a.Kind != b.Kind:
		return Type{}, false
	case a.IsNested():
		return commonNested(a, b)
	}
	a.Precision = max(a.Precision, b.Precision)
	return a, true
}

// longer is the greater of two lengths, of which 0 is no limit.
func longer(a, b int32) int32 {
	if a == 0 || b == 0 {
		return 0
	}
	return max(a, b)
}

func commonNumber(a, b Type) Type {
	switch {
	case a.Kind == Double || b.Kind == Double:
		return DoubleType
	case a.Kind == Float || b.Kind == Float:
		if a.Kind == Decimal || b.Kind == Decimal {
			return DoubleType
		}
		return FloatType
	case a.Kind == Decimal || b.Kind == Decimal:
		t, _ := CommonDecimal(a.AsDecimal(), b.AsDecimal())
		return t
	}
	return Type{Kind: max(a.Kind, b.Kind)}
}

func commonNested(a, b Type) (Type, bool) {
	switch a.Kind {
	case Array, Multiset:
		elem, ok := Common(a.Elem(), b.Elem())
		return intern(a.Kind, &inside{elem: elem}), ok
	case Map:
		key, ok := Common(a.Key(), b.Key())
		value, ok2 := Common(a.Elem(), b.Elem())
		return MapOf(key, value), ok && ok2
	}
	fields := a.Fields()
	if len(fields) != len(b.Fields()) {
		return Type{}, false
	}
	common := make(Schema, len(fields))
	for i, f := range fields {
		t, ok := Common(f.Type, b.Fields()[i].Type)
		if !ok {
			return Type{}, false
		}
		common[i] = Field{Name: f.Name, Type: t}
	}
	return RowOf(common), true
}

// Assignable reports whether a column of type to takes values of type from without an explicit CAST, as INSERT does. Flink 2.3: numbers widen, a
// DECIMAL takes every DECIMAL and whole number, text takes text and bytes take bytes of any length.
func Assignable(from, to Type) bool {
	switch {
	case from.Kind == Null:
		return !to.NotNull
	case Same(from, to):
		return true
	case from.IsNumeric() && to.IsNumeric():
		return from.Kind <= to.Kind
	case from.IsText() && to.IsText(), from.IsBytes() && to.IsBytes():
		return true
	case from.Kind == Date && to.IsTime():
		return true
	case from.IsTime() && to.IsTime():
		return true
	case from.Kind != to.Kind:
		return false
	case from.IsNested():
		return assignableNested(from, to)
	}
	return true
}

func assignableNested(from, to Type) bool {
	switch from.Kind {
	case Array, Multiset:
		return Assignable(from.Elem(), to.Elem())
	case Map:
		return Assignable(from.Key(), to.Key()) && Assignable(from.Elem(), to.Elem())
	}
	if len(from.Fields()) != len(to.Fields()) {
		return false
	}
	for i, f := range from.Fields() {
		if !Assignable(f.Type, to.Fields()[i].Type) {
			return false
		}
	}
	return true
}
