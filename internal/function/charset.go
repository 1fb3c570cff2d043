package function

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/vector"
)

// charset converts between UTF-8 and the bytes of a character set.
type charset struct {
	encode, decode func(dst, s []byte) []byte
}

const charsetNames = "UTF-8, UTF-16, UTF-16BE, UTF-16LE, ISO-8859-1, US-ASCII"

// lookupCharset takes a name in any case, and the short names that Java knows.
func lookupCharset(name []byte) (charset, bool) {
	switch strings.ToUpper(string(name)) {
	case "UTF-8", "UTF8":
		return charset{func(dst, s []byte) []byte { return append(dst, s...) }, appendValid}, true
	case "UTF-16", "UTF16":
		return charset{encodeMarked, decodeMarked}, true
	case "UTF-16BE":
		return charset{encodeUTF16(binary.BigEndian), decodeUTF16(binary.BigEndian)}, true
	case "UTF-16LE":
		return charset{encodeUTF16(binary.LittleEndian), decodeUTF16(binary.LittleEndian)}, true
	case "ISO-8859-1", "ISO8859-1", "LATIN1", "L1":
		return charset{encodeByte(0xff), decodeByte(0xff)}, true
	case "US-ASCII", "ASCII":
		return charset{encodeByte(0x7f), decodeByte(0x7f)}, true
	}
	return charset{}, false
}

func noCharset(name []byte) error {
	return constantErrorf("there are "+charsetNames, "there is no charset '%.40s'", name)
}

func bindEncode(constants []*vector.Vector) (Kernel, error) {
	return bindCharset(constants[1], func(cs charset) func(dst, s []byte) []byte { return cs.encode })
}

func bindDecode(constants []*vector.Vector) (Kernel, error) {
	return bindCharset(constants[1], func(cs charset) func(dst, s []byte) []byte { return cs.decode })
}

// bindCharset finds a constant charset once; one that varies is found for every row.
func bindCharset(name *vector.Vector, direction func(charset) func(dst, s []byte) []byte) (Kernel, error) {
	if name != nil && !name.IsNullConst() {
		cs, ok := lookupCharset(name.Bytes(0))
		if !ok {
			return nil, noCharset(name.Bytes(0))
		}
		convert := direction(cs)
		return rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) { return convert(dst, c.Args[0].Bytes(i)), true }), nil
	}
	return func(c *Call) error {
		w := newText(c, size(c.Args[0], c.Rows))
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			cs, ok := lookupCharset(c.Args[1].Bytes(i))
			if !ok {
				return &RowError{Row: i, Err: noCharset(c.Args[1].Bytes(i))}
			}
			w.buf = direction(cs)(w.buf, c.Args[0].Bytes(i))
			w.end(i)
		}
		w.done()
		return nil
	}, nil
}

// appendValid copies UTF-8. A byte that begins nothing is one U+FFFD, and so is a character that breaks off, as in Java.
func appendValid(dst, s []byte) []byte {
	if utf8.Valid(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, width := utf8.DecodeRune(s)
		if r == utf8.RuneError && width == 1 {
			width = brokenOff(s)
		}
		dst = utf8.AppendRune(dst, r)
		s = s[width:]
	}
	return dst
}

// brokenOff is how many bytes at the beginning of s are the beginning of a character.
func brokenOff(s []byte) int {
	for n := min(len(s), utf8.UTFMax) - 1; n > 1; n-- {
		if !utf8.FullRune(s[:n]) {
			return n
		}
	}
	if len(s) < utf8.UTFMax && !utf8.FullRune(s) {
		return len(s)
	}
	return 1
}

func encodeUTF16(order binary.AppendByteOrder) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for _, r := range string(s) {
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				dst = order.AppendUint16(order.AppendUint16(dst, uint16(high)), uint16(low))
				continue
			}
			dst = order.AppendUint16(dst, uint16(r))
		}
		return dst
	}
}

func decodeUTF16(order binary.ByteOrder) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for ; len(s) >= 2; s = s[2:] {
			r := rune(order.Uint16(s))
			if utf16.IsSurrogate(r) {
				r = pair(r, s[2:], order)
				if r != utf8.RuneError {
					s = s[2:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		}
		if len(s) > 0 {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
		return dst
	}
}

// pair is the character of a high surrogate and what follows it, or U+FFFD.
func pair(high rune, rest []byte, order binary.ByteOrder) rune {
	if len(rest) < 2 {
		return utf8.RuneError
	}
	return utf16.DecodeRune(high, rune(order.Uint16(rest)))
}

// encodeMarked writes UTF-16 with a byte order mark before it, unless it is empty.
func encodeMarked(dst, s []byte) []byte {
	if len(s) == 0 {
		return dst
	}
	return encodeUTF16(binary.BigEndian)(append(dst, 0xfe, 0xff), s)
}

// decodeMarked reads UTF-16 in the order that its mark says, high byte first if there is none.
func decodeMarked(dst, s []byte) []byte {
	switch {
	case len(s) >= 2 && s[0] == 0xff && s[1] == 0xfe:
		return decodeUTF16(binary.LittleEndian)(dst, s[2:])
	case len(s) >= 2 && s[0] == 0xfe && s[1] == 0xff:
		s = s[2:]
	}
	return decodeUTF16(binary.BigEndian)(dst, s)
}

func encodeByte(greatest rune) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for _, r := range string(s) {
			if r > greatest {
				r = '?'
			}
			dst = append(dst, byte(r))
		}
		return dst
	}
}

func decodeByte(greatest byte) func(dst, s []byte) []byte {
	return func(dst, s []byte) []byte {
		for _, b := range s {
			r := rune(b)
			if b > greatest {
				r = utf8.RuneError
			}
			dst = utf8.AppendRune(dst, r)
		}
		return dst
	}
}
