package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
)

// ManagedName is the value of 'connector' of managed tables, which need not say it.
const ManagedName = "confluent"

// defaultBuckets is how many partitions a managed table gets that does not say. Confluent: 6.
const defaultBuckets = 6

// Home is the brokers in whose topics managed tables live.
type Home interface {
	// Address is host:port, several divided by commas. It is called when a table is first made, read or written.
	Address() (string, error)
	// Ends says what ends the brokers.
	Ends() Ending
	// Trouble is why the brokers could not write what they were sent, if they are of this process; otherwise, and if there is nothing to tell, nil.
	Trouble() error
	// Empty reports whether no topic can be there, so that nobody needs to be asked for one.
	Empty() bool
}

// Ending is what ends brokers, and so what their transactions withstand.
type Ending uint8

// The endings.
const (
	// Elsewhere are brokers of other processes, which are taken to be Apache Kafka.
	Elsewhere Ending = iota
	// WithProcess are brokers of this process that keep everything in a folder.
	WithProcess
	// Forgotten are brokers of this process that keep nothing.
	Forgotten
)

// At is a Home at an address of other processes.
type At string

// Address implements Home.
func (a At) Address() (string, error) { return string(a), nil }

// Ends implements Home.
func (At) Ends() Ending { return Elsewhere }

// Trouble implements Home.
func (At) Trouble() error { return nil }

// Empty implements Home.
func (At) Empty() bool { return false }

// Managed is the registry row of managed tables. With a nil home they can be described, and neither made nor read nor written.
func Managed(home Home) connector.Connector {
	m := managed{home}
	c := connector.Connector{
		Name:     ManagedName,
		Doc:      "a managed table: a topic of that name, made by CREATE TABLE and deleted by DROP TABLE; it is what a table has that names no connector",
		Specs:    managedSpecs,
		Metadata: confluentMetadata(),
		Yields:   managedYields,
		Takes:    managedTakes,
		Guarantee: func(_ connector.Table, o connector.Options) connector.Guarantee {
			return guaranteeOf(kindManaged, home, o)
		},
		NewSource: func(t connector.Table, o connector.Options) (connector.Source, error) {
			return newSource(kindManaged, home, t, o)
		},
		NewSink: func(t connector.Table, o connector.Options) (connector.Sink, error) {
			return newSink(kindManaged, home, t, o)
		},
		Snapshot:  snapshot,
		Recast:    recast,
		Topics:    true,
		HandsOver: true,
		Create:    m.create,
		Drop:      m.drop,
		Alter:     m.alter,
	}
	if home != nil {
		c.Inferred = inferred{m}
	}
	return c
}

var managedSpecs = slices.Concat([]connector.Spec{
	{Key: "changelog.mode", Values: []string{"append", "retract", "upsert"}, Default: "upsert with a primary key, else append",
		Doc: "how changes are written: append takes only new rows; retract tells a change in the header 'op'; upsert replaces the row of the primary key, and deletes it with a record without a value"},
	{Key: optionTimeout, Doc: timeoutDoc, Default: timeoutDefault},
	{Key: "properties.group.id", Doc: "the consumer group whose offsets 'group-offsets' means; nothing is committed to it"},
	{Key: "key.fields-prefix", Doc: "what the names of the key's columns begin with in the table and not in the record"},
	{Key: "value.fields-include", Values: []string{"all", "except-key"}, Doc: "whether the value has the columns of the key too", Default: "except-key"},
	{Key: "kafka.cleanup-policy", Values: []string{"delete", "compact", "delete-compact"}, Doc: "what may be deleted: what is older than the retention, or what a later record replaces", Default: "compact with changelog.mode upsert, else delete"},
	{Key: "kafka.retention.time", Doc: "how long records are kept; 0: for good", Default: "0"},
	{Key: "kafka.retention.size", Doc: "how many bytes of a partition are kept; 0: all", Default: "0 bytes"},
	{Key: "kafka.compaction.time", Doc: "after how long at the latest a record is compacted", Default: "the brokers'"},
	{Key: "kafka.max-message-size", Doc: "the largest batch of records", Default: "2097164 bytes"},
	{Key: timestampTypeOption, Values: []string{"CreateTime", "LogAppendTime"}, Doc: "who gives a record its timestamp: the writer, or the broker when it comes in", Default: "CreateTime"},
	{Key: "kafka.consumer.isolation-level", Values: []string{"read-committed", "read-uncommitted"}, Doc: "read-committed leaves out what transactions have not committed", Default: "read-committed"},
	{Key: "kafka.producer.compression.type", Values: []string{"none", "gzip", "snappy", "lz4", "zstd"}, Doc: "how batches are compressed", Default: "none"},
}, scanSpecs("earliest-offset"), managedFormatSpecs("value.", "json; Confluent: avro-registry"), managedFormatSpecs("key.", "json"), guaranteeSpecs, connector.ErrorSpecs)

