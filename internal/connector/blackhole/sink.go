package blackhole

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Connector is the registry row. The connector has no options.
var Connector = connector.Connector{
	Name:  "blackhole",
	Doc:   "drops every row written to it",
	Takes: connector.AllChanges,
	Guarantee: func(connector.Table, connector.Options) connector.Guarantee {
		return connector.Guarantee{Why: "the table keeps no rows"}
	},
	NewSource: NewSource,
	NewSink:   NewSink,
}

// NewSource refuses.
func NewSource(connector.Table, connector.Options) (connector.Source, error) {
	return nil, connector.NotReadable("blackhole", "it keeps no rows; read the tables that the rows come from")
}

// NewSink makes the sink.
func NewSink(connector.Table, connector.Options) (connector.Sink, error) { return sink{}, nil }

type sink struct{}

func (sink) Write(*vector.Batch) error { return nil }
func (sink) Flush() error              { return nil }
func (sink) Close() error              { return nil }
