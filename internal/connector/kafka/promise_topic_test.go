package kafka

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/handover"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TestRunsTakeOutThoseBefore: however often a statement runs, one record is kept of those runs that were stopped and one of those that came to their end, and whoever comes later reads the same
// frontier as if there were all.
func TestRunsTakeOutThoseBefore(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		s := says(t, b, b.Topic(t, 2))
		rows := int64(0)
		run := func(state handover.State, f watermark.Frontier) {
			t.Helper()
			sink := sinkOf(t, Connector, handed(), options(b, s.topic, "scan.startup.mode", "-", "sink.partitioner", "round-robin")).(*promisingSink)
			err := sink.Promise(watermark.Unset, true)
			for id := range 2 {
				rows++
				err = errors.Join(err, sink.Write(batchOf(handed(), change{vector.Insert, int64(id), "a"})))
			}
			err = errors.Join(err, sink.Promise(f, true))
			switch state {
			case handover.Ended:
				err = errors.Join(err, sink.Promise(watermark.Final, true), sink.Close())
			case handover.Stopped:
				err = errors.Join(err, sink.Close())
			case handover.Open:
				err = errors.Join(err, sink.Abort())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range []struct {
			state    handover.State // in which a run leaves
			frontier watermark.Frontier
			words    int // that are kept then
			told     watermark.Frontier
			active   bool
		}{
			{handover.Stopped, 10_000, 1, 10_000, true},
			{handover.Stopped, 5_000, 1, 5_000, true},
			{handover.Ended, 20_000, 1, 20_000, false},
			{handover.Ended, 15_000, 2, 20_000, false}, // the one before has gone further
			{handover.Ended, 30_000, 1, 30_000, false}, // and this takes the place of both
			{handover.Stopped, 40_000, 2, 30_000, false},
			{handover.Ended, 35_000, 1, 35_000, false},
			{handover.Open, 50_000, 2, 50_000, true}, // one that fails is waited for, wherever it had got to
			{handover.Ended, 60_000, 2, 50_000, true},
		} {
			run(x.state, x.frontier)
			if words := s.words(); len(words) != x.words {
				t.Errorf("%+v: %d are kept: %v", x, len(words), words)
			}
			if h := s.told(rows); h.Active != x.active || h.Frontier != x.told && (x.told != 50_000 || h.Frontier != watermark.Unset) {
				t.Errorf("%+v: told %+v", x, h)
			}
			// Whoever has not read all rows, those of the first run among them, waits.
			if h := s.told(0); h.Frontier != watermark.Unset || !h.Active {
				t.Errorf("%+v: before any row was read, told %+v", x, h)
			}
		}
	})
}

// TestWritersOfTopicsThatAreGone: what was said of a topic that is there no more is taken out after long.
func TestWritersOfTopicsThatAreGone(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		dropped, remade, kept := says(t, b, b.Topic(t, 1)), says(t, b, b.Topic(t, 1)), says(t, b, b.Topic(t, 1))
		for _, s := range []*said{dropped, remade, kept} {
			s.promise(anna, handover.Open, 10)
			s.promise(boris, handover.Ended, 20)
		}
		if _, err := dropped.admin.DeleteTopic(context.Background(), dropped.topic); err != nil {
			t.Fatal(err)
		}
		remake(t, b, remade.topic, 1, 0)
		for _, patience := range []int64{forgetAfter, 1} {
			s := says(t, b, b.Topic(t, 1))
			s.promise(anna, handover.Open, 30)
			linger(20)
			sink := sinkOf(t, Connector, handed(), options(b, s.topic, "scan.startup.mode", "-")).(*promisingSink)
			sink.promises.forget = patience
			if err := sink.Promise(watermark.Unset, true); err != nil {
				t.Fatal(err)
			}
			if err := sink.Close(); err != nil {
				t.Fatal(err)
			}
			want := 2
			if patience == 1 {
				want = 0
			}
			for _, x := range []struct {
				of   *said
				want int
			}{{dropped, want}, {remade, want}, {kept, 2}, {s, 1 + want/2}} {
				if n := len(x.of.words()); n != x.want {
					t.Errorf("after %d: %d words of topic %s, want %d", patience, n, x.of.topic, x.want)
				}
			}
		}
	})
}

