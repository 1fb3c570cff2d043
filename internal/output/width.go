package output

import (
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/textwidth"
)

// textWidth is how many cells text takes.
func textWidth(text []byte) int {
	n := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		n += textwidth.Rune(r)
		i += size
	}
	return n
}

// cut returns the longest start of text that takes at most width cells, and how many it takes.
func cut(text []byte, width int) (head []byte, taken int) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		w := textwidth.Rune(r)
		if taken+w > width {
			return text[:i], taken
		}
		taken += w
		i += size
	}
	return text, taken
}
