package kafka

import (
	"context"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/tidemark-sql/tidemark/internal/fault"
)

// notice finds the partitions whose topic is another than the one that was read: it was deleted, and one of the same name made. Offsets in the two have
// nothing to do with each other. Kafka's own clients read on at the old offset if the new topic is that long already; here it is as if the
// records behind the offset had been deleted.
func (s *Source) notice(ctx context.Context, topics kadm.TopicDetails) {
	s.mu.Lock()
	partitions := s.partitions
	s.mu.Unlock()
	for _, p := range partitions {
		d, ok := topics[p.topic]
		if !ok || d.Err != nil || d.ID == (kadm.TopicID{}) {
			continue
		}
		p.mu.Lock()
		id := p.id
		known := id == d.ID || slices.Contains(p.gone, d.ID) // a broker may be behind the others
		over := p.reached || p.failed != nil
		p.mu.Unlock()
		if known || over {
			continue
		}
		if err := s.startAnew(ctx, p, id, d); err != nil {
			p.fail(err)
		}
	}
}

// startAnew goes to where 'properties.auto.offset.reset' says in the topic d, which has taken the place of that with the id from. What was fetched of the old one and
// not read is given up. What the brokers do not tell yet is asked for at the next time.
func (s *Source) startAnew(ctx context.Context, p *partition, from kadm.TopicID, d kadm.TopicDetail) error {
	switch {
	case p.end != unbounded:
		return fault.Errorf(fault.External, "topic '%s' was deleted and made anew while it was read: the records up to offset %d of %s, which the statement was to read, are gone", p.topic, p.end, p.Name())
	case s.config.onReset == modeUnbounded:
		return fault.Errorf(fault.External, "topic '%s' was deleted and made anew while it was read; 'properties.auto.offset.reset' = 'earliest' begins with the new one", p.topic)
	}
	if _, ok := d.Partitions[p.number]; !ok {
		return fault.Errorf(fault.External, "topic '%s' was deleted and made anew while it was read, and has no partition %d any more", p.topic, p.number)
	}
	o := offsets{source: s, ctx: ctx, listed: map[mode]kadm.ListedOffsets{}, topics: []string{p.topic}}
	to, err := o.of(p, position{mode: s.config.onReset})
	if err != nil {
		return nil // the partition keeps the old id, and nothing can be fetched with it
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.id != from {
		return nil
	}
	p.queue.clear()
	p.gone = append(p.gone, from)
	p.id, p.at, p.next, p.errors, p.trouble = d.ID, to, to, 0, nil
	return nil
}
