package main

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// confluentOptions are the options of tables that Confluent documents; format stands for each of its formats.
var confluentOptions = []string{
	"changelog.mode", "connector", "error-handling.mode", "error-handling.log.target",
	"kafka.cleanup-policy", "kafka.compaction.time", "kafka.consumer.isolation-level", "kafka.max-message-size", "kafka.message-timestamp-type",
	"kafka.producer.compression.type", "kafka.retention.size", "kafka.retention.time",
	"key.format", "value.format", "key.fields-prefix", "value.fields-include",
	"key.avro-registry.schema-context", "value.avro-registry.schema-context", "key.avro-registry.subject-names", "value.avro-registry.subject-names",
	"key.avro-registry.id-encoding", "value.avro-registry.id-encoding", "value.json-registry.id-encoding",
	"late-handling.mode",
	"scan.startup.mode", "scan.startup.timestamp-millis", "scan.startup.specific-offsets", "scan.bounded.mode", "scan.bounded.timestamp-millis", "scan.bounded.specific-offsets",
}

// TestConfluentOptions: every option that Confluent has is honoured, as its topic or its rows show, or refused by name with what to write in its place.
func TestConfluentOptions(t *testing.T) {
	const (
		both  = "op,id,name\n+I,1,a\n+I,2,b\n"
		none  = "op,id,name\n"
		first = "op,id,name\n+I,1,a\n"
		last  = "op,id,name\n+I,2,b\n"
		avro  = "'value.format' = 'avro-registry', 'value.avro-registry.url' = 'http://127.0.0.1:1', "
		json  = "'value.format' = 'json-registry', 'value.json-registry.url' = 'http://127.0.0.1:1', "
	)
	b := brokertest.Start(t)
	seen := map[string]bool{}
	for _, c := range []struct {
		options string // in front of 'scan.bounded.mode' = 'latest-offset' unless they say another
		rows    string // what is read of (1, 'a'), (2, 'b'); or the message of the error
		also    string // a setting of the topic, key=value; a record as it stands in the topic; or the advice of the error
	}{
		{"'connector' = 'confluent'", both, "cleanup.policy=delete"},
		{"'changelog.mode' = 'append'", both, `+I {"id":1} {"name":"a"}`},
		{"'changelog.mode' = 'retract'", both, `+I {"id":1} {"name":"a"}`},
		{"'changelog.mode' = 'upsert'", "needs a primary key", "PRIMARY KEY"},
		{"'error-handling.mode' = 'fail'", both, ""},
		{"'error-handling.mode' = 'ignore'", both, ""},
		{"'error-handling.mode' = 'log'", both, ""},
		{"'error-handling.mode' = 'log', 'error-handling.log.target' = 'errors'", both, ""},
		{"'kafka.cleanup-policy' = 'delete'", both, "cleanup.policy=delete"},
		{"'kafka.cleanup-policy' = 'compact'", both, "cleanup.policy=compact"},
		{"'kafka.cleanup-policy' = 'delete-compact'", both, "cleanup.policy=delete,compact"},
		{"'kafka.compaction.time' = '7 d'", both, "max.compaction.lag.ms=604800000"},
		{"'kafka.consumer.isolation-level' = 'read-committed'", both, ""},
		{"'kafka.consumer.isolation-level' = 'read-uncommitted'", both, ""},
		{"'kafka.max-message-size' = '2097164 bytes'", both, "max.message.bytes=2097164"},
		{"'kafka.max-message-size' = '20 mb'", both, "max.message.bytes=20971520"},
		{"'kafka.max-message-size' = 'much'", "'kafka.max-message-size' is 'much'", "a number and a unit"},
		{"'kafka.message-timestamp-type' = 'CreateTime'", both, "message.timestamp.type=CreateTime"},
		{"'kafka.message-timestamp-type' = 'LogAppendTime'", both, "message.timestamp.type=LogAppendTime"},
		{"'kafka.producer.compression.type' = 'none'", both, ""},
		{"'kafka.producer.compression.type' = 'gzip'", both, ""},
		{"'kafka.producer.compression.type' = 'snappy'", both, ""},
		{"'kafka.producer.compression.type' = 'lz4'", both, ""},
		{"'kafka.producer.compression.type' = 'zstd'", both, ""},
		{"'kafka.retention.size' = '1 gb'", both, "retention.bytes=1073741824"},
		{"'kafka.retention.size' = '0 bytes'", both, "retention.bytes=-1"},
		{"'kafka.retention.time' = '604800000 ms'", both, "retention.ms=604800000"},
		{"'kafka.retention.time' = '0'", both, "retention.ms=-1"},
		{"'key.format' = 'json', 'value.format' = 'json'", both, `+I {"id":1} {"name":"a"}`},
		{"'key.format' = 'csv', 'value.format' = 'csv'", both, "+I 1 a"},
		{"'key.format' = 'csv', 'value.format' = 'raw'", both, "+I 1 a"},
		{"'value.format' = 'avro'", both, ""},
		{"'value.format' = 'avro-registry'", "needs the option 'value.avro-registry.url'", "where the schema registry is"},
		{"'key.format' = 'json-registry'", "needs the option 'key.json-registry.url'", "where the schema registry is"},
		{"'value.format' = 'proto-registry'", "format 'proto-registry' is not supported", "use avro-registry or json-registry"},
		{"'value.format' = 'avro-debezium-registry'", "format 'avro-debezium-registry' is not supported", "debezium-json"},
		{"'value.format' = 'json-debezium-registry'", "format 'json-debezium-registry' is not supported", "debezium-json"},
		{"'value.format' = 'proto-debezium-registry'", "format 'proto-debezium-registry' is not supported", "debezium-json"},
		{"'key.fields-prefix' = 'i'", both, `+I {"d":1} {"name":"a"}`},
		{"'value.fields-include' = 'all'", both, `+I {"id":1} {"id":1,"name":"a"}`},
		{"'value.fields-include' = 'except-key'", both, `+I {"id":1} {"name":"a"}`},
		{"'key.format' = 'avro-registry', 'key.avro-registry.url' = 'http://127.0.0.1:1', 'key.avro-registry.schema-context' = '.x'", "'key.avro-registry.schema-context' is not there yet", "/contexts/"},
		{avro + "'value.avro-registry.schema-context' = '.x'", "'value.avro-registry.schema-context' is not there yet", "/contexts/"},
		{avro + "'value.avro-registry.subject-names' = 'x'", "'value.avro-registry.subject-names' is not there yet", "'subject' names the one"},
		{"'key.avro-registry.subject-names' = 'x'", "'key.avro-registry.subject-names' is not there yet", "'subject' names the one"},
		{"'key.avro-registry.id-encoding' = 'header'", "'key.avro-registry.id-encoding' cannot be 'header'", "payload"},
		{avro + "'value.avro-registry.id-encoding' = 'header'", "'value.avro-registry.id-encoding' cannot be 'header'", "payload"},
		{json + "'value.json-registry.id-encoding' = 'header'", "'value.json-registry.id-encoding' cannot be 'header'", "payload"},
		{"'late-handling.mode' = 'pass-through'", both, ""},
		{"'late-handling.mode' = 'filter'", both, ""},
		{"'scan.startup.mode' = 'earliest-offset'", both, ""},
		{"'scan.startup.mode' = 'latest-offset'", none, ""},
		{"'scan.startup.mode' = 'timestamp', 'scan.startup.timestamp-millis' = '0'", both, ""},
		{"'scan.startup.mode' = 'timestamp', 'scan.startup.timestamp-millis' = '99999999999999'", none, ""},
		{"'scan.startup.mode' = 'specific-offsets', 'scan.startup.specific-offsets' = 'partition:0,offset:1'", last, ""},
		{"'scan.startup.mode' = 'group-offsets'", "no group is named", "properties.group.id"},
		{"'scan.bounded.mode' = 'latest-offset'", both, ""},
		{"'scan.bounded.mode' = 'timestamp', 'scan.bounded.timestamp-millis' = '0'", none, ""},
		{"'scan.bounded.mode' = 'specific-offsets', 'scan.bounded.specific-offsets' = 'partition:0,offset:1'", first, ""},
		{"'scan.bounded.mode' = 'unbounded', 'changelog.mode' = 'append'", "LIMIT 2", ""},
		{"'sink.parallelism' = '2'", "no option 'sink.parallelism'", "no 'connector' was given"},
	} {
		options, query := c.options, "SELECT * FROM t"
		if !strings.Contains(options, "scan.bounded.mode") {
			options += ", 'scan.bounded.mode' = 'latest-offset'"
		}
		want := c.rows
		if want == "LIMIT 2" {
			query, want = query+" LIMIT 2", both
		}
		for _, key := range confluentOptions {
			if strings.Contains(c.options, "'"+key+"'") {
				seen[key] = true
			}
		}
		create := "CREATE TABLE t (id BIGINT, name STRING) DISTRIBUTED BY (id) INTO 1 BUCKETS WITH (" + options + "); "
		got, code := runSQL(t, create+"INSERT INTO t VALUES (1, 'a'), (2, 'b'); "+query, "--brokers", b.Addr)
		if !strings.HasPrefix(want, "op,") {
			if code != exitUsage || !strings.Contains(got, want) || !strings.Contains(got, c.also) {
				t.Errorf("%s: %d %s", c.options, code, got)
			}
		} else {
			if code != exitOK || got != want {
				t.Errorf("%s: %d %s", c.options, code, got)
			}
			if key, value, setting := strings.Cut(c.also, "="); setting {
				if is := topicSetting(t, b, "t", key); is != value {
					t.Errorf("%s: %s is %s, want %s", c.options, key, is, value)
				}
			} else if c.also != "" {
				if is := records(t, b, "t", 2); !slices.Contains(is, c.also) {
					t.Errorf("%s: the records are %q", c.options, is)
				}
			}
		}
		if _, err := b.Admin(t).DeleteTopic(context.Background(), "t"); err != nil && code == exitOK {
			t.Fatal(err)
		}
	}
	for _, key := range confluentOptions {
		if !seen[key] {
			t.Errorf("'%s' is not looked at", key)
		}
	}
}

