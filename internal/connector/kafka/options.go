package kafka

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/topicrule"
)

// kind is which connector a table has.
type kind uint8

const (
	kindPlain   kind = iota // 'kafka'
	kindUpsert              // 'upsert-kafka'
	kindManaged             // a managed table
)

// config is what the options of a table say.
type config struct {
	kind    kind
	brokers []string
	home    Home // where the brokers of a managed table are; nil: brokers says it
	topics  []string
	pattern *regexp.Regexp // nil: topics says it

	start, end position
	onReset    mode // modeUnbounded: stop
	group      string
	committed  bool
	discovery  int64 // microseconds between two looks for new partitions, 0 for none

	changes     changelog
	keyFormat   *format.Choice // nil without a key
	valueFormat *format.Choice
	keyFields   []string
	keyPrefix   string
	exceptKey   bool // the value does not repeat the key

	partitioner string
	compression string
	linger      time.Duration
	batchBytes  int32
	create      bool
	security    security
	both        []kgo.Opt
	producer    []kgo.Opt
	line        line

	guarantee   guarantee
	prefix      string        // of transactional ids
	transaction time.Duration // how long one may take

	handedOver string // the column whose watermark is; empty if none
	lapse      int64  // microseconds without a word after which a writer counts as gone
}

// metadataAge is how old an answer about topics and leaders may be when it is asked for again.
const metadataAge = 100 * time.Millisecond

const defaultDiscovery = 5 * 60 * 1_000_000

func (c *config) with(o ...kgo.Opt)    { c.both = append(c.both, o...) }
func (c *config) produce(o ...kgo.Opt) { c.producer = append(c.producer, o...) }

// readOptions reads options that connector.Check has passed.
func readOptions(k kind, home Home, t connector.Table, o connector.Options) (*config, error) {
	c := &config{kind: k, home: home, brokers: splitList(o["properties.bootstrap.servers"], ","), committed: true, discovery: defaultDiscovery, create: true,
		linger: 5 * time.Millisecond, batchBytes: 1 << 20, compression: "none", transaction: defaultTransaction, security: security{mechanism: "PLAIN"}}
	c.with(kgo.ClientID("tidemark"))
	if len(c.brokers) == 0 && k != kindManaged {
		return nil, &connector.OptionError{Key: "properties.bootstrap.servers", Message: "option 'properties.bootstrap.servers' names no broker", Hint: "write host:port"}
	}
	if k == kindManaged {
		if err := checkTopic(t); err != nil {
			return nil, err
		}
		c.topics = []string{t.Name}
	} else if err := c.readTopics(o); err != nil {
		return nil, err
	}
	if len(c.topics) == 1 {
		o = format.WithSubjects(o, c.topics[0])
	}
	if err := c.readFormats(t, o); err != nil {
		return nil, err
	}
	if err := c.readScan(o); err != nil {
		return nil, err
	}
	apply := c.applyProperties
	if k == kindManaged {
		apply = c.applyManaged
	}
	if err := apply(o); err != nil {
		return nil, err
	}
	if _, err := o.Int("sink.buffer-flush.max-rows", 0); err != nil {
		return nil, err
	}
	if _, err := o.Duration("sink.buffer-flush.interval", 0); err != nil {
		return nil, err
	}
	if err := c.readGuarantee(o); err != nil {
		return nil, err
	}
	if err := c.readHandover(t, o); err != nil {
		return nil, err
	}
	c.partitioner = o["sink.partitioner"]
	options, err := c.security.options()
	c.with(options...)
	return c, err
}

func (c *config) readTopics(o connector.Options) error {
	if p, ok := o["topic-pattern"]; ok {
		if _, both := o["topic"]; both {
			return &connector.OptionError{Key: "topic-pattern", Message: "'topic' and 'topic-pattern' are both given", Hint: "give one of them"}
		}
		var err error
		if c.pattern, err = regexp.Compile("^(?:" + p + ")$"); err != nil {
			return &connector.OptionError{Key: "topic-pattern", Message: fmt.Sprintf("'%s' is not a regular expression: %s", p, err), Hint: "write a pattern for the whole name of a topic"}
		}
		return nil
	}
	if c.topics = splitList(o["topic"], ";"); len(c.topics) == 0 {
		return &connector.OptionError{Key: "topic", Message: "the table has no topic", Hint: "add 'topic' = '…'"}
	}
	for _, name := range c.topics {
		if why := topicrule.Name(name); why != "" {
			return &connector.OptionError{Key: "topic", Message: fmt.Sprintf("no topic can have the name in option 'topic': %s", why),
				Hint: fmt.Sprintf("names of topics have letters, digits, '.', '_' and '-', at most %d; several are divided by semicolons", topicrule.MaxName)}
		}
	}
	return nil
}

