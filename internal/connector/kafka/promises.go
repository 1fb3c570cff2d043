package kafka

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/watermark"
)

const (
	// promiseEvery is the least time between two promises of a writer. One that has nothing new to say does so often enough not to lapse.
	promiseEvery = 200 * time.Millisecond
	// heartbeat is how long a writer is quiet at most, whatever its table says: a reader's may say less.
	heartbeat = leastLapse * time.Microsecond / 4
)

// readHandover reads what a table says about the watermark that is handed over in it.
func (c *config) readHandover(t connector.Table, o connector.Options) (err error) {
	if c.lapse, err = o.Duration(connector.OptionHandoverTimeout, connector.DefaultHandoverTimeout); err != nil || t.HandedOver == "" {
		return err
	}
	c.handedOver = t.HandedOver
	switch {
	case c.lapse < leastLapse:
		return &connector.OptionError{Key: connector.OptionHandoverTimeout, Message: "a writer cannot be missed so soon", Hint: "write '5 s' or more"}
	case c.lapse > forgetAfter:
		return &connector.OptionError{Key: connector.OptionHandoverTimeout, Message: "a writer of whom nothing was heard for a day may be forgotten", Hint: "write '1 d' or less"}
	case c.pattern != nil || len(c.topics) != 1:
		return &connector.OptionError{Key: connector.OptionHandover, Message: "the watermarks of several topics cannot be handed over in one table", Hint: "make a table for each topic"}
	case o["properties.acks"] == "0":
		return &connector.OptionError{Key: "properties.acks", Message: "a watermark is handed over behind rows that were acknowledged, and with 'properties.acks' = '0' none is", Hint: "leave it out"}
	case len(t.HandedOver) > handover.MaxColumn:
		return &connector.OptionError{Key: connector.OptionHandover, Message: "the name of the time column is too long", Hint: "rename it"}
	}
	return nil
}

// leastLapse leaves room for a few heartbeats.
const leastLapse = 5_000_000

// promisingSink is the sink of a table in which the watermark is handed over.
type promisingSink struct{ *sink }

// Promise implements connector.Promising.
func (s *promisingSink) Promise(f watermark.Frontier, active bool) error {
	if err := s.connect(); err != nil {
		return err
	}
	return s.promises.reach(f, active)
}

// Close implements connector.Sink. What the statement has come to is said behind its last row.
func (s *promisingSink) Close() error {
	err := s.sink.Close()
	return errors.Join(err, s.promises.close(err == nil))
}

// Abort implements connector.Aborting. Whoever reads waits for the writer until it has lapsed: another run may go on where this one failed.
func (s *promisingSink) Abort() error {
	return errors.Join(s.sink.Abort(), s.promises.close(false))
}

// promises is what one sink says of itself. All but publish is called like the sink.
type promises struct {
	sink   *sink
	ledger *handover.Ledger
	writer handover.Writer
	forget int64 // see forgetAfter
	topic  string
	id     kadm.TopicID // of the topic
	client *kgo.Client  // nil before the first promise

	// Of a sink that writes in transactions: how far the statement is, and what the transaction that is being written holds, nil if that is nothing.
	frontier watermark.Frontier
	active   bool
	held     *held
	ended    bool // the statement has come to the end of its input
	stop     context.CancelFunc
	group    sync.WaitGroup

	mu     sync.Mutex // held while something is said
	key    []byte
	said   []byte // last
	quiet  time.Duration
	before []predecessor // those whose records this writer is to take out
}

func newPromises(s *sink) *promises {
	p := &promises{sink: s, forget: forgetAfter, ledger: handover.NewLedger(s.config.handedOver), topic: s.config.topics[0], frontier: watermark.Unset, active: true}
	rand.Read(p.writer[:])
	return p
}

// reach notes how far the statement is.
func (p *promises) reach(f watermark.Frontier, active bool) error {
	if err := p.register(); err != nil {
		return err
	}
	p.ended = p.ended || f == watermark.Final
	if p.sink.shared != nil {
		p.frontier, p.active = f, active
		return nil
	}
	p.ledger.Advance(f, active)
	return nil
}

// sent notes that records are about to be handed to the client, and gives what to do once they have landed.
func (p *promises) sent(n int, landed func(*kgo.Record, error)) (func(*kgo.Record, error), error) {
	if err := p.register(); err != nil {
		return nil, err
	}
	stretch, woken := p.ledger.Sent(int64(n))
	if woken {
		if err := p.publish(true, handover.Open); err != nil {
			return nil, err
		}
	}
	if p.sink.shared != nil {
		h := p.hold()
		return func(r *kgo.Record, err error) {
			if err == nil {
				h.add(r.Partition, r.Offset)
			}
			landed(r, err)
		}, nil
	}
	return func(r *kgo.Record, err error) {
		if err == nil {
			p.ledger.Acknowledged(stretch, r.Partition, r.Offset)
		}
		landed(r, err)
	}, nil
}

