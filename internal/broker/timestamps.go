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

// Where things are in a record batch, and the bit that says that the broker gave its records their time.
const (
	crcAt         = 17
	attributesAt  = 21
	batchHead     = 61
	logAppendTime = 0x08
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// enforceTimestamps looks at a produce request before the cluster does. A topic with message.timestamp.type = LogAppendTime gives its
// records the time at which they arrive. Any other refuses a batch with a record that is further from the broker's clock than
// message.timestamp.before.max.ms and message.timestamp.after.max.ms allow.
func (b *Broker) enforceTimestamps(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	produce := request.(*kmsg.ProduceRequest)
	for i := range produce.Topics {
		t := &produce.Topics[i]
		info := b.topic(t)
		if info == nil {
			continue
		}
		if stamped(info.Configs) {
			for k := range t.Partitions {
				stamp(t.Partitions[k].Records)
			}
			continue
		}
		before, after := bounds(info.Configs)
		if before == math.MaxInt64 && after == math.MaxInt64 {
			continue
		}
		now := time.Now().UnixMilli()
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

// stamp marks a batch as one whose records have the time of their arrival; the cluster puts in the time. A batch that is not whole is left
// to the cluster to refuse.
func stamp(batch []byte) {
	if len(batch) < batchHead || !intact(batch) {
		return
	}
	batch[attributesAt+1] |= logAppendTime
	binary.BigEndian.PutUint32(batch[crcAt:], crc32.Checksum(batch[attributesAt:], castagnoli))
}

func intact(batch []byte) bool {
	return binary.BigEndian.Uint32(batch[crcAt:]) == crc32.Checksum(batch[attributesAt:], castagnoli)
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
