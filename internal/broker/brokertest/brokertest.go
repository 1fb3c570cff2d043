// Package brokertest runs a test against the embedded broker and against Apache Kafka.
//
// Apache Kafka is started by .ci/kafka, which make test calls; it says in the environment where it is. Without it those tests are left out,
// except in CI, where they fail unless they are run with -short.
package brokertest

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/broker"
)

// Target is a broker under test.
type Target struct {
	// Addr is where it is, host:port, for who needs not say who he is.
	Addr string
	// Embedded is the broker if it is ours, nil if it is Apache Kafka.
	Embedded *broker.Broker
}

// Both runs f against a fresh embedded broker, and against Apache Kafka, which all tests share.
func Both(t *testing.T, f func(t *testing.T, b Target)) {
	t.Run("embedded", func(t *testing.T) { f(t, Start(t)) })
	t.Run("kafka", func(t *testing.T) { f(t, Target{Addr: Kafka(t, "TIDEMARK_KAFKA")}) })
}

// Start starts an embedded broker for the length of the test.
func Start(tb testing.TB) Target {
	tb.Helper()
	b, err := broker.Start(broker.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(b.Close)
	return Target{b.Addr(), b}
}

// Kafka is the value of a variable that .ci/kafka sets, or the end of the test.
func Kafka(tb testing.TB, variable string) string {
	tb.Helper()
	if v := os.Getenv(variable); v != "" {
		return v
	}
	const why = "there is no Apache Kafka: make test starts one"
	if os.Getenv("CI") == "true" && !testing.Short() {
		tb.Fatal(why)
	}
	tb.Skip(why)
	return ""
}

var topics atomic.Int64

// Topic makes a topic with a name that no other test uses, and settings as key, value, key, value. Records are kept however old they say they are.
func (b Target) Topic(tb testing.TB, partitions int, settings ...string) string {
	tb.Helper()
	name := fmt.Sprintf("%s-%d-%d", strings.Map(letters, tb.Name()), os.Getpid(), topics.Add(1))
	configs := map[string]*string{"retention.ms": new(string)}
	*configs["retention.ms"] = "-1"
	for i := 0; i < len(settings); i += 2 {
		configs[settings[i]] = &settings[i+1]
	}
	admin := b.Admin(tb)
	if _, err := admin.CreateTopic(context.Background(), int32(partitions), -1, configs, name); err != nil {
		tb.Fatal(err)
	}
	b.serves(tb, admin, name, partitions)
	return name
}

// serves waits until the broker has heard of a new topic, which a busy one does later than who made it.
func (b Target) serves(tb testing.TB, admin *kadm.Client, topic string, partitions int) {
	tb.Helper()
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	for {
		ends, err := admin.ListEndOffsets(ctx, topic)
		if err == nil {
			err = ends.Error()
		}
		if err == nil && len(ends[topic]) == partitions {
			return
		}
		if ctx.Err() != nil {
			tb.Fatalf("topic %s is not served: %v", topic, err)
		}
	}
}

func letters(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

// Client makes a client of the broker.
func (b Target) Client(tb testing.TB, options ...kgo.Opt) *kgo.Client {
	tb.Helper()
	c, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(b.Addr), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableClientMetrics(), kgo.MetadataMinAge(50 * time.Millisecond), kgo.UnknownTopicRetries(100)}, options...)...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// Admin makes an administrator's client of the broker.
func (b Target) Admin(tb testing.TB) *kadm.Client {
	tb.Helper()
	return kadm.NewClient(b.Client(tb))
}

// Alter changes a setting of a topic, or of the server if topic is empty. The error is the broker's.
func (b Target) Alter(tb testing.TB, topic, key, value string) error {
	tb.Helper()
	change := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: key, Value: &value}}
	var answers kadm.AlterConfigsResponses
	var err error
	if topic == "" {
		answers, err = b.Admin(tb).AlterBrokerConfigs(context.Background(), change)
	} else {
		answers, err = b.Admin(tb).AlterTopicConfigs(context.Background(), change, topic)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return answers[0].Err
}

// Send writes records in order, each in a batch of its own if apart.
func (b Target) Send(tb testing.TB, apart bool, records ...*Record) {
	tb.Helper()
	c := b.Client(tb)
	step := len(records)
	if apart {
		step = 1
	}
	for i := 0; i < len(records); i += max(step, 1) {
		if err := c.ProduceSync(context.Background(), records[i:i+step]...).FirstErr(); err != nil {
			tb.Fatal(err)
		}
	}
}

