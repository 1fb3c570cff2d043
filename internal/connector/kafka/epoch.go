package kafka

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// flight is records that are on their way to the brokers. It is the epoch of a sink that writes without transactions.
type flight struct {
	sink *sink
	sync.WaitGroup
}

// landed is called for every record once it is written, or will not be.
func (f *flight) landed(_ *kgo.Record, err error) {
	f.sink.done(err)
	f.Done()
}

// Prepare implements connector.Epoch: it waits until the brokers have the records, if anything is promised of them.
func (f *flight) Prepare() ([]byte, error) {
	if f.sink.config.guarantee == noGuarantee {
		return nil, nil
	}
	f.Wait()
	return nil, f.sink.failure()
}

// Commit implements connector.Epoch. The records can be seen already.
func (f *flight) Commit() error { return nil }

// System implements connector.Transactional.
func (s *sink) System() (string, error) {
	if s.config.guarantee != exactlyOnce {
		return "", nil
	}
	if _, err := s.config.client(); err != nil { // which asks where the brokers are
		return "", err
	}
	name := strings.Join(slices.Sorted(slices.Values(s.config.brokers)), ",")
	if who := s.config.security; who.sasl {
		name = fmt.Sprintf("%s as %s", name, who.user())
	}
	return name, nil
}

// Join implements connector.Transactional.
func (s *sink) Join(first connector.Transactional) error {
	leader := first.(interface{ plain() *sink }).plain()
	if leader.shared == nil {
		leader.shared = newTransactions(leader)
	}
	if s.config.prefix != leader.config.prefix {
		return &connector.OptionError{Key: optionPrefix, Message: fmt.Sprintf("tables that one statement writes have one transaction, and '%s' is '%s' in one and '%s' in another", optionPrefix, leader.config.prefix, s.config.prefix),
			Hint: "write the same in both"}
	}
	leader.shared.sinks = append(leader.shared.sinks, s)
	s.shared = leader.shared
	return nil
}

func (s *sink) plain() *sink { return s }

// leads reports whether s ends the transactions in which it writes.
func (s *sink) leads() bool { return s.shared != nil && s.shared.sinks[0] == s }

// Recover implements connector.Checkpointed. Without transactions, what was written behind the checkpoint is written again: at least once.
func (s *sink) Recover(r connector.Recovery) error {
	if s.config.guarantee != exactlyOnce || s.shared != nil && !s.leads() {
		return nil
	}
	if s.shared == nil {
		s.shared = newTransactions(s)
	}
	return s.shared.recover(r)
}

// Seal implements connector.Checkpointed.
func (s *sink) Seal() (connector.Epoch, error) {
	var out outgoing
	s.remove(&out)
	if err := s.produce(&out); err != nil {
		return nil, err
	}
	f := s.flight
	s.flight = &flight{sink: s}
	if s.shared == nil {
		return f, nil
	}
	if s.promises != nil {
		s.shared.held = append(s.shared.held, s.promises.seal())
	}
	if !s.leads() {
		return nil, nil
	}
	return s.shared.seal(), nil
}

// Abort implements connector.Aborting.
func (s *sink) Abort() error {
	if s.leads() {
		s.shared.abandon()
	}
	return s.Close()
}
