package print

import "github.com/tidemark-sql/tidemark/internal/connector"

// Connector is the registry row.
var Connector = connector.Connector{
	Name: "print",
	Doc:  "writes every row to standard output, as +I[a, b, c]",
	Specs: []connector.Spec{
		{Key: "print-identifier", Doc: "a text that stands before each row, followed by '> '", Default: "none"},
		{Key: "standard-error", Doc: "true: write to standard error", Default: "false"},
		connector.SinkParallelism,
	},
	Takes:     connector.AllChanges,
	NewSource: NewSource,
	NewSink:   NewSink,
}

// NewSource refuses.
func NewSource(connector.Table, connector.Options) (connector.Source, error) {
	return nil, connector.NotReadable("print", "its rows leave the engine; read the tables that they come from")
}

// NewSink makes a sink that writes to the table's Stdout or Stderr.
func NewSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	toStderr, err := o.Bool("standard-error", false)
	if err != nil {
		return nil, err
	}
	s := &sink{w: t.Stdout, schema: t.Schema}
	if toStderr {
		s.w = t.Stderr
	}
	if id := o["print-identifier"]; id != "" {
		s.prefix = id + "> "
	}
	return s, nil
}
