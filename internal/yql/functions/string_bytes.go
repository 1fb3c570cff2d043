package functions

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"strings"
)

func replaceAll(dst, s, part, with []byte) []byte {
	if len(part) == 0 {
		return append(dst, s...)
	}
	for {
		at := bytes.Index(s, part)
		if at < 0 {
			return append(dst, s...)
		}
		dst = append(append(dst, s[:at]...), with...)
		s = s[at+len(part):]
	}
}

func replaceAt(at int, dst, s, part, with []byte) []byte {
	if at < 0 || len(part) == 0 {
		return append(dst, s...)
	}
	return append(append(append(dst, s[:at]...), with...), s[at+len(part):]...)
}

func replaceFirst(dst, s, part, with []byte) []byte {
	return replaceAt(bytes.Index(s, part), dst, s, part, with)
}

func replaceLast(dst, s, part, with []byte) []byte {
	return replaceAt(bytes.LastIndex(s, part), dst, s, part, with)
}

func cutBytes(s []byte, from, n int64) []byte {
	from = max(0, min(from, int64(len(s))))
	return s[from:][:max(0, min(n, int64(len(s))-from))]
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func lowerASCII(dst, s []byte) []byte {
	from := len(dst)
	dst = append(dst, s...)
	for i, c := range dst[from:] {
		if c >= 'A' && c <= 'Z' {
			dst[from+i] = c + 'a' - 'A'
		}
	}
	return dst
}

func equalASCII(s, t []byte) bool {
	return len(s) == len(t) && bytes.Equal(lowerASCII(nil, s), lowerASCII(nil, t))
}

func padded(digits string, n int) string { return strings.Repeat("0", n-len(digits)) + digits }

// decodeBase64 takes both alphabets, with or without padding.
func decodeBase64(dst, s []byte) ([]byte, error) {
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(string(bytes.TrimRight(s, "=,")))
	return base64.RawStdEncoding.AppendDecode(dst, []byte(plain))
}

var escapesC = map[byte]byte{'\a': 'a', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v', '"': '"', '\\': '\\'}

func escapeC(dst, s []byte) []byte {
	for _, c := range s {
		switch letter, ok := escapesC[c]; {
		case ok:
			dst = append(dst, '\\', letter)
		case c < ' ' || c >= 0x7f:
			dst = append(dst, '\\', 'x', upperHex[c>>4], upperHex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func unescapeC(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			dst = append(dst, s[i])
			continue
		}
		i++
		if s[i] == 'x' && i+2 < len(s) {
			if n, err := strconv.ParseUint(string(s[i+1:i+3]), 16, 8); err == nil {
				dst = append(dst, byte(n))
				i += 2
				continue
			}
		}
		plain := s[i]
		for c, letter := range escapesC {
			if letter == s[i] {
				plain = c
			}
		}
		dst = append(dst, plain)
	}
	return dst
}
