package kafka

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

const (
	// What may be on its way to the brokers before Write waits.
	waitingRecords = 100_000
	waitingBytes   = 64 << 20
	// A record that could not be written after so many tries, about a minute, fails the statement.
	writeRetries = 30
	// A topic that is not known after so many tries, a second or two, is not there. One that was just made may be known to some brokers only.
	newTopicRetries = 8
)

// sink writes to one topic.
type sink struct {
	config     *config
	layout     *layout
	key, value format.Encoder // key is nil without a key
	timestamp  int            // the column of the record's timestamp, or -1
	headers    int            // the column of its headers, or -1

	// replaced is the key of an upsert table's last row if that was a -U. The row that takes its place may come next; else it is deleted.
	replaced []byte

	client *kgo.Client // nil before the first row; of rows that are not written in transactions
	size   int         // of the last batch, encoded

	flight *flight // of the records since the last checkpoint

	// shared are the transactions in which the rows are written, nil if they are in none; ctx is that of the records.
	shared *transactions
	ctx    context.Context

	promises *promises // nil unless the watermark is handed over

	waits  func() (over func()) // see OnWait; nil if nobody wants to know
	weight atomic.Int64

	mu     sync.Mutex
	failed error // the first record that could not be written
}

// NewSink makes the sink of t.
func NewSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	return newSink(kindPlain, nil, t, o)
}

func newSink(k kind, home Home, t connector.Table, o connector.Options) (connector.Sink, error) {
	c, err := readOptions(k, home, t, o)
	if err != nil {
		return nil, err
	}
	if c.pattern != nil || len(c.topics) != 1 {
		key := "topic"
		if c.pattern != nil {
			key = "topic-pattern"
		}
		return nil, &connector.OptionError{Key: key, Message: "a table of several topics can only be read", Hint: "name the one to write to in 'topic'"}
	}
	l, err := newLayout(c, t)
	if err != nil {
		return nil, err
	}
	s := &sink{config: c, layout: l, timestamp: -1, headers: -1}
	s.ctx = withSink(s)
	s.flight = &flight{sink: s}
	if s.value, err = c.valueFormat.NewEncoder(l.value.fields); err != nil {
		return nil, err
	}
	if len(l.key.columns) > 0 {
		if s.key, err = c.keyFormat.NewEncoder(l.key.fields); err != nil {
			return nil, err
		}
	}
	for column, key := range l.metadata {
		switch key {
		case "timestamp":
			s.timestamp = column
		case "headers":
			s.headers = column
		}
	}
	if c.handedOver != "" {
		s.promises = newPromises(s)
		return &promisingSink{s}, nil
	}
	return s, nil
}

// connect makes the client at the first row.
func (s *sink) connect() error {
	if s.client != nil || s.shared != nil {
		return nil
	}
	options, err := s.config.client()
	if err != nil {
		return err
	}
	options = append(options, s.config.producerOptions()...)
	options = append(options, kgo.RecordPartitioner(s.partitioner()), kgo.ProducerBatchMaxBytes(s.config.batchBytes))
	s.client, err = kgo.NewClient(options...)
	return fault.Wrap(fault.User, err)
}

// producerOptions are those of a client that writes, beside those of one that reads.
func (c *config) producerOptions() []kgo.Opt {
	options := append(slices.Clone(c.producer),
		kgo.ProducerBatchCompression(codecs[c.compression]),
		kgo.ProducerLinger(c.linger),
		kgo.MaxBufferedRecords(waitingRecords),
		kgo.MaxBufferedBytes(waitingBytes),
		kgo.RecordRetries(writeRetries),
		kgo.UnknownTopicRetries(newTopicRetries))
	if c.create {
		options = append(options, kgo.AllowAutoTopicCreation())
	}
	return options
}

// partitioner says where records go. Confluent: without a key, appended rows go round and retractions go by the hash of their row, so that a
// row and what takes it back keep their order.
func (s *sink) partitioner() kgo.Partitioner {
	switch {
	case s.config.partitioner == "fixed":
		return kgo.ManualPartitioner()
	case s.config.partitioner == "round-robin":
		return kgo.RoundRobinPartitioner()
	case s.config.kind == kindManaged && s.key == nil && s.config.changes == retractions:
		return kgo.BasicConsistentPartitioner(func(string) func(*kgo.Record, int) int {
			return func(r *kgo.Record, n int) int {
				h := fnv.New32a()
				h.Write(r.Value)
				return int(h.Sum32() % uint32(n))
			}
		})
	case s.config.kind == kindManaged && s.key == nil:
		return kgo.RoundRobinPartitioner()
	}
	return kgo.UniformBytesPartitioner(64<<10, false, true, nil)
}

