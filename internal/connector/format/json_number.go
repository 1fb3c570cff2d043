package format

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// scanInteger reads the number at buf[i] and returns what stands behind it, or -1 if it is not a whole number in plain
// digits or does not fit. Something that is no digit follows every number.
func scanInteger(buf []byte, i int) (v int64, after int) {
	first := i
	if buf[i] == '-' {
		first++
	}
	at := first
	var u uint64
	if at+8 <= len(buf) {
		u, at = leadingDigits(buf, at)
	}
	for {
		digit := uint64(buf[at] - '0')
		if digit > 9 {
			break
		}
		u = u*10 + digit
		at++
	}
	digits := at - first
	if digits == 0 || digits > 1 && buf[first] == '0' || buf[at] == '.' || buf[at]|0x20 == 'e' {
		return 0, -1
	}
	if digits > 18 {
		v, err := strconv.ParseInt(string(buf[i:at]), 10, 64)
		if err != nil {
			return 0, -1
		}
		return v, at
	}
	if first > i {
		return -int64(u), at
	}
	return int64(u), at
}

// leadingDigits reads up to eight digits at buf[i], all at once, since how many there are differs from row to row.
func leadingDigits(buf []byte, i int) (u uint64, after int) {
	x := binary.LittleEndian.Uint64(buf[i:]) ^ '0'*ones
	// A byte is a digit unless its high bit is set or comes up when 0x76 is added.
	others := (x&^highs + 0x76*ones | x) & highs
	n := bits.TrailingZeros64(others) >> 3 // 8 if all are digits
	// The digits move up to the last byte, zeros before them; then neighbours are joined to pairs, fours and all eight.
	x <<= 64 - 8*n
	x = (x*10 + x>>8) & 0x00ff00ff00ff00ff
	x = (x*100 + x>>16) & 0x0000ffff0000ffff
	return (x*10000 + x>>32) & 0xffffffff, i + n
}

// parseInteger reads a whole number that stands in quotes, for which Flink is less strict than JSON: blanks around it, a
// plus sign and leading zeros are fine.
func parseInteger(text []byte) (int64, bool) {
	v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return v, err == nil
}

// exactDigits is the number of decimal digits that a double always holds exactly.
const exactDigits = 15

// scanDouble reads the number at buf[i] and returns what stands behind it, or -1 if it is none. A number too large for a
// double is infinite.
func scanDouble(buf []byte, i int) (v float64, after int) {
	at := i
	if buf[at] == '-' {
		at++
	}
	var mantissa uint64
	first := at
	for buf[at]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(buf[at]-'0')
		at++
	}
	digits := at - first
	if digits == 0 || digits > 1 && buf[first] == '0' {
		return 0, -1
	}
	exponent := 0
	if buf[at] == '.' {
		at++
		point := at
		for buf[at]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(buf[at]-'0')
			at++
		}
		exponent = point - at
		if exponent == 0 {
			return 0, -1
		}
		digits -= exponent
	}
	if buf[at]|0x20 == 'e' {
		shift, behind := scanExponent(buf, at+1)
		if behind < 0 {
			return 0, -1
		}
		exponent += shift
		at = behind
	}
	if digits > exactDigits || exponent < -maxExactPower || exponent > maxExactPower {
		// The text is a number, so the only possible error is one of range, and then v is infinite.
		v, _ = strconv.ParseFloat(string(buf[i:at]), 64)
		return v, at
	}
	// Both operands are exact, so the one rounding of the operation gives the nearest double.
	v = float64(mantissa)
	if exponent < 0 {
		v /= powers[-exponent]
	} else {
		v *= powers[exponent]
	}
	if buf[i] == '-' {
		v = math.Copysign(v, -1)
	}
	return v, at
}

// scanExponent reads what follows the e of a number; beyond any double's range its value no longer matters.
func scanExponent(buf []byte, at int) (exponent, after int) {
	negative := buf[at] == '-'
	if negative || buf[at] == '+' {
		at++
	}
	first := at
	for buf[at]-'0' <= 9 {
		exponent = min(exponent*10+int(buf[at]-'0'), 1<<20)
		at++
	}
	if at == first {
		return 0, -1
	}
	if negative {
		exponent = -exponent
	}
	return exponent, at
}

// maxExactPower is the exponent of the largest power of ten that a double holds exactly.
const maxExactPower = 22

var powers = [maxExactPower + 1]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseDouble reads a number that stands in quotes: one of JSON with blanks around it, or one of the three values for
// which JSON has no number.
func parseDouble(text []byte) (float64, bool) {
	text = bytes.TrimSpace(text)
	switch string(text) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	case "":
		return 0, false
	}
	// scanDouble needs something behind the number.
	var room [64]byte
	bounded := append(append(room[:0], text...), ' ')
	v, after := scanDouble(bounded, 0)
	return v, after == len(text) && !math.IsInf(v, 0)
}
