package oracle

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Value is one SQL value. Which field holds it follows from its type.
type Value struct {
	Null bool
	// Int is a BOOLEAN (0 or 1), a whole number, an instant or an interval, as package vector lays them out.
	Int    int64
	Double float64
	Text   string
}

// Row is the values of one row.
type Row []Value

// Format writes v as a value of type t in a form that tells different values apart.
func (v Value) Format(t types.Type) string {
	if v.Null {
		return "NULL"
	}
	switch t.Kind {
	case types.Boolean:
		return strconv.FormatBool(v.Int != 0)
	case types.Float, types.Double:
		return strconv.FormatFloat(v.Double, 'g', -1, 64)
	case types.Char, types.String, types.Binary, types.VarBinary, types.Array, types.Map, types.Multiset, types.Row:
		return strconv.Quote(v.Text)
	case types.Timestamp:
		return time.UnixMicro(v.Int).UTC().Format("2006-01-02T15:04:05.999999")
	case types.TimestampLTZ:
		return time.UnixMicro(v.Int).UTC().Format("2006-01-02T15:04:05.999999Z07:00")
	}
	return strconv.FormatInt(v.Int, 10)
}

// FormatRow writes a row of the given types.
func FormatRow(row Row, schema types.Schema) string {
	text := make([]string, len(row))
	for i, v := range row {
		text[i] = v.Format(schema[i].Type)
	}
	return strings.Join(text, " | ")
}

// key is what two values have in common if they group together: NULL is equal to NULL.
func (v Value) key(t types.Type) string { return v.Format(t) }

// compare orders two values that are not NULL. NaN is the greatest DOUBLE, and the zeroes are ordered by their sign.
func (v Value) compare(w Value, t types.Type) int {
	switch t.Kind {
	case types.Char, types.String, types.Binary, types.VarBinary:
		return strings.Compare(v.Text, w.Text)
	case types.Float, types.Double:
		return compareDoubles(v.Double, w.Double)
	}
	switch {
	case v.Int < w.Int:
		return -1
	case v.Int > w.Int:
		return 1
	}
	return 0
}

func compareDoubles(v, w float64) int {
	switch {
	case v < w || math.IsNaN(w) && !math.IsNaN(v):
		return -1
	case v > w || math.IsNaN(v) && !math.IsNaN(w):
		return 1
	case v == 0 && math.Signbit(v) != math.Signbit(w):
		if math.Signbit(v) {
			return -1
		}
		return 1
	}
	return 0
}

// ValueAt reads row i of v as a value.
func ValueAt(v *vector.Vector, i int) Value {
	if v.IsNull(i) {
		return Value{Null: true}
	}
	switch v.Kind {
	case vector.Bool:
		if v.Bool(i) {
			return Value{Int: 1}
		}
		return Value{}
	case vector.Float64:
		return Value{Double: v.Float(i)}
	case vector.Bytes:
		return Value{Text: string(v.Bytes(i))}
	default:
		return Value{Int: v.Int(i)}
	}
}

// Append adds v to a column.
func (v Value) Append(b *vector.Builder, kind vector.Kind) {
	switch {
	case v.Null:
		b.AppendNull()
	case kind == vector.Bool:
		b.AppendBool(v.Int != 0)
	case kind == vector.Float64:
		b.AppendFloat(v.Double)
	case kind == vector.Bytes:
		b.AppendBytes([]byte(v.Text))
	default:
		b.AppendInt(v.Int)
	}
}
