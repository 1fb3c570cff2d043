package kafka

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
)

const (
	plainName  = "kafka"
	upsertName = "upsert-kafka"
)

// Connector is the registry row of 'kafka'.
var Connector = connector.Connector{
	Name: plainName,
	Doc:  "reads and writes topics of Apache Kafka, or of whatever speaks its protocol",
	Specs: slices.Concat([]connector.Spec{
		{Key: "topic", Doc: "the topic; to read several, their names divided by semicolons"},
		{Key: "topic-pattern", Doc: "in place of 'topic', for reading: a regular expression that matches the whole name of a topic"},
		{Key: "key.fields", Doc: "the columns in the key, divided by semicolons"},
		{Key: "key.fields-prefix", Doc: "what the names of the key's columns begin with in the table and not in the record"},
		{Key: "value.fields-include", Values: []string{"ALL", "EXCEPT_KEY"}, Doc: "whether the value has the columns of the key too", Default: "ALL"},
	}, scanSpecs("group-offsets"), sinkSpecs, format.Specs(""), format.Specs("value."), format.Specs("key."), propertySpecs()),
	Metadata:       plainMetadata(),
	FormatMetadata: format.Metadata,
	Yields:         formatChangelog,
	Takes:          formatChangelog,
	Guarantee: func(_ connector.Table, o connector.Options) connector.Guarantee {
		return guaranteeOf(kindPlain, nil, o)
	},
	NewSource: NewSource,
	NewSink:   NewSink,
	Snapshot:  snapshot,
	Recast:    recast,
	Topics:    true,
	HandsOver: true,
}

// recast is for tables of all kinds: their records are rows then, and no changes.
func recast(o connector.Options, name string, own connector.Options) connector.Options {
	out := format.Recast(o, "value.", name, own)
	for _, key := range []string{"key.fields", "key.fields-prefix", "value.fields-include"} {
		delete(out, key)
	}
	switch out["connector"] {
	case ManagedName:
		out["changelog.mode"] = "append"
	case upsertName:
		out["connector"] = plainName
		if _, ok := out["scan.startup.mode"]; !ok {
			out["scan.startup.mode"] = "earliest-offset"
		}
		for _, key := range []string{"sink.buffer-flush.max-rows", "sink.buffer-flush.interval"} {
			delete(out, key)
		}
	}
	return out
}

// snapshot reads from the start of the topics, unless the table says from where, to what there is now, unless it says to where.
func snapshot(o connector.Options) connector.Options {
	if _, ok := o["scan.startup.mode"]; !ok {
		o["scan.startup.mode"] = "earliest-offset"
	}
	if mode, ok := o["scan.bounded.mode"]; !ok || mode == "unbounded" {
		o["scan.bounded.mode"] = "latest-offset"
	}
	return o
}

// Upsert is the registry row of 'upsert-kafka'.
var Upsert = connector.Connector{
	Name: upsertName,
	Doc:  "reads and writes topics in which a record replaces the one before with its key, and one without a value deletes it; the table needs a primary key",
	Specs: slices.Concat([]connector.Spec{
		{Key: "topic", Required: true, Doc: "the topic; to read several, their names divided by semicolons"},
		{Key: "key.fields-prefix", Doc: "what the names of the key's columns begin with in the table and not in the record"},
		{Key: "value.fields-include", Values: []string{"ALL", "EXCEPT_KEY"}, Doc: "whether the value has the columns of the key too", Default: "ALL"},
		{Key: "sink.buffer-flush.max-rows", Doc: "up to how many changes Flink keeps back to write the last of each key; here every change is written, whatever this says"},
		{Key: "sink.buffer-flush.interval", Doc: "how long Flink keeps them back; here changes are sent after 'properties.linger.ms'"},
	}, scanSpecs("earliest-offset"), sinkSpecs, format.Specs("key."), format.Specs("value."), connector.ErrorSpecs, propertySpecs()),
	Metadata: plainMetadata(),
	Yields:   func(connector.Table, connector.Options) connector.Changelog { return connector.Upsert },
	Takes:    connector.AllChanges,
	Guarantee: func(_ connector.Table, o connector.Options) connector.Guarantee {
		return guaranteeOf(kindUpsert, nil, o)
	},
	NewSource: func(t connector.Table, o connector.Options) (connector.Source, error) {
		return newSource(kindUpsert, nil, t, o)
	},
	NewSink: func(t connector.Table, o connector.Options) (connector.Sink, error) {
		return newSink(kindUpsert, nil, t, o)
	},
	Snapshot:  snapshot,
	Recast:    recast,
	Topics:    true,
	HandsOver: true,
}

// scanSpecs are the options of reading; start is the value of 'scan.startup.mode' that holds without it.
func scanSpecs(start string) []connector.Spec {
	return []connector.Spec{
		{Key: "scan.startup.mode", Values: []string{"earliest-offset", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}, Default: start, Doc: "where in each partition reading begins"},
		{Key: "scan.startup.timestamp-millis", Doc: "for 'timestamp': milliseconds since 1970; reading begins with the first record that is as late"},
		{Key: "scan.startup.specific-offsets", Doc: "for 'specific-offsets': partition:0,offset:42;partition:1,offset:300"},
		{Key: "scan.bounded.mode", Values: []string{"unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}, Default: "unbounded",
			Doc: "where reading ends; nowhere behind what there was when the statement began"},
		{Key: "scan.bounded.timestamp-millis", Doc: "for 'timestamp': the first record that is as late, and all behind it, are not read"},
		{Key: "scan.bounded.specific-offsets", Doc: "for 'specific-offsets': the offsets behind the last records to be read"},
		{Key: "scan.topic-partition-discovery.interval", Doc: "how often to look for new partitions, which are read from their beginning; 0: never", Default: "5 min"},
	}
}

var sinkSpecs = slices.Concat([]connector.Spec{
	{Key: "sink.partitioner", Values: []string{"default", "fixed", "round-robin"}, Default: "default",
		Doc: "the partition of a record: default goes by the hash of the key, and without a key fills one partition after the other; fixed writes to partition 0; round-robin takes each in turn"},
	connector.SinkParallelism,
}, guaranteeSpecs)
