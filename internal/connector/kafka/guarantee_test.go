package kafka

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// ending is a Home that ends so.
type ending struct {
	At
	Ending
}

func (e ending) Ends() Ending { return e.Ending }

// TestGuarantees: what is promised follows from the option, the kind of table and the brokers.
func TestGuarantees(t *testing.T) {
	for _, c := range []struct {
		connector connector.Connector
		chosen    string
		times     connector.Times
		why       string
	}{
		{Connector, "", connector.AtLeastOnce, "= 'exactly-once' writes in transactions"},
		{Connector, "exactly-once", connector.ExactlyOnce, "a transaction for each checkpoint"},
		{Connector, "none", connector.NoGuarantee, "does not wait"},
		{Upsert, "", connector.AtLeastOnce, "is written again"},
		{Upsert, "exactly-once", connector.ExactlyOnce, "read_committed"},
		{Managed(nil), "", connector.ExactlyOnce, "a transaction for each checkpoint"},
		{Managed(At("b:1")), "", connector.ExactlyOnce, "a transaction for each checkpoint"},
		{Managed(At("b:1")), "at-least-once", connector.AtLeastOnce, "is written again"},
		{Managed(ending{Ending: WithProcess}), "", connector.ExactlyOnce, "loss of power"},
		{Managed(ending{Ending: WithProcess}), "none", connector.NoGuarantee, "does not wait"},
		{Managed(ending{Ending: Forgotten}), "", connector.NoGuarantee, "--data-dir"},
	} {
		o := connector.Options{}
		if c.chosen != "" {
			o[optionGuarantee] = c.chosen
		}
		if g := c.connector.GuaranteeOf(columns(), o); g.Times != c.times || !strings.Contains(g.Why, c.why) {
			t.Errorf("%s with '%s': %s: %s", c.connector.Name, c.chosen, g.Times, g.Why)
		}
	}
}
