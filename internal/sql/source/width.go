package source

import "unicode"

// wide holds the characters that take two cells on a terminal: the East Asian
// blocks and the pictographs that terminals draw as emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, // Hangul initial consonants
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1}, // CJK radicals and punctuation
		{Lo: 0x3041, Hi: 0xa4cf, Stride: 1}, // kana, CJK ideographs, Yi
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, // Hangul syllables
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, // compatibility ideographs
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, // vertical and small forms
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, // full-width forms
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1}, // full-width signs
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, // pictographs, faces
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, // transport
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, // more pictographs
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1}, // further ideographs
	},
}

// runeWidth returns how many cells a character takes on a terminal: none for a
// combining mark, two for a wide one, otherwise one.
func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
