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
