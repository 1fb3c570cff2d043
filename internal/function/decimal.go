package function

import (
	"math/big"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Arithmetic of DECIMAL. Flink 2.3: precision and scale follow from those of the operands (types.DecimalSum and its neighbours), halves round away from zero,
// a result that its type has no room for is NULL, and a whole number is a DECIMAL of scale 0. A result of at most 18 digits is computed in int64, any
// other in 128 bits, and the few steps that leave those go by way of math/big.

// decimalPair is two operands of a DECIMAL operation, whole numbers among them seen as DECIMAL. ok is false if none is a DECIMAL or one is something else; a
// NULL takes the type of the other.
func decimalPair(a, b types.Type) (x, y types.Type, ok bool) {
	if a.Kind == types.Null {
		a = b
	}
	if b.Kind == types.Null {
		b = a
	}
	exact := func(t types.Type) bool { return t.Kind == types.Decimal || t.IsInteger() }
	if !exact(a) || !exact(b) || a.Kind != types.Decimal && b.Kind != types.Decimal {
		return a, b, false
	}
	return a.AsDecimal(), b.AsDecimal(), true
}

// decimalOverload is the overload of an operation on operands of these types. The columns come as they are: whole numbers are laid out as DECIMAL of scale 0.
func decimalOverload(a, b, result types.Type, kernel Kernel) Overload {
	if a.Kind == types.Null {
		a = result
	}
	if b.Kind == types.Null {
		b = result
	}
	return Overload{Params: []types.Type{a, b}, Result: result, Kernel: kernel}
}

// addDecimals serves + and -.
func addDecimals(a, b types.Type, op operation) (Overload, bool) {
	x, y, ok := decimalPair(a, b)
	if !ok {
		return Overload{}, false
	}
	t := types.DecimalSum(x, y)
	scale := max(x.Scale, y.Scale)
	upX, upY := int(scale-x.Scale), int(scale-y.Scale)
	if vector.KindOf(t) == vector.Int64 {
		o := decimalOverload(a, b, t, addSmall(op, upX, upY))
		o.Nulls = StrictTotal
		return o, true
	}
	factorX, factorY := int128.Pow10(upX), int128.Pow10(upY)
	compute := func(x, y int128.Int) (int128.Int, bool) {
		if op == subtraction {
			y = y.Neg()
		}
		left, ok1 := x.Mul(factorX)
		right, ok2 := y.Mul(factorY)
		sum := left.Add(right)
		if !ok1 || !ok2 || (left.Hi^sum.Hi)&(right.Hi^sum.Hi) < 0 {
			return fromBig(new(big.Int).Add(scaledBig(x, upX), scaledBig(y, upY)), int(scale), t)
		}
		return settle(sum, int(scale), t)
	}
	if upX == 0 && upY == 0 && t.Scale == scale && t.Precision < types.MaxDigits {
		compute = func(x, y int128.Int) (int128.Int, bool) { return x.Add(y), true }
		if op == subtraction {
			compute = func(x, y int128.Int) (int128.Int, bool) { return x.Sub(y), true }
		}
	}
	o := decimalOverload(a, b, t, wideKernel(compute))
	o.MayBeNull = t.Precision == types.MaxDigits
	return o, true
}

func addSmall(op operation, upX, upY int) Kernel {
	if upX == 0 && upY == 0 {
		return func(c *Call) error { calculate(op, c, c.Out.Ints, c.Args[0].Ints, c.Args[1].Ints); return nil }
	}
	factorX, factorY := power10(upX), power10(upY)
	if op == subtraction {
		factorY = -factorY
	}
	return func(c *Call) error {
		x, y := c.Args[0].Ints, c.Args[1].Ints
		mx, my := c.Args[0].Mask(), c.Args[1].Mask()
		for i := range c.Out.Ints {
			c.Out.Ints[i] = x[i&mx]*factorX + y[i&my]*factorY
		}
		return nil
	}
}

func multiplyDecimals(a, b types.Type) (Overload, bool) {
	x, y, ok := decimalPair(a, b)
	if !ok {
		return Overload{}, false
	}
	t := types.DecimalProduct(x, y)
	scale := int(x.Scale) + int(y.Scale)
	if vector.KindOf(t) == vector.Int64 {
		o := decimalOverload(a, b, t, addSmall(multiplication, 0, 0))
		o.Nulls = StrictTotal
		return o, true
	}
	if vector.KindOf(x) == vector.Int64 && vector.KindOf(y) == vector.Int64 {
		// At most 37 digits, so nothing overflows.
		o := decimalOverload(a, b, t, multiplySmall)
		o.Nulls = StrictTotal
		return o, true
	}
	o := decimalOverload(a, b, t, wideKernel(func(x, y int128.Int) (int128.Int, bool) {
		if product, ok := x.Mul(y); ok {
			return settle(product, scale, t)
		}
		return fromBig(new(big.Int).Mul(x.Big(), y.Big()), scale, t)
	}))
	o.MayBeNull = t.Precision == types.MaxDigits
	return o, true
}

func multiplySmall(c *Call) error {
	x, y := c.Args[0].Ints, c.Args[1].Ints
	mx, my := c.Args[0].Mask(), c.Args[1].Mask()
	for i := range c.Out.Wides {
		c.Out.Wides[i] = int128.Product(x[i&mx], y[i&my])
	}
	return nil
}

func divideDecimals(a, b types.Type) (Overload, bool) {
	x, y, ok := decimalPair(a, b)
	if !ok {
		return Overload{}, false
	}
	t := types.DecimalQuotient(x, y)
	up := int(t.Scale) + int(y.Scale) - int(x.Scale)
	var o Overload
	if vector.KindOf(t) == vector.Int64 && int(x.Precision)+up <= types.SmallDigits && vector.KindOf(y) == vector.Int64 {
		factor := power10(up)
		o = decimalOverload(a, b, t, smallDivision(func(x, y int64) int64 { return roundedQuotient(x*factor, y) }))
	} else {
		o = decimalOverload(a, b, t, wideDivision(func(x, y int128.Int) (int128.Int, bool) {
			if up <= types.MaxDigits {
				if scaled, ok := x.Mul(int128.Pow10(up)); ok {
					q := scaled.DivRound(y)
					return q, q.Fits(int(t.Precision))
				}
			}
			return fromBig(divideBig(scaledBig(x, up), y.Big()), int(t.Scale), t)
		}))
	}
	o.MayBeNull = t.Precision == types.MaxDigits
	return o, true
}

// roundedQuotient is x / y, halves away from zero.
func roundedQuotient(x, y int64) int64 {
	q, r := x/y, x%y
	if r = magnitudeOf(r); r >= magnitudeOf(y)-r {
		if (x < 0) != (y < 0) {
			return q - 1
		}
		return q + 1
	}
	return q
}

func magnitudeOf(v int64) int64 { return max(v, -v) }

// moduloDecimals gives the remainder of whole numbers the type of the divisor, as resolveModulo does.
func moduloDecimals(a, b types.Type) (Overload, bool) {
	x, y, ok := decimalPair(a, b)
	if !ok {
		return Overload{}, false
	}
	t := types.DecimalRest(x, y)
	upX, upY := int(t.Scale-x.Scale), int(t.Scale-y.Scale)
	if x.Scale == 0 && y.Scale == 0 {
		t = y
		if b.IsInteger() {
			t = b
		}
	}
	if int(x.Precision)+upX <= types.SmallDigits && int(y.Precision)+upY <= types.SmallDigits {
		factorX, factorY := power10(upX), power10(upY)
		return decimalOverload(a, b, t, smallDivision(func(x, y int64) int64 { return x * factorX % (y * factorY) })), true
	}
	return decimalOverload(a, b, t, wideDivision(func(x, y int128.Int) (int128.Int, bool) {
		left, ok1 := x.Mul(int128.Pow10(upX))
		right, ok2 := y.Mul(int128.Pow10(upY))
		if !ok1 || !ok2 {
			return fromBig(new(big.Int).Rem(scaledBig(x, upX), scaledBig(y, upY)), int(t.Scale), t)
		}
		_, rest := left.DivMod(right)
		return rest, true
	})), true
}

// smallDivision is a kernel of int64 columns for f, whose second argument is never 0.
func smallDivision(f func(x, y int64) int64) Kernel {
	return func(c *Call) error {
		x, y := c.Args[0], c.Args[1]
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			divisor := y.Int(i)
			if divisor == 0 {
				return rowErrorf(i, divisionByZero)
			}
			c.Out.Ints[i] = f(x.Int(i), divisor)
		}
		return nil
	}
}

