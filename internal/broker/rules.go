package broker

import (
	"strings"

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
			} else if !allFit(t.Configs, func(c kmsg.CreateTopicsRequestTopicConfig) (string, *string) { return c.Name, c.Value }) {
				refuse(t.Topic, kerr.InvalidConfig)
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

// enforceSettings looks at a request that changes settings of topics or of the server before the cluster does, which would take any value.
func (b *Broker) enforceSettings(request kmsg.Request) (kmsg.Response, error, bool) { //nolint:revive // the order is kfake's
	follow := func(kind kmsg.ConfigResourceType, name string, fit, dry bool, apply func()) {
		switch {
		case !fit && kind == kmsg.ConfigResourceTypeBroker:
			name = "" // the cluster has no name for it here
			fallthrough
		case !fit:
			b.cluster.Fault(kfake.Fault{
				Keys: []kmsg.Key{kmsg.Key(request.Key())}, Resource: name, Err: kerr.InvalidConfig, When: func(r kmsg.Request) bool { return r == request },
			})
		case kind == kmsg.ConfigResourceTypeBroker && !dry && (name == "" || name == onlyNode):
			apply()
		}
	}
	switch r := request.(type) {
	case *kmsg.AlterConfigsRequest:
		for i := range r.Resources {
			x := &r.Resources[i]
			fit := allFit(x.Configs, func(c kmsg.AlterConfigsRequestResourceConfig) (string, *string) { return c.Name, c.Value })
			follow(x.ResourceType, x.ResourceName, fit, r.ValidateOnly, func() { b.server.set(x) })
		}
	case *kmsg.IncrementalAlterConfigsRequest:
		for i := range r.Resources {
			x := &r.Resources[i]
			fit := allFit(x.Configs, func(c kmsg.IncrementalAlterConfigsRequestResourceConfig) (string, *string) { return c.Name, c.Value })
			follow(x.ResourceType, x.ResourceName, fit, r.ValidateOnly, func() { b.server.change(x) })
		}
	}
	return nil, nil, false
}

// onlyNode is the number of the one broker of the cluster.
const onlyNode = "0"

// allFit reports whether settings, of a topic or of the server, can have their values.
func allFit[T any](settings []T, of func(T) (key string, value *string)) bool {
	for _, s := range settings {
		if key, value := of(s); !fits(strings.TrimPrefix(key, serverPrefix), value) {
			return false
		}
	}
	return true
}
