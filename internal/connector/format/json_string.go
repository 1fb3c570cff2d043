package format

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/jsontext"
)

// One in every byte, and the high bit of every byte.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// scanned is what scanString learned about a string.
type scanned struct {
	closing int // index of the closing quote, or of the byte that must not be there
	ok      bool
	escapes bool
	ascii   bool
}

// scanString reads the string whose text begins at buf[i], eight bytes at a time. It does not check escapes and UTF-8,
// but tells whether there is something to check. It may run into the next record.
func scanString(buf []byte, i int) (s scanned) {
	var seen uint64
	for i+8 <= len(buf) {
		w := binary.LittleEndian.Uint64(buf[i:])
		// In each term the lowest high bit marks the first byte that is a quote, a backslash, below 0x20; bits above
		// the lowest may be false.
		quote, slash := w^'"'*ones, w^'\\'*ones
		stops := ((quote-ones)&^quote | (slash-ones)&^slash | (w-0x20*ones)&^w) & highs
		if stops == 0 {
			seen |= w
			i += 8
			continue
		}
		k := bits.TrailingZeros64(stops)
		seen |= w & (1<<(k&^7) - 1)
		i += k >> 3
		if buf[i] != '\\' {
			return scanned{i, buf[i] == '"', s.escapes, seen&highs == 0}
		}
		s.escapes = true
		i += 2
	}
	for i < len(buf) {
		switch c := buf[i]; {
		case c == '"' || c < 0x20:
			return scanned{i, c == '"', s.escapes, seen&highs == 0}
		case c == '\\':
			s.escapes = true
			i++
		default:
			seen |= uint64(c)
		}
		i++
	}
	return scanned{closing: len(buf)}
}

// text reads the string whose opening quote is buf[i], checks it, and returns the index of its closing quote, or -1, and
// whether it has escapes.
func (d *JSONDecoder) text(i, end int) (closing int, escapes bool) {
	s := scanString(d.buf, i+1)
	switch {
	case !s.ok && s.closing < end:
		return d.failAt(controlCharacter, s.closing), false
	case s.closing >= end: // perhaps a quote of the next record

		return d.failAt(openString, i), false
	}
	if !s.ascii && !utf8.Valid(d.buf[i+1:s.closing]) {
		return d.failAt(notUTF8, i), false
	}
	if s.escapes {
		if bad := badEscape(d.buf[i+1 : s.closing]); bad >= 0 {
			return d.failAt(wrongEscape, i+1+bad), false
		}
	}
	return s.closing, s.escapes
}

// unescapeRow removes the escapes from the strings of row n in place; they only get shorter. It is left until the row is known
// to be good, so that an error can show the line as it came.
func (d *JSONDecoder) unescapeRow(n int) {
	for _, c := range d.escaped {
		w := &c.vector.Views[n]
		text := d.buf[w.Off : w.Off+w.Len]
		w.Len = uint32(unescape(text, text))
	}
}

// unescaped is text without its escapes, in scratch memory that the next call overwrites.
func (d *JSONDecoder) unescaped(text []byte) []byte {
	d.scratch = append(d.scratch[:0], text...)
	return d.scratch[:unescape(d.scratch, text)]
}

// badEscape is the index of the first backslash in text that begins no escape of JSON, or -1.
func badEscape(text []byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i+1 == len(text) {
			return i
		}
		switch text[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i++
		case 'u':
			if _, ok := jsontext.Hex4(text[i+2:]); !ok {
				return i
			}
			i += 5
		default:
			return i
		}
	}
	return -1
}

// unescape writes src without its escapes to dst, which may be src itself, and returns how many bytes that took. The escapes
// are well-formed. A surrogate without its other half becomes U+FFFD.
func unescape(dst, src []byte) int {
	n := 0
	for i := 0; i < len(src); i++ {
		c := src[i]
		if c != '\\' {
			dst[n] = c
			n++
			continue
		}
		i++
		switch c = src[i]; c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, width := escapedRune(src[i+1:])
			i += width
			n += utf8.EncodeRune(dst[n:], r)
			continue
		}
		dst[n] = c
		n++
	}
	return n
}

// escapedRune reads what follows \u at the start of s and how many bytes that is: 4, or 10 for a pair of surrogates.
func escapedRune(s []byte) (r rune, width int) {
	r, _ = jsontext.Hex4(s)
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		low, _ := jsontext.Hex4(s[6:])
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return utf8.RuneError, 4
}
