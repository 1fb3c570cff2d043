package types

// minScale is how many digits behind the point the arithmetic of DECIMAL keeps when a result would need more than MaxDigits (Flink 2.3).
const minScale = 6

// AsDecimal is the DECIMAL that holds every value of a whole-number type, or t itself if it is one.
func (t Type) AsDecimal() Type {
	if t.IsInteger() {
		return DecimalOf(t.Digits(), 0)
	}
	return t.Nullable()
}

// DecimalSum is the type of the sum and of the difference of two DECIMAL.
func DecimalSum(a, b Type) Type {
	scale := int(max(a.Scale, b.Scale))
	return bounded(max(a.whole(), b.whole())+scale+1, scale)
}

// DecimalProduct is the type of the product of two DECIMAL.
func DecimalProduct(a, b Type) Type {
	return bounded(int(a.Precision)+int(b.Precision)+1, int(a.Scale)+int(b.Scale))
}

// DecimalQuotient is the type of a DECIMAL divided by another.
func DecimalQuotient(a, b Type) Type {
	scale := max(minScale, int(a.Scale)+int(b.Precision)+1)
	return bounded(a.whole()+int(b.Scale)+scale, scale)
}

// DecimalRest is the type of what a division of whole multiples leaves; every such rest fits.
func DecimalRest(a, b Type) Type {
	scale := int(max(a.Scale, b.Scale))
	return bounded(max(min(a.whole(), b.whole())+scale, 1), scale)
}

// DecimalRounded is the type of a DECIMAL rounded to so many digits behind the point, before it if digits is negative.
func DecimalRounded(t Type, digits int64) Type {
	if digits >= int64(t.Scale) {
		return t.Nullable()
	}
	scale := max(int(digits), 0)
	return DecimalOf(min(t.whole()+1+scale, MaxDigits), scale)
}

// whole is the number of digits before the point.
func (t Type) whole() int { return int(t.Precision) - int(t.Scale) }

// bounded brings a result to MaxDigits at the cost of digits behind the point, but leaves minScale of those.
func bounded(precision, scale int) Type {
	if precision > MaxDigits {
		scale = max(MaxDigits-(precision-scale), min(scale, minScale))
		precision = MaxDigits
	}
	return DecimalOf(precision, scale)
}

// CommonDecimal is the DECIMAL that values of two DECIMAL are brought to; exact says that it holds all of both. Flink 2.3: digits before the point win.
func CommonDecimal(a, b Type) (t Type, exact bool) {
	scale := int(max(a.Scale, b.Scale))
	whole := max(a.whole(), b.whole())
	exact = whole+scale <= MaxDigits
	if !exact {
		scale = MaxDigits - whole
	}
	return DecimalOf(max(whole+scale, 1), scale), exact
}
