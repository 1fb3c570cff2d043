package broker_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/tidemark-sql/tidemark/internal/broker"
	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

const open = "9223372036854775807"

var codecs = []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}

// TestTimestampsOfWriters: they are kept, those of the distant past and future too.
func TestTimestampsOfWriters(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.before.max.ms", open, "message.timestamp.after.max.ms", open)
		times := []time.Time{time.UnixMilli(1), time.UnixMilli(4_000_000_000_000), time.UnixMilli(1_700_000_000_000)}
		for _, at := range times {
			b.Send(t, false, record(topic, at))
		}
		for i, r := range readAll(t, b, topic, 3) {
			if !r.Timestamp.Equal(times[i]) || r.Attrs.TimestampType() != 0 {
				t.Errorf("record %d has %s of type %d, want %s", i, r.Timestamp, r.Attrs.TimestampType(), times[i])
			}
		}
	})
}

// TestTimestampsOfTheBroker: with LogAppendTime what the writer says does not count, compressed or not, and readers see whose time it is.
func TestTimestampsOfTheBroker(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, codec := range codecs {
			topic := b.Topic(t, 1, "message.timestamp.type", "LogAppendTime", "message.timestamp.after.max.ms", "1000")
			c := b.Client(t, kgo.ProducerBatchCompression(codec))
			before := time.Now().Add(-time.Second)
			err := c.ProduceSync(context.Background(), record(topic, time.UnixMilli(1)), record(topic, time.UnixMilli(4_000_000_000_000))).FirstErr()
			if err != nil {
				t.Fatal(err)
			}
			after := time.Now().Add(time.Second)
			got := readAll(t, b, topic, 2)
			for i, r := range got {
				if r.Attrs.TimestampType() != 1 || r.Timestamp.Before(before) || r.Timestamp.After(after) || string(r.Value) != "v" {
					t.Errorf("record %d has %s of type %d", i, r.Timestamp, r.Attrs.TimestampType())
				}
			}
			for ahead, want := range []int64{0, -1} {
				at, err := b.Admin(t).ListOffsetsAfterMilli(context.Background(), got[0].Timestamp.UnixMilli()+int64(ahead), topic)
				if o, ok := at.Lookup(topic, 0); err != nil || !ok || want == 0 && o.Offset != 0 || want < 0 && o.Offset != 2 {
					t.Errorf("%d ms behind the records is %+v, %v", ahead, o, err)
				}
			}
		}
	})
}

// TestTimestampTypeChanges: what is there keeps the time it was given, and its type.
func TestTimestampTypeChanges(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.after.max.ms", open)
		types := []string{"CreateTime", "LogAppendTime", "CreateTime"}
		for i, kind := range types {
			alter(t, b, topic, "message.timestamp.type", kind)
			b.Send(t, false, record(topic, time.UnixMilli(int64(1000+i))))
		}
		for i, r := range readAll(t, b, topic, len(types)) {
			appended := types[i] == "LogAppendTime"
			if (r.Attrs.TimestampType() == 1) != appended || (r.Timestamp.UnixMilli() == int64(1000+i)) == appended {
				t.Errorf("record %d has %s of type %d", i, r.Timestamp, r.Attrs.TimestampType())
			}
		}
	})
}

func alter(t *testing.T, b brokertest.Target, topic, key, value string) {
	t.Helper()
	if err := b.Alter(t, topic, key, value); err != nil {
		t.Fatal(err)
	}
}

