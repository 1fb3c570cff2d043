package numfmt

import "github.com/tidemark-sql/tidemark/internal/int128"

// AppendDecimal writes digits with so many of them behind the point, as Java's BigDecimal.toPlainString does: -0.05, 12.00, 7.
func AppendDecimal(dst []byte, digits int128.Int, scale int) []byte {
	start := len(dst)
	dst = digits.Append(dst)
	if scale == 0 {
		return dst
	}
	if digits.Sign() < 0 {
		start++
	}
	for len(dst)-start <= scale {
		dst = append(dst, 0)
		copy(dst[start+1:], dst[start:])
		dst[start] = '0'
	}
	dst = append(dst, 0)
	point := len(dst) - 1 - scale
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}
