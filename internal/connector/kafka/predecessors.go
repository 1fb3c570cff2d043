package kafka

import (
	"context"
	"errors"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/handover"
)

// forgetAfter is how long nothing was heard of a writer, microseconds by the clock of the broker, before others take its record out of the side topic. No reader waits longer for one.
const forgetAfter = 24 * 3_600_000_000

// predecessor is a writer that has gone, and whose record this one takes out.
type predecessor struct {
	key []byte
	handover.Gone
}

// predecessors finds records that need not be kept once this writer is there, and takes the rows of those who wrote them into what it promises. A writer that may not read the side topic
// leaves all as it is.
func (p *promises) predecessors(ctx context.Context, admin *kadm.Client) ([]predecessor, error) {
	c := p.sink.config
	log, err := c.openPromiseLog(ctx, admin)
	if err != nil {
		return nil, err
	}
	defer log.client.Close()
	if err := log.toEnd(ctx); errors.Is(err, kerr.TopicAuthorizationFailed) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	newest := int64(0)
	book := map[handover.Key]*handover.Upstream{} // by topic; the key has no writer
	for _, e := range log.take() {
		if newest = max(newest, e.time); e.err != nil || e.key.Writer == p.writer {
			continue // what cannot be read, readers complain of
		}
		topic := handover.Key{Topic: e.key.Topic, ID: e.key.ID}
		if book[topic] == nil {
			book[topic] = handover.NewUpstream(p.forget)
		}
		if e.removed {
			book[topic].Retire(e.key.Writer)
		} else {
			book[topic].Take(e.key.Writer, e.promise, e.time)
		}
	}
	for _, u := range book {
		u.Tick(newest)
	}
	here := handover.Key{Topic: p.topic, ID: handover.TopicID(p.id)}
	var before []predecessor
	if u := book[here]; u != nil {
		for _, g := range u.Gone() {
			before = append(before, predecessor{keyOf(here, g.Writer), g})
		}
		delete(book, here)
	}
	if len(before) > 0 {
		// They write no more, so what they have written lies before where the partitions end now.
		ends, err := endOffsets(ctx, admin, p.topic)
		if err != nil {
			return nil, c.unreachable("ask where topic '"+p.topic+"' ends", err)
		}
		p.ledger.Cover(ends)
	}
	return append(before, orphans(ctx, admin, book)...), nil
}

func keyOf(topic handover.Key, w handover.Writer) []byte {
	topic.Writer = w
	return topic.Append(nil)
}

// orphans are those of topics that are there no more, of whom nothing was heard for long. If the brokers do not say, the next writer asks too.
func orphans(ctx context.Context, admin *kadm.Client, book map[handover.Key]*handover.Upstream) (found []predecessor) {
	silent := map[handover.Key][]predecessor{}
	var names []string
	for topic, u := range book {
		for _, g := range u.Gone() {
			if g.Silent {
				silent[topic] = append(silent[topic], predecessor{keyOf(topic, g.Writer), handover.Gone{}})
			}
		}
		if len(silent[topic]) > 0 && !slices.Contains(names, topic.Topic) {
			names = append(names, topic.Topic)
		}
	}
	if len(names) == 0 {
		return nil
	}
	topics, err := admin.ListTopics(ctx, names...)
	if err != nil {
		return nil
	}
	for topic, all := range silent {
		d, asked := topics[topic.Topic]
		remade := d.Err == nil && d.ID != (kadm.TopicID{}) && d.ID != kadm.TopicID(topic.ID)
		if asked && (remade || errors.Is(d.Err, kerr.UnknownTopicOrPartition)) {
			found = append(found, all...)
		}
	}
	return found
}

// replace takes out the records of those whom a promise that was written replaces. p.mu is held.
func (p *promises) replace(ctx context.Context, by *handover.Promise) error {
	var out []*kgo.Record
	p.before = slices.DeleteFunc(p.before, func(x predecessor) bool {
		if !x.ReplacedBy(by) {
			return false
		}
		out = append(out, &kgo.Record{Key: x.key})
		return true
	})
	if len(out) == 0 {
		return nil
	}
	if err := p.client.ProduceSync(ctx, out...).FirstErr(); err != nil {
		return p.sink.config.promiseTrouble("write to", err)
	}
	return nil
}
