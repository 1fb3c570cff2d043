package kafka

import (
	"context"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// driven is a source over one partition that fetches only when it is told to.
type driven struct {
	*reader
	p *partition
}

func drive(t *testing.T, b brokertest.Target, topic string, more ...string) driven {
	t.Helper()
	return driveSource(t, source(t, Connector, columns(), options(b, topic, more...)))
}

func driveSource(t *testing.T, s *Source) driven {
	t.Helper()
	r := read(t, s)
	s.once.Do(func() {})
	p := r.splits[0].(*partition)
	s.brokers = append(s.brokers, p.leader) // so that nobody else fetches when splits are added
	return driven{r, p}
}

// fetch asks until the next fetch would begin at next.
func (d driven) fetch(next int64) {
	d.tb.Helper()
	s := d.source
	for d.p.next != next {
		if pause := s.round(d.p.leader, s.request(d.p.leader, 0)); pause > 0 {
			s.refresh(pause)
		}
		if d.p.failed != nil {
			d.tb.Fatal(d.p.failed)
		}
	}
}

// poll reads what has arrived.
func (d driven) poll() {
	d.tb.Helper()
	for {
		more, err := d.next(d.p)
		if err != nil {
			d.tb.Fatal(err)
		}
		if !more {
			return
		}
	}
}

// TestFetchedRowsOutliveTheirRecords: rows that were fetched are read, although the brokers have deleted their records since and those behind.
func TestFetchedRowsOutliveTheirRecords(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1))
		d := drive(t, b, topic, "properties.auto.offset.reset", "earliest")
		d.fetch(2)
		b.Send(t, true, row(topic, 0, 2), row(topic, 0, 3), row(topic, 0, 4))
		b.Delete(t, topic, 0, 4)
		d.fetch(5)
		d.poll()
		wantRows(t, d.reader, numbered(0, 1, 4))
		if at := d.p.Offset(); at != 5 {
			t.Errorf("then at %d", at)
		}
	})
}

// remake deletes a topic and makes one of that name with n rows, numbered from 10 on.
func remake(t *testing.T, b brokertest.Target, topic string, partitions int32, n int) {
	t.Helper()
	admin := b.Admin(t)
	if _, err := admin.DeleteTopic(context.Background(), topic); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := admin.CreateTopic(context.Background(), partitions, -1, nil, topic); err == nil {
			break
		}
		linger(50)
	}
	if err := visible(context.Background(), admin, topic, int(partitions)); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		b.Send(t, true, row(topic, 0, 10+i))
	}
}

// TestTopicThatIsDeleted: a topic that stays away is told, also by a source that keeps trying, and what was fetched of it is read; one that is away for a moment is not.
func TestTopicThatIsDeleted(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, tenacious := range []bool{false, true} {
			topic := b.Topic(t, 1)
			b.Send(t, true, row(topic, 0, 0))
			d := drive(t, b, topic, "properties.auto.offset.reset", "earliest")
			s := d.source
			s.tenacious = tenacious
			d.fetch(1)
			d.poll()
			if _, err := b.Admin(t).DeleteTopic(context.Background(), topic); err != nil {
				t.Fatal(err)
			}
			for d.p.trouble == nil {
				s.round(d.p.leader, s.request(d.p.leader, 0))
			}
			miss := func(times int) {
				for range times {
					details, err := b.Admin(t).ListTopics(context.Background(), topic) // a new client: others remember what they were told
					if err != nil {
						t.Fatal(err)
					}
					s.miss(details)
				}
			}
			miss(maxMissing - 1)
			s.miss(kadm.TopicDetails{topic: {Topic: topic}})
			miss(maxMissing - 1)
			if d.p.failed != nil {
				t.Errorf("tenacious %t: given up too soon: %v", tenacious, d.p.failed)
			}
			miss(1)
			if err := d.p.failed; fault.Of(err) != fault.External || !strings.Contains(err.Error(), "topic '"+topic+"', as it was when the statement began, is not there any more") {
				t.Errorf("tenacious %t: %v", tenacious, err)
			}
			wantRows(t, d.reader, numbered(0))
		}
	})
}

