package kafka

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

const (
	// answerBytes and partitionBytes bound an answer, and the part of one partition in it. A broker sends at least one batch.
	answerBytes    = 16 << 20
	partitionBytes = 1 << 20
	// waitMillis is how long a broker may wait for records; waitFullMillis is for when there are partitions that could not be asked for.
	waitMillis     = 500
	waitFullMillis = 10
	// A partition that gave only errors so many times is given up, unless the source is tenacious. The pauses in between grow to maxPause.
	maxErrors = 40
	// A topic that cannot be read and that the brokers have not known so many times is gone, 15 seconds or more; a broker that has just started may not know all of them yet.
	maxMissing = 12
	firstPause = 20 * time.Millisecond
	maxPause   = 2 * time.Second
)

// place names a partition.
type place struct {
	topic  string
	number int32
}

// request is what one broker is asked for.
type request struct {
	partitions []*partition
	from       []spot
	full       bool // there are partitions that have no room
}

// fetch asks one broker for what the queues have room for, until the source is closed.
func (s *Source) fetch(broker int32) {
	turn := 0
	for s.ctx.Err() == nil {
		s.mu.Lock()
		space := s.space
		r := s.request(broker, turn)
		s.mu.Unlock()
		turn++
		if len(r.partitions) == 0 {
			select {
			case <-space:
			case <-s.ctx.Done():
			}
			continue
		}
		pause := s.round(broker, r)
		if pause > 0 {
			s.refresh(pause)
		}
	}
}

// request collects the partitions to ask for. Each comes first once in a while, since a broker fills its answer from the front. s.mu is held.
func (s *Source) request(broker int32, turn int) request {
	var r request
	n := len(s.partitions)
	for i := range n {
		p := s.partitions[(i+turn)%n]
		from, ask, full := p.wants(broker, s.quota)
		r.full = r.full || full
		if ask {
			r.partitions = append(r.partitions, p)
			r.from = append(r.from, from)
		}
	}
	return r
}

// round asks once. It returns how long to wait before the next time, 0 if all went well.
func (s *Source) round(broker int32, r request) (pause time.Duration) {
	answer, err := s.client.Broker(int(broker)).RetriableRequest(s.ctx, s.fetchRequest(r))
	if s.ctx.Err() != nil {
		return 0
	}
	if err == nil {
		err = kerr.ErrorForCode(answer.(*kmsg.FetchResponse).ErrorCode)
	}
	if err != nil {
		for _, p := range r.partitions {
			pause = max(pause, s.trouble(p, err))
		}
		return pause
	}
	response := answer.(*kmsg.FetchResponse)
	index := make(map[place]int, len(r.partitions))
	names := map[kadm.TopicID]string{}
	for i, p := range r.partitions {
		index[place{p.topic, p.number}] = i
		names[r.from[i].id] = p.topic
	}
	bytes := 0
	for i := range response.Topics {
		for k := range response.Topics[i].Partitions {
			bytes += len(response.Topics[i].Partitions[k].RecordBatches)
		}
	}
	for i := range response.Topics {
		t := &response.Topics[i]
		if t.Topic == "" {
			t.Topic = names[t.TopicID]
		}
		for k := range t.Partitions {
			a := &t.Partitions[k]
			at, asked := index[place{t.Topic, a.Partition}]
			if !asked {
				continue
			}
			p := r.partitions[at]
			if a.ErrorCode != 0 {
				pause = max(pause, s.trouble(p, kerr.ErrorForCode(a.ErrorCode)))
			} else if err := p.receive(a, r.from[at], bytes == 0, s.config.committed); errors.Is(err, errShort) {
				pause = max(pause, s.short(p))
			} else if err != nil {
				p.fail(err)
			}
		}
	}
	s.signal()
	return pause
}

func (s *Source) fetchRequest(r request) *kmsg.FetchRequest {
	q := kmsg.NewPtrFetchRequest()
	q.MaxWaitMillis, q.MinBytes, q.MaxBytes = waitMillis, 1, answerBytes
	if r.full {
		q.MaxWaitMillis = waitFullMillis
	}
	if s.config.committed {
		q.IsolationLevel = 1
	}
	type topic struct {
		name string
		id   kadm.TopicID
	}
	byTopic := map[topic]int{}
	for i, p := range r.partitions {
		key := topic{p.topic, r.from[i].id}
		at, ok := byTopic[key]
		if !ok {
			t := kmsg.NewFetchRequestTopic()
			t.Topic, t.TopicID = p.topic, key.id
			at = len(q.Topics)
			byTopic[key] = at
			q.Topics = append(q.Topics, t)
		}
		f := kmsg.NewFetchRequestTopicPartition()
		f.Partition, f.FetchOffset, f.PartitionMaxBytes = p.number, r.from[i].offset, partitionBytes
		q.Topics[at].Partitions = append(q.Topics[at].Partitions, f)
	}
	return q
}

