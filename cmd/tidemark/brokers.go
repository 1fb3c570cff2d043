package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
)

// brokers is where the managed tables of a session live: at brokers that are named, or in the embedded one.
type brokers struct {
	named, dir, listen string
	embedded           *broker.Broker // nil until it is needed
}

func (b *brokers) flags(f *flags) {
	f.StringVar(&b.named, "brokers", "", "keep tables without 'connector' in topics of the Kafka brokers at `host:port`, several divided by commas; without it, in a broker of this process")
	f.StringVar(&b.dir, "data-dir", "", "`folder` in which the broker of this process keeps its topics; without it they are gone when the process ends")
	f.StringVar(&b.listen, "broker-listen", "", "`host:port` at which other programs reach the broker of this process; without it, a free port of 127.0.0.1")
}

// open checks the flags, and starts the embedded broker if others want to reach it; otherwise it starts with the first table that needs it.
func (b *brokers) open(notes io.Writer) error {
	if b.named != "" && (b.dir != "" || b.listen != "") {
		return usageErrorf("--brokers names other brokers; --data-dir and --broker-listen are for the one of this process")
	}
	if b.listen == "" {
		return nil
	}
	address, err := b.address()
	if err == nil && notes != nil {
		fmt.Fprintf(notes, "broker at %s\n", address)
	}
	return err
}

func (b *brokers) address() (string, error) {
	if b.named != "" {
		return b.named, nil
	}
	if b.embedded == nil {
		var err error
		if b.embedded, err = broker.Start(broker.Options{Dir: b.dir, Listen: b.listen}); err != nil {
			return "", err
		}
	}
	return b.embedded.Addr(), nil
}

func (b *brokers) close() {
	if b.embedded != nil {
		b.embedded.Close()
	}
}

// connectors are those that come with Tidemark, and that of managed tables.
func (b *brokers) connectors() []connector.Connector {
	return append(slices.Clone(connectors), kafka.Managed(b.address))
}

// describedConnectors are for a session that only describes: a CREATE TABLE in it makes no topic.
func describedConnectors() []connector.Connector {
	managed := kafka.Managed(nil)
	managed.Create = func(connector.Table, connector.Options) (bool, error) { return false, nil }
	managed.Drop = func(connector.Table, connector.Options) error { return nil }
	return append(slices.Clone(connectors), managed)
}
