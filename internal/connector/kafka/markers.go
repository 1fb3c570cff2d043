package kafka

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// A transaction has ended when its coordinator says so. Its rows come to light, or are given up, when the partitions have been told, each by a marker. Apache Kafka 4.4 can leave markers out: a broker
// that starts after a kill takes partitions whose leader it does not know for deleted ones (KAFKA-20734). Then the rows stay between the two, and the next transaction of the same producer decides
// over them too: rows that were given up come to light with those that were written in their stead. So whoever goes on looks, and tells partitions what they have missed.

// offsetsTopic is where brokers keep the offsets of groups, and so the numbers of transactions.
const offsetsTopic = "__consumer_offsets"

// end is how a transaction of a producer ended, for who tells partitions.
type end struct {
	id       string // transactional
	producer int64
	epoch    int16 // the newest that the transaction can have
	commit   bool
}

// complete implements coordinator.
func (b *brokers) complete(ctx context.Context, p prepared) error {
	e := endOf(p)
	d, err := b.ended(ctx, e.id)
	if err != nil || d == nil || d.ProducerID == e.producer && d.ProducerEpoch <= e.epoch {
		return err // with brokers before Kafka 4.0 the epoch is that of the next transaction too, which may be what is open
	}
	return b.mark(ctx, e)
}

// completeLast is complete for who has committed a transaction just now, and has begun no other with its id.
func (b *brokers) completeLast(ctx context.Context, p prepared) error {
	e := endOf(p)
	if d, err := b.ended(ctx, e.id); err != nil || d == nil {
		return err
	}
	return b.mark(ctx, e)
}

// endOf is how a transaction ends that is in a checkpoint.
func endOf(p prepared) end {
	return end{transactionalID(p.base, p.which), p.producer, p.epoch, true}
}

// ended waits until the coordinator takes for finished what was done last with an id, and tells how it was; nil if it does not know the id any more.
func (b *brokers) ended(ctx context.Context, id string) (*kadm.DescribedTransaction, error) {
	admin := kadm.NewClient(b.client)
	for pause := time.Millisecond; ; pause = min(2*pause, again) {
		described, err := admin.DescribeTransactions(ctx, id)
		d := described[id]
		if err == nil {
			err = d.Err
		}
		switch {
		case errors.Is(err, kerr.TransactionalIDNotFound):
			return nil, nil
		case err == nil && !strings.HasPrefix(d.State, "Prepare"):
			return &d, nil
		case err != nil && !passing(err) || !pauseFor(ctx, pause):
			return nil, b.transactions.config.transactionError("ask what became of the transaction of the newest checkpoint", err)
		}
	}
}

// giveUp sees that partitions have given up what the producers that had an id before this client have left open. The coordinator has already.
func (b *brokers) giveUp(ctx context.Context, id string, c *kgo.Client) error {
	producer, epoch, err := c.ProducerID(ctx)
	if err != nil {
		return b.transactions.config.transactionError("begin to write in transactions", err)
	}
	return b.mark(ctx, end{id, producer, epoch - 1, false})
}

// mark tells the end of a transaction to the partitions that have not heard of it. Topics that this client may not read are left out, and not asked about again.
func (b *brokers) mark(ctx context.Context, e end) error {
	c := b.transactions.config
	what := fmt.Sprintf("tell partitions how transaction '%s' ended", e.id)
	for {
		open, err := b.unheard(ctx, e, append(b.transactions.topics(), offsetsTopic)...)
		if err == nil && len(open) == 0 {
			return nil
		}
		for _, p := range open {
			err = errors.Join(err, b.tell(ctx, p, e))
		}
		if errors.Is(err, kerr.ClusterAuthorizationFailed) {
			what = fmt.Sprintf("tell partition %d of topic '%s' how transaction '%s' ended, which brokers that were killed have not done, and who may run kafka-transactions.sh can do too", open[0].Partition, open[0].Topic, e.id)
		}
		if err != nil && !passing(err) || !wait(ctx) {
			return c.transactionError(what, err)
		}
	}
}

// unheard finds the partitions of topics in which a transaction is open. One topic that this client may not read is enough for brokers to tell nothing, so that such are found one by one.
func (b *brokers) unheard(ctx context.Context, e end, topics ...string) (open []kadm.DescribedProducer, err error) {
	topics = slices.DeleteFunc(topics, func(name string) bool { return b.transactions.unreadable[name] })
	if len(topics) == 0 {
		return nil, nil
	}
	described, err := b.producers(ctx, topics)
	switch {
	case errors.Is(err, kerr.TopicAuthorizationFailed) && len(topics) == 1:
		b.transactions.unreadable[topics[0]] = true
		return nil, nil
	case errors.Is(err, kerr.TopicAuthorizationFailed):
		for _, topic := range topics {
			more, err := b.unheard(ctx, e, topic)
			if err != nil {
				return nil, err
			}
			open = append(open, more...)
		}
		return open, nil
	case err != nil:
		return nil, err
	}
	described.EachPartition(func(p kadm.DescribedProducersPartition) {
		if err == nil && p.Err != nil && kerr.IsRetriable(p.Err) {
			err = p.Err
		}
		for _, x := range p.ActiveProducers {
			if x.ProducerID == e.producer && x.ProducerEpoch <= e.epoch && x.CurrentTxnStartOffset >= 0 {
				open = append(open, x)
			}
		}
	})
	return open, err
}

// producers are those that are known in the partitions of topics, of those that there are.
func (b *brokers) producers(ctx context.Context, topics []string) (kadm.DescribedProducersTopics, error) {
	admin := kadm.NewClient(b.client)
	there, err := admin.ListTopics(ctx, topics...)
	if err != nil {
		return nil, err
	}
	set := kadm.TopicsSet{}
	for name, topic := range there {
		if topic.Err == nil {
			set.Add(name, topic.Partitions.Numbers()...)
		} else if !errors.Is(topic.Err, kerr.UnknownTopicOrPartition) {
			return nil, topic.Err
		}
	}
	if len(set) == 0 { // which would mean all
		return nil, nil
	}
	return admin.DescribeProducers(ctx, set)
}

// passing reports whether it helps to ask again: brokers are busy, or away for a while.
func passing(err error) bool {
	if k, ok := errors.AsType[*kerr.Error](err); ok {
		return k.Retriable
	}
	_, away := errors.AsType[net.Error](err)
	return away && !errors.Is(err, context.DeadlineExceeded) || kgo.IsRetryableBrokerErr(err)
}

// tell writes the marker of a transaction into one partition.
func (b *brokers) tell(ctx context.Context, p kadm.DescribedProducer, e end) error {
	var one kadm.TopicsSet
	one.Add(p.Topic, p.Partition)
	told, err := kadm.NewClient(b.client).WriteTxnMarkers(ctx, kadm.TxnMarkers{ProducerID: p.ProducerID, ProducerEpoch: p.ProducerEpoch, Commit: e.commit, CoordinatorEpoch: max(p.CoordinatorEpoch, 0), Topics: one})
	if err != nil {
		return err
	}
	told.EachPartition(func(x kadm.TxnMarkersPartitionResponse) { err = errors.Join(err, x.Err) })
	return err
}

// topics are those that the statement writes.
func (t *transactions) topics() (topics []string) {
	for _, s := range t.sinks {
		topics = append(topics, s.config.topics[0])
	}
	return topics
}
