package kafka

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// locations are the options that name files of this machine.
var locations = []string{"properties.ssl.truststore.location", "properties.ssl.keystore.location"}

// Confined is a connector for tables whose certificates and keys are in files that are allowed, and no others: whoever writes a statement could have this machine's own key used otherwise.
func Confined(c connector.Connector, allowed func(path string) bool) connector.Connector {
	check := func(o connector.Options) error {
		for _, key := range locations {
			if path := o[key]; path != "" && !allowed(path) {
				return &connector.OptionError{Key: key, Message: fmt.Sprintf("'%s' is outside of what statements may read", path),
					Hint: "write what is in the file into the option 'properties.ssl.truststore.certificates', or 'properties.ssl.keystore.certificate.chain' and 'properties.ssl.keystore.key'"}
			}
		}
		return nil
	}
	source, sink, create := c.NewSource, c.NewSink, c.Create
	c.NewSource = func(t connector.Table, o connector.Options) (connector.Source, error) {
		if err := check(o); err != nil {
			return nil, err
		}
		return source(t, o)
	}
	c.NewSink = func(t connector.Table, o connector.Options) (connector.Sink, error) {
		if err := check(o); err != nil {
			return nil, err
		}
		return sink(t, o)
	}
	if create != nil {
		c.Create = func(t connector.Table, o connector.Options) (bool, error) {
			if err := check(o); err != nil {
				return false, err
			}
			return create(t, o)
		}
	}
	return c
}