// wideDivision is a kernel of columns of either layout for f, whose second argument is never 0; ok false makes NULL.
func wideDivision(f func(x, y int128.Int) (z int128.Int, ok bool)) Kernel {
	return func(c *Call) error {
		y, my := wides(c, 1)
		for k := range c.Rows.Count() {
			if i := c.Rows.At(k); y[i&my].Sign() == 0 {
				return rowErrorf(i, divisionByZero)
			}
		}
		return wideKernel(f)(c)
	}
}

// wideKernel is a kernel of columns of either layout for f; ok false makes NULL.
func wideKernel(f func(x, y int128.Int) (z int128.Int, ok bool)) Kernel {
	return func(c *Call) error {
		x, mx := wides(c, 0)
		y, my := wides(c, 1)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			z, ok := f(x[i&mx], y[i&my])
			if !ok {
				c.SetNull(i)
			}
			putDecimal(c.Out, i, z)
		}
		return nil
	}
}

// wides is the digits of argument k in 128 bits, and what turns a row into an index.
func wides(c *Call, k int) ([]int128.Int, int) {
	v := c.Args[k]
	if v.Kind == vector.Int128 {
		return v.Wides, v.Mask()
	}
	wide := c.Arena.Flat(vector.Int128, len(v.Ints)).Wides
	for i, n := range v.Ints {
		wide[i] = int128.From(n)
	}
	return wide, v.Mask()
}

