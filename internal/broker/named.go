package broker

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tidemark-sql/tidemark/internal/topicrule"
)

// makeNamed makes the topics that a client names and that are not there, if it asks for that. Apache Kafka does so unless its server says otherwise. The
// cluster would make them too, with any name, and would not write down that they are there before it ends.
func (b *Broker) makeNamed(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	r := request.(*kmsg.MetadataRequest)
	if !r.AllowAutoTopicCreation {
		return nil, nil, false
	}
	for _, t := range r.Topics {
		if t.Topic == nil || b.cluster.TopicInfo(*t.Topic) != nil {
			continue
		}
		if err := b.makeTopic(*t.Topic); err != nil {
			b.cluster.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.Metadata}, Topic: *t.Topic, Err: err, When: func(r kmsg.Request) bool { return r == request },
			})
		}
	}
	return nil, nil, false
}

// makeTopic makes a topic as the server's settings say. It is in the folder when it returns.
func (b *Broker) makeTopic(name string) *kerr.Error {
	if topicrule.Name(name) != "" {
		return kerr.InvalidTopicException
	}
	err, _ := errors.AsType[*kerr.Error](b.cluster.CreateTopic(name, 0, nil))
	if err == kerr.TopicAlreadyExists { // another client was faster
		return nil
	}
	return err
}