// receive takes what a broker answered to a fetch from an offset on. nothing says that the answer had no records of any partition, so that
// there was room for those of this one.
func (p *partition) receive(a *kmsg.FetchResponseTopicPartition, from spot, nothing, committed bool) error {
	gone := newAborted(a.AbortedTransactions)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads = connector.Reads{Worked: true, Empty: p.reads.Empty}
	if p.next != from.offset || p.id != from.id {
		return nil // Resume or a reset came in between
	}
	data := a.RecordBatches
	for len(data) > 0 && p.next < p.end {
		b, rest, err := nextBatch(data)
		if err != nil {
			return fault.Errorf(fault.External, "read %s at offset %d: %w", p.Name(), p.next, err)
		}
		if b == nil {
			break
		}
		data = rest
		if b.end() <= p.next {
			continue
		}
		keep := b.count() > 0 && b.base() < p.end
		if committed {
			keep = !gone.skips(b) && keep
		}
		if b.attributes()&control != 0 {
			keep = false
		}
		if keep {
			p.queue.push(b)
		}
		p.next = b.end()
	}
	stable := a.HighWatermark
	if committed {
		stable = a.LastStableOffset
	}
	p.stable = stable
	p.reads.Empty = p.next >= a.HighWatermark
	p.reached = p.next >= p.end || nothing && stable >= p.end
	if p.next == from.offset && p.end != unbounded && stable < p.end {
		return errShort
	}
	p.errors, p.trouble = 0, nil
	return nil
}

// errShort says that a partition ends before the offset up to which it is to be read, and did not when that offset was found.
var errShort = errors.New("the partition has become shorter")

// trouble notes that a partition could not be fetched, and returns how long to wait.
func (s *Source) trouble(p *partition, err error) time.Duration {
	if errors.Is(err, kerr.OffsetOutOfRange) {
		if err = s.reset(p); err == nil {
			return 0
		}
		if errors.Is(err, errNoReset) || errors.Is(err, errLost) {
			p.fail(err)
			return 0
		}
	}
	if k := (*kerr.Error)(nil); errors.As(err, &k) && !k.Retriable && !errors.Is(err, kerr.UnknownTopicID) && !errors.Is(err, kerr.InconsistentTopicID) {
		p.fail(s.config.topicError(p.topic, err))
		return 0
	}
	p.mu.Lock()
	p.errors++
	p.trouble = err
	n := p.errors
	p.reads = connector.Reads{Failed: true}
	p.mu.Unlock()
	if n >= maxErrors && !s.tenacious {
		p.fail(s.config.readError(p, err))
		return 0
	}
	return min(firstPause<<min(n, 10), maxPause)
}

// readError is an error of reading a partition for long.
func (c *config) readError(p *partition, err error) error {
	if errors.Is(err, kerr.UnknownTopicID) || errors.Is(err, kerr.InconsistentTopicID) {
		return c.topicError(p.topic, err)
	}
	return c.unreachable("read "+p.Name(), err)
}

// refresh waits and then asks anew who leads the partitions.
func (s *Source) refresh(pause time.Duration) {
	pauseFor(s.ctx, pause)
	ctx, done := context.WithTimeout(s.ctx, patience)
	defer done()
	s.mu.Lock()
	var topics []string
	for _, p := range s.partitions {
		if len(topics) == 0 || topics[len(topics)-1] != p.topic {
			topics = append(topics, p.topic)
		}
	}
	s.mu.Unlock()
	details, err := s.admin.ListTopics(ctx, topics...)
	if err != nil {
		return // the next fetch fails too and is counted
	}
	s.notice(ctx, details)
	s.miss(details)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.partitions {
		if d, ok := details[p.topic].Partitions[p.number]; ok && d.Err == nil && d.Leader >= 0 {
			p.mu.Lock()
			p.leader = d.Leader
			p.mu.Unlock()
		}
	}
	s.ask(s.partitions)
	close(s.space)
	s.space = make(chan struct{})
}

// miss gives up partitions whose topic was deleted: to try again does not help, however tenacious the source is.
func (s *Source) miss(details kadm.TopicDetails) {
	s.mu.Lock()
	partitions := s.partitions
	s.mu.Unlock()
	for _, p := range partitions {
		p.mu.Lock()
		if d, ok := details[p.topic]; p.trouble != nil && ok && errors.Is(d.Err, kerr.UnknownTopicOrPartition) {
			p.missing++
		} else {
			p.missing = 0
		}
		gone := p.missing >= maxMissing
		p.mu.Unlock()
		if gone {
			p.fail(s.config.topicError(p.topic, kerr.UnknownTopicID))
		}
	}
}

// aborted are the transactions in an answer that were given up.
type aborted struct {
	waiting []kmsg.FetchResponseTopicPartitionAbortedTransaction // by first offset
	open    map[int64]bool                                       // producers in such a transaction
}

func newAborted(list []kmsg.FetchResponseTopicPartitionAbortedTransaction) aborted {
	if len(list) == 0 {
		return aborted{}
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b kmsg.FetchResponseTopicPartitionAbortedTransaction) int {
		return int(max(min(a.FirstOffset-b.FirstOffset, 1), -1))
	})
	return aborted{list, map[int64]bool{}}
}

// skips reports whether b is part of one of them. It is shown every batch in order.
func (a *aborted) skips(b batch) bool {
	for len(a.waiting) > 0 && a.waiting[0].FirstOffset < b.end() {
		a.open[a.waiting[0].ProducerID] = true
		a.waiting = a.waiting[1:]
	}
	if b.attributes()&transactional == 0 || !a.open[b.producer()] {
		return false
	}
	if b.aborts() {
		delete(a.open, b.producer())
	}
	return true
}

// pauseFor waits so long, or until ctx ends, and reports whether there is time left.
func pauseFor(ctx context.Context, d time.Duration) bool {
	pause, done := context.WithTimeout(ctx, d)
	defer done()
	<-pause.Done()
	return ctx.Err() == nil
}
