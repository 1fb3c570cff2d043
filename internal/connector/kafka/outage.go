package kafka

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// line tells whether the brokers of a table answer. It is a hook of all clients of the table.
type line struct {
	mu      sync.Mutex
	brokers string
	broken  error // of the last question
}

func (l *line) to(brokers []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.brokers = strings.Join(brokers, ", ")
}

// OnBrokerConnect implements kgo.HookBrokerConnect.
func (l *line) OnBrokerConnect(_ kgo.BrokerMetadata, _ time.Duration, _ net.Conn, err error) {
	if err != nil {
		l.note(err)
	}
}

// OnBrokerE2E implements kgo.HookBrokerE2E.
func (l *line) OnBrokerE2E(_ kgo.BrokerMetadata, _ int16, answer kgo.BrokerE2E) { l.note(answer.Err()) }

func (l *line) note(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed) {
		return // nobody waits for the answer any more
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = err
}

// outage is the error of the last question, nil if it was answered.
func (l *line) outage() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		return nil
	}
	return fault.Errorf(fault.External, "the brokers at %s do not answer: %w", l.brokers, l.broken)
}

// Outage implements connector.Distant. Brokers may answer and not let a partition be read.
func (s *Source) Outage() error {
	if err := s.config.line.outage(); err != nil {
		return err
	}
	s.mu.Lock()
	partitions := s.partitions
	s.mu.Unlock()
	for _, p := range partitions {
		p.mu.Lock()
		err := p.trouble
		p.mu.Unlock()
		if err != nil {
			return s.config.readError(p, err)
		}
	}
	return nil
}

// Outage implements connector.Distant.
func (s *sink) Outage() error {
	if s.shared != nil {
		return s.shared.config.line.outage()
	}
	return s.config.line.outage()
}
