package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

const guestLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required username="guest" password="other word";`

// builder is r as kadm has it.
func (r right) builder() *kadm.ACLBuilder {
	operation := map[string]kadm.ACLOperation{"Read": kadm.OpRead, "Write": kadm.OpWrite, "ClusterAction": kadm.OpClusterAction}[r.operation]
	b := kadm.NewACLs().Allow("User:guest").AllowHosts("*").Operations(operation).ResourcePatternType(kadm.ACLPatternLiteral)
	if r.prefixed {
		b.ResourcePatternType(kadm.ACLPatternPrefixed)
	}
	switch r.resource {
	case "topic":
		return b.Topics(r.name)
	case "group":
		return b.Groups(r.name)
	case "transactional-id":
		return b.TransactionalIDs(r.name)
	}
	return b.Clusters()
}

// permit lets the guest do something for the length of the test.
func permit(t *testing.T, admin *kadm.Client, r right) {
	t.Helper()
	made, err := admin.CreateACLs(t.Context(), r.builder())
	if err == nil {
		err = made[0].Err
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.DeleteACLs(context.Background(), r.builder()); err != nil {
			t.Error(err)
		}
	})
	for { // the broker hears of it later than who was asked
		there, err := admin.DescribeACLs(t.Context(), r.builder())
		if err == nil && len(there) > 0 {
			err = there[0].Err
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(there) > 0 && len(there[0].Described) > 0 {
			return
		}
	}
}

// TestRights has a user write exactly once who lacks one right after the other. What he lacks is said, with the command that grants it, unless it can be done without.
func TestRights(t *testing.T) {
	b := brokertest.Target{Addr: brokertest.Kafka(t, "TIDEMARK_KAFKA")}
	login := []string{"properties.bootstrap.servers", brokertest.Kafka(t, "TIDEMARK_KAFKA_SASL"), "properties.security.protocol", "SASL_PLAINTEXT", "properties.sasl.mechanism", "PLAIN",
		"properties.sasl.jaas.config", guestLogin}
	cluster := right{operation: "ClusterAction", resource: "cluster"}
	for i, c := range []struct {
		name  string
		lacks func(right) bool
		start string // what is said when it starts, and so on; TOPIC and PREFIX are the names
		write string
		tell  string // what is said when a partition has to be told
	}{
		{name: "nothing", lacks: func(right) bool { return false }},
		{name: "to write to the topic", lacks: func(r right) bool { return r.resource == "topic" && r.operation == "Write" },
			write: "write to topic 'TOPIC': user 'guest' lacks the right Write on topic 'TOPIC'\npermit it: kafka-acls.sh --add --allow-principal 'User:guest' --operation Write --topic 'TOPIC'"},
		{name: "to read the topic", lacks: func(r right) bool { return r.resource == "topic" && r.operation == "Read" && r.name != offsetsTopic },
			write: "user 'guest' lacks the right Read on topic 'TOPIC'\npermit it: kafka-acls.sh --add --allow-principal 'User:guest' --operation Read --topic 'TOPIC'; or write 'sink.delivery-guarantee' = 'at-least-once'"},
		{name: "to write under transactional ids", lacks: func(r right) bool { return r.resource == "transactional-id" },
			start: "begin to write in transactions: user 'guest' lacks the right Write on transactional ids that begin with 'PREFIX'\npermit it: kafka-acls.sh --add --allow-principal 'User:guest' --operation Write --transactional-id 'PREFIX' --resource-pattern-type prefixed; or"},
		{name: "to read groups", lacks: func(r right) bool { return r.resource == "group" },
			start: "which transactions were committed: user 'guest' lacks the right Read on groups that begin with 'PREFIX'\npermit it: kafka-acls.sh --add --allow-principal 'User:guest' --operation Read --group 'PREFIX' --resource-pattern-type prefixed; or"},
		{name: "to read offsets", lacks: func(r right) bool { return r.name == offsetsTopic }},
		{name: "to act as a broker", lacks: func(r right) bool { return r == cluster },
			tell: "user 'guest' lacks the right ClusterAction on the cluster\npermit it: kafka-acls.sh --add --allow-principal 'User:guest' --operation ClusterAction --cluster; or"},
	} {
		t.Run(c.name, func(t *testing.T) {
			prefix := fmt.Sprintf("rights-%d", i)
			x := newExact(t, b, append(login, optionPrefix, prefix)...)
			admin := b.Admin(t)
			for _, r := range []right{
				{"Write", "topic", x.topic, false}, {"Read", "topic", x.topic, false}, {"Read", "topic", offsetsTopic, false}, {"Write", "transactional-id", prefix, true}, {"Read", "group", prefix, true}, cluster,
			} {
				if !c.lacks(r) {
					permit(t, admin, r)
				}
			}
			// says reports whether what was to be done has failed, as was wanted.
			says := func(err error, want string) bool {
				t.Helper()
				if err == nil || want == "" {
					if err != nil || want != "" {
						t.Errorf("%v, want %q", err, want)
					}
					return err != nil
				}
				said := err.Error()
				if o, ok := errors.AsType[*connector.OptionError](err); ok {
					said += "\n" + o.Hint
				}
				if want = strings.NewReplacer("TOPIC", x.topic, "PREFIX", prefix).Replace(want); fault.Of(err) != fault.User || !strings.Contains(said, want) {
					t.Errorf("%s\nwant %s", said, want)
				}
				return true
			}
			if says(x.start(nil, false), c.start) {
				return
			}
			defer x.die()
			x.write(1)
			e, err := x.sink.(connector.Checkpointed).Seal()
			var state []byte
			if err == nil {
				state, err = e.Prepare()
			}
			if says(err, c.write) {
				return
			}
			p, err := readPrepared(state)
			if err != nil {
				t.Fatal(err)
			}
			shared := x.sink.(*sink).shared
			if says((&brokers{transactions: shared, client: shared.pair[p.which].client}).mark(t.Context(), endOf(p)), c.tell) {
				if err := e.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			x.expect(1)
		})
	}
}
