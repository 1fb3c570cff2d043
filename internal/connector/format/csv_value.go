package format

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// split reads the parts of an ARRAY or ROW. It returns the column of what is wrong, and its text.
func (d *csvDecoder) split(n *node, text []byte) (wrong *column, bad []byte) {
	n.reset()
	whole := text
	if n.Type.Kind == types.Row {
		for _, f := range n.fields {
			f.setNull(f.push())
		}
	}
	more := n.Type.Kind == types.Row || len(text) > 0
	for i := 0; more; i++ {
		var part []byte
		part, text, more = bytes.Cut(text, []byte(d.between))
		into, at := n.elem, 0
		switch {
		case n.Type.Kind == types.Array:
			at = n.elem.push()
		case i == len(n.fields):
			return &n.column, whole
		default:
			into = n.fields[i]
			into.vector.Valid.Set(0)
		}
		if !d.part(into, at, part) {
			return &into.column, part
		}
	}
	for _, f := range n.fields {
		if f.vector.Valid != nil && !f.vector.Valid.Get(0) && f.Type.NotNull {
			return &n.column, whole
		}
	}
	return nil, nil
}

// part reads text as value i of n.
func (d *csvDecoder) part(n *node, i int, text []byte) bool {
	switch {
	case d.csvOptions.null != nil && string(text) == *d.csvOptions.null:
		n.setNull(i)
		return !n.Type.NotNull
	case n.Type.IsText():
		n.setBytes(i, text)
		return utf8.Valid(text)
	case n.Type.IsBytes():
		at := len(n.data)
		longer, err := base64.StdEncoding.AppendDecode(n.data, text)
		if err != nil {
			return false
		}
		n.data = longer
		n.seal(i, at)
		return true
	}
	return setText(&n.column, i, text)
}

// foundCSV says what a value is.
func foundCSV(text []byte) types.FoundKind {
	if len(text) == 0 {
		return types.FoundNothing
	}
	if _, number := parseDouble(text); number {
		if _, whole := parseInteger(text); !whole {
			return types.FoundFraction
		}
		return types.FoundInteger
	}
	return types.FoundText
}

// adviseCSV says how a value that its column does not take can be read.
func (d *csvDecoder) adviseCSV(t types.Type, text []byte) string {
	switch {
	case len(text) == 0 && d.named && t.NotNull:
		return "make the column nullable"
	case len(text) == 0:
		return "'csv.null-literal' = '' reads it as NULL"
	case t.IsTime():
		return "write it as " + string(timefmt.AppendTimestamp(nil, 0, 3, ' ', t.Kind == types.TimestampLTZ)) + ", or declare the column STRING and convert it"
	case t.Kind == types.Date:
		return "write it as 1970-01-01, or declare the column STRING and convert it"
	case t.Kind == types.Time:
		return "write it as 00:00:00, or declare the column STRING and convert it"
	case t.IsBytes():
		return "write bytes in Base64"
	}
	return "declare the column STRING to read any value as text"
}

// decode removes doubled quotes and escapes from text in place and returns what length is left.
func (d *csvDecoder) decode(text []byte, quoted bool) int {
	n := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case int(c) == d.escape && i+1 < len(text):
			i++
			c = text[i]
			// As the library that Flink reads CSV with has it.
			if k := strings.IndexByte("nrt0", c); k >= 0 {
				c = "\n\r\t\x00"[k]
			}
		case quoted && int(c) == d.quote:
			i++ // the second of the two
		}
		text[n] = c
		n++
	}
	return n
}

// setText reads text, which is of no string, bytes or nested type, into row n of c. Blanks around it do not matter.
func setText(c *column, n int, text []byte) (ok bool) {
	switch c.Type.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		v, ok := digits(text)
		if !ok {
			v, ok = parseInteger(text)
		}
		least, greatest := c.Type.Range()
		c.vector.Ints[n] = v
		return ok && least <= v && v <= greatest && (c.unsigned == 0 || c.fits(v))
	case types.Float, types.Double:
		v, ok := parseDouble(text)
		if c.Type.Kind == types.Float {
			infinite := math.IsInf(v, 0)
			v = float64(float32(v))
			ok = ok && infinite == math.IsInf(v, 0)
		}
		c.vector.Floats[n] = v
		return ok
	case types.Decimal:
		known, fits := setDecimal(c, n, bytes.TrimSpace(text))
		return known && fits
	case types.Boolean:
		switch strings.ToLower(string(bytes.TrimSpace(text))) {
		case "true":
			c.vector.Bools[n] = 1
		case "false":
			c.vector.Bools[n] = 0
		default:
			return false
		}
		return true
	case types.Date:
		c.vector.Ints[n], ok = parseDate(bytes.TrimSpace(text))
		return ok
	case types.Time:
		c.vector.Ints[n], ok = parseTime(bytes.TrimSpace(text), c.Type)
		return ok
	}
	text = bytes.TrimSpace(text)
	micros, zoned, ok := timefmt.ParseTimestamp(text)
	if !ok || text[10] != ' ' && !c.iso || zoned != (c.Type.Kind == types.TimestampLTZ) || zoned && text[len(text)-1] != 'Z' {
		return false
	}
	if c.Type.Precision <= 3 {
		micros = timefmt.Floor(micros, timefmt.Millisecond)
	}
	c.vector.Ints[n] = micros
	return true
}

// digits reads a number of at most 18 plain digits.
func digits(text []byte) (v int64, ok bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	if negative {
		v = -v
	}
	return v, true
}

func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	if len(text) < 8 {
		var seen byte
		for _, c := range text {
			seen |= c
		}
		return seen < utf8.RuneSelf
	}
	seen := binary.LittleEndian.Uint64(text[len(text)-8:]) // may overlap the one before
	for ; len(text) > 8; text = text[8:] {
		seen |= binary.LittleEndian.Uint64(text)
	}
	return seen&high == 0
}

// clip is text as a message shows it.
func clip(text []byte) string {
	if len(text) <= maxExcerpt {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:maxExcerpt], nil)) + "…"
}
