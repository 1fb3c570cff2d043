// Package types holds the SQL types of Tidemark and their spelling.
//
// It knows nothing of expressions, columns or batches; vector.KindOf says how a type is laid out in memory. Start at Type; coerce.go says which types meet where.
package types

import "fmt"

// Kind is the family of a SQL type.
type Kind uint8

// The kinds. Null is the type of the bare literal NULL until something gives it a better one.
const (
	Null Kind = iota
	Boolean
	Int
	BigInt
	Double
	String
	Timestamp
	TimestampLTZ
	IntervalDay   // INTERVAL DAY … SECOND, a length in microseconds
	IntervalMonth // INTERVAL YEAR … MONTH, a count of months
)

// Type is one SQL type. The zero value is the NULL type.
type Type struct {
	Kind Kind
	// Precision is the number of fractional digits of a TIMESTAMP or TIMESTAMP_LTZ.
	Precision int8
	// NotNull says that no value of this type is NULL.
	NotNull bool
}

// Common types, nullable.
var (
	NullType          = Type{Kind: Null}
	BooleanType       = Type{Kind: Boolean}
	IntType           = Type{Kind: Int}
	BigIntType        = Type{Kind: BigInt}
	DoubleType        = Type{Kind: Double}
	StringType        = Type{Kind: String}
	TimestampType     = Type{Kind: Timestamp, Precision: 3}
	TimestampLTZType  = Type{Kind: TimestampLTZ, Precision: 3}
	IntervalDayType   = Type{Kind: IntervalDay}
	IntervalMonthType = Type{Kind: IntervalMonth}
)

// String spells t as it is written in DDL.
func (t Type) String() string {
	s := t.name()
	if t.NotNull {
		s += " NOT NULL"
	}
	return s
}

func (t Type) name() string {
	switch t.Kind {
	case Null:
		return "NULL"
	case Boolean:
		return "BOOLEAN"
	case Int:
		return "INT"
	case BigInt:
		return "BIGINT"
	case Double:
		return "DOUBLE"
	case String:
		return "STRING"
	case Timestamp:
		return fmt.Sprintf("TIMESTAMP(%d)", t.Precision)
	case TimestampLTZ:
		return fmt.Sprintf("TIMESTAMP_LTZ(%d)", t.Precision)
	case IntervalDay:
		return "INTERVAL DAY TO SECOND"
	case IntervalMonth:
		return "INTERVAL YEAR TO MONTH"
	}
	panic(fmt.Sprintf("tidemark bug: type kind %d has no name", t.Kind))
}

// Nullable returns t without its NOT NULL.
func (t Type) Nullable() Type { t.NotNull = false; return t }

// IsNumeric reports whether arithmetic applies to t.
func (t Type) IsNumeric() bool { return t.Kind == Int || t.Kind == BigInt || t.Kind == Double }

// IsInteger reports whether t is one of the whole-number types.
func (t Type) IsInteger() bool { return t.Kind == Int || t.Kind == BigInt }

// IsTime reports whether t is a point in time and so can be an event time.
func (t Type) IsTime() bool { return t.Kind == Timestamp || t.Kind == TimestampLTZ }

// IsInterval reports whether t is a length of time.
func (t Type) IsInterval() bool { return t.Kind == IntervalDay || t.Kind == IntervalMonth }

// Tick is the least step of an instant of type t in microseconds: 1,000 for p <= 3, 1 for p of 4 to 6.
func (t Type) Tick() int64 {
	if t.Precision > 3 {
		return 1
	}
	return 1000
}

// Same reports whether a and b are equal up to nullability.
func Same(a, b Type) bool { return a.Nullable() == b.Nullable() }
