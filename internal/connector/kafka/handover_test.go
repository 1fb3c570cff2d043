package kafka

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// handed is columns of a table in which the watermark is handed over.
func handed() connector.Table {
	t := columns()
	t.HandedOver = "id"
	return t
}

// said is a topic and what those who write to it say.
type said struct {
	brokertest.Target
	t     *testing.T
	topic string
	id    kadm.TopicID
	admin *kadm.Client
	out   *kgo.Client
}

func says(t *testing.T, b brokertest.Target, topic string) *said {
	t.Helper()
	s := &said{Target: b, t: t, topic: topic, admin: b.Admin(t), out: b.Client(t)}
	c, err := readOptions(kindPlain, nil, handed(), options(b, topic))
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	if s.id, err = c.topicID(ctx, s.out, topic); err == nil {
		err = c.makePromiseTopic(ctx, s.admin)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *said) key(w handover.Writer) []byte {
	return handover.Key{Topic: s.topic, ID: handover.TopicID(s.id), Writer: w}.Append(nil)
}

func (s *said) write(key, value []byte) {
	s.t.Helper()
	if err := s.out.ProduceSync(context.Background(), &kgo.Record{Topic: promiseTopic, Key: key, Value: value}).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
}

// promise lets a writer promise something.
func (s *said) promise(w handover.Writer, state handover.State, f watermark.Frontier, ends ...handover.End) {
	s.t.Helper()
	p := handover.Promise{Column: "id", State: state, Frontier: f, Ends: ends}
	s.write(s.key(w), p.Append(nil))
}

// repeat promises something again and again, as a writer does that has nothing new to say.
func (s *said) repeat(w handover.Writer, f watermark.Frontier, ends ...handover.End) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			s.promise(w, handover.Open, f, ends...)
			pause, done := context.WithTimeout(ctx, 50*time.Millisecond)
			<-pause.Done()
			done()
		}
	})
	return func() {
		cancel()
		group.Wait()
	}
}

// words are the last word of each writer of the topic, as whoever comes later reads them.
func (s *said) words() map[handover.Writer]handover.Promise {
	s.t.Helper()
	c, err := readOptions(kindPlain, nil, handed(), options(s.Target, s.topic))
	if err != nil {
		s.t.Fatal(err)
	}
	log, err := c.openPromiseLog(context.Background(), s.admin)
	if err == nil {
		defer log.client.Close()
		err = log.toEnd(context.Background())
	}
	if err != nil {
		s.t.Fatal(err)
	}
	words := map[handover.Writer]handover.Promise{}
	for _, e := range log.take() {
		switch {
		case e.err != nil || e.key.Topic != s.topic || e.key.ID != handover.TopicID(s.id):
		case e.removed:
			delete(words, e.key.Writer)
		default:
			words[e.key.Writer] = e.promise
		}
	}
	return words
}

// hear lets a source that is driven take what is said until its partition is told so.
func (d driven) hear(f watermark.Frontier, active bool) {
	d.tb.Helper()
	u := d.source.upstream
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	for {
		h := d.p.HandedOver()
		if h.Frontier == f && h.Active == active {
			return
		}
		err := u.log.fetch(ctx)
		if err == nil && u.log.complete() {
			err = u.take(ctx)
		}
		if err != nil {
			d.tb.Fatalf("the partition is told %+v, and not %d, active %t: %v", h, f, active, err)
		}
	}
}

// told is what a fresh reader is told that has read the one partition up to an offset.
func (s *said) told(offset int64) watermark.Handover {
	s.t.Helper()
	d := driveSource(s.t, source(s.t, Connector, handed(), options(s.Target, s.topic)))
	if err := d.p.Resume(offset); err != nil {
		s.t.Fatal(err)
	}
	return d.p.HandedOver()
}

var (
	anna  = handover.Writer{1}
	boris = handover.Writer{2}
)

