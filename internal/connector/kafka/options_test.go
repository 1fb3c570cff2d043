package kafka

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector"
)

func TestRefusedOptions(t *testing.T) {
	keyed := columns()
	keyed.Keys, keyed.Primary = []int{0}, true
	managed := Managed(At("127.0.0.1:1"))
	base := connector.Options{"topic": "t", "properties.bootstrap.servers": "127.0.0.1:1", "value.format": "json", "scan.startup.mode": "earliest-offset"}
	for _, c := range []struct {
		name               string
		connector          connector.Connector
		table              connector.Table
		options            string // key=value, divided by blanks; value - takes a key away
		key, message, hint string
	}{
		{"no brokers", Connector, columns(), "properties.bootstrap.servers=-", "connector", "needs the option 'properties.bootstrap.servers'", ""},
		{"empty brokers", Connector, columns(), "properties.bootstrap.servers=,", "properties.bootstrap.servers", "names no broker", "host:port"},
		{"no topic", Connector, columns(), "topic=-", "topic", "has no topic", "add 'topic'"},
		{"topic twice", Connector, columns(), "topic-pattern=.*", "topic-pattern", "both given", "one of them"},
		{"pattern", Connector, columns(), "topic=- topic-pattern=(", "topic-pattern", "not a regular expression", "whole name"},
		{"no format", Connector, columns(), "value.format=-", "connector", "how its values are written", "value.format"},
		{"two formats", Connector, columns(), "format=json", "format", "both given", "one of them"},
		{"a key that is no column", Connector, columns(), "key.format=json key.fields=who", "key.fields", "no column 'who'", "id, name"},
		{"a key format alone", Connector, columns(), "key.format=json", "key.format", "needs 'key.fields'", "semicolons"},
		{"key fields alone", Connector, columns(), "key.fields=id", "key.fields", "needs 'key.format'", ""},
		{"prefix", Connector, columns(), "key.format=json key.fields=id key.fields-prefix=k_", "key.fields-prefix", "EXCEPT_KEY", ""},
		{"not the prefix", Connector, columns(), "key.format=json key.fields=id key.fields-prefix=k_ value.fields-include=EXCEPT_KEY", "key.fields-prefix", "'id' is in the key and does not begin with 'k_'", ""},
		{"no group", Connector, columns(), "scan.startup.mode=-", "scan.startup.mode", "no group is named", "properties.group.id"},
		{"no timestamp", Connector, columns(), "scan.startup.mode=timestamp", "scan.startup.mode", "needs 'scan.startup.timestamp-millis'", ""},
		{"no offsets", Connector, columns(), "scan.bounded.mode=specific-offsets", "scan.bounded.mode", "needs 'scan.bounded.specific-offsets'", "partition:0,offset:42"},
		{"odd offsets", Connector, columns(), "scan.startup.mode=specific-offsets scan.startup.specific-offsets=0:42", "scan.startup.specific-offsets", "is '0:42'", "partition:0,offset:42"},
		{"offsets of two topics", Connector, columns(), "topic=a;b scan.startup.mode=specific-offsets scan.startup.specific-offsets=partition:0,offset:1", "scan.startup.specific-offsets", "one topic only", ""},
		{"unknown property", Connector, columns(), "properties.lingerms=1", "properties.lingerms", "has no option 'properties.lingerms'", "did you mean 'properties.linger.ms'?"},
		{"number", Connector, columns(), "properties.linger.ms=soon", "properties.linger.ms", "is 'soon'", "whole number"},
		{"protocol", Connector, columns(), "properties.security.protocol=KERBEROS", "properties.security.protocol", "cannot be 'KERBEROS'", "SASL_SSL"},
		{"login without name", Connector, columns(), "properties.security.protocol=SASL_PLAINTEXT", "properties.sasl.jaas.config", "has none", "PlainLoginModule"},
		{"stores of Java", Connector, columns(), "properties.ssl.truststore.type=JKS", "properties.ssl.truststore.type", "cannot be 'JKS'", "PEM"},
		{"no certificate", Connector, columns(), "properties.ssl.truststore.certificates=x", "properties.ssl.truststore.certificates", "no certificate in PEM", "keytool"},
		{"exactly once and half acknowledged", Connector, columns(), "sink.delivery-guarantee=exactly-once properties.acks=1", "properties.acks", "acknowledged by all brokers", "at-least-once"},
		{"no prefix", Connector, columns(), "sink.delivery-guarantee=exactly-once sink.transactional-id-prefix=", "sink.transactional-id-prefix", "begin with something", "leave it out"},
		{"a short transaction", Connector, columns(), "properties.transaction.timeout.ms=10", "properties.transaction.timeout.ms", "is '10'", "from 1000"},
		{"parallel", Connector, columns(), "sink.parallelism=none", "sink.parallelism", "is 'none', which is not a whole number from 1 on", "write a number"},
		{"changes told twice", Upsert, keyed, "key.format=json value.format=debezium-json", "value.format", "tells changes by itself", "connector 'kafka'"},
		{"changes in a key", Connector, columns(), "key.format=canal-json key.fields=id", "key.format", "cannot be 'canal-json'", "use one of: json"},
		{"changes in a key of a managed table", managed, keyed, "topic=- properties.bootstrap.servers=- key.format=canal-json", "key.format", "a key cannot be in format 'canal-json'", "json"},
		{"upserts without a key", Upsert, columns(), "key.format=json", "connector", "needs a primary key", "PRIMARY KEY"},
		{"upserts without a key format", Upsert, keyed, "", "connector", "needs the option 'key.format'", ""},
		{"buffered upserts", Upsert, keyed, "key.format=json value.format=json sink.buffer-flush.max-rows=all", "sink.buffer-flush.max-rows", "is 'all', which is not a whole number", "digits"},
		{"upserts buffered for a while", Upsert, keyed, "key.format=json value.format=json sink.buffer-flush.interval=long", "sink.buffer-flush.interval", "'long' is not a length of time", "unit"},
		{"managed upserts without a key", managed, columns(), "topic=- properties.bootstrap.servers=- changelog.mode=upsert", "changelog.mode", "needs a primary key", ""},
		{"a registry", managed, columns(), "topic=- properties.bootstrap.servers=- value.format=avro-registry", "value.format", "needs the option 'value.avro-registry.url'", "schema registry"},
		{"another registry", managed, columns(), "topic=- properties.bootstrap.servers=- value.format=proto-registry", "value.format", "'proto-registry' is not supported", "avro-registry"},
	} {
		o := maps.Clone(base)
		for pair := range strings.FieldsSeq(c.options) {
			k, v, _ := strings.Cut(pair, "=")
			if v == "-" {
				delete(o, k)
			} else {
				o[k] = v
			}
		}
		err := connector.Check(c.connector.Name, o, c.connector.Specs)
		if err == nil {
			_, err = c.connector.NewSource(c.table, o)
		}
		e, ok := errors.AsType[*connector.OptionError](err)
		if !ok {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if e.Key != c.key || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %s: %s (%s)", c.name, e.Key, e.Message, e.Hint)
		}
	}
}

