package sql

// NumberLit is an unsigned number. A minus before it is a *Unary.
type NumberLit struct {
	Located
	// Text is the number as written: "10", "1.50", ".5", "1e-3".
	Text string
	Kind NumberKind
}

// NumberKind says which SQL type family a number literal has.
type NumberKind uint8

// The kinds of number literals.
const (
	IntegerNumber NumberKind = iota // digits only: INT, BIGINT or DECIMAL by size
	DecimalNumber                   // with a point: exact DECIMAL
	ApproxNumber                    // with an exponent: DOUBLE
)

// StringLit is a 'string' with its doubled quotes resolved.
type StringLit struct {
	Located
	Value string
}

// BytesLit is a binary literal x'0aff'.
type BytesLit struct {
	Located
	Value []byte
}

// BoolLit is TRUE or FALSE.
type BoolLit struct {
	Located
	Value bool
}

// NullLit is NULL, or UNKNOWN, which is NULL of type BOOLEAN.
type NullLit struct {
	Located
	Unknown bool
}

// DatetimeLit is DATE '…', TIME '…' or TIMESTAMP '…', checked and read while parsing.
type DatetimeLit struct {
	Located
	Kind  DatetimeKind
	Value StringLit
	// Micros counts microseconds: since the epoch on a zone-less calendar, or
	// since midnight for TIME. A DATE is its midnight.
	Micros int64
	// Precision is the number of fractional digits written (Flink: the literal's type
	// is TIMESTAMP(Precision)); at most 6, zero for DATE.
	Precision int
}

// DatetimeKind says which keyword a datetime literal has.
type DatetimeKind uint8

// The kinds of datetime literals.
const (
	DateDatetime DatetimeKind = iota
	TimeDatetime
	TimestampDatetime
)

// IntervalLit is INTERVAL '…' with its units, checked and read while parsing.
type IntervalLit struct {
	Located
	// Negative is a minus before the quotes; Months and Micros already include it.
	Negative  bool
	Value     StringLit
	Qualifier IntervalQualifier
	// Exactly one of the two can be other than zero: Months for the units YEAR,
	// QUARTER and MONTH, Micros for all others.
	Months, Micros int64
}

// IntervalQualifier is a unit or a range of units: DAY, DAY(3), DAY(2) TO SECOND(3).
type IntervalQualifier struct {
	From Unit
	// To is NoUnit unless a range was written.
	To Unit
	// LeadingPrecision and FractionPrecision are -1 unless written.
	LeadingPrecision, FractionPrecision int
}

// IsYearMonth says that the interval counts months rather than time.
func (q IntervalQualifier) IsYearMonth() bool {
	return q.From == YearUnit || q.From == QuarterUnit || q.From == MonthUnit
}

// UnitLit is a time unit as an argument: EXTRACT(DAY FROM x) is a Call of EXTRACT
// with the arguments DAY and x, FLOOR(x TO HOUR) one of FLOOR with x and HOUR.
type UnitLit struct {
	Located
	Unit Unit
}

// WordLit is another keyword as an argument: BOTH, LEADING or TRAILING of TRIM,
// which is the first of three arguments (TRIM(BOTH 'x' FROM s)).
type WordLit struct {
	Located
	// Word is in upper case.
	Word string
}

func (*NumberLit) expr()   {}
func (*StringLit) expr()   {}
func (*BytesLit) expr()    {}
func (*BoolLit) expr()     {}
func (*NullLit) expr()     {}
func (*DatetimeLit) expr() {}
func (*IntervalLit) expr() {}
func (*UnitLit) expr()     {}
func (*WordLit) expr()     {}