// TestBoundsOfTimestamps: a record too far from the broker's clock is refused, and nothing of its batch is there; other partitions of the same
// request are.
func TestBoundsOfTimestamps(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		now := time.Now()
		for _, c := range []struct {
			settings []string
			at       time.Time
			refused  bool
		}{
			{[]string{"message.timestamp.after.max.ms", "60000"}, now.Add(5 * time.Minute), true},
			{[]string{"message.timestamp.after.max.ms", "600000"}, now.Add(5 * time.Minute), false},
			{[]string{"message.timestamp.before.max.ms", "60000"}, now.Add(-5 * time.Minute), true},
			{[]string{"message.timestamp.before.max.ms", "600000"}, now.Add(-5 * time.Minute), false},
			{[]string{"message.timestamp.before.max.ms", "60000", "message.timestamp.after.max.ms", open}, now.Add(time.Hour), false},
			{[]string{"message.timestamp.before.max.ms", "60000", "message.timestamp.after.max.ms", "0", "message.timestamp.type", "LogAppendTime"}, now.Add(time.Hour), false},
		} {
			for _, codec := range []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression()} {
				topic := b.Topic(t, 2, c.settings...)
				client := b.Client(t, kgo.ProducerBatchCompression(codec))
				bad := record(topic, c.at)
				bad.Partition = 1
				results := client.ProduceSync(context.Background(), record(topic, now), record(topic, now), bad)
				for _, r := range results {
					want := c.refused && r.Record.Partition == 1
					if got := errors.Is(r.Err, kerr.InvalidTimestamp); got != want || r.Err != nil && !got {
						t.Errorf("%v, %s: partition %d: %v", c.settings, c.at.Sub(now), r.Record.Partition, r.Err)
					}
				}
				n := 3
				if c.refused {
					n = 2
				}
				if got := readAll(t, b, topic, n); len(got) != n {
					t.Errorf("%v: %d records", c.settings, len(got))
				}
			}
		}
	})
}

// TestSettingsOfTimestamps: a value that a setting cannot have is refused when a topic is made and when it is changed.
func TestSettingsOfTimestamps(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1)
		for i, c := range []struct{ key, value string }{
			{"message.timestamp.type", "Never"},
			{"message.timestamp.type", "logappendtime"},
			{"message.timestamp.before.max.ms", "-1"},
			{"message.timestamp.after.max.ms", "soon"},
		} {
			_, err := b.Admin(t).CreateTopic(context.Background(), 1, -1, map[string]*string{c.key: &c.value}, topic+strconv.Itoa(i))
			if !errors.Is(err, kerr.InvalidConfig) {
				t.Errorf("%s = %s: create: %v", c.key, c.value, err)
			}
			if err := b.Alter(t, topic, c.key, c.value); !errors.Is(err, kerr.InvalidConfig) {
				t.Errorf("%s = %s: alter: %v", c.key, c.value, err)
			}
		}
	})
}

// TestPrecedenceOfBounds: of a topic over of the server, and the bounds before and after over that which is for both. Kafka has not had the last since 4.0.
func TestPrecedenceOfBounds(t *testing.T) {
	const (
		before, after, both = "message.timestamp.before.max.ms", "message.timestamp.after.max.ms", "message.timestamp.difference.max.ms"
		hour, day           = "3600000", "86400000"
	)
	half := 30 * time.Minute
	for _, c := range []struct {
		server, topic []string
		off           time.Duration // of the record from now
		refused       bool
	}{
		{nil, []string{both, hour}, -half, false},
		{nil, []string{both, hour}, half, false},
		{nil, []string{both, hour}, -4 * half, true},
		{nil, []string{both, hour}, 4 * half, true},
		{nil, []string{both, hour, after, day}, 4 * half, false},
		{nil, []string{both, hour, after, day}, -4 * half, true},
		{nil, []string{both, hour, before, open}, -4 * half, false},
		{nil, []string{both, day, before, hour}, -4 * half, true},
		{[]string{before, hour}, nil, -4 * half, true},
		{[]string{before, hour}, []string{before, day}, -4 * half, false},
		{[]string{before, day}, []string{before, hour}, -4 * half, true},
		{[]string{both, hour}, nil, 4 * half, true},
		{[]string{both, hour}, []string{both, day}, 4 * half, false},
		{[]string{after, day}, []string{both, hour}, 4 * half, false},
		{[]string{"message.timestamp.type", "LogAppendTime", before, hour}, nil, -4 * half, false},
		{[]string{"message.timestamp.type", "LogAppendTime", before, hour}, []string{"message.timestamp.type", "CreateTime"}, -4 * half, true},
	} {
		b := brokertest.Start(t)
		for i := 0; i < len(c.server); i += 2 {
			alter(t, b, "", "log."+c.server[i], c.server[i+1])
		}
		topic := b.Topic(t, 1, c.topic...)
		err := b.Client(t).ProduceSync(context.Background(), record(topic, time.Now().Add(c.off))).FirstErr()
		if errors.Is(err, kerr.InvalidTimestamp) != c.refused || err != nil && !c.refused {
			t.Errorf("server %v, topic %v, %s: %v", c.server, c.topic, c.off, err)
		}
	}
	if err := brokertest.Start(t).Alter(t, "", "log."+before, "-1"); !errors.Is(err, kerr.InvalidConfig) {
		t.Error("the server takes a negative bound")
	}
	t.Run("kafka", func(t *testing.T) {
		b := brokertest.Target{Addr: brokertest.Kafka(t, "TIDEMARK_KAFKA")}
		if err := b.Alter(t, b.Topic(t, 1), both, hour); !errors.Is(err, kerr.InvalidConfig) {
			t.Errorf("Apache Kafka has %s again: %v", both, err)
		}
	})
}

