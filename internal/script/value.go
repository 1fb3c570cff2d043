package script

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/numfmt"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// cell is one value of a fed row. Its column's type says which field counts.
type cell struct {
	null   bool
	number int64
	double float64
	digits int128.Int // of a DECIMAL
	text   string     // of text and bytes
}

// field is one word of a row.
type field struct {
	text   string
	quoted bool
}

// splitFields cuts a row at blanks. A field in single quotes may hold blanks, and a quote as two of them.
func splitFields(line string) ([]field, error) {
	var fields []field
	for rest := strings.TrimSpace(cutComment(line)); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		if rest[0] != '\'' {
			end := strings.IndexAny(rest+" ", " \t")
			fields = append(fields, field{text: rest[:end]})
			rest = rest[end:]
			continue
		}
		text, after, ok := unquote(rest)
		if !ok {
			return nil, fmt.Errorf("the quote at %s is not closed", rest)
		}
		if after != "" && after[0] != ' ' && after[0] != '\t' {
			return nil, fmt.Errorf("expected a blank behind '%s'", text)
		}
		fields = append(fields, field{text, true})
		rest = after
	}
	return fields, nil
}

// unquote reads a quoted text at the start of s.
func unquote(s string) (text, after string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), s[i+1:], true
	}
	return "", "", false
}

