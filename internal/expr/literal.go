package expr

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/int128"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Literal is a constant.
type Literal struct {
	typ   types.Type
	value vector.Vector // constant; its memory belongs to the literal
}

// size is how many bytes a string, binary or nested value has; 0 for others.
func (l *Literal) size() int { return len(l.value.Buf) }

// LiteralInt makes a value of type t, which is laid out as int64; see vector.KindOf.
func LiteralInt(t types.Type, v int64) *Literal {
	t.NotNull = true
	return &Literal{t, vector.Vector{Kind: vector.Int64, Const: true, Ints: []int64{v}}}
}

// LiteralDouble makes a DOUBLE.
func LiteralDouble(v float64) *Literal { return literalFloat(types.DoubleType, v) }

func literalFloat(t types.Type, v float64) *Literal {
	return &Literal{notNull(t), vector.Vector{Kind: vector.Float64, Const: true, Floats: []float64{v}}}
}

// LiteralDecimal makes a DECIMAL of type t with these digits, which it has room for.
func LiteralDecimal(t types.Type, digits int128.Int) *Literal {
	if vector.KindOf(t) == vector.Int64 {
		return LiteralInt(t, int64(digits.Lo))
	}
	return &Literal{notNull(t), vector.Vector{Kind: vector.Int128, Const: true, Wides: []int128.Int{digits}}}
}

// LiteralString makes a STRING.
func LiteralString(v string) *Literal { return LiteralBytes(types.StringType, []byte(v)) }

// LiteralBytes makes a value of type t, which is laid out as bytes. It keeps v.
func LiteralBytes(t types.Type, v []byte) *Literal {
	return &Literal{notNull(t), vector.Vector{Kind: vector.Bytes, Const: true, Views: []vector.View{{Len: uint32(len(v))}}, Buf: v}}
}

// LiteralBool makes a BOOLEAN.
func LiteralBool(v bool) *Literal {
	bit := uint8(0)
	if v {
		bit = 1
	}
	return &Literal{notNull(types.BooleanType), vector.Vector{Kind: vector.Bool, Const: true, Bools: []uint8{bit}}}
}

// Null makes a NULL of type t.
func Null(t types.Type) *Literal {
	v := vector.Vector{Kind: vector.KindOf(t), Const: true, Valid: vector.Bitmap{0}}
	switch v.Kind {
	case vector.Bool:
		v.Bools = []uint8{0}
	case vector.Int64:
		v.Ints = []int64{0}
	case vector.Int128:
		v.Wides = []int128.Int{{}}
	case vector.Float64:
		v.Floats = []float64{0}
	case vector.Bytes:
		v.Views = []vector.View{{}}
	}
	return &Literal{t.Nullable(), v}
}

// literalOf makes a literal of type t of the first value of a vector, copying it.
func literalOf(t types.Type, v *vector.Vector) *Literal {
	if v.IsNull(0) {
		return Null(t)
	}
	switch v.Kind {
	case vector.Bool:
		return LiteralBool(v.Bools[0] != 0)
	case vector.Int128:
		return LiteralDecimal(t, v.Wides[0])
	case vector.Float64:
		return literalFloat(t, v.Floats[0])
	case vector.Bytes:
		return LiteralBytes(t, slices.Clone(v.Bytes(0)))
	default:
		return LiteralInt(t, v.Ints[0])
	}
}

func notNull(t types.Type) types.Type { t.NotNull = true; return t }

// Type is the type of the constant; it is NOT NULL unless the constant is NULL.
func (e *Literal) Type() types.Type { return e.typ }

// Value is the constant as a constant vector, which must not be changed.
func (e *Literal) Value() *vector.Vector { return &e.value }

// IsNull reports whether the constant is NULL.
func (e *Literal) IsNull() bool { return e.value.Valid != nil }

// Int is the value of a whole number, instant or interval that is not NULL.
func (e *Literal) Int() int64 { return e.value.Ints[0] }

// Eval copies the constant into the arena, because whoever gets a batch owns its columns.
func (e *Literal) Eval(c *Context, _ *vector.Batch, _ vector.Rows) (*vector.Vector, error) {
	if e.IsNull() {
		return c.Arena.NullConstant(e.value.Kind), nil
	}
	v := c.Arena.Constant(e.value.Kind)
	copy(v.Bools, e.value.Bools)
	copy(v.Ints, e.value.Ints)
	copy(v.Wides, e.value.Wides)
	copy(v.Floats, e.value.Floats)
	copy(v.Views, e.value.Views)
	v.Buf = e.value.Buf
	return v, nil
}