// TestFolderKeepsTimestamps: their type too, before and after compaction, and the settings of the server.
func TestFolderKeepsTimestamps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	keyed := func(topic, key string, at int64) *kgo.Record {
		r := record(topic, time.UnixMilli(at))
		r.Key = []byte(key)
		return r
	}
	var topic string
	var times []time.Time
	for start := range 3 {
		b, err := broker.Start(broker.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		target := brokertest.Target{Addr: b.Addr(), Embedded: b}
		if start == 0 {
			alter(t, target, "", "log.message.timestamp.type", "LogAppendTime")
			topic = target.Topic(t, 1, "cleanup.policy", "compact")
			target.Send(t, false, keyed(topic, "a", 1), keyed(topic, "b", 1_000_000_000))
			target.Send(t, false, keyed(topic, "a", 1))
		}
		target.Send(t, false, keyed(topic, strconv.Itoa(start), 1))
		want := strings.Split("ab a 0 1 2", " ")[:start+3]
		if start == 1 {
			b.Compact()
		}
		if start > 0 {
			want[0] = "b"
		}
		got := readAll(t, target, topic, len(strings.Join(want, "")))
		var keys strings.Builder
		for i, r := range got {
			keys.Write(r.Key)
			if r.Attrs.TimestampType() != 1 || time.Since(r.Timestamp) > time.Minute {
				t.Errorf("start %d: %s has %s of type %d", start, r.Key, r.Timestamp, r.Attrs.TimestampType())
			}
			if start == 2 && i < len(times) && !r.Timestamp.Equal(times[i]) {
				t.Errorf("%s had %s and has %s", r.Key, times[i], r.Timestamp)
			}
			times = append(times[:i], r.Timestamp)
		}
		if keys.String() != strings.Join(want, "") {
			t.Errorf("start %d: %s, want %s", start, keys.String(), want)
		}
		b.Close()
	}
}

// rawBatch is a batch of records with the timestamps times, as a client could send it that means no good.
func rawBatch(attributes int16, times ...int64) []byte {
	b := kmsg.RecordBatch{Magic: 2, Attributes: attributes, PartitionLeaderEpoch: -1, ProducerID: -1, ProducerEpoch: -1, FirstSequence: -1,
		FirstTimestamp: times[0], MaxTimestamp: times[0], LastOffsetDelta: int32(len(times) - 1), NumRecords: int32(len(times))}
	for i, at := range times {
		r := kmsg.Record{TimestampDelta64: at - times[0], OffsetDelta: int32(i), Value: []byte("v")}
		r.TimestampDelta = int32(r.TimestampDelta64)
		r.Length = int32(len(r.AppendTo(nil)) - 1)
		b.Records = r.AppendTo(b.Records)
		b.MaxTimestamp = max(b.MaxTimestamp, at)
	}
	b.Length = int32(len(b.AppendTo(nil)) - 12)
	out := b.AppendTo(nil)
	binary.BigEndian.PutUint32(out[17:], crc32.Checksum(out[21:], crc32.MakeTable(crc32.Castagnoli)))
	return out
}

// produce sends a batch to partition 0 as it is, with a version of the protocol.
func produce(t *testing.T, b brokertest.Target, topic string, version int16, batch []byte) kmsg.ProduceResponseTopicPartition {
	t.Helper()
	meta, err := b.Admin(t).Metadata(context.Background(), topic)
	if err != nil {
		t.Fatal(err)
	}
	part := kmsg.NewProduceRequestTopicPartition()
	part.Records = batch
	of := kmsg.NewProduceRequestTopic()
	of.Topic, of.TopicID, of.Partitions = topic, meta.Topics[topic].ID, []kmsg.ProduceRequestTopicPartition{part}
	request := kmsg.NewPtrProduceRequest()
	request.Acks, request.TimeoutMillis, request.Topics = -1, 10_000, []kmsg.ProduceRequestTopic{of}
	versions := kversion.Stable()
	versions.SetMaxKeyVersion(int16(kmsg.Produce), version)
	c := b.Client(t, kgo.MaxVersions(versions))
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	for {
		answer, err := c.SeedBrokers()[0].Request(ctx, request)
		if err != nil {
			t.Fatal(err)
		}
		// A busy broker hears of a new topic later than who made it.
		got := answer.(*kmsg.ProduceResponse).Topics[0].Partitions[0]
		if err := kerr.ErrorForCode(got.ErrorCode); err == nil || !kerr.IsRetriable(err) || errors.Is(err, kerr.InvalidTimestamp) {
			return got
		}
	}
}