// both opens a source and writes with a sink, and gives their errors.
func both(t *testing.T, o connector.Options) map[string]error {
	t.Helper()
	s := source(t, Connector, handed(), o)
	_, opened := s.Open()
	s.Close()
	sink := sinkOf(t, Connector, handed(), without(o, "scan.startup.mode")).(*promisingSink)
	written := sink.Promise(watermark.Unset, true)
	sink.Abort()
	return map[string]error{"reader": opened, "writer": written}
}

// TestSideTopicsThatWillNotDo: one that somebody has made otherwise is refused before it can harm.
func TestSideTopicsThatWillNotDo(t *testing.T) {
	good := []string{"cleanup.policy", "compact", "message.timestamp.type", "LogAppendTime"}
	for _, c := range []struct {
		name       string
		partitions int32
		settings   []string
		message    string
	}{
		{"as it is made", 1, good, ""},
		{"several partitions", 3, good, "has 3 partitions and must have one"},
		{"old records deleted", 1, []string{"cleanup.policy", "delete", "message.timestamp.type", "LogAppendTime"}, "has cleanup.policy = delete and must have compact"},
		{"both", 1, []string{"cleanup.policy", "compact,delete", "message.timestamp.type", "LogAppendTime"}, "has cleanup.policy = compact,delete and must have compact"},
		{"times of writers", 1, []string{"cleanup.policy", "compact"}, "has message.timestamp.type = CreateTime and must have LogAppendTime"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := brokertest.Start(t)
			topic := b.Topic(t, 1)
			settings := map[string]*string{}
			for i := 0; i < len(c.settings); i += 2 {
				settings[c.settings[i]] = &c.settings[i+1]
			}
			if _, err := b.Admin(t).CreateTopic(context.Background(), c.partitions, -1, settings, promiseTopic); err != nil {
				t.Fatal(err)
			}
			for who, err := range both(t, options(b, topic)) {
				o := (*connector.OptionError)(nil)
				if c.message == "" && err != nil || c.message != "" && (fault.Of(err) != fault.User || !errors.As(err, &o) || !strings.Contains(o.Message, c.message) || o.Hint == "") {
					t.Errorf("%s: %v", who, err)
				}
			}
		})
	}
}

// TestSideTopicThatOneMayNotUse: whoever reads is told what he needs, whatever it is that is not allowed; a writer can do without reading.
func TestSideTopicThatOneMayNotUse(t *testing.T) {
	for _, c := range []struct {
		name           string
		there          bool
		key            kmsg.Key
		err            *kerr.Error
		reader, writer bool // is refused
	}{
		{"make", false, kmsg.CreateTopics, kerr.TopicAuthorizationFailed, true, true},
		{"make any", false, kmsg.CreateTopics, kerr.ClusterAuthorizationFailed, true, true},
		{"describe", true, kmsg.Metadata, kerr.TopicAuthorizationFailed, true, true},
		{"settings", true, kmsg.DescribeConfigs, kerr.TopicAuthorizationFailed, true, true},
		{"read", true, kmsg.Fetch, kerr.TopicAuthorizationFailed, true, false},
		{"write", true, kmsg.Produce, kerr.TopicAuthorizationFailed, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := brokertest.StartRefuser(t)
			topic := b.Topic(t, 1)
			if c.there {
				says(t, b.Target, topic).promise(anna, handover.Open, 10)
			}
			b.Refuse(c.key, promiseTopic, c.err)
			for who, err := range both(t, options(b.Target, topic)) {
				refused := map[string]bool{"reader": c.reader, "writer": c.writer}[who]
				if refused && (fault.Of(err) != fault.External || !strings.Contains(err.Error(), "Describe, DescribeConfigs, Read and Write") || !strings.Contains(err.Error(), promiseTopic)) || !refused && err != nil {
					t.Errorf("%s: %v", who, err)
				}
			}
		})
	}
}

