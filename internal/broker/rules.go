package broker

import (
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/topicrule"
)

// enforceRules looks at a request that makes topics or partitions before the cluster does, which would take any name and any number.
func (b *Broker) enforceRules(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	refuse := func(topic string, err *kerr.Error) {
		b.cluster.Fault(kfake.Fault{
			Keys: []kmsg.Key{kmsg.Key(request.Key())}, Topic: topic, Err: err, When: func(r kmsg.Request) bool { return r == request },
		})
	}
	switch r := request.(type) {
	case *kmsg.CreateTopicsRequest:
		for _, t := range r.Topics {
			if topicrule.Name(t.Topic) != "" {
				refuse(t.Topic, kerr.InvalidTopicException)
			} else if t.NumPartitions > topicrule.MaxPartitions || len(t.ReplicaAssignment) > topicrule.MaxPartitions {
				refuse(t.Topic, kerr.InvalidPartitions)
			}
		}
	case *kmsg.CreatePartitionsRequest:
		for _, t := range r.Topics {
			if t.Count > topicrule.MaxPartitions {
				refuse(t.Topic, kerr.InvalidPartitions)
			}
		}
	}
	return nil, nil, false
}
