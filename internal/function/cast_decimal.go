package function

import (
	"math"
	"strconv"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// castToDecimal makes DECIMAL of other numbers and of BOOLEAN. Flink 2.3: halves round away from zero, a value that does not fit is NULL, a FLOAT or DOUBLE
// counts as the decimal digits that it prints as.
func castToDecimal(o *Overload, from, to types.Type, try bool) {
	switch {
	case from.IsApproximate():
		o.Kernel = func(c *Call) error { return doublesToDecimal(c, to, try) }
		o.MayBeNull = true
		return
	case from.Kind == types.Boolean:
		one, fits := settle(int128.From(1), 0, to)
		o.Kernel = func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				digits := int128.Int{}
				if c.Args[0].Bool(i) {
					if digits = one; !fits {
						c.SetNull(i)
					}
				}
				putDecimal(c.Out, i, digits)
			}
			return nil
		}
		o.MayBeNull = !fits
		return
	}
	x := from.AsDecimal()
	up := int(to.Scale - x.Scale)
	safe := holds(x, to)
	o.MayBeNull = !safe
	switch {
	case safe && up == 0 && vector.KindOf(from) == vector.KindOf(to):
		o.Kernel, o.Nulls = keep, StrictTotal
	case safe && up >= 0 && vector.KindOf(to) == vector.Int64:
		factor := power10(up)
		o.Nulls = StrictTotal
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = v * factor
			}
			return nil
		}
	case safe && up >= 0 && up <= types.SmallDigits && vector.KindOf(from) == vector.Int64:
		factor := power10(up)
		o.Nulls = StrictTotal
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Wides)] {
				c.Out.Wides[i] = int128.Product(v, factor)
			}
			return nil
		}
	case vector.KindOf(from) == vector.Int64 && vector.KindOf(to) == vector.Int64:
		o.Kernel = func(c *Call) error { rescaleSmall(c, up, power10(int(to.Precision))-1); return nil }
	default:
		o.Kernel = func(c *Call) error {
			x, mask := wides(c, 0)
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				digits, ok := settle(x[i&mask], int(to.Scale)-up, to)
				if !ok {
					c.SetNull(i)
				}
				putDecimal(c.Out, i, digits)
			}
			return nil
		}
	}
}

// rescaleSmall moves the point of numbers of up to 64 bits by up digits, back if up is negative; what is then greater than most is NULL.
func rescaleSmall(c *Call, up int, most int64) {
	v := c.Args[0]
	factor := power10(max(up, -up))
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		n := v.Int(i)
		if up < 0 {
			n = roundedQuotient(n, factor)
		} else if fits := most / factor; -fits <= n && n <= fits {
			n *= factor
		} else {
			n = math.MaxInt64
		}
		if n < -most || n > most {
			c.SetNull(i)
			n = 0
		}
		c.Out.Ints[i] = n
	}
}

// holds reports whether every value of one DECIMAL fits the other, rounded if need be.
func holds(from, to types.Type) bool {
	whole := from.Precision - from.Scale
	if from.Scale > to.Scale {
		whole++
	}
	return whole <= to.Precision-to.Scale
}

func doublesToDecimal(c *Call, to types.Type, try bool) error {
	var text [32]byte
	for k := range c.Rows.Count() {
		i := c.Rows.At(k)
		v := c.Args[0].Float(i)
		digits, reading := numfmt.ReadDecimal(strconv.AppendFloat(text[:0], v, 'e', -1, 64), int(to.Precision), int(to.Scale))
		if reading == numfmt.NoNumber && !try {
			return castFailed(i, numfmt.AppendDouble(nil, v), to)
		}
		if reading != numfmt.Read {
			c.SetNull(i)
		}
		putDecimal(c.Out, i, digits)
	}
	return nil
}

// castFromDecimal makes other numbers and BOOLEAN of DECIMAL. Flink 2.3: digits behind the point are cut off, and a whole number takes the low bits of
// what is left.
func castFromDecimal(o *Overload, from, to types.Type) {
	scale := int(from.Scale)
	switch {
	case to.IsInteger() && vector.KindOf(from) == vector.Int64:
		unit := power10(scale)
		o.Nulls = StrictTotal
		o.Kernel = func(c *Call) error {
			for i, v := range c.Args[0].Ints[:len(c.Out.Ints)] {
				c.Out.Ints[i] = v / unit
			}
			wrap(to, c.Out.Ints)
			return nil
		}
	case to.IsInteger():
		o.Kernel = func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Ints[i] = wrapOne(to, int64(c.Args[0].Wide(i).Truncate(scale, 0).Lo))
			}
			return nil
		}
	case to.IsApproximate():
		o.Kernel = func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Floats[i] = decimalToDouble(valuefmt.Digits(from, c.Args[0], i), scale)
			}
			narrow(to, c.Out.Floats)
			return nil
		}
	case to.Kind == types.Boolean:
		o.Kernel = func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Bools[i] = bit(valuefmt.Digits(from, c.Args[0], i).Sign() != 0)
			}
			return nil
		}
	}
}

// exactPowers are the powers of ten that a float64 holds exactly.
var exactPowers = func() (p [23]float64) {
	for i := range p {
		p[i] = math.Pow10(i)
	}
	return p
}()

// decimalToDouble is the nearest DOUBLE.
func decimalToDouble(digits int128.Int, scale int) float64 {
	const exact = 1 << 53
	if n, ok := digits.Int64(); ok && -exact <= n && n <= exact && scale < len(exactPowers) {
		return float64(n) / exactPowers[scale]
	}
	var text [48]byte
	number := strconv.AppendInt(append(digits.Append(text[:0]), 'e'), int64(-scale), 10)
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		panic("tidemark bug: no double: " + string(number))
	}
	return v
}