// TestBatchesAsTheyCome: what a broker makes of heads of batches that no good client sends, in old and new versions of the protocol, and what it answers.
func TestBatchesAsTheyCome(t *testing.T) {
	const claimsBroker, unused = 0x08, 0x4000
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		now := time.Now().UnixMilli()
		created := []string{"message.timestamp.before.max.ms", "60000", "message.timestamp.after.max.ms", "60000"}
		appended := []string{"message.timestamp.type", "LogAppendTime"}
		for _, version := range []int16{3, 9, 13} {
			for _, c := range []struct {
				name       string
				settings   []string
				attributes int16
				times      []int64
				code       int16
				given      bool // the broker gives the time
			}{
				{"as it should be", created, 0, []int64{now, now + 5}, 0, false},
				{"no time", created, 0, []int64{-1, -1}, 0, false},
				{"too old behind a good one", created, 0, []int64{now, 5}, kerr.InvalidTimestamp.Code, false},
				{"claims to have the broker's time", created, claimsBroker, []int64{5, now}, 0, false},
				{"claims to have the broker's time, which is too old", created, claimsBroker, []int64{5, 6}, kerr.InvalidTimestamp.Code, false},
				{"claims to have the broker's time, and has none", created, claimsBroker, []int64{-1}, kerr.InvalidTimestamp.Code, false},
				{"claims to have the broker's time where it would get it", appended, claimsBroker, []int64{now}, kerr.InvalidTimestamp.Code, false},
				{"a bit that means nothing", created, unused, []int64{now, now}, 0, false},
				{"gets the broker's time", appended, 0, []int64{5, now + 1_000_000_000, -1}, 0, true},
				{"a bit that means nothing, and gets the broker's time", appended, unused, []int64{5}, 0, true},
			} {
				topic := b.Topic(t, 1, c.settings...)
				got := produce(t, b, topic, version, rawBatch(c.attributes, c.times...))
				if got.ErrorCode != c.code || (got.LogAppendTime >= 0) != c.given {
					t.Errorf("version %d, %s: code %d, time %d", version, c.name, got.ErrorCode, got.LogAppendTime)
				}
				if c.code != 0 || got.ErrorCode != 0 {
					continue
				}
				for i, r := range readAll(t, b, topic, len(c.times)) {
					want, kind := c.times[i], int8(0)
					if c.given {
						want, kind = got.LogAppendTime, 1
					}
					if r.Timestamp.UnixMilli() != want || r.Attrs.TimestampType() != kind {
						t.Errorf("version %d, %s: record %d has %d of type %d, want %d", version, c.name, i, r.Timestamp.UnixMilli(), r.Attrs.TimestampType(), want)
					}
				}
			}
		}
	})
}

// TestCompressedBatchesStaySmall: a batch that fits into what the topic takes as it is packed fits with the broker's time too.
func TestCompressedBatchesStaySmall(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1, "message.timestamp.type", "LogAppendTime", "max.message.bytes", "20000")
		for _, codec := range codecs[1:] {
			c := b.Client(t, kgo.ProducerBatchCompression(codec), kgo.ProducerLinger(time.Second))
			r := record(topic, time.Now())
			r.Value = bytes.Repeat([]byte("same "), 20_000)
			if err := c.ProduceSync(context.Background(), r).FirstErr(); err != nil {
				t.Error(err)
			}
		}
		for _, r := range readAll(t, b, topic, len(codecs)-1) {
			if r.Attrs.TimestampType() != 1 || r.Attrs.CompressionType() == 0 {
				t.Errorf("type %d, compression %d", r.Attrs.TimestampType(), r.Attrs.CompressionType())
			}
		}
	})
}
