package output

import (
	"unicode"
	"unicode/utf8"
)

// wide is where characters take two cells of a terminal: East Asian scripts, full-width forms and pictographs.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeWidth is how many cells r takes: none for a mark that joins the character before it.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// textWidth is how many cells text takes.
func textWidth(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		n += runeWidth(r)
		i += size
	}
	return n
}

// cut returns the longest start of text that takes at most width cells, and how many it takes.
func cut(text []byte, width int) (head []byte, taken int) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		w := runeWidth(r)
		if taken+w > width {
			return text[:i], taken
		}
		taken += w
		i += size
	}
	return text, taken
}