// managedFormatSpecs are the options of formats with the default that managed tables have. Which formats there are is said when one is chosen,
// since Confluent's own names get an answer of their own.
func managedFormatSpecs(prefix, standard string) []connector.Spec {
	specs := format.Specs(prefix)
	specs[0].Default, specs[0].Values = standard, nil
	return specs
}

// managedChangelog is how the changes of a managed table are written.
func managedChangelog(t connector.Table, o connector.Options) changelog {
	switch o["changelog.mode"] {
	case "append":
		return appendOnly
	case "retract":
		return retractions
	case "upsert":
		return upserts
	}
	if t.Primary {
		return upserts
	}
	return appendOnly
}

func managedYields(t connector.Table, o connector.Options) connector.Changelog {
	return managedChangelog(t, o).yields()
}

func managedTakes(t connector.Table, o connector.Options) connector.Changelog {
	return managedChangelog(t, o).takes()
}

// managedFormat is the format of the values or keys of a managed table.
func managedFormat(o connector.Options, prefix string) (*format.Choice, error) {
	if _, ok := o[prefix+"format"]; !ok {
		o = maps.Clone(o)
		o[prefix+"format"] = "json"
	}
	c, _, err := format.Choose(o, prefix)
	return c, err
}

// defaultMessage is how many bytes a batch of records has at most if the table does not say. Confluent: 2097164.
const defaultMessage = 2097164

// maxMessage is 'kafka.max-message-size' in bytes.
func maxMessage(o connector.Options) (int64, error) {
	n, err := sizeOf(o, "kafka.max-message-size")
	if n == 0 {
		n = defaultMessage
	}
	return n, err
}

// applyManaged reads the options that 'properties.' has in other tables.
func (c *config) applyManaged(o connector.Options) error {
	most, err := maxMessage(o)
	if err != nil {
		return err
	}
	// The brokers mean a whole batch, and so does the client.
	c.batchBytes = int32(min(most, waitingBytes))
	c.committed = o["kafka.consumer.isolation-level"] != "read-uncommitted"
	if v, ok := o["kafka.producer.compression.type"]; ok {
		c.compression = v
	}
	c.create, c.group = false, o["properties.group.id"]
	if v, ok := o[optionTimeout]; ok {
		return c.readTimeout(v)
	}
	return nil
}

// managed makes and removes topics.
type managed struct{ home Home }

func (m managed) admin(c *config) (*kadm.Client, error) {
	options, err := c.client()
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		return nil, fault.Errorf(fault.External, "connect to Kafka: %w", err)
	}
	return kadm.NewClient(client), nil
}