// register says that there is a writer, before its first row.
func (p *promises) register() error {
	if p.client != nil {
		return nil
	}
	options, err := p.sink.config.client()
	if err != nil {
		return err
	}
	options = append(options, kgo.DefaultProduceTopic(promiseTopic), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0), kgo.RecordRetries(writeRetries), kgo.UnknownTopicRetries(newTopicRetries))
	if p.client, err = kgo.NewClient(options...); err != nil {
		return fault.Wrap(fault.User, err)
	}
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	if err := p.enter(ctx); err != nil {
		p.client.Close()
		p.client = nil
		return err
	}
	running, stop := context.WithCancel(context.Background())
	p.stop = stop
	p.group.Go(func() { p.goOn(running) })
	return nil
}

// enter says that there is a writer, and takes on those that have left before.
func (p *promises) enter(ctx context.Context) (err error) {
	c, admin := p.sink.config, kadm.NewClient(p.client)
	if p.id, err = c.topicID(ctx, p.client, p.topic); err != nil {
		return err
	}
	if err := c.makePromiseTopic(ctx, admin); err != nil {
		return err
	}
	p.key = handover.Key{Topic: p.topic, ID: handover.TopicID(p.id), Writer: p.writer}.Append(nil)
	if err := p.publish(true, handover.Open); err != nil {
		return err
	}
	before, err := p.predecessors(ctx, admin)
	if err != nil || len(before) == 0 {
		return err
	}
	p.before = before
	return p.publish(true, handover.Open)
}

// goOn publishes what there is to say until ctx ends.
func (p *promises) goOn(ctx context.Context) {
	unsure := time.Duration(0) // whether the topic is the same
	for {
		if !pauseFor(ctx, promiseEvery) {
			return
		}
		if err := p.publish(false, handover.Open); err != nil {
			p.sink.done(err)
			return
		}
		if unsure += promiseEvery; unsure < heartbeat {
			continue
		}
		if unsure = 0; p.remade(ctx) {
			p.sink.done(kerr.UnknownTopicID)
			return
		}
	}
}

// remade reports whether the topic is another one by now. What is promised of the old one says nothing of it.
func (p *promises) remade(ctx context.Context) bool {
	topics, err := kadm.NewClient(p.client).ListTopics(ctx, p.topic)
	if err != nil {
		return false // it is asked again
	}
	d, ok := topics[p.topic]
	return ok && d.Err == nil && d.ID != (kadm.TopicID{}) && p.id != (kadm.TopicID{}) && d.ID != p.id
}

// publish says what holds: always if forced, else if it is news or nothing was said for long. A state that is not Open takes the place of that of the ledger.
func (p *promises) publish(forced bool, state handover.State) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx := context.Background()
	promise, blind := p.ledger.Promise()
	if state != handover.Open {
		promise.State = state
	}
	if blind {
		ends, err := endOffsets(ctx, kadm.NewClient(p.client), p.topic)
		if err != nil {
			return p.sink.config.unreachable("ask where topic '"+p.topic+"' ends", err)
		}
		promise.Ends = nil
		for _, partition := range slices.Sorted(maps.Keys(ends)) {
			if ends[partition] > 0 {
				promise.Ends = append(promise.Ends, handover.End{Partition: partition, Offset: ends[partition]})
			}
		}
	}
	value := promise.Append(nil)
	p.quiet += promiseEvery
	if !forced && bytes.Equal(value, p.said) && p.quiet < heartbeat {
		return nil
	}
	if err := p.client.ProduceSync(ctx, &kgo.Record{Key: p.key, Value: value}).FirstErr(); err != nil {
		return p.sink.config.promiseTrouble("write to", err)
	}
	p.said, p.quiet = value, 0
	return p.replace(ctx, &promise)
}

// close ends the writer, and says so if it leaves in good order.
func (p *promises) close(left bool) (err error) {
	if p.client == nil {
		return nil
	}
	if p.stop != nil {
		p.stop()
		p.group.Wait()
	}
	if left {
		state := handover.Stopped
		if p.ended {
			state = handover.Ended
		}
		err = p.publish(true, state)
	}
	p.client.Close()
	p.client = nil
	return err
}

// topicID asks which topic has a name, which is zeros where brokers do not tell. A table that makes its topic makes it now.
func (c *config) topicID(ctx context.Context, client *kgo.Client, topic string) (kadm.TopicID, error) {
	admin := kadm.NewClient(client)
	for {
		topics, err := admin.ListTopics(ctx, topic)
		if err != nil {
			return kadm.TopicID{}, c.unreachable("ask for topic '"+topic+"'", err)
		}
		d, ok := topics[topic]
		switch {
		case ok && d.Err == nil:
			return d.ID, nil
		case ok && !errors.Is(d.Err, kerr.UnknownTopicOrPartition) && !kerr.IsRetriable(d.Err), !c.create:
			return kadm.TopicID{}, c.topicError(topic, d.Err)
		}
		if _, err := admin.CreateTopic(ctx, -1, -1, nil, topic); err != nil && !errors.Is(err, kerr.TopicAlreadyExists) {
			return kadm.TopicID{}, c.topicError(topic, err)
		}
		if !pauseFor(ctx, visibleEvery) {
			return kadm.TopicID{}, c.topicError(topic, fmt.Errorf("it cannot be seen after it was made: %w", ctx.Err()))
		}
	}
}
