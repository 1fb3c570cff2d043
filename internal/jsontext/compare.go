package jsontext

import (
	"bytes"
	"cmp"
)

// CompareNumbers compares two numbers exactly.
func CompareNumbers(a, b []byte) int {
	x, y := decimalOf(a), decimalOf(b)
	switch {
	case x.negative != y.negative:
		if x.negative {
			return -1
		}
		return 1
	case x.negative:
		x, y = y, x
	}
	if x.isZero() || y.isZero() || x.point != y.point {
		return cmp.Compare(x.magnitude(), y.magnitude())
	}
	return bytes.Compare(bytes.TrimRight(x.digits, "0"), bytes.TrimRight(y.digits, "0"))
}

// decimal is 0.digits times ten to the power of point; the first digit is not 0, and zero has none.
type decimal struct {
	negative bool
	digits   []byte
	point    int
}

func (d *decimal) isZero() bool { return len(d.digits) == 0 }

// magnitude orders decimals that differ in point, zero first.
func (d *decimal) magnitude() int {
	if d.isZero() {
		return -1 << 62
	}
	return d.point
}

func decimalOf(number []byte) decimal {
	d := decimal{negative: number[0] == '-'}
	whole := true
	for i, c := range number {
		switch {
		case '0' <= c && c <= '9':
			if len(d.digits) > 0 || c != '0' {
				d.digits = append(d.digits, c)
				if whole {
					d.point++
				}
			} else if !whole {
				d.point--
			}
		case c == '.':
			whole = false
		case c|0x20 == 'e':
			d.point += readExponent(number[i+1:])
			return d.normal()
		}
	}
	return d.normal()
}

// normal has zero not negative.
func (d decimal) normal() decimal {
	if d.isZero() {
		return decimal{}
	}
	return d
}
