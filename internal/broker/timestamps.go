package broker

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// enforceTimestamps looks at a produce request before the cluster does. A topic with message.timestamp.type = LogAppendTime gives its
// records the time at which they arrive; that it was the broker who gave it is not kept, and readers see a CreateTime. Any other topic refuses a
// batch with a record that is further from the broker's clock than message.timestamp.before.max.ms and message.timestamp.after.max.ms allow.
func (b *Broker) enforceTimestamps(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	produce := request.(*kmsg.ProduceRequest)
	for i := range produce.Topics {
		t := &produce.Topics[i]
		info := b.topic(t)
		if info == nil {
			continue
		}
		now := time.Now().UnixMilli()
		if stamped(info.Configs) {
			for k := range t.Partitions {
				p := &t.Partitions[k]
				p.Records = stamp(p.Records, now)
			}
			continue
		}
		before, after := bounds(info.Configs)
		if before == math.MaxInt64 && after == math.MaxInt64 {
			continue
		}
		for k := range t.Partitions {
			if p := &t.Partitions[k]; !within(p.Records, now, before, after) {
				b.cluster.Fault(kfake.Fault{
					Keys: []kmsg.Key{kmsg.Produce}, Topic: info.Topic, Partitions: []int32{p.Partition},
					Err: kerr.InvalidTimestamp, When: func(r kmsg.Request) bool { return r == request },
				})
			}
		}
	}
	return nil, nil, false
}

func (b *Broker) topic(t *kmsg.ProduceRequestTopic) *kfake.TopicInfo {
	if t.Topic != "" {
		return b.cluster.TopicInfo(t.Topic)
	}
	return b.cluster.TopicIDInfo(t.TopicID)
}

func stamped(config map[string]*string) bool {
	v := config["message.timestamp.type"]
	return v != nil && *v == "LogAppendTime"
}

// bounds are how far before and after the broker's clock a record may be, in milliseconds. The default is no bound: events of the past and
// of a simulated future are what an event-time engine is tried with.
func bounds(config map[string]*string) (before, after int64) {
	limit := func(key string) int64 {
		if v := config[key]; v != nil {
			if n, err := strconv.ParseInt(*v, 10, 64); err == nil && n >= 0 {
				return n
			}
		}
		return math.MaxInt64
	}
	return limit("message.timestamp.before.max.ms"), limit("message.timestamp.after.max.ms")
}

// stamp gives all records of a batch the time now. A batch that cannot be read is left to the cluster to refuse.
func stamp(batch []byte, now int64) []byte {
	var b kmsg.RecordBatch
	if err := b.ReadFrom(batch); err != nil || b.CRC != int32(crc32.Checksum(batch[attributesAt:], castagnoli)) {
		return batch
	}
	records, err := kfake.BatchRecords(b)
	if err != nil {
		return batch
	}
	b.FirstTimestamp, b.MaxTimestamp = now, now
	b.Attributes &^= codecBits
	b.Records = nil
	var body []byte
	for i := range records {
		r := &records[i]
		r.TimestampDelta, r.TimestampDelta64 = 0, 0
		r.Length = 0
		body = r.AppendTo(body[:0])
		r.Length = int32(len(body) - 1) // a length of 0 takes one byte
		b.Records = r.AppendTo(b.Records)
	}
	b.Length = 0
	b.Length = int32(len(b.AppendTo(nil)) - behindLength)
	out := b.AppendTo(nil)
	binary.BigEndian.PutUint32(out[crcAt:], crc32.Checksum(out[attributesAt:], castagnoli))
	return out
}

// within reports whether all records of a batch are within the bounds. A batch that cannot be read is left to the cluster to refuse.
func within(batch []byte, now, before, after int64) bool {
	var b kmsg.RecordBatch
	if err := b.ReadFrom(batch); err != nil {
		return true
	}
	records, err := kfake.BatchRecords(b)
	if err != nil {
		return true
	}
	for i := range records {
		at := b.FirstTimestamp + records[i].TimestampDelta64
		if now-at > before || at-now > after {
			return false
		}
	}
	return true
}
