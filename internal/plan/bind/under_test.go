package bind

import (
	"maps"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/catalog"
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/datagen"
	"github.com/tidemark-sql/tidemark/internal/connector/filesystem"
	"github.com/tidemark-sql/tidemark/internal/connector/kafka"
	"github.com/tidemark-sql/tidemark/internal/connector/stdio"
	"github.com/tidemark-sql/tidemark/internal/sql"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// TestUnder: a table is read and written under another format and other columns; what it says of keys, formats and watermarks is left out, and where it is stays.
func TestUnder(t *testing.T) {
	connectors := []connector.Connector{filesystem.Connector, stdio.Stdin, stdio.Stdout, kafka.Connector, kafka.Upsert, datagen.Connector, kafka.Managed(nil)}
	for _, c := range []struct {
		table   string
		options connector.Options
		want    string
	}{
		{table: "CREATE TABLE t (a BIGINT) WITH ('connector' = 'filesystem', 'path' = 'x', 'format' = 'csv', 'csv.field-delimiter' = ';', 'source.monitor-interval' = '1 s')",
			options: connector.Options{"connector": "filesystem", "path": "x", "source.monitor-interval": "1 s", "format": "raw"}},
		{table: "CREATE TABLE t (a BIGINT) WITH ('connector' = 'stdin', 'format' = 'json', 'json.ignore-parse-errors' = 'true', 'error-handling.mode' = 'ignore')",
			options: connector.Options{"connector": "stdin", "error-handling.mode": "ignore", "format": "raw"}},
		{table: "CREATE TABLE t (a BIGINT) WITH ('connector' = 'stdout', 'format' = 'json')", options: connector.Options{"connector": "stdout", "format": "raw"}},
		{table: `CREATE TABLE t (a BIGINT, b STRING, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', WATERMARK FOR ts AS ts) WITH ('connector' = 'kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'localhost:1',
			'properties.group.id' = 'g', 'format' = 'json', 'key.format' = 'csv', 'key.csv.null-literal' = '-', 'key.fields' = 'a', 'value.fields-include' = 'EXCEPT_KEY', 'watermark.granularity' = '1 s', 'late-handling.mode' = 'drop')`,
			options: connector.Options{"connector": "kafka", "topic": "x", "properties.bootstrap.servers": "localhost:1", "properties.group.id": "g", "value.format": "raw"}},
		{table: `CREATE TABLE t (a BIGINT PRIMARY KEY NOT ENFORCED, b STRING) WITH ('connector' = 'upsert-kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'localhost:1',
			'key.format' = 'json', 'value.format' = 'json', 'value.json.fail-on-missing-field' = 'true', 'sink.buffer-flush.max-rows' = '1')`,
			options: connector.Options{"connector": "kafka", "topic": "x", "properties.bootstrap.servers": "localhost:1", "scan.startup.mode": "earliest-offset", "value.format": "raw"}},
		{table: "CREATE TABLE t (a BIGINT PRIMARY KEY NOT ENFORCED, b STRING) DISTRIBUTED INTO 3 BUCKETS WITH ('kafka.retention.time' = '1 h')",
			options: connector.Options{"connector": kafka.ManagedName, "changelog.mode": "append", "kafka.retention.time": "1 h", "value.format": "raw"}},
		{table: "CREATE TABLE t (a BIGINT) WITH ('connector' = 'datagen')", want: "table 't' has connector 'datagen', whose rows are in no records"},
	} {
		text := source.Text{Body: c.table}
		script, err := sql.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		b := New(catalog.NewSession(), connectors, text)
		table, err := b.Table(script.Statements[0].(*sql.CreateTable))
		if err != nil {
			t.Fatal(c.table, err)
		}
		before := maps.Clone(table.Options)
		under, err := b.Under(table, Layout{Format: "raw", Columns: []catalog.Column{{Name: "data", Type: types.StringType}}})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %s", c.table, err, c.want)
			}
			continue
		}
		if err != nil || !maps.Equal(under.Options, c.options) || !maps.Equal(table.Options, before) {
			t.Errorf("%s:\n got %v, %v\nwant %v", c.table, under.Options, err, c.options)
			continue
		}
		at := script.Statements[0].Span()
		_, unreadable := b.Scan(under, nil, at)
		_, unwritable := b.Target(under, at)
		if unreadable != nil && unwritable != nil || unreadable != nil && under.Options["connector"] != "stdout" || unwritable != nil && under.Options["connector"] != "stdin" {
			t.Errorf("%s: read: %v; written: %v", c.table, unreadable, unwritable)
		}
	}
}

// TestTopicWhateverTheProfile: whoever asks for a topic finds one that nobody declared.
func TestTopicWhateverTheProfile(t *testing.T) {
	session := catalog.NewSession()
	if err := session.Set(catalog.KeyProfile, string(catalog.Flink)); err != nil {
		t.Fatal(err)
	}
	a := &asked{topics: []string{"orders"}}
	b, _ := a.binder(t, session, "SELECT 1")
	path := catalog.Path{Catalog: catalog.DefaultCatalog, Database: catalog.DefaultDatabase, Name: "orders"}
	if _, ok, err := b.Find(path); ok || err != nil {
		t.Errorf("Find: %v, %v", ok, err)
	}
	found, ok, err := b.Topic(path)
	if !ok || err != nil || found.Full() != path {
		t.Errorf("Topic: %v, %v, %v", found, ok, err)
	}
	path.Name = "other"
	if _, ok, err := b.Topic(path); ok || err != nil {
		t.Errorf("Topic of what is not there: %v, %v", ok, err)
	}
}