// Record and Header are what a topic holds, for tests that know nothing else of the client.
type (
	Record = kgo.Record
	Header = kgo.RecordHeader
)

// Records reads the first n records of a topic, or some more.
func (b Target) Records(tb testing.TB, topic string, n int) (records []*Record) {
	tb.Helper()
	c := b.Client(tb, kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	for len(records) < n {
		f := c.PollFetches(context.Background())
		if err := f.Err(); err != nil {
			tb.Fatal(err)
		}
		records = append(records, f.Records()...)
	}
	return records
}

// Await waits until a broker that was killed answers again.
func (b Target) Await(tb testing.TB) {
	tb.Helper()
	ctx, done := context.WithTimeout(context.Background(), 2*time.Minute)
	defer done()
	admin := b.Admin(tb)
	defer admin.Close()
	for {
		_, err := admin.ListTopics(ctx)
		if err == nil {
			return
		}
		if ctx.Err() != nil {
			tb.Fatal(err)
		}
		pause, over := context.WithTimeout(ctx, 50*time.Millisecond)
		<-pause.Done()
		over()
	}
}

// Committed reads what whoever leaves out open and aborted transactions can read of a topic now, partition by partition.
func (b Target) Committed(tb testing.TB, topic string) (records []*Record) {
	tb.Helper()
	ends, err := b.Admin(tb).ListCommittedOffsets(context.Background(), topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		tb.Fatal(err)
	}
	left := map[int32]int64{}
	for p, end := range ends[topic] {
		if end.Offset > 0 {
			left[p] = end.Offset
		}
	}
	// The last record before such an end may be a marker of a transaction.
	c := b.Client(tb, kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords())
	for len(left) > 0 {
		f := c.PollFetches(context.Background())
		if err := f.Err(); err != nil {
			tb.Fatal(err)
		}
		for _, r := range f.Records() {
			end, waiting := left[r.Partition]
			if !waiting {
				continue
			}
			if !r.Attrs.IsControl() {
				records = append(records, r)
			}
			if r.Offset+1 >= end {
				delete(left, r.Partition)
			}
		}
	}
	slices.SortStableFunc(records, func(a, b *Record) int { return int(a.Partition - b.Partition) })
	return records
}

// GiveUp has the broker give up what is open of transactions whose ids begin so, as it does by itself when their time is over.
func (b Target) GiveUp(tb testing.TB, prefix string) {
	tb.Helper()
	for _, id := range b.transactions(tb, prefix) {
		c := b.Client(tb, kgo.TransactionalID(id))
		if _, _, err := c.ProducerID(context.Background()); err != nil {
			tb.Fatal(err)
		}
		c.Close()
	}
}

// Open are the ids that begin so of transactions that have begun and not ended.
func (b Target) Open(tb testing.TB, prefix string) []string {
	tb.Helper()
	return b.transactions(tb, prefix, "Ongoing")
}

func (b Target) transactions(tb testing.TB, prefix string, states ...string) []string {
	tb.Helper()
	listed, err := b.Admin(tb).ListTransactions(context.Background(), nil, states)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.DeleteFunc(listed.TransactionalIDs(), func(id string) bool { return !strings.HasPrefix(id, prefix) })
}

// Follow calls each for the records of a topic from its first on, of those in transactions only the committed ones, until it returns false or ctx ends.
func (b Target) Follow(ctx context.Context, tb testing.TB, topic string, each func(*Record) bool) {
	tb.Helper()
	c := b.Client(tb, kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	for {
		f := c.PollFetches(ctx)
		if ctx.Err() != nil {
			return
		}
		if err := f.Err(); err != nil {
			tb.Fatal(err)
		}
		for _, r := range f.Records() {
			if !each(r) {
				return
			}
		}
	}
}

// Delete deletes the records of a partition before an offset.
func (b Target) Delete(tb testing.TB, topic string, partition int32, before int64) {
	tb.Helper()
	var upTo kadm.Offsets
	upTo.AddOffset(topic, partition, before, -1)
	deleted, err := b.Admin(tb).DeleteRecords(context.Background(), upTo)
	if err == nil {
		err = deleted.Error()
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// TLS is a certificate for 127.0.0.1 and localhost, and its authority in PEM; both are made anew.
func TLS(tb testing.TB) (config *tls.Config, authority string) {
	tb.Helper()
	config, authority, err := certificate()
	if err != nil {
		tb.Fatal(err)
	}
	return config, authority
}
