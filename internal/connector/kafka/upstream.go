package kafka

import (
	"context"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/watermark"
)

// upstream is what the writers of a source's topic have promised. A bounded source takes what they had said when it was opened, so that what it does depends on that alone.
type upstream struct {
	source *Source
	topic  string
	log    *promiseLog // of the one goroutine that fetches

	mu      sync.Mutex                              // no other is taken while it is held
	writers map[handover.TopicID]*handover.Upstream // of every topic that had the name
	read    int32                                   // how many partitions are read
}

// openUpstream reads the side topic to its end, and goes on if the source does.
func (s *Source) openUpstream(ctx context.Context, partitions int) error {
	if err := s.config.makePromiseTopic(ctx, s.admin); err != nil {
		return err
	}
	log, err := s.config.openPromiseLog(ctx, s.admin)
	if err != nil {
		return err
	}
	s.upstream = &upstream{source: s, topic: s.config.topics[0], log: log, writers: map[handover.TopicID]*handover.Upstream{}, read: int32(partitions)}
	before := log.end
	if err := log.toEnd(ctx); err != nil {
		return err
	}
	if s.Bounded() {
		// What is said later is not for this reader.
		log.waiting = slices.DeleteFunc(log.waiting, func(r *kgo.Record) bool { return r.Offset >= before })
	}
	return s.upstream.take(ctx)
}

// follow takes what is said from now on, until the source is closed.
func (u *upstream) follow() {
	ctx := u.source.ctx
	for {
		err := u.log.fetch(ctx)
		if err == nil && u.log.complete() {
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
	for _, e := range u.log.take() {
		if err := u.record(e); err != nil {
			u.mu.Unlock()
			return err
		}
	}
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
func (u *upstream) record(e entry) error {
	for _, w := range u.writers {
		w.Tick(e.time)
	}
	switch {
	case e.err != nil && (e.key.Topic == u.topic || e.key.Topic == ""):
		return e.err
	case e.key.Topic != u.topic:
		return nil
	}
	w := u.writers[e.key.ID]
	if w == nil {
		w = handover.NewUpstream(u.source.config.lapse)
		w.SetPartitions(u.read)
		u.writers[e.key.ID] = w
	}
	if e.removed {
		w.Retire(e.key.Writer)
		return nil
	}
	if column := u.source.config.handedOver; e.promise.Column != column {
		return fault.Errorf(fault.User, "the watermark of topic '%s' is handed over for column '%s', and the table has it for column '%s'; declare the same column for everybody who writes or reads it", u.topic, e.promise.Column, column)
	}
	w.Take(e.key.Writer, e.promise, e.time)
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
