package yqltype

// Conversion says what CAST makes of a value.
type Conversion uint8

// The conversions.
const (
	// NoCast: there is none.
	NoCast Conversion = iota
	// Sure gives a value for every value.
	Sure
	// MayFail gives NULL for values that have no counterpart, so that the result is Optional.
	MayFail
)

// Cast says which conversion CAST(from AS to) is. Whether the types are Optional does not matter, but inside of containers.
func Cast(from, to Type) Conversion {
	from, to = from.Required(), to.Required()
	switch {
	case Equal(from, to), from.Kind == Null:
		return Sure
	case from.Kind == EmptyList && to.Kind == List, from.Kind == EmptyDict && to.Kind == Dict:
		return Sure
	case from.IsContainer() || to.IsContainer():
		return castInside(from, to)
	case from.Kind == Node || to.Kind == Node || from.Kind == Moment || to.Kind == Moment:
		return NoCast
	case to.Kind == String:
		return Sure
	case to.Kind == Utf8:
		if from.Kind == String || from.Kind == Yson {
			return MayFail
		}
		return Sure
	case from.IsText():
		return MayFail
	case from.Kind == Bool && to.IsNumber(), from.IsNumber() && to.Kind == Bool:
		return Sure
	case from.IsInteger() && to.IsInteger():
		if holds(to, from) {
			return Sure
		}
		return MayFail
	case from.IsNumber() && to.IsApproximate():
		return Sure
	case from.IsNumber() && to.IsNumber():
		return MayFail
	case from.IsInstant() && to.IsInstant():
		return Sure
	case from.IsInstant() && to.IsInteger(), from.Kind == Interval && to.IsInteger():
		if to.Bits() == 64 {
			return Sure
		}
		return MayFail
	case from.IsInteger() && (to.IsInstant() || to.Kind == Interval):
		return MayFail
	}
	return NoCast
}

// holds reports whether the whole number a has room for all values of b.
func holds(a, b Type) bool {
	least, greatest := a.Range()
	low, high := b.Range()
	return least <= low && high <= greatest
}

func castInside(from, to Type) Conversion {
	if from.Kind != to.Kind || from.inside == nil {
		return NoCast
	}
	if from.Kind == Struct {
		// Members are found by name, and those that are missing are NULL.
		result := Sure
		for i, name := range to.inside.names {
			at := from.Member(name)
			switch {
			case at >= 0:
				result = worse(result, castPart(from.inside.types[at], to.inside.types[i]))
			case !to.inside.types[i].Optional:
				return NoCast
			}
		}
		return result
	}
	if len(from.inside.types) != len(to.inside.types) {
		return NoCast
	}
	result := Sure
	for i := range from.inside.types {
		result = worse(result, castPart(from.inside.types[i], to.inside.types[i]))
	}
	return result
}

// castPart is the conversion of what lies inside: what fails is NULL there, or if there is no room for NULL, the whole fails.
func castPart(from, to Type) Conversion {
	c := Cast(from, to)
	switch {
	case c == NoCast:
		return NoCast
	case to.Optional:
		return Sure
	case from.Optional:
		return MayFail
	}
	return c
}

// worse is that of two conversions which promises less.
func worse(a, b Conversion) Conversion {
	if a == NoCast || b == NoCast {
		return NoCast
	}
	return max(a, b)
}
