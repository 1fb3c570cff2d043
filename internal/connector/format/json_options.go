package format

// TimestampFormat is the shape in which TIMESTAMP and TIMESTAMP_LTZ stand in JSON text.
type TimestampFormat uint8

// The shapes. A TIMESTAMP_LTZ ends in Z, a TIMESTAMP has nothing after its seconds.
const (
	SQL     TimestampFormat = iota // 2026-01-01 00:00:00.123
	ISO8601                        // 2026-01-01T00:00:00.123
)

// String spells f as 'json.timestamp-format.standard' does.
func (f TimestampFormat) String() string { return [...]string{"SQL", "ISO-8601"}[f] }

// JSONOptions are the options of the json format; the zero value holds Flink's defaults.
type JSONOptions struct {
	// TimestampFormat is 'json.timestamp-format.standard'.
	TimestampFormat TimestampFormat
	// FailOnMissingField is 'json.fail-on-missing-field': a needed field that a row lacks is an error, not NULL.
	FailOnMissingField bool
	// IgnoreParseErrors is 'json.ignore-parse-errors': a bad value becomes NULL, a malformed line is skipped. As in
	// Flink it cannot be combined with FailOnMissingField.
	IgnoreParseErrors bool
}

// separator stands between the date and the time of day.
func (f TimestampFormat) separator() byte { return " T"[f] }