// putDecimal stores digits, which the type of the column has room for.
func putDecimal(out *vector.Vector, i int, digits int128.Int) {
	if out.Kind == vector.Int128 {
		out.Wides[i] = digits
	} else {
		out.Ints[i] = int64(digits.Lo)
	}
}

// settle brings digits of one scale to type t; ok is false if it has no room for them.
func settle(digits int128.Int, scale int, t types.Type) (int128.Int, bool) {
	digits, ok := digits.Rescale(scale, int(t.Scale))
	return digits, ok && digits.Fits(int(t.Precision))
}

// fromBig is settle for what may leave 128 bits on the way.
func fromBig(digits *big.Int, scale int, t types.Type) (int128.Int, bool) {
	if down := scale - int(t.Scale); down > 0 {
		digits = divideBig(digits, bigPower10(down))
	} else {
		digits = new(big.Int).Mul(digits, bigPower10(-down))
	}
	z, ok := int128.FromBig(digits)
	return z, ok && z.Fits(int(t.Precision))
}

func scaledBig(x int128.Int, up int) *big.Int { return new(big.Int).Mul(x.Big(), bigPower10(up)) }

func bigPower10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// divideBig is x / y, halves away from zero.
func divideBig(x, y *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Abs(r); r.Lsh(r, 1).CmpAbs(y) >= 0 {
		q.Add(q, big.NewInt(int64(x.Sign()*y.Sign())))
	}
	return q
}

// power10 is ten to the power of n, which is from 0 to 18.
func power10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

func negateWides(c *Call) error {
	for i, v := range c.Args[0].Wides[:len(c.Out.Wides)] {
		c.Out.Wides[i] = v.Neg()
	}
	return nil
}

// compareDecimals compares columns whose digits have different scales and do not fit one type.
func compareDecimals(r relation, x, y types.Type) Kernel {
	scale := max(x.Scale, y.Scale)
	upX, upY := int(scale-x.Scale), int(scale-y.Scale)
	factorX, factorY := int128.Pow10(upX), int128.Pow10(upY)
	outcomes := r.outcomes()
	return func(c *Call) error {
		x, mx := wides(c, 0)
		y, my := wides(c, 1)
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			a, b := x[i&mx], y[i&my]
			left, ok1 := a.Mul(factorX)
			right, ok2 := b.Mul(factorY)
			order := left.Cmp(right)
			if !ok1 || !ok2 {
				order = scaledBig(a, upX).Cmp(scaledBig(b, upY))
			}
			c.Out.Bools[i] = outcomes[order+1]
		}
		return nil
	}
}