// TestSideTopicWithWhatNobodyUnderstands: a reader does not go on without knowing what it says. What is said of other topics is no matter.
func TestSideTopicWithWhatNobodyUnderstands(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		other := says(t, b, b.Topic(t, 1))
		other.write(other.key(anna), []byte("nonsense"))
		s := says(t, b, b.Topic(t, 1))
		newer := s.key(anna)
		newer[0]++
		long := handover.Promise{Column: "id", Frontier: watermark.Final}
		for _, c := range []struct {
			name       string
			key, value []byte
			message    string
		}{
			{"a value", s.key(anna), []byte{9}, "cannot be read"},
			{"a value of another version", s.key(anna), append([]byte{9}, make([]byte, 20)...), "it has version 9, and this program reads version 1"},
			{"no frontier", s.key(anna), long.Append(nil), "its frontier is beyond all times"},
			{"a key", []byte("x"), nil, "in its key, it has version 120"},
			{"no key", nil, []byte("x"), "in its key, it ends too early"},
			{"a key of another version", newer, nil, "it has version 2, and this program reads version 1"},
		} {
			if c.value == nil {
				c.value = (&handover.Promise{Column: "id"}).Append(nil)
			}
			if b.Embedded == nil && !bytes.Equal(c.key, s.key(anna)) {
				continue // other tests read the topic too
			}
			d := driveSource(t, source(t, Connector, handed(), options(b, s.topic)))
			s.write(c.key, c.value)
			for who, err := range both(t, options(b, s.topic)) {
				if who == "writer" && err != nil || who == "reader" && (fault.Of(err) != fault.External || !strings.Contains(err.Error(), c.message) || !strings.Contains(err.Error(), "with the same key and no value")) {
					t.Errorf("%s: the %s: %v", c.name, who, err)
				}
			}
			// One that was there notices too.
			if err := d.source.upstream.log.fetch(context.Background()); err != nil {
				t.Fatal(err)
			}
			if err := d.source.upstream.take(context.Background()); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%s: the reader that was there: %v", c.name, err)
			}
			// What the message says helps.
			s.write(c.key, nil)
			if err := both(t, options(b, s.topic))["reader"]; err != nil {
				t.Errorf("%s: taken out, and %v", c.name, err)
			}
		}
		s.promise(anna, handover.Open, 10)
		c := handed()
		c.HandedOver = "name"
		src := source(t, Connector, c, options(b, s.topic))
		if _, err := src.Open(); fault.Of(err) != fault.User || !strings.Contains(err.Error(), "handed over for column 'id', and the table has it for column 'name'") {
			t.Errorf("another column: %v", err)
		}
		src.Close()
	})
}

// TestSideTopicThatIsDeleted: neither who writes nor who reads goes on as if nothing had been.
func TestSideTopicThatIsDeleted(t *testing.T) {
	for name, anew := range map[string]bool{"gone": false, "made anew": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // the client takes its time to be sure
			b := brokertest.Start(t)
			s := says(t, b, b.Topic(t, 1))
			d := driveSource(t, source(t, Connector, handed(), options(b, s.topic)))
			sink := sinkOf(t, Connector, handed(), options(b, s.topic, "scan.startup.mode", "-")).(*promisingSink)
			if err := sink.Promise(10_000, true); err != nil {
				t.Fatal(err)
			}
			d.hear(10_000, true)
			if _, err := s.admin.DeleteTopic(context.Background(), promiseTopic); err != nil {
				t.Fatal(err)
			}
			if anew {
				if err := d.source.config.makePromiseTopic(context.Background(), s.admin); err != nil {
					t.Fatal(err)
				}
			}
			log := d.source.upstream.log
			err := log.fetch(context.Background())
			for err == nil {
				err = log.fetch(context.Background())
			}
			for sink.failure() == nil {
				linger(20)
			}
			for who, err := range map[string]error{"reader": err, "writer": sink.failure()} {
				if fault.Of(err) != fault.External || !strings.Contains(err.Error(), "it was deleted while the statement was running") {
					t.Errorf("the %s: %v", who, err)
				}
			}
			if h := d.p.HandedOver(); h.Frontier != 10_000 {
				t.Errorf("meanwhile the reader is told %+v", h)
			}
			sink.Abort()
		})
	}
}