func (c *config) readScan(o connector.Options) error {
	start := o["scan.startup.mode"]
	if start == "" {
		start = "group-offsets"
		if c.kind != kindPlain {
			start = "earliest-offset"
		}
	}
	var err error
	if c.start, err = c.readPosition(start, "startup", o); err != nil {
		return err
	}
	end := o["scan.bounded.mode"]
	if end == "" {
		end = "unbounded"
	}
	if c.end, err = c.readPosition(end, "bounded", o); err != nil {
		return err
	}
	c.onReset = modeEarliest
	if c.start.mode == modeGroup {
		c.onReset = modeUnbounded
	}
	if c.discovery, err = o.Duration("scan.topic-partition-discovery.interval", defaultDiscovery); err != nil {
		return err
	}
	return nil
}

// readPosition reads 'scan.startup.mode' or 'scan.bounded.mode', and what goes with it.
func (c *config) readPosition(v, which string, o connector.Options) (position, error) {
	switch v {
	case "unbounded":
		return position{mode: modeUnbounded}, nil
	case "earliest-offset":
		return position{mode: modeEarliest}, nil
	case "latest-offset":
		return position{mode: modeLatest}, nil
	case "group-offsets":
		return position{mode: modeGroup}, nil
	case "timestamp":
		key := "scan." + which + ".timestamp-millis"
		if _, ok := o[key]; !ok {
			return position{}, &connector.OptionError{Key: "scan." + which + ".mode", Message: fmt.Sprintf("'scan.%s.mode' = 'timestamp' needs '%s'", which, key), Hint: "milliseconds since 1970"}
		}
		n, err := o.Int(key, 0)
		return position{mode: modeTimestamp, millis: n}, err
	}
	key := "scan." + which + ".specific-offsets"
	text, ok := o[key]
	if !ok {
		return position{}, &connector.OptionError{Key: "scan." + which + ".mode", Message: fmt.Sprintf("'scan.%s.mode' = 'specific-offsets' needs '%s'", which, key), Hint: offsetsHint}
	}
	if c.pattern != nil || len(c.topics) > 1 {
		return position{}, &connector.OptionError{Key: key, Message: "offsets can be given for one topic only", Hint: "make a table for each topic"}
	}
	offsets, ok := parseOffsets(text)
	if !ok {
		return position{}, &connector.OptionError{Key: key, Message: fmt.Sprintf("option '%s' is '%s'", key, text), Hint: offsetsHint}
	}
	return position{mode: modeSpecific, offsets: offsets}, nil
}

const offsetsHint = "write partition:0,offset:42;partition:1,offset:300"

var offsetPair = regexp.MustCompile(`^\s*partition:(\d+),offset:(\d+)\s*$`)

func parseOffsets(text string) (map[int32]int64, bool) {
	offsets := map[int32]int64{}
	for pair := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(text), ";"), ";") {
		m := offsetPair.FindStringSubmatch(pair)
		if m == nil {
			return nil, false
		}
		p, err := strconv.ParseInt(m[1], 10, 32)
		offset, wrong := strconv.ParseInt(m[2], 10, 64)
		if err != nil || wrong != nil || offset == math.MaxInt64 {
			return nil, false
		}
		if _, twice := offsets[int32(p)]; twice {
			return nil, false
		}
		offsets[int32(p)] = offset
	}
	return offsets, true
}

// readFormats reads how key and value are written, and which columns are in the key.
func (c *config) readFormats(t connector.Table, o connector.Options) error {
	switch c.kind {
	case kindUpsert:
		c.changes = upserts
	case kindManaged:
		c.exceptKey = true
		c.changes = managedChangelog(t, o)
	}
	if c.changes == upserts && !t.Primary {
		key := "connector"
		if c.kind == kindManaged {
			key = "changelog.mode"
		}
		return &connector.OptionError{Key: key, Message: "a table of upserts needs a primary key, which tells which row is replaced", Hint: "add PRIMARY KEY (…) NOT ENFORCED"}
	}
	if err := c.chooseFormats(t, o); err != nil {
		return err
	}
	if err := c.checkChangelog(o); err != nil {
		return err
	}
	c.keyFields, c.keyPrefix = splitList(o["key.fields"], ";"), o["key.fields-prefix"]
	switch strings.ToUpper(o["value.fields-include"]) {
	case "ALL":
		c.exceptKey = false
	case "EXCEPT_KEY", "EXCEPT-KEY":
		c.exceptKey = true
	}
	return c.checkKey()
}

func (c *config) chooseFormats(t connector.Table, o connector.Options) (err error) {
	if c.kind == kindManaged {
		if c.valueFormat, err = managedFormat(o, "value."); err == nil && len(t.Keys) > 0 {
			c.keyFormat, err = managedFormat(o, "key.")
		}
		return err
	}
	value, named, err := format.Choose(o, "value.")
	if err != nil {
		return err
	}
	plain, short, err := format.Choose(o, "")
	switch {
	case err != nil:
		return err
	case named && short:
		return &connector.OptionError{Key: "format", Message: "'format' and 'value.format' are both given", Hint: "they mean the same; give one of them"}
	case named:
		c.valueFormat = value
	case short:
		c.valueFormat = plain
	default:
		return &connector.OptionError{Key: "connector", Message: "the table does not say how its values are written", Hint: "add 'value.format' = '…'"}
	}
	c.keyFormat, _, err = format.Choose(o, "key.")
	return err
}