// TestTopicMadeAnew: all rows of the new topic are read, also those at offsets that were read in the old one, and none twice, whether the new one is shorter
// or longer than the old; what was fetched of the old one and not read is gone.
func TestTopicMadeAnew(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, n := range []int{1, 4, 7} {
			topic := b.Topic(t, 1)
			b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1), row(topic, 0, 2))
			d := drive(t, b, topic, "properties.auto.offset.reset", "earliest")
			d.fetch(3)
			d.poll()
			b.Send(t, true, row(topic, 0, 3))
			d.fetch(4)
			remake(t, b, topic, 1, n)
			d.again(int64(n))
			d.poll()
			wantRows(t, d.reader, numbered([]int{0, 1, 2, 10, 11, 12, 13, 14, 15, 16}[:3+n]...))
			if at := d.p.Offset(); at != int64(n) {
				t.Errorf("then at %d", at)
			}
		}
	})
}

// again asks until the topic is another one and the next fetch would begin at next, or the partition has failed.
func (d driven) again(next int64) {
	d.tb.Helper()
	s, old := d.source, d.p.id
	for d.p.failed == nil && (d.p.id == old || d.p.next != next) {
		if pause := s.round(d.p.leader, s.request(d.p.leader, 0)); pause > 0 {
			s.refresh(pause)
		}
	}
}

// TestTopicMadeAnewIsAnError: where there is no saying from where to go on, and where the rows that were to be read are gone.
func TestTopicMadeAnewIsAnError(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct {
			options []string
			n       int // rows of the new topic
			message string
		}{
			{[]string{"properties.auto.offset.reset", "none"}, 7, "begins with the new one"},
			{[]string{"scan.bounded.mode", "latest-offset"}, 1, "the records up to offset 4 of"},
		} {
			topic := b.Topic(t, 1)
			b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1), row(topic, 0, 2), row(topic, 0, 3))
			d := drive(t, b, topic, c.options...)
			remake(t, b, topic, 1, c.n)
			d.again(-1)
			if err := d.failure(); fault.Of(err) != fault.External || !strings.Contains(err.Error(), "topic '"+topic+"' was deleted and made anew") || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v with %d rows: %v", c.options, c.n, err)
			}
		}
	})
}

// TestTopicMadeAnewTooLate: what was fetched to its end is read, whatever becomes of the topic.
func TestTopicMadeAnewTooLate(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1))
		d := drive(t, b, topic, "scan.bounded.mode", "latest-offset")
		d.fetch(2)
		remake(t, b, topic, 1, 1)
		d.source.refresh(2 * metadataAge)
		wantRows(t, d.all(), numbered(0, 1))
	})
}

// TestTopicMadeAnewShorter: a bounded statement over a topic that has fewer records since ends or fails and never waits for what will not come, whatever the
// brokers know of topics: since Kafka 3.1 they are asked by its id; before, by its name; before 2.8 nobody can tell two topics of one name apart.
func TestTopicMadeAnewShorter(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct {
			name     string
			versions *kversion.Versions
		}{{"3.1", nil}, {"3.0", kversion.V3_0_0()}, {"2.7", kversion.V2_7_0()}} {
			for _, fetched := range []int64{0, 2} {
				for _, n := range []int{0, 1, 4} {
					for _, level := range []string{"read_committed", "read_uncommitted"} {
						topic := b.Topic(t, 1)
						b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1), row(topic, 0, 2), row(topic, 0, 3))
						s := source(t, Connector, columns(), bounded(b, topic, "properties.isolation.level", level, "scan.topic-partition-discovery.interval", "0 s"))
						if c.versions != nil {
							s.config.with(kgo.MaxVersions(c.versions))
						}
						d := driveSource(t, s)
						if fetched > 0 {
							limit := d.p.end
							d.p.end = fetched // no more than that
							d.fetch(fetched)
							d.p.end, d.p.reached = limit, false
						}
						remake(t, b, topic, 1, n)
						for !d.p.reached && d.p.failed == nil {
							if pause := s.round(d.p.leader, s.request(d.p.leader, 0)); pause > 0 {
								s.refresh(pause)
							}
						}
						err := d.p.failed
						// A broker that has not heard yet that the topic is gone still gives its rows.
						if err == nil && n < 4 && d.p.next < 4 || err != nil && (fault.Of(err) != fault.External || !strings.Contains(err.Error(), "made anew")) {
							t.Errorf("Kafka %s, %d fetched, %d rows in the new topic, %s: %v", c.name, fetched, n, level, err)
						}
					}
				}
			}
		}
	})
}

