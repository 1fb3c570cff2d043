package rowfmt

import "unicode/utf16"

// Units is how many UTF-16 units a text takes, in which places in texts go over the wire, as JavaScript counts.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// FromUnits is the place in bytes that is that many UTF-16 units into a text, or the nearest before it.
func FromUnits(text string, n int) int {
	for i, r := range text {
		if n -= utf16.RuneLen(r); n < 0 {
			return i
		}
	}
	return len(text)
}
