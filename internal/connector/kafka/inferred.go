package kafka

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// inferred are the topics that are tables without CREATE TABLE. Nothing is known of what is in their records, so the columns are the bytes of key and
// value. Confluent Cloud: a topic without a schema.
type inferred struct{ managed }

// internal reports whether a topic is not for users: those of the brokers, and those in which pipelines hand over their watermarks.
func internal(topic string) bool { return strings.HasPrefix(topic, "_") }

// Names implements connector.Inferred.
func (i inferred) Names() (names []string, err error) {
	err = i.ask("ask for topics", func(ctx context.Context, admin *kadm.Client) error {
		there, err := admin.ListTopics(ctx)
		if err == nil {
			names = slices.DeleteFunc(there.Names(), internal)
		}
		return err
	})
	return names, err
}

// Describe implements connector.Inferred.
func (i inferred) Describe(names []string) (tables []connector.InferredTable, err error) {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return internal(name) || topicrule.Name(name) != "" })
	if len(names) == 0 {
		return nil, nil
	}
	what := "ask for topics"
	if len(names) == 1 {
		what = "ask for topic '" + names[0] + "'"
	}
	err = i.ask(what, func(ctx context.Context, admin *kadm.Client) error {
		tables, err = describe(ctx, admin, names)
		return err
	})
	return tables, err
}

// ask asks the brokers something, unless they can have no topics.
func (i inferred) ask(what string, do func(ctx context.Context, admin *kadm.Client) error) error {
	if i.home.Empty() {
		return nil
	}
	c := &config{kind: kindManaged, home: i.home}
	c.with(kgo.ClientID("tidemark"))
	admin, err := i.admin(c)
	if err != nil {
		return err
	}
	defer admin.Close()
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	if err := do(ctx, admin); err != nil {
		return c.unreachable(what, err)
	}
	return nil
}

func describe(ctx context.Context, admin *kadm.Client, names []string) (tables []connector.InferredTable, err error) {
	topics, err := admin.ListTopics(ctx, names...)
	if err != nil {
		return nil, err
	}
	names = nil
	for _, t := range topics.Sorted() {
		switch {
		case errors.Is(t.Err, kerr.UnknownTopicOrPartition), errors.Is(t.Err, kerr.InvalidTopicException):
		case t.Err != nil:
			return nil, fmt.Errorf("topic '%s': %w", t.Topic, t.Err)
		default:
			names = append(names, t.Topic)
		}
	}
	if names == nil {
		return nil, nil
	}
	settings, err := admin.DescribeTopicConfigs(ctx, names...)
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		// Who may read a topic need not be told its settings.
		if s.Err != nil && !errors.Is(s.Err, kerr.TopicAuthorizationFailed) && !errors.Is(s.Err, kerr.ClusterAuthorizationFailed) {
			return nil, fmt.Errorf("topic '%s': %w", s.Name, s.Err)
		}
		tables = append(tables, inferredTable(s, len(topics[s.Name].Partitions)))
	}
	return tables, nil
}

func inferredTable(topic kadm.ResourceConfig, partitions int) connector.InferredTable {
	t := connector.InferredTable{
		Table: connector.Table{
			Name:   topic.Name,
			Schema: types.Schema{{Name: "key", Type: types.BytesType}, {Name: "val", Type: types.BytesType}},
			Keys:   []int{0},
		},
		Options: connector.Options{"connector": ManagedName, "key.format": "raw", "value.format": "raw"},
	}
	// A topic can grow beyond what it can be made with.
	if partitions <= topicrule.MaxPartitions {
		t.Buckets = partitions
	}
	for _, o := range topicOptions {
		at := slices.IndexFunc(topic.Configs, func(c kadm.Config) bool { return c.Key == o.setting })
		if at < 0 {
			continue
		}
		if v := optionOf(o.setting, topic.Configs[at].MaybeValue()); v != "" {
			t.Options[o.option] = v
		}
	}
	return t
}

// optionOf is what the option of a managed table says for a setting of its topic, "" if that is what a table has that does not say. It is the reverse of
// topicSettings.
func optionOf(setting, v string) string {
	n, err := strconv.ParseInt(v, 10, 64)
	if err == nil && (n < 0 || n > math.MaxInt64/1000) {
		return "" // without a limit
	}
	switch setting {
	case "cleanup.policy":
		switch v {
		case "compact":
			return v
		case "delete,compact", "compact,delete":
			return "delete-compact"
		}
	case "message.timestamp.type":
		if v != "CreateTime" {
			return v
		}
	case "max.message.bytes":
		if n != defaultMessage && err == nil {
			return v + " bytes"
		}
	case "retention.bytes":
		if err == nil {
			return v + " bytes"
		}
	default: // a duration
		if err == nil {
			return strconv.FormatInt(max(n, 1), 10) + " ms"
		}
	}
	return ""
}
