package kafka

import (
	"context"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// driven is a source over one partition that fetches only when it is told to.
type driven struct {
	*reader
	p *partition
}

func drive(t *testing.T, b brokertest.Target, topic string, more ...string) driven {
	t.Helper()
	r := read(t, source(t, Connector, columns(), options(b, topic, more...)))
	r.source.once.Do(func() {})
	return driven{r, r.splits[0].(*partition)}
}

// fetch asks until the next fetch would begin at next.
func (d driven) fetch(next int64) {
	d.tb.Helper()
	s := d.source
	for d.p.next != next {
		if pause := s.round(d.p.leader, s.request(d.p.leader, 0), s.ids); pause > 0 {
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

// TestTopicMadeAnew: all rows of the new topic are read, also those at offsets that were read in the old one, and none twice; what was fetched of
// the old one and not read is gone.
func TestTopicMadeAnew(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		b.Send(t, true, row(topic, 0, 0), row(topic, 0, 1), row(topic, 0, 2))
		d := drive(t, b, topic, "properties.auto.offset.reset", "earliest")
		d.fetch(3)
		d.poll()
		b.Send(t, true, row(topic, 0, 3))
		d.fetch(4)
		admin := b.Admin(t)
		if _, err := admin.DeleteTopic(context.Background(), topic); err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := admin.CreateTopic(context.Background(), 1, -1, nil, topic); err == nil {
				break
			}
			linger(50)
		}
		if err := visible(context.Background(), admin, topic, 1); err != nil {
			t.Fatal(err)
		}
		b.Send(t, true, row(topic, 0, 10), row(topic, 0, 11))
		d.fetch(2)
		d.poll()
		wantRows(t, d.reader, numbered(0, 1, 2, 10, 11))
		if at := d.p.Offset(); at != 2 {
			t.Errorf("then at %d", at)
		}
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
