// Package builtin lists the connectors that come with Tidemark.
//
// It is the one place that links them in; the engine below is handed the list and knows none of them by name.
package builtin

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/avro"
	"github.com/tidemark-sql/tidemark/internal/connector/blackhole"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/connector/faker"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/connector/print"
	"github.com/tidemark-sql/tidemark/internal/connector/stdio"
)

// Connectors are what tables can be read from and written to, in the order of the reference. It is what the library has.
var Connectors = []connector.Connector{Files(), kafka.Connector, kafka.Upsert, stdio.Stdin, stdio.Stdout, datagen.Connector, faker.Connector, print.Connector, blackhole.Connector}

// Files is the connector of files with more formats than the library has.
func Files(more ...filesystem.Container) connector.Connector {
	return filesystem.New(append([]filesystem.Container{avro.Container}, more...)...)
}

// With is Connectors with c in place of the one that has its name.
func With(c connector.Connector) []connector.Connector {
	all := slices.Clone(Connectors)
	for i := range all {
		if all[i].Name == c.Name {
			all[i] = c
		}
	}
	return all
}
