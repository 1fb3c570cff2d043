package vector

import "github.com/tidemark-sql/tidemark/internal/types"

// Kind is a memory layout.
type Kind uint8

// The layouts.
const (
	Bool    Kind = iota // one byte a value, 0 or 1
	Int64               // whole numbers, instants and intervals
	Float64             // IEEE 754 double
	Bytes               // views into a shared buffer
)

// String names the layout.
func (k Kind) String() string { return [...]string{"bool", "int64", "float64", "bytes"}[k] }

// KindOf is the layout of the values of t. Every whole number, instant and interval is an int64: instants are microseconds
// since the epoch (a TIMESTAMP reads them as a wall clock without zone), day intervals are microseconds, year-month
// intervals are months.
func KindOf(t types.Type) Kind {
	switch t.Kind {
	case types.Boolean, types.Null:
		return Bool
	case types.Double:
		return Float64
	case types.String:
		return Bytes
	default:
		return Int64
	}
}
