package brokertest

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Refuser is a broker that does not allow everything.
type Refuser struct {
	Target
	cluster *kfake.Cluster
}

// StartRefuser starts one for the length of the test, that allows everything so far.
func StartRefuser(tb testing.TB) Refuser {
	tb.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return Refuser{Target{Addr: c.ListenAddrs()[0]}, c}
}

// Refuse lets requests of a kind that are about a topic, or its settings, be answered with an error from now on.
func (r Refuser) Refuse(key kmsg.Key, topic string, err *kerr.Error) {
	keys := []kmsg.Key{key}
	r.cluster.Fault(kfake.Fault{Keys: keys, Topic: topic, Err: err, Count: -1}, kfake.Fault{Keys: keys, Resource: topic, Err: err, Count: -1})
}

// LeaveOut lets partition 0 of a topic say from now on that a transaction of a producer is open in it, as one does that was not told of its end, until it is told. It gives what it is told then.
func (r Refuser) LeaveOut(topic string, producer int64, epoch int16) <-chan kmsg.WriteTxnMarkersRequestMarker {
	told := make(chan kmsg.WriteTxnMarkersRequestMarker, 1)
	heard := false
	r.cluster.ControlKey(int16(kmsg.DescribeProducers), func(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
		r.cluster.KeepControl()
		q := request.(*kmsg.DescribeProducersRequest)
		answer := q.ResponseKind().(*kmsg.DescribeProducersResponse)
		for _, t := range q.Topics {
			topicAnswer := kmsg.NewDescribeProducersResponseTopic()
			topicAnswer.Topic = t.Topic
			for _, p := range t.Partitions {
				partition := kmsg.NewDescribeProducersResponseTopicPartition()
				partition.Partition = p
				if t.Topic == topic && p == 0 && !heard {
					active := kmsg.NewDescribeProducersResponseTopicPartitionActiveProducer()
					active.ProducerID, active.ProducerEpoch, active.CurrentTxnStartOffset = producer, int32(epoch), 0
					partition.ActiveProducers = append(partition.ActiveProducers, active)
				}
				topicAnswer.Partitions = append(topicAnswer.Partitions, partition)
			}
			answer.Topics = append(answer.Topics, topicAnswer)
		}
		return answer, nil, true
	})
	r.cluster.ControlKey(int16(kmsg.WriteTxnMarkers), func(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
		for _, m := range request.(*kmsg.WriteTxnMarkersRequest).Markers {
			if m.ProducerID == producer && m.ProducerEpoch == epoch {
				heard = true
				told <- m
			}
		}
		return nil, nil, false
	})
	return told
}
