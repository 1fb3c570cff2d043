package numfmt

import "strconv"

// Grouped writes n with a comma every three digits.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural is so many things, with the word for one or for several.
func Plural(n int64, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(n) + " " + several
}