func topicSetting(t *testing.T, b brokertest.Target, topic, key string) string {
	t.Helper()
	all, err := b.Admin(t).DescribeTopicConfigs(context.Background(), topic)
	if err != nil {
		t.Fatal(err)
	}
	r, err := all.On(topic, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Configs {
		if c.Key == key && c.Value != nil {
			return *c.Value
		}
	}
	return "not there"
}

// records reads n records of a topic as any client would: the change that the header op tells, the key and the value.
func records(t *testing.T, b brokertest.Target, topic string, n int) []string {
	t.Helper()
	var out []string
	for _, r := range b.Records(t, topic, n) {
		op := "+I"
		if len(r.Headers) > 0 {
			op = []string{"+I", "-U", "+U", "-D"}[r.Headers[0].Value[0]]
		}
		out = append(out, op+" "+string(r.Key)+" "+string(r.Value))
	}
	return out
}

// TestForeignClients: what any client of Kafka writes into the topic of a managed table is read, and what is written into the table any client can read.
func TestForeignClients(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct {
			table  string
			insert string   // a query
			wrote  []string // as it stands in the topic
			send   []brokertest.Record
			read   string
		}{
			{
				"(id BIGINT, name STRING) DISTRIBUTED BY (id) INTO 1 BUCKETS", "VALUES (1, 'a'), (2, CAST(NULL AS STRING))",
				[]string{`+I {"id":1} {"name":"a"}`, `+I {"id":2} {"name":null}`},
				[]brokertest.Record{{Key: []byte(`{"id":3}`), Value: []byte(`{"name":"c"}`)}, {Value: []byte(`{"name":"no key"}`)}, {Key: []byte(`{"id":4}`)}},
				"+I,1,a\n+I,2,\n+I,3,c\n+I,,no key\n",
			},
			{
				"(id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) DISTRIBUTED INTO 1 BUCKETS", "VALUES (1, 'a'), (2, 'b')",
				[]string{`+I {"id":1} {"name":"a"}`, `+I {"id":2} {"name":"b"}`},
				[]brokertest.Record{{Key: []byte(`{"id":1}`), Value: []byte(`{"name":"c"}`)}, {Key: []byte(`{"id":2}`)}, {Key: []byte(`{"id":5}`)}},
				"+I,1,a\n+I,2,b\n-U,1,a\n+U,1,c\n-D,2,b\n",
			},
			{
				"(id BIGINT, name STRING) DISTRIBUTED INTO 1 BUCKETS WITH ('changelog.mode' = 'retract')",
				"SELECT COUNT(*), name FROM (VALUES ('a'), ('a')) AS v (name) GROUP BY name",
				[]string{`+I  {"id":1,"name":"a"}`, `-U  {"id":1,"name":"a"}`, `+U  {"id":2,"name":"a"}`},
				[]brokertest.Record{{Value: []byte(`{"id":2,"name":"a"}`), Headers: []brokertest.Header{{Key: "op", Value: []byte{3}}}}},
				"+I,1,a\n-U,1,a\n+U,2,a\n-D,2,a\n",
			},
			{
				"(id BIGINT, name STRING) DISTRIBUTED BY (id) INTO 1 BUCKETS WITH ('key.format' = 'raw', 'value.fields-include' = 'all', 'kafka.producer.compression.type' = 'zstd')",
				"VALUES (1, 'a')",
				[]string{"+I \x00\x00\x00\x00\x00\x00\x00\x01 " + `{"id":1,"name":"a"}`},
				[]brokertest.Record{{Key: []byte("\x00\x00\x00\x00\x00\x00\x00\x07"), Value: []byte(`{"id":7,"name":"g","more":[1]}`)}},
				"+I,1,a\n+I,7,g\n",
			},
		} {
			topic := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
			create := "CREATE TABLE `" + topic + "` " + c.table + "; "
			if got, code := runSQL(t, create+"INSERT INTO `"+topic+"` "+c.insert, "--brokers", b.Addr); code != exitOK {
				t.Fatal(got)
			}
			if got := records(t, b, topic, len(c.wrote)); !slices.Equal(got, c.wrote) {
				t.Errorf("%s: the topic has %q, want %q", c.table, got, c.wrote)
			}
			for i := range c.send {
				c.send[i].Topic = topic
				b.Send(t, true, &c.send[i])
			}
			if got, code := runSQL(t, create+"SELECT * FROM `"+topic+"`"+bounded+"; DROP TABLE `"+topic+"`", "--brokers", b.Addr); got != "op,id,name\n"+c.read || code != exitOK {
				t.Errorf("%s: %d %s", c.table, code, got)
			}
		}
	})
}