// TestPropertiesAreDocumented: a property that is accepted means something, or says that it does not.
func TestPropertiesAreDocumented(t *testing.T) {
	for _, p := range properties {
		if p.doc == "" && p.ignored == "" || p.apply != nil && p.ignored != "" {
			t.Errorf("%s has no meaning", p.key)
		}
	}
}

func TestLoginModules(t *testing.T) {
	for _, c := range []struct{ mechanism, jaas, name string }{
		{"PLAIN", `org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";`, "PLAIN"},
		{"PLAIN", "org.apache.kafka.common.security.plain.PlainLoginModule required\n  username='a'\n  password=b;", "PLAIN"},
		{"SCRAM-SHA-256", `org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b\"c";`, "SCRAM-SHA-256"},
		{"SCRAM-SHA-512", `org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";`, "SCRAM-SHA-512"},
		{"PLAIN", `org.apache.kafka.common.security.scram.ScramLoginModule required username="a" password="b";`, ""},
		{"PLAIN", `com.sun.security.auth.module.Krb5LoginModule required username="a" password="b";`, ""},
		{"PLAIN", `org.apache.kafka.common.security.plain.PlainLoginModule required username="a";`, ""},
	} {
		m, err := (&security{mechanism: c.mechanism, jaas: c.jaas}).login()
		switch {
		case c.name == "" && err == nil, c.name != "" && err != nil:
			t.Errorf("%s: %v", c.jaas, err)
		case err == nil && m.Name() != c.name:
			t.Errorf("%s: %s", c.jaas, m.Name())
		}
	}
}