// String writes the constant as a SQL literal, typed where SQL would read it as another type.
func (e *Literal) String() string {
	if e.IsNull() {
		return "NULL"
	}
	switch e.typ.Kind {
	case types.String:
		return "'" + strings.ReplaceAll(string(e.value.Buf), "'", "''") + "'"
	case types.Char:
		return cast("'"+strings.ReplaceAll(string(e.value.Buf), "'", "''")+"'", e.typ)
	case types.Binary, types.VarBinary:
		return fmt.Sprintf("X'%X'", e.value.Buf)
	case types.Array, types.Map, types.Multiset, types.Row:
		return nestedLiteral(e.typ, e.value.Buf)
	case types.Float, types.Double:
		text := string(valuefmt.Append(nil, e.typ, &e.value, 0))
		switch f := e.value.Floats[0]; {
		case math.IsNaN(f) || math.IsInf(f, 0):
			return cast("'"+text+"'", e.typ)
		case e.typ.Kind == types.Double:
			return text
		}
		return cast(text, e.typ)
	case types.TinyInt, types.SmallInt:
		return cast(string(valuefmt.Append(nil, e.typ, &e.value, 0)), e.typ)
	case types.Date:
		return string(append(timefmt.AppendDate([]byte("DATE '"), e.Int()), '\''))
	case types.Time:
		return string(append(timefmt.AppendTime([]byte("TIME '"), e.Int(), int(e.typ.Precision)), '\''))
	case types.Timestamp:
		return string(append(timefmt.AppendTimestamp([]byte("TIMESTAMP '"), e.Int(), int(e.typ.Precision), ' ', false), '\''))
	case types.TimestampLTZ:
		return string(append(timefmt.AppendTimestamp([]byte("TIMESTAMP_LTZ '"), e.Int(), int(e.typ.Precision), ' ', true), '\''))
	case types.IntervalDay:
		return dayInterval(e.Int())
	case types.IntervalMonth:
		if e.Int()%12 == 0 {
			return intervalOf(e.Int(), 12, "YEAR")
		}
		return intervalOf(e.Int(), 1, "MONTH")
	}
	return string(valuefmt.Append(nil, e.typ, &e.value, 0))
}

func cast(value string, t types.Type) string {
	return "CAST(" + value + " AS " + t.Nullable().String() + ")"
}

// dayInterval writes an interval in the greatest unit that needs no fraction, or in seconds.
func dayInterval(micros int64) string {
	switch {
	case micros%timefmt.Day == 0 && micros != 0:
		return intervalOf(micros, timefmt.Day, "DAY")
	case micros%timefmt.Hour == 0 && micros != 0:
		return intervalOf(micros, timefmt.Hour, "HOUR")
	case micros%timefmt.Minute == 0 && micros != 0:
		return intervalOf(micros, timefmt.Minute, "MINUTE")
	}
	return intervalOf(micros, timefmt.Second, "SECOND")
}

// intervalOf writes n as a decimal number of units, without rounding.
func intervalOf(n, unit int64, name string) string {
	text := strconv.FormatInt(n/unit, 10)
	if rest := n % unit; rest != 0 {
		if n < 0 {
			rest = -rest
			text = "-" + strings.TrimPrefix(text, "-")
		}
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
	}
	return "INTERVAL '" + text + "' " + name
}

// Children is empty.
func (e *Literal) Children() []Expr { return nil }

func (e *Literal) withChildren([]Expr) Expr { return e }

func (e *Literal) same(other Expr) bool {
	o := other.(*Literal)
	if e.typ != o.typ || e.IsNull() != o.IsNull() {
		return false
	}
	if e.IsNull() {
		return true
	}
	switch e.value.Kind {
	case vector.Bool:
		return e.value.Bools[0] == o.value.Bools[0]
	case vector.Float64:
		return math.Float64bits(e.value.Floats[0]) == math.Float64bits(o.value.Floats[0])
	case vector.Int128:
		return e.value.Wides[0] == o.value.Wides[0]
	case vector.Bytes:
		return bytes.Equal(e.value.Buf, o.value.Buf)
	default:
		return e.value.Ints[0] == o.value.Ints[0]
	}
}
