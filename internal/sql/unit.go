package sql

// Unit is a unit of time in an interval, EXTRACT, FLOOR, TIMESTAMPADD and the like.
type Unit uint8

// The units. NoUnit is the absence of one.
const (
	NoUnit Unit = iota
	MicrosecondUnit
	MillisecondUnit
	SecondUnit
	MinuteUnit
	HourUnit
	DayUnit
	WeekUnit
	MonthUnit
	QuarterUnit
	YearUnit
	DecadeUnit
	CenturyUnit
	MillenniumUnit
	NanosecondUnit
	EpochUnit
	DayOfWeekUnit
	DayOfYearUnit
	ISODayOfWeekUnit
	ISOYearUnit
)

var unitNames = [...]string{
	NoUnit:           "",
	MicrosecondUnit:  "MICROSECOND",
	MillisecondUnit:  "MILLISECOND",
	SecondUnit:       "SECOND",
	MinuteUnit:       "MINUTE",
	HourUnit:         "HOUR",
	DayUnit:          "DAY",
	WeekUnit:         "WEEK",
	MonthUnit:        "MONTH",
	QuarterUnit:      "QUARTER",
	YearUnit:         "YEAR",
	DecadeUnit:       "DECADE",
	CenturyUnit:      "CENTURY",
	MillenniumUnit:   "MILLENNIUM",
	NanosecondUnit:   "NANOSECOND",
	EpochUnit:        "EPOCH",
	DayOfWeekUnit:    "DOW",
	DayOfYearUnit:    "DOY",
	ISODayOfWeekUnit: "ISODOW",
	ISOYearUnit:      "ISOYEAR",
}

// String returns the unit's keyword in the singular.
func (u Unit) String() string { return unitNames[u] }
