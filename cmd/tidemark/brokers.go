package main

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/config"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// brokers is where the managed tables of a session live: at brokers that are named, or in the embedded one.
type brokers struct {
	named, dir, listen string
	warnings           io.Writer

	mu       sync.Mutex
	embedded *broker.Broker // nil until it is needed
}

func (b *brokers) flags(f *flags) {
	b.places(f)
	f.StringVar(&b.dir, "data-dir", "", "`folder` in which the broker of this process keeps its topics; without it they are gone when the process ends")
}

// places are the flags for who has a folder of another name, or none.
func (b *brokers) places(f *flags) { config.Brokers(f.FlagSet, &b.named, &b.listen) }

// open checks the flags, and starts the embedded broker if others want to reach it; otherwise it starts with the first table that needs it. What
// the broker warns of goes to warnings; notes, which may be nil, takes the rest.
func (b *brokers) open(notes, warnings io.Writer) error {
	b.warnings = warnings
	if b.named != "" && (b.dir != "" || b.listen != "") {
		return usageErrorf("--brokers names other brokers; --data-dir and --broker-listen are for the one of this process")
	}
	if b.listen == "" {
		return nil
	}
	address, err := b.Address()
	if err == nil && notes != nil {
		fmt.Fprintf(notes, "broker at %s\n", address)
	}
	return err
}

// Address implements kafka.Home.
func (b *brokers) Address() (string, error) {
	if b.named != "" {
		return b.named, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.embedded == nil {
		var err error
		if b.embedded, err = broker.Start(broker.Options{Dir: b.dir, Listen: b.listen, Note: b.note}); err != nil {
			return "", err
		}
	}
	return b.embedded.Addr(), nil
}

// running is the embedded broker, nil if there is none.
func (b *brokers) running() *broker.Broker {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.embedded
}

// ready tells why no topic can be reached, nil if one can.
func (b *brokers) ready() error {
	if b.named == "" {
		return b.Trouble()
	}
	for _, address := range strings.Split(b.named, ",") {
		c, err := net.DialTimeout("tcp", strings.TrimSpace(address), patience)
		if err == nil {
			return c.Close()
		}
	}
	return fault.Errorf(fault.External, "no broker can be reached at %s", b.named)
}

// patience is how long a broker has to answer who asks whether the server is ready.
const patience = 3 * time.Second

// forgets reports whether tables live in a broker whose topics are gone when this process ends.
func (b *brokers) forgets() bool { return b.running() != nil && b.dir == "" }

// note passes on what the embedded broker tells.
func (b *brokers) note(line string) { fmt.Fprintf(b.warnings, "broker: %s\n", line) }

// Empty implements kafka.Home. A broker that keeps nothing and was not needed yet has nothing.
func (b *brokers) Empty() bool { return b.named == "" && b.running() == nil && b.dir == "" }

// Ends implements kafka.Home.
func (b *brokers) Ends() kafka.Ending {
	switch {
	case b.named != "":
		return kafka.Elsewhere
	case b.dir != "":
		return kafka.WithProcess
	}
	return kafka.Forgotten
}

// Trouble implements kafka.Home.
func (b *brokers) Trouble() error {
	running := b.running()
	if running == nil {
		return nil
	}
	return running.Trouble()
}

func (b *brokers) close() {
	if running := b.running(); running != nil {
		running.Close()
	}
}

// connectors are those that come with Tidemark, and that of managed tables.
func (b *brokers) connectors() []connector.Connector {
	return append(slices.Clone(connectors), kafka.Managed(b))
}

// looking are the same for a session that only looks at tables: nothing is made, changed or deleted outside.
func (b *brokers) looking() []connector.Connector {
	all := b.connectors()
	tame(&all[len(all)-1])
	return all
}

// tame takes from the connector of managed tables what a statement does to their topics.
func tame(managed *connector.Connector) {
	managed.Create = func(connector.Table, connector.Options) (bool, error) { return false, nil }
	managed.Drop = func(connector.Table, connector.Options) error { return nil }
	managed.Alter = nil
}

// describedConnectors are for a session that only describes: a CREATE TABLE in it makes no topic.
func describedConnectors() []connector.Connector {
	managed := kafka.Managed(nil)
	alter := managed.Alter
	tame(&managed)
	managed.Alter = alter // without a home it only refuses
	return append(slices.Clone(connectors), managed)
}
