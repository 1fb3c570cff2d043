package kafka

import (
	"context"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// KeepTrying implements connector.Tenacious.
func (s *Source) KeepTrying() { s.tenacious = true }

// findRacks asks where the brokers are.
func (s *Source) findRacks(ctx context.Context) error {
	m, err := s.admin.BrokerMetadata(ctx)
	if err != nil {
		return s.config.unreachable("ask for brokers", err)
	}
	s.racks = map[int32]string{}
	for _, b := range m.Brokers {
		if b.Rack != nil {
			s.racks[b.NodeID] = *b.Rack
		}
	}
	return nil
}

// Group implements connector.Watched: it is the rack of the broker that leads the partition, as the split was found.
func (p *partition) Group() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.source.racks[p.leader]
}

// Reads implements connector.Watched. A partition is empty when a broker has answered since that nothing is behind what was fetched, and that is handed out.
func (p *partition) Reads() connector.Reads {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.reads
	p.reads = connector.Reads{}
	r.Empty = r.Empty && p.queue.bytes == 0
	return r
}
