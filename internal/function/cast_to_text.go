package function

import (
	"bytes"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// castToText writes values. Flink 2.3: bytes are read as UTF-8, VARCHAR(n) takes the first n characters, and CHAR(n) fills up with blanks.
func castToText(o *Overload, from, to types.Type) {
	limit := int(to.Length)
	switch {
	case from.IsText() && within(from, to):
		o.Kernel = keep
		return
	case from.IsText() && to.Kind == types.String:
		o.Kernel = cutting(0, func(s []byte, _ *Call, _ int) (int, int, bool) { return 0, cutCharacters(s, limit), true })
		return
	case from.IsText():
		o.Kernel = rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			return fitText(append(dst, c.Args[0].Bytes(i)...), len(dst), to), true
		})
		return
	case from.IsBytes():
		o.Kernel = rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			return fitText(appendUTF8(dst, c.Args[0].Bytes(i)), len(dst), to), true
		})
		return
	}
	if dependsOnZone(from) {
		o.Stability = Zoned
	}
	o.Kernel = func(c *Call) error {
		style := localStyle(c.Env)
		return rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			return fitText(style.Append(dst, from, c.Args[0], i), len(dst), to), true
		})(c)
	}
}

// within reports whether text or bytes of one type are those of the other as they are.
func within(from, to types.Type) bool {
	if to.Kind == types.Char || to.Kind == types.Binary {
		return from.Kind == to.Kind && from.Length == to.Length
	}
	return to.Length == 0 || from.Length != 0 && from.Length <= to.Length
}

// localStyle writes instants as the wall clock of the session shows them, and bytes as text.
func localStyle(env *Env) *valuefmt.Style {
	clock := newLocalClock(env.Zone)
	return &valuefmt.Style{
		Instant: func(dst []byte, t types.Type, micros int64) []byte {
			return valuefmt.AppendInt(dst, t, clock.local(micros))
		},
		Bytes: appendUTF8,
	}
}

// dependsOnZone reports whether a value of type t has an instant in it.
func dependsOnZone(t types.Type) bool {
	switch t.Kind {
	case types.TimestampLTZ:
		return true
	case types.Array, types.Multiset:
		return dependsOnZone(t.Elem())
	case types.Map:
		return dependsOnZone(t.Key()) || dependsOnZone(t.Elem())
	case types.Row:
		for _, f := range t.Fields() {
			if dependsOnZone(f.Type) {
				return true
			}
		}
	}
	return false
}

// cutCharacters is how many bytes the first n characters of s take.
func cutCharacters(s []byte, n int) int {
	if len(s) <= n {
		return len(s)
	}
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRune(s[at:])
		at += size
	}
	return at
}

// fitText brings the text from start on to the length of type t.
func fitText(dst []byte, start int, t types.Type) []byte {
	n := int(t.Length)
	if n == 0 {
		return dst
	}
	dst = dst[:start+cutCharacters(dst[start:], n)]
	if t.Kind == types.Char {
		missing := min(n-utf8.RuneCount(dst[start:]), vector.MaxValue+1) // one too many is as good as all
		dst = append(dst, bytes.Repeat([]byte{' '}, max(missing, 0))...)
	}
	return dst
}

// appendUTF8 reads bytes as UTF-8; each sequence that is none becomes one replacement character, as in Java.
func appendUTF8(dst, b []byte) []byte {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = invalidLength(b)
		}
		dst = utf8.AppendRune(dst, r)
		b = b[size:]
	}
	return dst
}

// invalidLength is how many bytes of b, which begins with no character, make one replacement character: as many as could be the beginning of one, and all
// three of half a pair of UTF-16.
func invalidLength(b []byte) int {
	if len(b) >= 3 && b[0] == 0xed && b[1]>>5 == 0b101 && b[2]>>6 == 0b10 {
		return 3
	}
	n := 1
	for n < len(b) && !utf8.RuneStart(b[n]) && !utf8.FullRune(b[:n+1]) {
		n++
	}
	return n
}

// castToBytes makes bytes of text and of other bytes. Flink 2.3: VARBINARY(n) takes the first n bytes, and BINARY(n) fills up with zeros.
func castToBytes(o *Overload, from, to types.Type) {
	limit := int(to.Length)
	switch {
	case !from.IsText() && !from.IsBytes():
	case to.Length == 0, from.IsBytes() && within(from, to):
		o.Kernel = keep
	case to.Kind == types.VarBinary:
		o.Kernel = cutting(0, func(s []byte, _ *Call, _ int) (int, int, bool) { return 0, min(len(s), limit), true })
	default:
		o.Kernel = rewriting(func(dst []byte, c *Call, i int) ([]byte, bool) {
			s := c.Args[0].Bytes(i)
			dst = append(dst, s[:min(len(s), limit)]...)
			return append(dst, make([]byte, max(min(limit, vector.MaxValue+1)-len(s), 0))...), true
		})
	}
}