// Write encodes the rows of b and hands them to the client, which sends them when a batch is full or old enough.
func (s *sink) Write(b *vector.Batch) error {
	if err := s.connect(); err != nil {
		return err
	}
	if err := s.failure(); err != nil {
		return err
	}
	rows := b.Rows()
	n := rows.Count()
	in := incoming{b, project(b, s.layout.key.columns), project(b, s.layout.value.columns)}
	out := outgoing{records: make([]kgo.Record, 0, n+1), buf: make([]byte, 0, s.size+s.size/8)}
	for k := range n {
		row := rows.At(k)
		op := vector.Insert
		if b.Ops != nil {
			op = b.Ops[row]
		}
		if s.config.changes == appendOnly && op != vector.Insert && s.config.valueFormat.Changelog == connector.Append {
			return fault.Errorf(fault.User, "topic '%s' takes only new rows, and the query takes rows back (%s); write to a table with a primary key and 'connector' = 'upsert-kafka', or with 'changelog.mode'",
				s.config.topics[0], op)
		}
		if err := s.encode(&out, in, row, op); err != nil {
			return err
		}
	}
	s.size = max(s.size, len(out.buf))
	return s.produce(&out)
}

// incoming is a batch and the columns of it that go into keys and values.
type incoming struct{ all, keys, values *vector.Batch }

// outgoing is records on their way to the client. Their keys and values stand in buf.
type outgoing struct {
	records []kgo.Record
	buf     []byte
}

func (s *sink) produce(out *outgoing) error {
	if len(out.records) == 0 {
		return nil
	}
	client := s.client
	if s.shared != nil {
		var err error
		if client, err = s.shared.begin(s.config.topics[0]); err != nil {
			return err
		}
	}
	landed := s.flight.landed
	if s.promises != nil {
		var err error
		if landed, err = s.promises.sent(len(out.records), landed); err != nil {
			return err
		}
	}
	s.flight.Add(len(out.records))
	s.weight.Add(int64(len(out.buf)))
	if s.waits != nil && (client.BufferedProduceRecords()+int64(len(out.records)) > waitingRecords || client.BufferedProduceBytes()+int64(len(out.buf)) > waitingBytes) {
		defer s.waits()()
	}
	for i := range out.records {
		r := &out.records[i]
		r.Topic = s.config.topics[0]
		client.Produce(s.ctx, r, landed) // a stopped statement closes the sink, which sends the rest
	}
	return nil
}

// OnWait implements connector.Waiting: Write waits while as much as may be is on its way to the brokers.
func (s *sink) OnWait(wait func() (over func())) { s.waits = wait }

// Weight implements connector.Weighed: keys and values, as they are encoded.
func (s *sink) Weight() int64 { return s.weight.Load() }

// encode makes the record of a row, if it is one.
func (s *sink) encode(out *outgoing, in incoming, row int, op vector.Op) (err error) {
	var r kgo.Record
	if s.key != nil {
		from := len(out.buf)
		if out.buf, err = s.key.Append(out.buf, in.keys, row); err != nil {
			return err
		}
		if !isNull(s.config.keyFormat, in.keys, row) {
			r.Key = out.buf[from:len(out.buf):len(out.buf)]
		}
	}
	if s.config.changes == upserts {
		if !bytes.Equal(r.Key, s.replaced) {
			s.remove(out)
		}
		if s.replaced = nil; op == vector.UpdateBefore {
			s.replaced = r.Key
			return nil
		}
	}
	if s.config.changes != upserts || op != vector.Delete {
		from := len(out.buf)
		if out.buf, err = s.value.Append(out.buf, in.values, row); err != nil {
			return err
		}
		if !isNull(s.config.valueFormat, in.values, row) {
			r.Value = out.buf[from:len(out.buf):len(out.buf)]
		}
	}
	if s.config.changes == retractions && op != vector.Insert {
		r.Headers = []kgo.RecordHeader{{Key: opHeader, Value: []byte{byte(op)}}}
	}
	if s.headers >= 0 {
		if v := in.all.Cols[s.headers]; !v.IsNull(row) {
			r.Headers = appendHeaders(r.Headers, v.Bytes(row))
		}
	}
	if s.timestamp >= 0 {
		if v := in.all.Cols[s.timestamp]; !v.IsNull(row) {
			if r.Timestamp, err = millis(v.Int(row)); err != nil {
				return err
			}
		}
	}
	out.records = append(out.records, r)
	return nil
}

