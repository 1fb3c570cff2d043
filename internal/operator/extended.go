package operator

import "slices"

// extended is s with n members at least, of which the new ones are zero: what is kept by the number of a key or a row grows with them.
func extended[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	old := len(s)
	s = slices.Grow(s, n-old)[:n]
	clear(s[old:])
	return s
}
