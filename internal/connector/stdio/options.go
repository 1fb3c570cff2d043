package stdio

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
)

// changelog is what the format tells.
func changelog(_ connector.Table, o connector.Options) connector.Changelog {
	return format.Changelog(o, "")
}

// recast gives a table another format.
func recast(o connector.Options, name string, own connector.Options) connector.Options {
	return format.Recast(o, "", name, own)
}

// Stdin is the registry row of standard input.
var Stdin = connector.Connector{
	Name:           "stdin",
	Doc:            "reads standard input, which ends the table when it ends: cat rows.json | tidemark run query.sql",
	Specs:          format.FileSpecs(),
	FormatMetadata: format.Metadata,
	Yields:         changelog,
	Once:           true,
	Recast:         recast,
	NewSource:      newSource,
	NewSink: func(connector.Table, connector.Options) (connector.Sink, error) {
		return nil, connector.NotWritable("stdin", "write to a table with connector 'stdout'")
	},
}

// Stdout is the registry row of standard output.
var Stdout = connector.Connector{
	Name:  "stdout",
	Doc:   "writes rows to standard output in a format, for another program to read",
	Specs: format.FileSpecs(),
	Takes: changelog,
	NewSource: func(connector.Table, connector.Options) (connector.Source, error) {
		return nil, connector.NotReadable("stdout", "read a table with connector 'stdin'")
	},
	NewSink: newSink,
	Recast:  recast,
}
