package kafka

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// unbounded is the end of a partition that is read for good.
const unbounded = math.MaxInt64

// partition is one split. What the goroutine that fetches it shares with the sequencer is guarded by mu.
type partition struct {
	source *Source
	topic  string
	number int32
	end    int64 // the offset behind the last record to be read, or unbounded

	mu      sync.Mutex // after source.mu, if both are held
	queue   queue
	next    int64 // where the next fetch begins
	at      int64 // behind the last chunk handed out
	reached bool  // nothing before end is left to be fetched
	stable  int64 // the offset up to which the brokers had records to be read when they answered last, -1 before
	failed  error
	leader  int32           // the broker to ask
	id      kadm.TopicID    // of the topic in which next and at are offsets; brokers before Kafka 3.1 give none
	gone    []kadm.TopicID  // those that had the name before
	errors  int             // in a row
	trouble error           // the last of them
	missing int             // how often in a row the brokers did not know its topic, when it could not be fetched
	paused  bool            // nothing is to be fetched for now
	reads   connector.Reads // since they were asked for last; Empty without regard to queue
}

// Pause implements connector.Pausing.
func (p *partition) Pause(paused bool) {
	p.mu.Lock()
	p.paused = paused
	p.mu.Unlock()
	if !paused {
		p.source.wake()
	}
}

func (p *partition) Name() string { return fmt.Sprintf("%s-%d", p.topic, p.number) }

// Poll hands out a chunk. A bounded partition waits for a full one or the last, an unbounded one gives what there is.
func (p *partition) Poll(int64) (connector.Chunk, int64, error) {
	p.source.begin()
	c, room, err := p.take()
	if room {
		p.source.wake()
	}
	if c == nil {
		return nil, connector.Never, err
	}
	return c, 0, nil
}

// take cuts a chunk off the queue, nil if there is none yet. room says that more can be fetched since.
func (p *partition) take() (c *chunk, room bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return nil, false, p.failed
	}
	if p.at >= p.end {
		return nil, false, io.EOF
	}
	c = &chunk{partition: p, from: p.at, to: p.end}
	before := p.queue.bytes
	if !p.queue.take(c, p.reached || p.end == unbounded) {
		if !p.reached {
			return nil, false, nil
		}
		p.at = p.end
		return nil, false, io.EOF
	}
	p.at = min(max(p.at, c.batches[len(c.batches)-1].end()), p.end)
	q := p.source.quota
	return c, before >= q && p.queue.bytes < q, nil
}

func (p *partition) Offset() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

// Resume goes to an offset; it comes before the first Poll.
func (p *partition) Resume(offset int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if offset < 0 {
		return fault.Errorf(fault.User, "resume %s at %d: there is no such offset", p.Name(), offset)
	}
	p.at, p.next, p.reached = offset, offset, offset >= p.end
	return nil
}

// Position implements connector.Originated: a topic has an ID since Kafka 2.8.
func (p *partition) Position() (offset int64, origin []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.id != (kadm.TopicID{}) {
		origin = bytes.Clone(p.id[:])
	}
	return p.at, origin
}

// ResumeIn implements connector.Originated. In a topic that was made anew it begins where 'properties.auto.offset.reset' says, as while it is read.
func (p *partition) ResumeIn(origin []byte, offset int64) error {
	p.mu.Lock()
	same := len(origin) == 0 || p.id == (kadm.TopicID{}) || bytes.Equal(origin, p.id[:])
	p.mu.Unlock()
	c := p.source.config
	switch {
	case same:
		return p.Resume(offset)
	case p.end != unbounded:
		return fault.Errorf(fault.User, "topic '%s' was deleted and made anew since: what the statement had still to read is gone", p.topic)
	case c.onReset == modeUnbounded:
		return fault.Errorf(fault.User, "topic '%s' was deleted and made anew since; 'properties.auto.offset.reset' = 'earliest' begins with the new one", p.topic)
	}
	ctx, done := context.WithTimeout(p.source.ctx, patience)
	defer done()
	return p.source.place(ctx, []*partition{p}, position{mode: c.onReset})
}

// Rewind goes to the first record that the brokers have. Flink 2.3: a partition that is new is read from its beginning, whatever the startup mode.
func (p *partition) Rewind() error {
	ctx, done := context.WithTimeout(p.source.ctx, patience)
	defer done()
	return p.source.place(ctx, []*partition{p}, position{mode: modeEarliest})
}

// Backlog implements connector.Backlogged. Flink 2.3: pendingRecords counts offsets up to the high watermark, or to the last stable offset if only what is committed is read. Where transactions end there
// is an offset without a record; one that was fetched is not left.
func (p *partition) Backlog() connector.Backlog {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := connector.Backlog{Records: -1, Bytes: -1}
	if p.stable >= 0 {
		at := p.at
		if len(p.queue.batches) == 0 {
			at = max(at, p.next)
		}
		b.Records = max(min(p.stable, p.end)-at, 0)
	}
	return b
}

// Close has nothing to do; Source.Close has.
func (p *partition) Close() error { return nil }

// spot is an offset in a topic of that name. Another topic may have had the name before.
type spot struct {
	id     kadm.TopicID
	offset int64
}

// wants reports whether more should be fetched, and from where.
func (p *partition) wants(broker int32, quota int64) (from spot, ask, full bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leader != broker || p.reached || p.failed != nil {
		return spot{}, false, false
	}
	if p.paused || p.queue.bytes >= quota {
		return spot{}, false, true
	}
	return spot{p.id, p.next}, true, false
}

// fail ends the partition with an error.
func (p *partition) fail(err error) {
	p.mu.Lock()
	p.failed = err
	p.mu.Unlock()
	p.source.signal()
}