// remove deletes the row that an update took back without putting one of the same key in its place.
func (s *sink) remove(out *outgoing) {
	if s.replaced != nil {
		out.records = append(out.records, kgo.Record{Key: s.replaced})
		s.replaced = nil
	}
}

// isNull tells whether a row is written as a record without key or value.
func isNull(f *format.Choice, b *vector.Batch, row int) bool { return f.Nulls && b.Cols[0].IsNull(row) }

// millis is the time of a record. Kafka has no times before 1970.
func millis(micros int64) (time.Time, error) {
	if micros < 0 {
		return time.Time{}, fault.Errorf(fault.Data, "a record cannot have a timestamp before 1970; write the time to a column of the value")
	}
	return time.UnixMilli(micros / 1000), nil
}

// appendHeaders appends the entries of a map, which are in the bytes of a value that goes away.
func appendHeaders(list []kgo.RecordHeader, value []byte) []kgo.RecordHeader {
	keys, values := nested.ReadMap(bytes.Clone(value), vector.Bytes, vector.Bytes)
	for i := range keys.Len() {
		if keys.IsNull(i) {
			continue
		}
		h := kgo.RecordHeader{Key: string(keys.Bytes(i))}
		if !values.IsNull(i) {
			h.Value = values.Bytes(i)
		}
		list = append(list, h)
	}
	return list
}

func project(b *vector.Batch, columns []int) *vector.Batch {
	p := &vector.Batch{N: b.N, Ops: b.Ops}
	for _, c := range columns {
		p.Cols = append(p.Cols, b.Cols[c])
	}
	return p
}

// done notes what became of a record.
func (s *sink) done(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed != nil {
		return
	}
	topic := s.config.topics[0]
	switch {
	case fault.Of(err) != fault.Internal:
		s.failed = err
	case errors.Is(err, kerr.UnknownTopicOrPartition):
		s.failed = s.config.topicError(topic, err)
	case errors.Is(err, kerr.TopicAuthorizationFailed):
		s.failed = s.config.refused("topic", fmt.Sprintf("write to topic '%s'", topic), right{operation: "Write", resource: "topic", name: topic})
	case errors.Is(err, kerr.UnknownTopicID):
		s.failed = fault.Errorf(fault.External, "topic '%s' was deleted and made anew while it was written", topic)
	case errors.Is(err, kerr.MessageTooLarge):
		raise := "'properties.max.request.size', and the topic's max.message.bytes"
		if s.config.kind == kindManaged {
			raise = "'kafka.max-message-size', which a topic that is there already has as max.message.bytes"
		}
		s.failed = fault.Errorf(fault.Data, "a row is larger than a record of topic '%s' may be; raise %s", topic, raise)
	case errors.Is(err, kerr.InvalidTimestamp):
		s.failed = fault.Errorf(fault.Data, "the broker refuses a timestamp: it is further from its clock than topic '%s' allows with message.timestamp.before.max.ms and message.timestamp.after.max.ms", topic)
	case s.shared != nil:
		s.failed = s.config.transactionError(fmt.Sprintf("write to topic '%s'", topic), err)
	default:
		s.failed = s.config.unreachable(fmt.Sprintf("write to topic '%s'", topic), err)
	}
}

func (s *sink) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Flush reports whether something could not be written. Nothing is kept back longer than 'properties.linger.ms'.
func (s *sink) Flush() error {
	var out outgoing
	s.remove(&out)
	if err := s.produce(&out); err != nil {
		return err
	}
	return s.failure()
}

// Close waits until all rows are written.
func (s *sink) Close() error {
	if s.leads() {
		s.shared.close()
	}
	if s.client == nil {
		return nil
	}
	var out outgoing
	s.remove(&out)
	unsaid := s.produce(&out)
	err := s.client.Flush(context.Background())
	s.client.Close()
	s.client = nil
	if unsaid != nil {
		return unsaid
	}
	if failed := s.failure(); failed != nil {
		return failed
	}
	return fault.Wrap(fault.External, err)
}