// TestLargeRows: a row that fits into 'kafka.max-message-size' is written, and rows that fit one by one are not sent as one that does not.
func TestLargeRows(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		for _, c := range []struct{ options, rows, want string }{
			{"", "SELECT REPEAT('x', 2000000)", "op,n\n+I,2000000\n"},
			{"", "SELECT REPEAT('x', 2100000)", "raise 'kafka.max-message-size'"},
			{"WITH ('kafka.max-message-size' = '5 mb')", "SELECT REPEAT('x', 5000000)", "op,n\n+I,5000000\n"},
			{"WITH ('kafka.max-message-size' = '1 kb')", "SELECT REPEAT('x', 600) FROM (VALUES (1), (2)) AS v (a)", "op,n\n+I,600\n+I,600\n"},
		} {
			topic := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
			got, _ := runSQL(t, "CREATE TABLE `"+topic+"` (s STRING) DISTRIBUTED INTO 1 BUCKETS "+c.options+"; INSERT INTO `"+topic+"` "+c.rows+
				"; SELECT CHAR_LENGTH(s) AS n FROM `"+topic+"`"+bounded+"; DROP TABLE `"+topic+"`", "--brokers", b.Addr)
			if got != c.want && !strings.Contains(got, "error: a row is larger than a record of topic '"+topic+"' may be; "+c.want) {
				t.Errorf("%s %s: %s", c.options, c.rows, got)
			}
		}
	})
}

// TestBucketsOfKeyedTables: the buckets of a managed table with a primary key are those of the key.
func TestBucketsOfKeyedTables(t *testing.T) {
	for _, c := range []struct {
		distributed string
		fits        bool
	}{{"INTO 2 BUCKETS", true}, {"BY (a, b) INTO 2 BUCKETS", true}, {"BY (b, a) INTO 2 BUCKETS", true}, {"BY (a) INTO 2 BUCKETS", false}, {"BY (c) INTO 2 BUCKETS", false}} {
		for _, mode := range []string{"append", "retract", "upsert"} {
			got, code := runSQL(t, "CREATE TABLE t (a INT, b INT, c INT, PRIMARY KEY (a, b) NOT ENFORCED) DISTRIBUTED "+c.distributed+" WITH ('changelog.mode' = '"+mode+"'); DROP TABLE t")
			if c.fits != (code == exitOK) || !c.fits && !strings.Contains(got, "write DISTRIBUTED INTO n BUCKETS: rows with a primary key are spread by it") {
				t.Errorf("%s, %s: %d %s", c.distributed, mode, code, got)
			}
		}
	}
}
