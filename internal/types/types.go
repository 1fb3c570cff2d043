// Package types holds the SQL types of Tidemark and their spelling.
//
// It knows nothing of expressions, columns or batches; vector.KindOf says how a type is laid out in memory. Start at Type; nested.go makes ARRAY, MAP,
// MULTISET and ROW, coerce.go says which types meet where.
package types

import (
	"fmt"
	"math"
)

// Kind is the family of a SQL type.
type Kind uint8

// The kinds. Null is the type of the bare literal NULL until something gives it a better one. Numbers stand in the order in which they widen.
const (
	Null Kind = iota
	Boolean
	TinyInt
	SmallInt
	Int
	BigInt
	Decimal
	Float
	Double
	Char
	String // VARCHAR(n), and STRING if n is not said
	Binary
	VarBinary // VARBINARY(n), and BYTES if n is not said
	Date      // days since 1970-01-01
	Time      // microseconds since midnight
	Timestamp
	TimestampLTZ
	IntervalDay   // INTERVAL DAY … SECOND, a length in microseconds
	IntervalMonth // INTERVAL YEAR … MONTH, a count of months
	Array
	Map
	Multiset
	Row
)

// Kinds is how many kinds there are.
const Kinds = int(Row) + 1

// Type is one SQL type. The zero value is the NULL type. Types are equal if == says so: what is inside of nested types is interned.
type Type struct {
	Kind Kind
	// Precision is the number of fractional digits of a TIME, TIMESTAMP or TIMESTAMP_LTZ, and of all digits of a DECIMAL, 1 to 38.
	Precision int8
	// Scale is the number of digits of a DECIMAL behind the point, 0 to Precision.
	Scale int8
	// NotNull says that no value of this type is NULL.
	NotNull bool
	// Length is that of a CHAR, VARCHAR, BINARY or VARBINARY in characters or bytes; 0 is no limit.
	Length int32

	inside *inside
}

// Common types, nullable.
var (
	NullType          = Type{Kind: Null}
	BooleanType       = Type{Kind: Boolean}
	TinyIntType       = Type{Kind: TinyInt}
	SmallIntType      = Type{Kind: SmallInt}
	IntType           = Type{Kind: Int}
	BigIntType        = Type{Kind: BigInt}
	FloatType         = Type{Kind: Float}
	DoubleType        = Type{Kind: Double}
	StringType        = Type{Kind: String}
	BytesType         = Type{Kind: VarBinary}
	DateType          = Type{Kind: Date}
	TimeType          = Type{Kind: Time}
	TimestampType     = Type{Kind: Timestamp, Precision: 3}
	TimestampLTZType  = Type{Kind: TimestampLTZ, Precision: 3}
	IntervalDayType   = Type{Kind: IntervalDay}
	IntervalMonthType = Type{Kind: IntervalMonth}
)

// MaxDigits is the greatest precision of a DECIMAL, and SmallDigits the greatest whose digits fit an int64.
const (
	MaxDigits   = 38
	SmallDigits = 18
)

// DecimalOf is DECIMAL(precision, scale).
func DecimalOf(precision, scale int) Type {
	if precision < 1 || precision > MaxDigits || scale < 0 || scale > precision {
		panic(fmt.Sprintf("tidemark bug: DECIMAL(%d, %d)", precision, scale))
	}
	return Type{Kind: Decimal, Precision: int8(precision), Scale: int8(scale)}
}

// String spells t as it is written in DDL.
func (t Type) String() string {
	s := t.name()
	if t.NotNull {
		s += " NOT NULL"
	}
	return s
}

var names = [Kinds]string{Null: "NULL", Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Int: "INT", BigInt: "BIGINT", Float: "FLOAT",
	Double: "DOUBLE", Date: "DATE", IntervalDay: "INTERVAL DAY TO SECOND", IntervalMonth: "INTERVAL YEAR TO MONTH"}

func (t Type) name() string {
	switch t.Kind {
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d, %d)", t.Precision, t.Scale)
	case Char:
		return fmt.Sprintf("CHAR(%d)", t.Length)
	case Binary:
		return fmt.Sprintf("BINARY(%d)", t.Length)
	case String:
		return sized("STRING", "VARCHAR", t.Length)
	case VarBinary:
		return sized("BYTES", "VARBINARY", t.Length)
	case Time:
		return fmt.Sprintf("TIME(%d)", t.Precision)
	case Timestamp:
		return fmt.Sprintf("TIMESTAMP(%d)", t.Precision)
	case TimestampLTZ:
		return fmt.Sprintf("TIMESTAMP_LTZ(%d)", t.Precision)
	case Array, Map, Multiset, Row:
		return t.inside.spell(t.Kind)
	}
	if name := names[t.Kind]; name != "" {
		return name
	}
	panic(fmt.Sprintf("tidemark bug: type kind %d has no name", t.Kind))
}

func sized(unlimited, limited string, length int32) string {
	if length == 0 {
		return unlimited
	}
	return fmt.Sprintf("%s(%d)", limited, length)
}

// Nullable returns t without its NOT NULL.
func (t Type) Nullable() Type { t.NotNull = false; return t }

// IsNumeric reports whether arithmetic applies to t.
func (t Type) IsNumeric() bool { return t.Kind >= TinyInt && t.Kind <= Double }

// IsInteger reports whether t is one of the whole-number types.
func (t Type) IsInteger() bool { return t.Kind >= TinyInt && t.Kind <= BigInt }

// IsApproximate reports whether t is FLOAT or DOUBLE.
func (t Type) IsApproximate() bool { return t.Kind == Float || t.Kind == Double }

// IsText reports whether t is CHAR, VARCHAR or STRING.
func (t Type) IsText() bool { return t.Kind == Char || t.Kind == String }

// IsBytes reports whether t is BINARY, VARBINARY or BYTES.
func (t Type) IsBytes() bool { return t.Kind == Binary || t.Kind == VarBinary }

// IsTime reports whether t is a point in time and so can be an event time.
func (t Type) IsTime() bool { return t.Kind == Timestamp || t.Kind == TimestampLTZ }

// IsInterval reports whether t is a length of time.
func (t Type) IsInterval() bool { return t.Kind == IntervalDay || t.Kind == IntervalMonth }

// IsNested reports whether values of t have values inside.
func (t Type) IsNested() bool { return t.Kind >= Array }

// Tick is the least step of an instant of type t in microseconds: 1,000 for p <= 3, 1 for p of 4 to 6.
func (t Type) Tick() int64 {
	if t.Precision > 3 {
		return 1
	}
	return 1000
}

// Digits is how many decimal digits a whole number of type t can have, and of a DECIMAL its precision.
func (t Type) Digits() int {
	switch t.Kind {
	case TinyInt:
		return 3
	case SmallInt:
		return 5
	case Int:
		return 10
	case BigInt:
		return 19
	}
	return int(t.Precision)
}

// Range is the least and the greatest value of a whole-number type.
func (t Type) Range() (least, greatest int64) {
	switch t.Kind {
	case TinyInt:
		return math.MinInt8, math.MaxInt8
	case SmallInt:
		return math.MinInt16, math.MaxInt16
	case Int:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// Same reports whether a and b are equal up to nullability.
func Same(a, b Type) bool { return a.Nullable() == b.Nullable() }
