package connector

// The options of a table that say what becomes of records that cannot be read, which are those of Confluent Cloud. With LogErrors they are written to the table that
// OptionErrorTarget names.
const (
	OptionErrors       = "error-handling.mode"
	OptionErrorTarget  = "error-handling.log.target"
	LogErrors          = "log"
	DefaultErrorTarget = "error_log"
)