// checkChangelog refuses formats that tell changes where the connector tells them, and in keys.
func (c *config) checkChangelog(o connector.Options) error {
	if c.keyFormat != nil && c.keyFormat.Changelog != connector.Append {
		return &connector.OptionError{Key: "key.format", Message: fmt.Sprintf("a key cannot be in format '%s', which tells changes", c.keyFormat.Name), Hint: "use 'json'"}
	}
	if c.kind == kindPlain || c.valueFormat.Changelog == connector.Append {
		return nil
	}
	key := "format"
	if _, ok := o["value.format"]; ok {
		key = "value.format"
	}
	return &connector.OptionError{Key: key, Message: fmt.Sprintf("format '%s' tells changes by itself, and so does the table", c.valueFormat.Name),
		Hint: "use it in a table with connector 'kafka'"}
}

func (c *config) checkKey() error {
	switch {
	case c.kind == kindUpsert && c.keyFormat == nil:
		return &connector.OptionError{Key: "connector", Message: "connector 'upsert-kafka' needs the option 'key.format'", Hint: "add 'key.format' = '…': how the primary key is written in the key of a record"}
	case c.kind == kindPlain && c.keyFormat != nil && len(c.keyFields) == 0:
		return &connector.OptionError{Key: "key.format", Message: "'key.format' needs 'key.fields'", Hint: "name the columns of the key, divided by semicolons"}
	case c.kind == kindPlain && c.keyFormat == nil && len(c.keyFields) > 0:
		return &connector.OptionError{Key: "key.fields", Message: "'key.fields' needs 'key.format'", Hint: "say how the key is written"}
	case c.keyPrefix != "" && !c.exceptKey:
		return &connector.OptionError{Key: "key.fields-prefix", Message: "'key.fields-prefix' needs 'value.fields-include' = 'EXCEPT_KEY'",
			Hint: "in the value the columns would keep the prefix"}
	}
	return nil
}

// client are the options of a client that reads.
func (c *config) client() ([]kgo.Opt, error) {
	if c.home != nil {
		address, err := c.home.Address()
		if err != nil {
			return nil, err
		}
		c.brokers = splitList(address, ",")
	}
	c.line.to(c.brokers)
	return append([]kgo.Opt{kgo.SeedBrokers(c.brokers...), kgo.WithHooks(&c.line), kgo.DisableClientMetrics(), kgo.MetadataMinAge(metadataAge)}, c.both...), nil
}

// readable refuses what matters only when the table is read.
func (c *config) readable() error {
	if c.group != "" || c.start.mode != modeGroup && c.end.mode != modeGroup {
		return nil
	}
	which := "startup"
	if c.start.mode != modeGroup {
		which = "bounded"
	}
	return &connector.OptionError{Key: "scan." + which + ".mode", Message: "'scan." + which + ".mode' is 'group-offsets', and no group is named",
		Hint: "add 'properties.group.id', or 'scan." + which + ".mode' = 'latest-offset'"}
}

// unreachable is an error of talking to the brokers.
func (c *config) unreachable(what string, err error) error {
	if errors.Is(err, kerr.UnknownServerError) && c.home != nil {
		if trouble := c.home.Trouble(); trouble != nil {
			return fault.Errorf(fault.Of(trouble), "%s: %w", what, trouble)
		}
	}
	if k := (*kerr.Error)(nil); errors.As(err, &k) {
		return fault.Errorf(fault.External, "%s: the broker answers %s: %s", what, k.Message, strings.TrimSuffix(k.Description, "."))
	}
	if errors.Is(err, io.EOF) {
		return fault.Errorf(fault.External, "%s: the brokers at %s close the connection; are 'properties.security.protocol' and the login right?", what, strings.Join(c.brokers, ", "))
	}
	return fault.Errorf(fault.External, "%s of the brokers at %s: %w", what, strings.Join(c.brokers, ", "), err)
}

// topicError is an error about one topic.
func (c *config) topicError(topic string, err error) error {
	if fault.Of(err) != fault.Internal {
		return err
	}
	if errors.Is(err, kerr.UnknownTopicOrPartition) {
		return fault.Wrap(fault.User, &connector.OptionError{Key: "topic", Message: fmt.Sprintf("there is no topic '%s' at %s", topic, strings.Join(c.brokers, ", ")),
			Hint: "check the spelling, or make the topic"})
	}
	if errors.Is(err, kerr.UnknownTopicID) || errors.Is(err, kerr.InconsistentTopicID) {
		return fault.Errorf(fault.External, "topic '%s', as it was when the statement began, is not there any more: it was deleted, and perhaps made anew", topic)
	}
	return c.unreachable("topic '"+topic+"'", err)
}
