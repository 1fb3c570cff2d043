package kafka

import (
	"errors"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
)

// TestReads: a partition tells of every try once, and is empty when the broker says so and all that was fetched has been handed out.
func TestReads(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		d := drive(t, b, topic)
		once := func() {
			d.source.round(d.p.leader, d.source.request(d.p.leader, 0))
		}
		expect := func(what string, want connector.Reads) {
			t.Helper()
			if got := d.p.Reads(); got != want {
				t.Errorf("%s: %+v, want %+v", what, got, want)
			}
		}
		expect("nothing was tried", connector.Reads{})
		once()
		expect("there is nothing", connector.Reads{Worked: true, Empty: true})
		expect("told already", connector.Reads{})
		b.Send(t, true, row(topic, 0, 0))
		d.fetch(1)
		expect("fetched", connector.Reads{Worked: true})
		once()
		d.poll()
		expect("handed out", connector.Reads{Worked: true, Empty: true})
		d.source.trouble(d.p, errors.New("no route"))
		expect("a failure", connector.Reads{Failed: true})
		d.source.trouble(d.p, errors.New("no route"))
		once()
		expect("a failure that is over", connector.Reads{Worked: true, Empty: true})
	})
}

// TestTenacious: a source that is to keep trying does, where others give up.
func TestTenacious(t *testing.T) {
	b := brokertest.Start(t)
	topic := b.Topic(t, 1)
	for _, tenacious := range []bool{false, true} {
		d := drive(t, b, topic)
		d.source.tenacious = tenacious
		for range 2 * maxErrors {
			if d.source.trouble(d.p, errors.New("no route")); d.p.failed != nil {
				break
			}
		}
		if gaveUp := d.p.failed != nil; gaveUp == tenacious {
			t.Errorf("tenacious %t: failed with %v", tenacious, d.p.failed)
		}
	}
}

// TestRacks: a partition is in the group of the rack of its leader; those of a source that gives up are in none.
func TestRacks(t *testing.T) {
	b := brokertest.Start(t)
	for _, tenacious := range []bool{false, true} {
		s := source(t, Connector, columns(), options(b, b.Topic(t, 3)))
		want := ""
		if tenacious {
			s.KeepTrying()
			want = "krack" // of the embedded broker
		}
		for _, x := range read(t, s).splits {
			if group := x.(connector.Watched).Group(); group != want {
				t.Errorf("%s is in group %q, want %q", x.Name(), group, want)
			}
		}
	}
}
