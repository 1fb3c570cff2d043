package kafka

import (
	"context"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/watermark"
)

// upstream is what the writers of a source's topic have promised. A bounded source takes what they had said when it was opened, so that what it does depends on that alone.
type upstream struct {
	source *Source
	topic  string
	client *kgo.Client

	// What has arrived, and where the side topic ends as far as is known; of the one goroutine that fetches. Nothing is taken before that end: the record in which a writer said that it is there
	// makes way for a later one of its own, and in between others may promise more than it does.
	waiting []*kgo.Record
	end     int64

	mu      sync.Mutex                              // no other is taken while it is held
	writers map[handover.TopicID]*handover.Upstream // of every topic that had the name
	read    int32                                   // how many partitions are read
}

// openUpstream reads the side topic to its end, and goes on if the source does.
func (s *Source) openUpstream(ctx context.Context, partitions int) error {
	if err := s.config.makePromiseTopic(ctx, s.admin); err != nil {
		return err
	}
	starts, err := s.admin.ListStartOffsets(ctx, promiseTopic)
	if err != nil {
		return s.config.unreachable("ask where topic '"+promiseTopic+"' begins", err)
	}
	ends, err := endOffsets(ctx, s.admin, promiseTopic)
	if err != nil {
		return s.config.unreachable("ask where topic '"+promiseTopic+"' ends", err)
	}
	options, err := s.config.client()
	if err != nil {
		return err
	}
	options = append(options, kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{promiseTopic: {0: kgo.NewOffset().AtStart()}}))
	u := &upstream{source: s, topic: s.config.topics[0], end: ends[0], writers: map[handover.TopicID]*handover.Upstream{}, read: int32(partitions)}
	if u.client, err = kgo.NewClient(options...); err != nil {
		return fault.Wrap(fault.User, err)
	}
	s.upstream = u
	first, _ := starts.Lookup(promiseTopic, 0)
	for empty := first.Offset >= u.end; !empty && !u.complete(); {
		if err := u.fetch(ctx); err != nil {
			return err
		}
	}
	if s.Bounded() {
		// What is said later is not for this reader.
		u.waiting = slices.DeleteFunc(u.waiting, func(r *kgo.Record) bool { return r.Offset >= ends[0] })
	}
	return u.take(ctx)
}

// follow takes what is said from now on, until the source is closed.
func (u *upstream) follow() {
	ctx := u.source.ctx
	for {
		err := u.fetch(ctx)
		if err == nil && u.complete() {
			err = u.take(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			u.source.mu.Lock()
			partitions := slices.Clone(u.source.partitions)
			u.source.mu.Unlock()
			for _, p := range partitions {
				p.fail(err)
			}
			return
		}
	}
}

// fetch waits for records.
func (u *upstream) fetch(ctx context.Context) error {
	fetches := u.client.PollFetches(ctx)
	if err := fetches.Err(); err != nil {
		return u.source.config.unreachable("read topic '"+promiseTopic+"', where watermarks are handed over,", err)
	}
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		u.waiting = append(u.waiting, p.Records...)
		u.end = max(u.end, p.HighWatermark)
	})
	return nil
}

// complete reports whether everything has arrived that was there.
func (u *upstream) complete() bool {
	n := len(u.waiting)
	return n > 0 && u.waiting[n-1].Offset+1 >= u.end
}

// take takes what has arrived.
func (u *upstream) take(ctx context.Context) error {
	s := u.source
	at := map[int32]int64{}
	s.mu.Lock()
	for _, p := range s.partitions {
		_, at[p.number] = p.position()
	}
	s.mu.Unlock()
	u.mu.Lock()
	lapsed, unread := false, false
	for _, r := range u.waiting {
		if err := u.record(r); err != nil {
			u.mu.Unlock()
			return err
		}
	}
	u.waiting = nil
	for _, w := range u.writers {
		w.SetPartitions(u.read)
		lapsed = w.Lapse() || lapsed
		unread = w.Unread() || unread
	}
	u.mu.Unlock()
	var ends map[int32]int64
	if lapsed {
		// What they have written lies before where the partitions end now.
		var err error
		if ends, err = endOffsets(ctx, s.admin, u.topic); err != nil {
			return s.config.unreachable("ask where topic '"+u.topic+"' ends", err)
		}
	}
	u.mu.Lock()
	for _, w := range u.writers {
		if lapsed {
			w.Fence(ends)
		}
		if len(at) > 0 {
			w.Prune(at)
		}
	}
	u.mu.Unlock()
	if unread {
		s.mu.Lock()
		s.hurry = true
		s.mu.Unlock()
	}
	s.signal()
	return nil
}

// record takes one record. u.mu is held.
func (u *upstream) record(r *kgo.Record) error {
	now := r.Timestamp.UnixMicro()
	for _, w := range u.writers {
		w.Tick(now)
	}
	k, err := handover.ReadKey(r.Key)
	if err != nil {
		return fault.Errorf(fault.External, "the key of record %d of topic '%s', where watermarks are handed over, cannot be read: %w", r.Offset, promiseTopic, err)
	}
	if k.Topic != u.topic {
		return nil
	}
	w := u.writers[k.ID]
	if w == nil {
		w = handover.NewUpstream(u.source.config.lapse)
		w.SetPartitions(u.read)
		u.writers[k.ID] = w
	}
	if r.Value == nil {
		w.Forget(k.Writer)
		return nil
	}
	p, err := handover.ReadPromise(r.Value)
	if err != nil {
		return fault.Errorf(fault.External, "record %d of topic '%s', where watermarks are handed over, cannot be read: %w", r.Offset, promiseTopic, err)
	}
	if p.Column != u.source.config.handedOver {
		return fault.Errorf(fault.User, "the watermark of topic '%s' is handed over for column '%s', and the table has it for column '%s'; declare the same column for everybody who writes or reads it", u.topic, p.Column, u.source.config.handedOver)
	}
	w.Take(k.Writer, p, now)
	return nil
}

// grown notes that so many partitions are read.
func (u *upstream) grown(partitions int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.read = int32(partitions)
	for _, w := range u.writers {
		w.SetPartitions(u.read)
	}
}

// HandedOver implements connector.Promised.
func (p *partition) HandedOver() watermark.Handover {
	id, at := p.position()
	u := p.source.upstream
	u.mu.Lock()
	defer u.mu.Unlock()
	w := u.writers[id]
	if w == nil {
		return watermark.Handover{Frontier: watermark.Unset, Active: true}
	}
	return w.At(p.number, at)
}

// position is the offset of the next record that may be handed out, and of which topic. Of a bounded partition it depends on what was handed out alone.
func (p *partition) position() (handover.TopicID, int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end == unbounded && len(p.queue.batches) == 0 {
		return handover.TopicID(p.id), max(p.at, p.next)
	}
	return handover.TopicID(p.id), p.at
}

// endOffsets asks where the partitions of a topic end.
func endOffsets(ctx context.Context, admin *kadm.Client, topic string) (map[int32]int64, error) {
	listed, err := admin.ListEndOffsets(ctx, topic)
	if err == nil {
		err = listed.Error()
	}
	if err != nil {
		return nil, err
	}
	ends := map[int32]int64{}
	listed.Each(func(l kadm.ListedOffset) { ends[l.Partition] = l.Offset })
	return ends, nil
}
