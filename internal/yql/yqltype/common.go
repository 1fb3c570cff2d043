package yqltype

// Common finds the type that values of a and b are both brought to where they meet: in IF, CASE, Coalesce, IN, a list, UNION ALL. NULL makes the other Optional, an empty
// list or dict yields to the other; whole numbers meet in one that holds both, Int64 if one is Uint64 and the other has a sign; with a Float or Double all numbers do, but for Decimal, which meets Decimal alone; Utf8 meets
// String as String, Date meets Datetime meets Timestamp; what has types inside meets if these do.
func Common(a, b Type) (Type, bool) {
	optional := a.Optional || b.Optional || a.Kind == Null || b.Kind == Null
	t, ok := common(a.Required(), b.Required())
	t.Optional = optional && t.Kind != Null
	return t, ok
}

func common(a, b Type) (Type, bool) {
	switch {
	case a.Kind == Null:
		return b, true
	case b.Kind == Null || Equal(a, b):
		return a, true
	case a.Kind == EmptyList && b.Kind == List, a.Kind == EmptyDict && b.Kind == Dict:
		return b, true
	case b.Kind == EmptyList && a.Kind == List, b.Kind == EmptyDict && a.Kind == Dict:
		return a, true
	case a.IsNumber() && b.IsNumber() && (a.Kind == Decimal) == (b.Kind == Decimal):
		return commonNumber(a, b), true
	case a.IsText() && b.IsText():
		return Of(String), true
	case a.IsInstant() && b.IsInstant():
		return Of(max(a.Kind, b.Kind)), true
	case a.Kind != b.Kind || a.inside == nil:
		return Type{}, false
	}
	return commonInside(a, b)
}

func commonNumber(a, b Type) Type {
	switch {
	case a.Kind == Decimal && b.Kind == Decimal:
		scale := max(a.Scale, b.Scale)
		return DecimalOf(int(min(35, max(a.Precision-a.Scale, b.Precision-b.Scale)+scale)), int(scale))
	case a.Kind == Double || b.Kind == Double:
		return Of(Double)
	case a.Kind == Float || b.Kind == Float:
		if a.Bits() > 16 || b.Bits() > 16 {
			return Of(Double)
		}
		return Of(Float)
	case a.IsUnsigned() == b.IsUnsigned():
		return Of(max(a.Kind, b.Kind))
	}
	signed, unsigned := a, b
	if a.IsUnsigned() {
		signed, unsigned = b, a
	}
	if signed.Bits() > unsigned.Bits() {
		return signed
	}
	switch unsigned.Kind {
	case Uint8:
		return Of(Int16)
	case Uint16:
		return Of(Int32)
	}
	return Of(Int64)
}

func commonInside(a, b Type) (Type, bool) {
	if len(a.inside.types) != len(b.inside.types) || a.Kind == Struct && !sameNames(a, b) {
		return Type{}, false
	}
	in := &inside{names: a.inside.names}
	for i := range a.inside.types {
		t, ok := Common(a.inside.types[i], b.inside.types[i])
		if !ok {
			return Type{}, false
		}
		in.types = append(in.types, t)
	}
	return Type{Kind: a.Kind, inside: in}, true
}

func sameNames(a, b Type) bool {
	for i, name := range a.inside.names {
		if b.inside.names[i] != name {
			return false
		}
	}
	return true
}

// Promote is the type in which arithmetic of two numbers is done. YQL: the larger of two whole numbers, that with a sign of two of one size; a Float or Double takes
// whole numbers along. NULL yields to the other. ok is false for what are no numbers.
func Promote(a, b Type) (Type, bool) {
	t := Type{}
	switch {
	case a.Kind == Null && b.IsNumber():
		t = b
	case b.Kind == Null && a.IsNumber():
		t = a
	case !a.IsNumber() || !b.IsNumber():
		return Type{}, false
	case a.IsInteger() && b.IsInteger():
		t = a
		if b.Bits() > a.Bits() || b.Bits() == a.Bits() && a.IsUnsigned() {
			t = b
		}
	case a.Kind == Decimal:
		t = a
	case b.Kind == Decimal:
		t = b
	case a.Kind == Double || b.Kind == Double:
		t = Of(Double)
	default:
		t = Of(Float)
	}
	t.Optional = a.Optional || b.Optional || a.Kind == Null || b.Kind == Null
	return t, true
}

// Comparable reports whether values of a and b can be compared with = and <>, and ordered reports whether with < too.
func Comparable(a, b Type) (ok, ordered bool) {
	a, b = a.Required(), b.Required()
	if a.IsNumber() && b.IsNumber() {
		return true, true
	}
	t, ok := common(a, b)
	if !ok {
		return false, false
	}
	switch t.Kind {
	case Json, Yson, Node, Moment:
		return false, false
	case List, Dict, Struct, EmptyList, EmptyDict:
		return true, false
	case Tuple:
		for _, elem := range t.inside.types {
			if _, each := Comparable(elem, elem); !each {
				return true, false
			}
		}
	}
	return true, true
}