// parseOp cuts the change off a line of a table that has others than inserts, where it may be left out for +I.
func parseOp(line string, changes connector.Changelog) (vector.Op, string, error) {
	if changes == connector.Append {
		return vector.Insert, line, nil
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	for op := vector.Insert; op <= vector.Delete; op++ {
		if word != op.String() {
			continue
		}
		if op == vector.UpdateBefore && changes == connector.Upsert {
			return op, rest, fmt.Errorf("a table of upserts has no -U; write +U with the new row")
		}
		return op, rest, nil
	}
	return vector.Insert, line, nil
}

// parseRow reads the values of a row.
func parseRow(line string, schema types.Schema) ([]cell, error) {
	fields, err := splitFields(line)
	if err != nil {
		return nil, err
	}
	if len(fields) != len(schema) {
		return nil, fmt.Errorf("%d values for %d columns: %s", len(fields), len(schema), strings.Join(schema.Names(), ", "))
	}
	row := make([]cell, len(fields))
	for i, f := range fields {
		var ok bool
		if row[i], ok = parseCell(schema[i].Type, f); !ok {
			return nil, fmt.Errorf("column '%s' is %s and takes %s, not %s", schema[i].Name, schema[i].Type, sampleOf(schema[i].Type), f.text)
		}
	}
	return row, nil
}

func parseCell(t types.Type, f field) (c cell, ok bool) {
	if f.text == "NULL" && !f.quoted {
		return cell{null: true}, !t.NotNull
	}
	if t.IsText() {
		return cell{text: f.text}, true
	}
	if f.quoted {
		return cell{}, false
	}
	var err error
	switch t.Kind {
	case types.Boolean:
		c.number = 0
		if f.text == "true" {
			c.number = 1
		}
		return c, f.text == "true" || f.text == "false"
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		c.number, err = strconv.ParseInt(f.text, 10, 64)
		if least, greatest := t.Range(); c.number < least || c.number > greatest {
			return c, false
		}
	case types.Float:
		c.double, err = strconv.ParseFloat(f.text, 32)
	case types.Double:
		c.double, err = strconv.ParseFloat(f.text, 64)
	case types.Decimal:
		var reading numfmt.Reading
		c.digits, reading = numfmt.ReadDecimal([]byte(f.text), int(t.Precision), int(t.Scale))
		return c, reading == numfmt.Read
	case types.Date:
		c.number, ok = timefmt.ReadDate([]byte(f.text))
		return c, ok
	case types.Time:
		c.number, ok = timefmt.ReadTime([]byte(f.text))
		return c, ok
	case types.Binary, types.VarBinary:
		return readBytes(f.text)
	case types.Timestamp, types.TimestampLTZ:
		var zoned bool
		c.number, zoned, ok = parseTime(f.text)
		return c, ok && zoned == (t.Kind == types.TimestampLTZ) && c.number%t.Tick() == 0
	default:
		return c, false
	}
	return c, err == nil
}

// readBytes reads x'0aff'.
func readBytes(s string) (c cell, ok bool) {
	inner, ok1 := strings.CutPrefix(s, "x'")
	inner, ok2 := strings.CutSuffix(inner, "'")
	b, err := hex.DecodeString(inner)
	return cell{text: string(b)}, ok1 && ok2 && err == nil
}

// sampleOf shows how a value of t is written.
func sampleOf(t types.Type) string {
	switch t.Kind {
	case types.Boolean:
		return "true or false"
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		return "a whole number"
	case types.Float, types.Double, types.Decimal:
		return "a number such as 1.5"
	case types.Date:
		return "a date such as 2026-01-31"
	case types.Time:
		return "a time of day such as 00:00:01.500"
	case types.Binary, types.VarBinary:
		return "bytes such as x'0aff'"
	case types.Timestamp:
		return "a time such as 00:00:01.500 or 2026-01-01T00:00:00"
	case types.TimestampLTZ:
		return "an instant such as 00:00:01.500Z or 2026-01-01T00:00:00Z"
	}
	return "no value that a script can write"
}

// epochDate is the day that a time without a date is on.
const epochDate = "1970-01-01T"

// parseTime reads a time with or without a date; zoned reports a Z behind it.
func parseTime(s string) (micros int64, zoned, ok bool) {
	if !strings.Contains(s, "T") {
		s = epochDate + s
	}
	if text, cut := strings.CutSuffix(s, "Z"); cut {
		micros, zoned, ok = timefmt.ParseTimestamp([]byte(text))
		return micros, true, ok && !zoned
	}
	micros, zoned, ok = timefmt.ParseTimestamp([]byte(s))
	return micros, false, ok && !zoned
}

// appendTime writes a time, without its date on 1970-01-01, and with as many digits of the second as it needs: none, three or six.
func appendTime(dst []byte, micros int64) []byte {
	digits := 0
	switch {
	case micros%timefmt.Millisecond != 0:
		digits = 6
	case micros%timefmt.Second != 0:
		digits = 3
	}
	start := len(dst)
	dst = timefmt.AppendTimestamp(dst, micros, digits, 'T', false)
	if micros >= 0 && micros < timefmt.Day {
		return append(dst[:start], dst[start+len(epochDate):]...)
	}
	return dst
}

// appendValue writes a value of a result.
func appendValue(dst []byte, t types.Type, v *vector.Vector, row int) []byte {
	if v.IsNull(row) {
		return append(dst, "NULL"...)
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.AppendBool(dst, v.Bool(row))
	case types.Timestamp, types.TimestampLTZ:
		return appendEventTime(dst, v.Int(row), t.Kind == types.TimestampLTZ)
	case types.Char, types.String, types.Array, types.Map, types.Multiset, types.Row:
		return appendText(dst, string(valuefmt.Append(nil, t, v, row)))
	}
	return valuefmt.Append(dst, t, v, row)
}

// appendText writes a string bare if nobody can take it for something else or for several.
func appendText(dst []byte, s string) []byte {
	switch {
	case strings.ContainsAny(s, "\n\r"):
		return strconv.AppendQuote(dst, s)
	case s == "" || s == "NULL" || strings.ContainsAny(s, "',") || strings.TrimSpace(s) != s:
		return append(append(append(dst, '\''), strings.ReplaceAll(s, "'", "''")...), '\'')
	}
	return append(dst, s...)
}

// appendEventTime writes a time of a table, with a Z if it is an instant.
func appendEventTime(dst []byte, micros int64, instant bool) []byte {
	dst = appendTime(dst, micros)
	if instant {
		dst = append(dst, 'Z')
	}
	return dst
}

// appendWatermark writes Flink's inclusive watermark in milliseconds as a time.
func appendWatermark(dst []byte, w int64, instant bool) []byte {
	switch {
	case w == math.MinInt64:
		return append(dst, "none"...)
	case w == math.MaxInt64:
		return append(dst, "end"...)
	}
	return appendEventTime(dst, w*timefmt.Millisecond, instant)
}
