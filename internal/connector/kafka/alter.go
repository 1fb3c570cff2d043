package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

// topicOptions are the options of managed tables that are settings of the topic. One that follows the table is changed with it: it holds for rows that
// come, and takes none away.
var topicOptions = []struct {
	option, setting string
	follows         bool
}{
	{"kafka.cleanup-policy", "cleanup.policy", false},
	{"kafka.retention.time", "retention.ms", false},
	{"kafka.retention.size", "retention.bytes", false},
	{"kafka.compaction.time", "max.compaction.lag.ms", false},
	{"kafka.max-message-size", "max.message.bytes", false},
	{timestampTypeOption, "message.timestamp.type", true},
}

// timestampTypeOption says who gives records their timestamps.
const timestampTypeOption = "kafka.message-timestamp-type"

const (
	anew      = "CREATE another table and INSERT INTO it"
	elsewhere = "the rows lie where they were written; " + anew
)

// alter refuses what would have to be changed in the topic: its partitions, the keys of its records, most of its settings. What only says how it is read
// or written may change. Who gives the timestamps is changed at the brokers.
func (m managed) alter(from, to connector.Table, was, is connector.Options) error {
	if from.Buckets != to.Buckets {
		return &connector.OptionError{Key: "connector", Message: "a managed table keeps its buckets, which are the partitions of its topic", Hint: elsewhere}
	}
	if !slices.Equal(keyNames(from), keyNames(to)) {
		return &connector.OptionError{Key: "connector", Message: "a managed table keeps its primary key or distribution, whose columns are the keys of the records in its topic", Hint: elsewhere}
	}
	before, err := m.settings(from, was)
	if err != nil {
		return err
	}
	after, err := m.settings(to, is)
	if err != nil {
		return err
	}
	var changes []kadm.AlterConfig
	for _, o := range topicOptions {
		old, now := before[o.setting], after[o.setting]
		if old == now {
			continue
		}
		if o.follows {
			changes = append(changes, kadm.AlterConfig{Op: kadm.SetConfig, Name: o.setting, Value: &now})
			continue
		}
		if o.setting == "cleanup.policy" && was[o.option] == is[o.option] {
			return &connector.OptionError{Key: "changelog.mode", Message: fmt.Sprintf("a managed table keeps the 'cleanup.policy' of its topic: it is '%s', and the table would need '%s'", old, now), Hint: anew}
		}
		hint := fmt.Sprintf("set '%s' of topic '%s' at the brokers, or %s", o.setting, to.Name, anew)
		if now != "" {
			hint = fmt.Sprintf("set '%s' = '%s' of topic '%s' at the brokers, or %s", o.setting, now, to.Name, anew)
		}
		return &connector.OptionError{Key: o.option, Message: fmt.Sprintf("'%s' is a setting of the topic, which CREATE TABLE has made", o.option), Hint: hint}
	}
	if len(changes) == 0 || m.home == nil {
		return nil
	}
	return m.change(to, is, changes)
}

// change changes settings of the topic of t.
func (m managed) change(t connector.Table, o connector.Options, changes []kadm.AlterConfig) error {
	return m.onTopic(t, o, "change", func(ctx context.Context, admin *kadm.Client) error {
		answers, err := admin.AlterTopicConfigs(ctx, changes, t.Name)
		if err != nil {
			return err
		}
		for _, a := range answers {
			err = errors.Join(err, a.Err)
		}
		if err != nil {
			return err
		}
		return changed(ctx, admin, t.Name, changes)
	})
}

// changed waits until the brokers have the settings that they were just given: they learn of them one after the other, and Apache Kafka tells of them a little before its logs follow.
func changed(ctx context.Context, admin *kadm.Client, topic string, changes []kadm.AlterConfig) error {
	for told := 0; told < toldBefore; {
		answers, err := admin.DescribeTopicConfigs(ctx, topic)
		if err != nil {
			return err
		}
		r, err := answers.On(topic, nil)
		if err == nil {
			err = r.Err
		}
		if err != nil {
			return err
		}
		told++
		if slices.ContainsFunc(changes, func(c kadm.AlterConfig) bool {
			return !slices.ContainsFunc(r.Configs, func(is kadm.Config) bool { return is.Key == c.Name && is.MaybeValue() == *c.Value })
		}) {
			told = 0
		}
		pauseFor(ctx, visibleEvery)
	}
	return nil
}

// toldBefore is how often in a row brokers have told of a setting when it counts as followed: 100 ms.
const toldBefore = 5

func keyNames(t connector.Table) []string {
	var names []string
	for _, k := range t.Keys {
		names = append(names, t.Schema[k].Name)
	}
	return names
}

// settings are those that a topic for t would be given; one that is left to the brokers is "".
func (m managed) settings(t connector.Table, o connector.Options) (map[string]string, error) {
	c, err := readOptions(kindManaged, m.home, t, o)
	if err != nil {
		return nil, err
	}
	pointers, err := topicSettings(c, o)
	settings := map[string]string{}
	for key, v := range pointers {
		settings[key] = *v
	}
	return settings, err
}
