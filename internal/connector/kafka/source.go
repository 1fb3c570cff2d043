package kafka

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// patience is how long a question to the brokers may take while a source is opened.
const patience = 30 * time.Second

// memory is what the queues of a source hold together before brokers are asked for less. It can be exceeded by what one answer brings, and by
// a chunk for each of many partitions.
const memory = 64 << 20

// Source is one or more topics. NewSource makes one.
type Source struct {
	config *config
	layout *layout
	table  connector.Table

	arrived chan<- struct{} // nil: nobody listens

	client    *kgo.Client
	admin     *kadm.Client
	brokers   []int32          // those that have a goroutine
	racks     map[int32]string // of brokers, if the source is tenacious
	tenacious bool             // see KeepTrying
	quota     int64            // bytes in the queue of one partition at which no more are fetched for it

	ctx    context.Context
	cancel context.CancelFunc
	group  sync.WaitGroup
	once   sync.Once

	mu         sync.Mutex // before the mu of any partition, if both are held; two partitions' are never
	partitions []*partition
	added      []connector.Split // found since Open and not handed out
	space      chan struct{}     // closed when a goroutine that waits should look again
	discover   int64             // when to look for partitions; 0: not yet decided
	looking    bool
	hurry      bool // somebody writes to partitions that are not known: look now

	upstream *upstream // nil unless the watermark is handed over
}

// NewSource makes the source of t.
func NewSource(t connector.Table, o connector.Options) (connector.Source, error) {
	return newSource(kindPlain, nil, t, o)
}

func newSource(k kind, home Home, t connector.Table, o connector.Options) (connector.Source, error) {
	c, err := readOptions(k, home, t, o)
	if err != nil {
		return nil, err
	}
	if err := c.readable(); err != nil {
		return nil, err
	}
	l, err := newLayout(c, t)
	if err != nil {
		return nil, err
	}
	// Types are checked for all columns, so that whether a table is valid does not depend on the statement that reads it.
	all := t
	all.Needed = make([]int, len(t.Schema))
	for i := range all.Needed {
		all.Needed[i] = i
	}
	if _, err := newDecoder(c, l, all); err != nil {
		return nil, err
	}
	return &Source{config: c, layout: l, table: t, space: make(chan struct{})}, nil
}

// Bounded reports whether 'scan.bounded.mode' ends the table.
func (s *Source) Bounded() bool { return s.config.end.mode != modeUnbounded }

// NewDecoder makes a decoder, which holds nothing that needs closing.
func (s *Source) NewDecoder() (connector.Decoder, error) {
	return newDecoder(s.config, s.layout, s.table)
}

// Listen implements connector.Live.
func (s *Source) Listen(arrived chan<- struct{}) { s.arrived = arrived }

// Open finds the partitions and where they begin and end, sorted by topic and number.
func (s *Source) Open() (splits []connector.Split, err error) {
	options, err := s.config.client()
	if err != nil {
		return nil, err
	}
	if s.client, err = kgo.NewClient(options...); err != nil {
		return nil, fault.Wrap(fault.User, fmt.Errorf("connect to Kafka: %w", err))
	}
	s.admin = kadm.NewClient(s.client)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	ctx, done := context.WithTimeout(s.ctx, patience)
	defer done()
	found, _, err := s.find(ctx)
	if err == nil {
		err = s.place(ctx, found, s.config.start)
	}
	if err == nil && s.config.handedOver != "" {
		err = s.openUpstream(ctx, len(found))
	}
	if err == nil && s.tenacious {
		err = s.findRacks(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partitions = found
	s.quota = max(memory/int64(max(len(found), 1)), chunkBytes)
	for _, p := range found {
		splits = append(splits, p)
	}
	return splits, nil
}

// find lists the partitions that there are, and not yet in s.partitions, with their leaders; and the topics.
func (s *Source) find(ctx context.Context) (found []*partition, topics kadm.TopicDetails, err error) {
	if s.config.pattern != nil {
		topics, err = s.admin.ListTopics(ctx)
	} else {
		topics, err = s.admin.ListTopics(ctx, s.config.topics...)
	}
	if err != nil {
		return nil, nil, s.config.unreachable("ask for topics", err)
	}
	s.mu.Lock()
	known := map[string]bool{}
	for _, p := range s.partitions {
		known[p.Name()] = true
	}
	s.mu.Unlock()
	for _, t := range topics.Sorted() {
		if s.config.pattern != nil && !s.config.pattern.MatchString(t.Topic) {
			continue
		}
		if t.Err != nil {
			return nil, nil, s.config.topicError(t.Topic, t.Err)
		}
		for _, d := range t.Partitions.Sorted() {
			p := &partition{source: s, topic: t.Topic, id: t.ID, number: d.Partition, leader: d.Leader, end: unbounded, stable: -1}
			if !known[p.Name()] {
				found = append(found, p)
			}
		}
	}
	return found, topics, nil
}

// begin starts to fetch. Nothing is fetched before the first Poll, so that Resume can say from where.
func (s *Source) begin() {
	s.once.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ask(s.partitions)
		if s.upstream != nil && !s.Bounded() && s.ctx.Err() == nil {
			s.group.Go(s.upstream.follow)
		}
	})
}

