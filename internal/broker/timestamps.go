package broker

import (
	"math"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The settings of topics that say what the timestamps of records may be. The server has them too, with serverPrefix in front.
const (
	timestampType   = "message.timestamp.type"
	timestampBefore = "message.timestamp.before.max.ms"
	timestampAfter  = "message.timestamp.after.max.ms"
	timestampSpan   = "message.timestamp.difference.max.ms" // both ways; Kafka 3.9 was the last to have it
	serverPrefix    = "log."

	createTime    = "CreateTime"
	logAppendTime = "LogAppendTime"
)

// timestampRule is what a topic demands of the timestamps of its records.
type timestampRule struct {
	appended bool // the broker gives them
	// before and after are how far from the broker's clock they may be, in milliseconds.
	before, after int64
}

// enforceTimestamps looks at a produce request before the cluster does. A topic with message.timestamp.type = LogAppendTime gives its
// records the time at which they arrive. Any other topic refuses a batch with a record that is further from the broker's clock than the topic allows.
func (b *Broker) enforceTimestamps(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	produce := request.(*kmsg.ProduceRequest)
	for i := range produce.Topics {
		t := &produce.Topics[i]
		info := b.topic(t)
		if info == nil {
			continue
		}
		rule := ruleOf(info.Configs, b.server.settings())
		now := time.Now().UnixMilli()
		for k := range t.Partitions {
			p := &t.Partitions[k]
			if !rule.allows(p.Records, now) {
				b.cluster.Fault(kfake.Fault{
					Keys: []kmsg.Key{kmsg.Produce}, Topic: info.Topic, Partitions: []int32{p.Partition},
					Err: kerr.InvalidTimestamp, When: func(r kmsg.Request) bool { return r == request },
				})
				continue
			}
			if !rule.appended {
				p.Records = clean(p.Records)
				continue
			}
			p.Records = stamp(p.Records, now)
			if at := b.cluster.PartitionInfo(info.Topic, p.Partition); at != nil && produce.Acks != 0 {
				b.appended.note(appendedAt{topicOf(t.Topic, t.TopicID), p.Partition, at.HighWatermark}, now)
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

// topicOf is how a request or its answer names a topic.
func topicOf(name string, id [16]byte) string {
	if name != "" {
		return name
	}
	return string(id[:])
}

// ruleOf is the rule of a topic with these settings on a server with those. Kafka: a setting of the topic wins over the same of the server, and then
// a bound before or after over the span. By default there is no bound: events of the past and of a simulated future are what an event-time engine is
// tried with.
func ruleOf(topic, server map[string]*string) timestampRule {
	setting := func(key string) *string {
		if v := topic[key]; v != nil {
			return v
		}
		return server[serverPrefix+key]
	}
	limit := func(keys ...string) int64 {
		for _, key := range keys {
			if v := setting(key); v != nil {
				if n, err := strconv.ParseInt(*v, 10, 64); err == nil && n >= 0 {
					return n
				}
			}
		}
		return math.MaxInt64
	}
	kind := setting(timestampType)
	return timestampRule{
		appended: kind != nil && *kind == logAppendTime,
		before:   limit(timestampBefore, timestampSpan),
		after:    limit(timestampAfter, timestampSpan),
	}
}

// allows reports whether a batch may be appended now. One that cannot be read is left to the cluster to refuse. Kafka 4.4: a record without a time is within
// all bounds, and no bound holds where the broker gives the times. A batch that claims to have its time from a broker is refused where it would get one, and
// elsewhere its greatest has to be within the bounds, and the claim is dropped.
func (r timestampRule) allows(batch []byte, now int64) bool {
	claims := len(batch) >= batchHead && attributesOf(batch)&appendTime != 0
	if r.appended || r.before == math.MaxInt64 && r.after == math.MaxInt64 && !claims {
		return !claims
	}
	var b kmsg.RecordBatch
	if err := b.ReadFrom(batch); err != nil {
		return true
	}
	within := func(at int64) bool { return now-at <= r.before && at-now <= r.after }
	if claims {
		return b.MaxTimestamp != noTimestamp && within(b.MaxTimestamp)
	}
	records, err := kfake.BatchRecords(b)
	if err != nil {
		return true
	}
	for i := range records {
		if at := b.FirstTimestamp + records[i].TimestampDelta64; at != noTimestamp && !within(at) {
			return false
		}
	}
	return true
}

// noTimestamp is the timestamp of a record that has none.
const noTimestamp = -1

// fits reports whether a setting of a topic can have a value; those of other matters can have any.
func fits(key string, value *string) bool {
	if value == nil {
		return true
	}
	switch key {
	case timestampType:
		return *value == createTime || *value == logAppendTime
	case timestampBefore, timestampAfter, timestampSpan:
		n, err := strconv.ParseInt(*value, 10, 64)
		return err == nil && n >= 0
	}
	return true
}
