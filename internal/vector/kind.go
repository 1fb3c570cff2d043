package vector

import "github.com/tidemark-sql/tidemark/internal/types"

// Kind is a memory layout.
type Kind uint8

// The layouts.
const (
	Bool    Kind = iota // one byte a value, 0 or 1
	Int64               // whole numbers, instants and intervals
	Int128              // digits of a DECIMAL of more than 18
	Float64             // IEEE 754 double
	Bytes               // views into a shared buffer
)

// String names the layout.
func (k Kind) String() string { return [...]string{"bool", "int64", "int128", "float64", "bytes"}[k] }

// KindOf is the layout of the values of t.
//
// Every whole number, date, time of day, instant and interval is an int64: dates are days since the epoch, times microseconds since midnight, instants
// microseconds since the epoch (a TIMESTAMP reads them as a wall clock without zone), day intervals microseconds, year-month intervals months. A DECIMAL is
// its digits without the point, an int64 if there are at most 18. A FLOAT is a float64 that a float32 holds exactly. An ARRAY, MAP, MULTISET or ROW is bytes
// in the form of package nested.
func KindOf(t types.Type) Kind {
	switch t.Kind {
	case types.Boolean, types.Null:
		return Bool
	case types.Float, types.Double:
		return Float64
	case types.Decimal:
		if t.Precision > types.SmallDigits {
			return Int128
		}
		return Int64
	case types.Char, types.String, types.Binary, types.VarBinary, types.Array, types.Map, types.Multiset, types.Row:
		return Bytes
	default:
		return Int64
	}
}