// TestWriterThatLapses: it leaves the minimum once others have said so much later something, and what it has written was read.
func TestWriterThatLapses(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := says(t, b, b.Topic(t, 1))
		b.Send(t, true, row(s.topic, 0, 0), row(s.topic, 0, 1), row(s.topic, 0, 2))
		s.promise(anna, handover.Open, 10, handover.End{Partition: 0, Offset: 1})
		s.promise(boris, handover.Open, 20, handover.End{Partition: 0, Offset: 2})
		src := source(t, Connector, handed(), options(b, s.topic))
		src.config.lapse = 50_000
		d := driveSource(t, src)
		if err := d.p.Resume(2); err != nil {
			t.Fatal(err)
		}
		d.hear(10, true)
		lapsed := func() bool {
			for _, u := range src.upstream.writers {
				for _, g := range u.Gone() {
					if g.Writer == anna {
						return true
					}
				}
			}
			return false
		}
		for !lapsed() {
			s.promise(boris, handover.Open, 20, handover.End{Partition: 0, Offset: 2})
			d.hear(10, true) // the third row may be hers
			if err := src.upstream.log.fetch(context.Background()); err == nil && src.upstream.log.complete() {
				src.upstream.take(context.Background())
			}
		}
		if err := d.p.Resume(3); err != nil {
			t.Fatal(err)
		}
		d.hear(20, true)
		s.promise(anna, handover.Open, 15, handover.End{Partition: 0, Offset: 3})
		d.hear(15, true) // she is back
	})
}

// TestTwoRunsOfOneStatement: two processes that run the same statement are two writers, and the one that is behind holds. One that fails is waited for; one that is stopped is not.
func TestTwoRunsOfOneStatement(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := says(t, b, b.Topic(t, 1))
		run := func(f watermark.Frontier) connector.Sink {
			sink := sinkOf(t, Connector, handed(), options(b, s.topic, "scan.startup.mode", "-"))
			if err := sink.(connector.Promising).Promise(f, true); err != nil {
				t.Fatal(err)
			}
			return sink
		}
		d := driveSource(t, source(t, Connector, handed(), options(b, s.topic)))
		first := run(100_000)
		d.hear(100_000, true)
		second := run(50_000)
		if err := second.(connector.Promising).Promise(70_000, true); err != nil {
			t.Fatal(err)
		}
		d.hear(70_000, true)
		if err := second.(connector.Aborting).Abort(); err != nil {
			t.Fatal(err)
		}
		third := run(200_000)
		for said := false; !said; { // it says so a little later
			for _, p := range s.words() {
				said = said || p.Frontier == 200_000
			}
		}
		d.hear(70_000, true)
		if h := s.told(0); h.Frontier != 70_000 || !h.Active {
			t.Errorf("with one that has failed: %+v", h)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		if err := third.Close(); err != nil {
			t.Fatal(err)
		}
		states := map[handover.State]int{}
		for _, p := range s.words() {
			states[p.State]++
		}
		if want := (map[handover.State]int{handover.Open: 1, handover.Stopped: 2}); !maps.Equal(states, want) {
			t.Errorf("their last words are %v, want %v", states, want)
		}
	})
}

// TestHandsOverPartitionsThatAreAdded: what is promised behind rows of a partition that the reader does not know yet counts when it has read them, and it looks for the partition at once, whatever the interval.
func TestHandsOverPartitionsThatAreAdded(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := says(t, b, b.Topic(t, 1))
		b.Send(t, true, row(s.topic, 0, 0))
		r := read(t, source(t, Connector, handed(), options(b, s.topic, "scan.topic-partition-discovery.interval", "0 s")))
		r.until(1)
		s.promise(anna, handover.Open, 10, handover.End{Partition: 0, Offset: 1})
		first := r.splits[0].(*partition)
		r.hears(first, 10)
		if _, err := s.admin.CreatePartitions(context.Background(), 2, s.topic); err != nil {
			t.Fatal(err)
		}
		if err := visible(context.Background(), s.admin, s.topic, 3); err != nil {
			t.Fatal(err)
		}
		b.Send(t, true, row(s.topic, 2, 1), row(s.topic, 2, 2))
		stop := s.repeat(anna, 20, handover.End{Partition: 0, Offset: 1}, handover.End{Partition: 2, Offset: 2})
		defer stop()
		r.until(3)
		wantRows(t, r, numbered(0, 1, 2))
		if len(r.splits) != 3 {
			t.Fatalf("%d partitions are read", len(r.splits))
		}
		for _, x := range r.splits {
			r.hears(x.(*partition), 20)
		}
	})
}

// hears reads on until a partition is told of a frontier; on the way it may be told of lower ones only.
func (r *reader) hears(p *partition, f watermark.Frontier) {
	r.tb.Helper()
	for {
		h := p.HandedOver()
		if h.Frontier == f {
			return
		}
		if h.Frontier > f {
			r.tb.Fatalf("%s is told %d, and not %d", p.Name(), h.Frontier, f)
		}
		<-r.arrived
		r.until(len(r.rows))
		for _, x := range r.splits {
			if _, err := r.next(x); err != nil {
				r.tb.Fatal(err)
			}
		}
	}
}

