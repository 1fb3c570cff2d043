package numfmt

import "github.com/tidemark-sql/tidemark/internal/int128"

// Reading is what ReadDecimal made of a text.
type Reading uint8

// The readings.
const (
	Read     Reading = iota
	TooGreat         // a number with more digits before the point than there is room for
	NoNumber
)

// maxExponent bounds an exponent while it is read; everything beyond is zero or too great.
const maxExponent = 1_000_000

// ReadDecimal reads a number such as -12.5e3 as the digits of a DECIMAL(precision, scale): what is behind the last of them is rounded, halves away
// from zero. Nothing but the number may be in s.
func ReadDecimal(s []byte, precision, scale int) (int128.Int, Reading) {
	n, ok := scanDecimal(s)
	if !ok {
		return int128.Int{}, NoNumber
	}
	v, fits := n.round(scale)
	if !fits || !v.Fits(precision) {
		return int128.Int{}, TooGreat
	}
	if n.negative {
		v = v.Neg()
	}
	return v, Read
}

// decimal is 0.digits times ten to the power of point. The text of digits has a point in it where dot is not negative, and no leading zeros.
type decimal struct {
	negative bool
	digits   []byte
	dot      int
	point    int
}

func scanDecimal(s []byte) (d decimal, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		d.negative = s[i] == '-'
		i++
	}
	start, dot := i, -1
	for ; i < len(s); i++ {
		if s[i] == '.' && dot < 0 {
			dot = i
		} else if s[i] < '0' || s[i] > '9' {
			break
		}
	}
	mantissa := s[start:i]
	if len(mantissa) == 0 || len(mantissa) == 1 && dot >= 0 {
		return d, false
	}
	exponent, ok := scanExponent(s[i:])
	if !ok {
		return d, false
	}
	d.point = len(mantissa) + exponent
	if dot >= 0 {
		d.point = dot - start + exponent
	}
	for len(mantissa) > 0 && (mantissa[0] == '0' || mantissa[0] == '.') {
		if mantissa[0] == '0' {
			d.point--
		}
		start++
		mantissa = mantissa[1:]
	}
	d.digits, d.dot = mantissa, dot-start
	return d, true
}

// scanExponent reads e+12, or nothing.
func scanExponent(s []byte) (exponent int, ok bool) {
	if len(s) == 0 {
		return 0, true
	}
	if s[0]|' ' != 'e' {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = min(10*exponent+int(c-'0'), maxExponent)
	}
	return sign * exponent, len(s) > 0
}

// round is the digits up to so many behind the point; fits is false if those are more than an int128.Int has room for.
func (d *decimal) round(scale int) (v int128.Int, fits bool) {
	keep := d.point + scale
	if len(d.digits) == 0 || keep < 0 {
		return int128.Int{}, true
	}
	var small uint64 // the value as long as it fits, which is 18 digits
	at := 0
	ten := int128.From(10)
	for k := range keep {
		digit := byte('0')
		if at == d.dot {
			at++
		}
		if at < len(d.digits) {
			digit = d.digits[at]
			at++
		}
		switch {
		case k < 18:
			small = 10*small + uint64(digit-'0')
			v = int128.From(int64(small))
		case k >= int128.MaxDigits:
			return v, false
		default:
			v, _ = v.Mul(ten)
			v = v.Add(int128.From(int64(digit - '0')))
		}
	}
	if at == d.dot {
		at++
	}
	if at < len(d.digits) && d.digits[at] >= '5' {
		v = v.Add(int128.From(1))
	}
	return v, true
}
