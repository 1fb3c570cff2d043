// Package timefmt reads and writes instants and intervals as text, and knows the calendar: days since the epoch to year, month
// and day and back, month arithmetic.
//
// It counts microseconds since 1970-01-01 00:00:00 on the proleptic Gregorian calendar and knows no time zones beyond a numeric
// offset in the text. ParseTimestamp is on the path of every decoded row. Start at parse.go; append.go is its inverse.
package timefmt
