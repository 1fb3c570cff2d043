package stdio

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
)

// Stdin is the registry row of standard input.
var Stdin = connector.Connector{
	Name:      "stdin",
	Doc:       "reads standard input, which ends the table when it ends: cat rows.json | tidemark run query.sql",
	Specs:     format.Specs(""),
	NewSource: newSource,
	NewSink: func(connector.Table, connector.Options) (connector.Sink, error) {
		return nil, connector.NotWritable("stdin", "write to a table with connector 'stdout'")
	},
}

// Stdout is the registry row of standard output.
var Stdout = connector.Connector{
	Name:  "stdout",
	Doc:   "writes rows to standard output in a format, for another program to read",
	Specs: format.Specs(""),
	NewSource: func(connector.Table, connector.Options) (connector.Source, error) {
		return nil, connector.NotReadable("stdout", "read a table with connector 'stdin'")
	},
	NewSink: newSink,
}

// choose is the format of a table, which has to be said.
func choose(name string, o connector.Options) (*format.Choice, error) {
	c, ok, err := format.Choose(o, "")
	if err == nil && !ok {
		err = &connector.OptionError{Key: "connector", Message: fmt.Sprintf("connector '%s' needs the option 'format'", name), Hint: "add 'format' = '…': how rows are written, such as json or csv"}
	}
	return c, err
}
