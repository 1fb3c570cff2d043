package kafka

import (
	"context"

	"github.com/twmb/franz-go/pkg/kgo"
)

// partitioners has records partitioned as the sink says that they come from, for a client that several sinks write to. A record's context says which sink that is.
type partitioners struct{}

// ForTopic implements kgo.Partitioner.
func (partitioners) ForTopic(topic string) kgo.TopicPartitioner {
	return &topicPartitioners{topic, map[*sink]kgo.TopicPartitioner{}}
}

// topicPartitioners are those of a topic. The client calls them one at a time.
type topicPartitioners struct {
	topic  string
	bySink map[*sink]kgo.TopicPartitioner
}

type sinkOfRecord struct{}

// withSink is the context of the records of s.
func withSink(s *sink) context.Context {
	return context.WithValue(context.Background(), sinkOfRecord{}, s)
}

func (t *topicPartitioners) of(r *kgo.Record) kgo.TopicPartitioner {
	s := r.Context.Value(sinkOfRecord{}).(*sink)
	p := t.bySink[s]
	if p == nil {
		p = s.partitioner().ForTopic(t.topic)
		t.bySink[s] = p
	}
	return p
}

// RequiresConsistency implements kgo.TopicPartitioner.
func (t *topicPartitioners) RequiresConsistency(r *kgo.Record) bool {
	return t.of(r).RequiresConsistency(r)
}

// Partition implements kgo.TopicPartitioner.
func (t *topicPartitioners) Partition(r *kgo.Record, n int) int { return t.of(r).Partition(r, n) }

// PartitionByBackup implements kgo.TopicBackupPartitioner.
func (t *topicPartitioners) PartitionByBackup(r *kgo.Record, n int, backup kgo.TopicBackupIter) int {
	p := t.of(r)
	if b, ok := p.(kgo.TopicBackupPartitioner); ok {
		return b.PartitionByBackup(r, n, backup)
	}
	return p.Partition(r, n)
}