// TestTopicMadeAnewFoundByDiscovery: looking for partitions finds that a topic is another one too, and what it has new is read once.
func TestTopicMadeAnewFoundByDiscovery(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1))
		d := drive(t, b, topic)
		d.fetch(2)
		d.poll()
		remake(t, b, topic, 2, 5)
		for len(d.splits) < 2 { // what is known of topics is kept for a moment
			d.source.look()
			added, _, err := d.source.Discover(0)
			if err != nil {
				t.Fatal(err)
			}
			d.splits = append(d.splits, added...)
		}
		if d.p.next != 0 {
			t.Errorf("next is %d", d.p.next)
		}
		d.fetch(5)
		d.poll()
		wantRows(t, d.reader, numbered(0, 1, 10, 11, 12, 13, 14))
	})
}

// TestPollAgainstFetch: a Poll that makes room holds nothing that a goroutine which looks what to fetch needs, and the other way round.
func TestPollAgainstFetch(t *testing.T) {
	b := brokertest.Start(t)
	topic := b.Topic(t, 1)
	b.Send(t, false, row(topic, 0, 0))
	d := drive(t, b, topic)
	d.fetch(1)
	s := d.source
	s.quota = d.p.queue.bytes
	s.mu.Lock()
	if _, ask, full := d.p.wants(d.p.leader, s.quota); ask || !full {
		t.Fatal("the queue should be full")
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := d.p.Poll(0)
		done <- err
	}()
	// Poll has taken the chunk and waits for s.mu. If it held the partition meanwhile, this would never end.
	for ask := false; !ask; {
		_, ask, _ = d.p.wants(d.p.leader, s.quota)
	}
	s.mu.Unlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestTopicMadeAnewMeanwhile: a topic that was deleted and made anew while nobody read it is read from its beginning, not from the offset that was reached in the one before, or refused.
func TestTopicMadeAnewMeanwhile(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1), row(topic, 0, 2))
		d := drive(t, b, topic)
		d.fetch(3)
		d.poll()
		offset, origin := d.p.Position()
		if offset != 3 || len(origin) == 0 {
			t.Fatalf("at %d in %x", offset, origin)
		}
		if err := drive(t, b, topic).p.ResumeIn(origin, offset); err != nil {
			t.Fatal(err)
		}
		remake(t, b, topic, 1, 7)
		for _, reset := range []string{"earliest", "latest", "none"} {
			d := drive(t, b, topic, "properties.auto.offset.reset", reset)
			err := d.p.ResumeIn(origin, offset)
			switch at := d.p.Offset(); {
			case reset == "none":
				if fault.Of(err) != fault.User || !strings.Contains(err.Error(), "was deleted and made anew since; 'properties.auto.offset.reset' = 'earliest' begins with the new one") {
					t.Errorf("%s: %v", reset, err)
				}
			case err != nil:
				t.Errorf("%s: %v", reset, err)
			case reset == "earliest" && at != 0, reset == "latest" && at != 7:
				t.Errorf("%s: at %d", reset, at)
			}
			// What was written by programs that did not know of origins goes on at its offset.
			if err := d.p.ResumeIn(nil, offset); err != nil || d.p.Offset() != offset {
				t.Errorf("%s without an origin: at %d, %v", reset, d.p.Offset(), err)
			}
		}
		err := drive(t, b, topic, "scan.bounded.mode", "latest-offset").p.ResumeIn(origin, offset)
		if fault.Of(err) != fault.User || !strings.Contains(err.Error(), "what the statement had still to read is gone") {
			t.Error(err)
		}
	})
}