// create makes the topic of t. A topic that is there already is taken as it is, if it has the buckets that the table wants; made is then false.
func (m managed) create(t connector.Table, o connector.Options) (made bool, err error) {
	c, err := readOptions(kindManaged, m.home, t, o)
	if err != nil {
		return false, err
	}
	settings, err := topicSettings(c, o)
	if err != nil {
		return false, err
	}
	admin, err := m.admin(c)
	if err != nil {
		return false, err
	}
	defer admin.Close()
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	buckets := t.Buckets
	if buckets == 0 {
		buckets = defaultBuckets
	}
	_, err = admin.CreateTopic(ctx, int32(buckets), -1, settings, t.Name)
	if !errors.Is(err, kerr.TopicAlreadyExists) {
		if err != nil {
			return false, m.refused(ctx, admin, c, t.Name, err)
		}
		if err := visible(ctx, admin, t.Name, buckets); err != nil {
			return true, c.unreachable("see topic '"+t.Name+"' after it was created", err)
		}
		return true, nil
	}
	there, err := admin.ListTopics(ctx, t.Name)
	if err != nil {
		return false, c.unreachable("ask for topics", err)
	}
	if n := len(there[t.Name].Partitions); t.Buckets > 0 && n != t.Buckets {
		return false, &connector.OptionError{Key: "connector", Message: fmt.Sprintf("topic '%s' is there already and has %d partitions", t.Name, n),
			Hint: fmt.Sprintf("write INTO %d BUCKETS, or leave it out to take the topic as it is", n)}
	}
	return false, nil
}

// refused is the error of a topic that the brokers would not make.
func (m managed) refused(ctx context.Context, admin *kadm.Client, c *config, name string, err error) error {
	if errors.Is(err, kerr.InvalidTopicException) {
		if there, err := admin.ListTopics(ctx); err == nil {
			for _, other := range there.Names() {
				if topicrule.Collide(name, other) {
					return &connector.OptionError{Key: "connector", Message: fmt.Sprintf("topic '%s' cannot be there beside '%s': names of topics must differ in more than '.' and '_'", name, other),
						Hint: "give the table another name"}
				}
			}
		}
	}
	return c.unreachable("create topic '"+name+"'", err)
}

// checkTopic refuses a managed table whose topic cannot be.
func checkTopic(t connector.Table) error {
	if why := topicrule.Name(t.Name); why != "" {
		return &connector.OptionError{Key: "connector", Message: fmt.Sprintf("no topic can have the name of this table: %s", why),
			Hint: fmt.Sprintf("a managed table is a topic of its name: write letters, digits, '.', '_' and '-', at most %d", topicrule.MaxName)}
	}
	if t.Buckets > topicrule.MaxPartitions {
		return &connector.OptionError{Key: "connector", Message: fmt.Sprintf("a table of %d buckets is a topic of as many partitions, and %d is the most that a topic can be made with", t.Buckets, topicrule.MaxPartitions),
			Hint: "write fewer: a bucket is a unit of parallel reading, and holds any number of rows"}
	}
	return nil
}

// visible waits until a topic that was just created can be read and written: brokers learn of it one after the other.
func visible(ctx context.Context, admin *kadm.Client, topic string, partitions int) error {
	return until(ctx, admin, topic, func(t kadm.TopicDetail) bool {
		led := 0
		for _, p := range t.Partitions {
			if p.Err == nil && p.Leader >= 0 {
				led++
			}
		}
		return led == partitions
	})
}