// ask starts a goroutine for every broker that leads one of partitions and has none yet. s.mu is held.
func (s *Source) ask(partitions []*partition) {
	for _, p := range partitions {
		p.mu.Lock()
		broker := p.leader
		p.mu.Unlock()
		if !slices.Contains(s.brokers, broker) && s.ctx.Err() == nil {
			s.brokers = append(s.brokers, broker)
			s.group.Go(func() { s.fetch(broker) })
		}
	}
}

// Discover implements connector.Growing: it looks for partitions at the interval that the table says, beside the reading.
func (s *Source) Discover(now int64) (splits []connector.Split, wake int64, err error) {
	if s.config.discovery == 0 && s.upstream == nil {
		return nil, connector.Never, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.discovery == 0 {
		s.discover = connector.Never
	}
	if s.discover == 0 {
		s.discover = now + s.config.discovery
	}
	if now >= s.discover || s.hurry {
		s.hurry = false
		if s.config.discovery > 0 {
			s.discover = now + s.config.discovery
		}
		if !s.looking && s.ctx.Err() == nil {
			s.looking = true
			s.group.Go(s.look)
		}
	}
	if splits, s.added = s.added, nil; len(splits) > 0 && s.upstream != nil {
		// What is promised of them counts from here on, when they hold the watermark themselves.
		s.upstream.grown(len(s.partitions))
	}
	return splits, s.discover, nil
}

// look finds partitions that are new. Flink 2.3: they are read from their beginning, whatever the startup mode. If it fails it is tried again
// at the next time: what is wrong with the brokers shows in the fetches.
func (s *Source) look() {
	ctx, done := context.WithTimeout(s.ctx, patience)
	defer done()
	found, topics, err := s.find(ctx)
	if err == nil {
		s.notice(ctx, topics)
		err = s.place(ctx, found, position{mode: modeEarliest})
	}
	s.mu.Lock()
	s.looking = false
	if err != nil || len(found) == 0 {
		s.mu.Unlock()
		return
	}
	s.partitions = append(s.partitions, found...)
	for _, p := range found {
		s.added = append(s.added, p)
	}
	s.ask(found)
	s.mu.Unlock()
	s.wake()
	s.signal()
}

// signal tells the listener that there is something.
func (s *Source) signal() {
	select {
	case s.arrived <- struct{}{}:
	default:
	}
}

// wake lets the goroutines that fetch look again what to ask for. No partition's mu may be held.
func (s *Source) wake() {
	s.mu.Lock()
	close(s.space)
	s.space = make(chan struct{})
	s.mu.Unlock()
}

// Close implements connector.Live.
func (s *Source) Close() error {
	if s.client == nil {
		return nil
	}
	s.cancel()
	s.group.Wait()
	if s.upstream != nil {
		s.upstream.log.client.Close()
	}
	s.client.Close()
	s.client = nil
	return nil
}
