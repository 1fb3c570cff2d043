package connector

// The options of a table that say what becomes of records that cannot be read, which are those of Confluent Cloud. With LogErrors they are written to the table that
// OptionErrorTarget names.
const (
	OptionErrors       = "error-handling.mode"
	OptionErrorTarget  = "error-handling.log.target"
	LogErrors          = "log"
	DefaultErrorTarget = "error_log"
)

// ErrorSpecs are the options that say what becomes of records that cannot be read, in whatever format.
var ErrorSpecs = []Spec{
	{Key: OptionErrors, Values: []string{"fail", "ignore", LogErrors}, Default: "fail",
		Doc: "what becomes of a record that cannot be read: fail stops the statement, ignore leaves the record out and counts it, log does that and writes it to a table"},
	{Key: OptionErrorTarget, Doc: "with log: the table that such records are written to", Default: DefaultErrorTarget},
}