// until asks for a topic until it is as it should be.
func until(ctx context.Context, admin *kadm.Client, topic string, is func(kadm.TopicDetail) bool) error {
	for {
		there, err := admin.ListTopics(ctx, topic)
		if err != nil {
			return err
		}
		if is(there[topic]) {
			return nil
		}
		pauseFor(ctx, visibleEvery)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// visibleEvery is how often a topic that is new, or was deleted, is looked for.
const visibleEvery = 20 * time.Millisecond

// drop deletes the topic of t, and waits until brokers do not list it any more. One that is gone already is no error.
func (m managed) drop(t connector.Table, o connector.Options) error {
	return m.onTopic(t, o, "delete", func(ctx context.Context, admin *kadm.Client) error {
		if _, err := admin.DeleteTopic(ctx, t.Name); err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			return err
		}
		return until(ctx, admin, t.Name, func(t kadm.TopicDetail) bool { return errors.Is(t.Err, kerr.UnknownTopicOrPartition) })
	})
}

// onTopic does something with the topic of t, and says of an error that it was about to.
func (m managed) onTopic(t connector.Table, o connector.Options, verb string, do func(ctx context.Context, admin *kadm.Client) error) error {
	c, err := readOptions(kindManaged, m.home, t, o)
	if err != nil {
		return err
	}
	admin, err := m.admin(c)
	if err != nil {
		return err
	}
	defer admin.Close()
	ctx, done := context.WithTimeout(context.Background(), patience)
	defer done()
	if err := do(ctx, admin); err != nil {
		return c.unreachable(verb+" topic '"+t.Name+"'", err)
	}
	return nil
}

// topicSettings are the settings of a new topic. Event times of the past and of the future are let in, and nothing is deleted for its age
// unless the table says so: what is old by its timestamp is not old for whoever replays it.
func topicSettings(c *config, o connector.Options) (map[string]*string, error) {
	open := strconv.FormatInt(math.MaxInt64, 10)
	settings := map[string]string{
		"cleanup.policy":                  "delete",
		"retention.ms":                    "-1",
		"retention.bytes":                 "-1",
		"message.timestamp.type":          "CreateTime",
		"message.timestamp.before.max.ms": open,
		"message.timestamp.after.max.ms":  open,
	}
	if c.changes == upserts {
		settings["cleanup.policy"] = "compact"
	}
	if v, ok := o["kafka.cleanup-policy"]; ok {
		settings["cleanup.policy"] = strings.ReplaceAll(v, "-", ",")
	}
	if v, ok := o[timestampTypeOption]; ok {
		settings["message.timestamp.type"] = v
	}
	for key, setting := range map[string]string{"kafka.retention.time": "retention.ms", "kafka.compaction.time": "max.compaction.lag.ms"} {
		d, err := o.Duration(key, 0)
		if err != nil {
			return nil, err
		}
		if d > 0 {
			settings[setting] = strconv.FormatInt(max(d/1000, 1), 10)
		}
	}
	kept, err := sizeOf(o, "kafka.retention.size")
	if err != nil {
		return nil, err
	}
	if kept > 0 {
		settings["retention.bytes"] = strconv.FormatInt(kept, 10)
	}
	most, err := maxMessage(o)
	if err != nil {
		return nil, err
	}
	settings["max.message.bytes"] = strconv.FormatInt(most, 10)
	pointers := map[string]*string{}
	for key, v := range settings {
		pointers[key] = &v
	}
	return pointers, nil
}

// sizeOf is an option that is a number of bytes, 0 without it.
func sizeOf(o connector.Options, key string) (int64, error) {
	v, ok := o[key]
	if !ok {
		return 0, nil
	}
	n, ok := parseSize(v)
	if !ok {
		return 0, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s'", key, v), Hint: "write a number and a unit, such as '1048576 bytes', '512 kb', '20 mb' or '1 gb'"}
	}
	return n, nil
}

var sizeUnits = []struct {
	shift int
	names []string
}{
	{0, []string{"", "b", "byte", "bytes"}},
	{10, []string{"k", "kb", "kibibytes"}},
	{20, []string{"m", "mb", "mebibytes"}},
	{30, []string{"g", "gb", "gibibytes"}},
	{40, []string{"t", "tb", "tebibytes"}},
}

// parseSize reads a number of bytes. Flink 2.3: kb is 1024 bytes, and so on.
func parseSize(s string) (int64, bool) {
	text := strings.TrimSpace(s)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	unit := strings.ToLower(strings.TrimSpace(text[digits:]))
	for _, u := range sizeUnits {
		if slices.Contains(u.names, unit) {
			return n << u.shift, n <= math.MaxInt64>>u.shift
		}
	}
	return 0, false
}