// TestHandsOverInATopicMadeAnew: what was promised of a topic says nothing of one that has its name since, however many rows either has.
func TestHandsOverInATopicMadeAnew(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := says(t, b, b.Topic(t, 1))
		b.Send(t, true, row(s.topic, 0, 0), row(s.topic, 0, 1))
		old := sinkOf(t, Connector, handed(), options(b, s.topic, "scan.startup.mode", "-")).(*promisingSink)
		if err := old.Promise(500_000, true); err != nil {
			t.Fatal(err)
		}
		s.promise(anna, handover.Open, 400_000, handover.End{Partition: 0, Offset: 2})
		d := driveSource(t, source(t, Connector, handed(), options(b, s.topic, "properties.auto.offset.reset", "earliest")))
		d.fetch(2)
		d.poll()
		d.hear(400_000, true)

		remake(t, b, s.topic, 1, 7)
		d.again(7)
		d.poll()
		if h := d.p.HandedOver(); h.Frontier != watermark.Unset || !h.Active {
			t.Errorf("the reader that was there is told %+v", h)
		}
		if h := s.told(7); h.Frontier != watermark.Unset || !h.Active {
			t.Errorf("a new one is told %+v", h)
		}
		s.id = kadm.TopicID(d.p.id)
		s.promise(boris, handover.Open, 20_000, handover.End{Partition: 0, Offset: 7})
		d.hear(20_000, true)
		if h := s.told(6); h.Frontier != watermark.Unset {
			t.Errorf("before its rows are read, it is told %+v", h)
		}

		// The writer that was there cannot go on: its promises are about the old topic. It finds out by itself.
		for old.failure() == nil {
			linger(20)
		}
		if err := old.failure(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "made anew while it was written") {
			t.Errorf("the writer: %v", err)
		}
		if err := old.Abort(); err == nil {
			t.Error("it ends without an error")
		}
	})
}

// TestTablesThatHandOver: every kind of table does, from the first row to the end of the input.
func TestTablesThatHandOver(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		home := Managed(At(b.Addr))
		keyed := handed()
		keyed.Keys, keyed.Primary = []int{0}, true
		for _, c := range []struct {
			name      string
			connector connector.Connector
			table     connector.Table
			more      []string
		}{
			{"kafka", Connector, handed(), nil},
			{"upsert-kafka", Upsert, keyed, []string{"key.format", "json", "scan.startup.mode", "-"}},
			{"managed", home, handed(), nil},
			{"managed with a key", home, keyed, nil},
		} {
			t.Run(c.name, func(t *testing.T) {
				topic := b.Topic(t, 1)
				o := options(b, topic, c.more...)
				table := c.table
				if c.connector.Name == ManagedName {
					table.Name, table.Buckets, o = topic, 1, connector.Options{}
				}
				if !c.connector.HandsOver {
					t.Fatal("the connector does not say so")
				}
				src := driveSource(t, source(t, c.connector, table, o))
				sink := sinkOf(t, c.connector, table, without(o, "scan.startup.mode"))
				tells := func(f watermark.Frontier, active bool) {
					t.Helper()
					if err := sink.(connector.Promising).Promise(f, active); err != nil {
						t.Fatal(err)
					}
				}
				src.hear(watermark.Unset, true)
				tells(watermark.Unset, true)
				if err := sink.Write(batchOf(table, change{vector.Insert, 1, "a"}, change{vector.Insert, 2, "b"})); err != nil {
					t.Fatal(err)
				}
				tells(5_000, true)
				src.hear(watermark.Unset, true)
				src.fetch(2)
				src.poll()
				src.hear(5_000, true)
				tells(6_000, false)
				src.hear(6_000, false)
				if err := sink.Write(batchOf(table, change{vector.Insert, 3, "c"})); err != nil {
					t.Fatal(err)
				}
				tells(9_000, true)
				src.fetch(3)
				src.poll()
				src.hear(9_000, true)
				tells(watermark.Final, true)
				if err := sink.Close(); err != nil {
					t.Fatal(err)
				}
				src.hear(9_000, false)
				if c.connector.Alter != nil { // it says nothing of the topic
					not := table
					not.HandedOver = ""
					for _, err := range []error{c.connector.Alter(table, not, o, o), c.connector.Alter(not, table, o, o)} {
						if err != nil {
							t.Errorf("switched: %v", err)
						}
					}
				}
			})
		}
	})
}

// without is o less a key.
func without(o connector.Options, key string) connector.Options {
	o = maps.Clone(o)
	delete(o, key)
	return o
}
