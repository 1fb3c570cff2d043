package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
	"github.com/tidemark-sql/tidemark/internal/connector/registry/registrytest"
)

// TestRegistry: rows go through a topic in Avro whose schema is in a registry.
func TestRegistry(t *testing.T) {
	b, r := brokertest.Start(t), registrytest.Start(t)
	for _, format := range []string{"avro-confluent", "avro-registry", "json-registry"} {
		topic := b.Topic(t, 1)
		sql := strings.NewReplacer("@", topic, "$", b.Addr, "%", format, "^", r.URL).Replace("CREATE TABLE t (id BIGINT, name STRING) WITH ('connector' = 'kafka', 'topic' = '@', " +
			"'properties.bootstrap.servers' = '$', 'scan.startup.mode' = 'earliest-offset', 'key.format' = '%', 'key.fields' = 'id', 'value.format' = '%', 'key.%.url' = '^', 'value.%.url' = '^'); " +
			"INSERT INTO t VALUES (1, 'a'), (2, CAST(NULL AS STRING)); SELECT * FROM t" + bounded)
		if got, code := runSQL(t, sql); got != "op,id,name\n+I,1,a\n+I,2,\n" || code != exitOK {
			t.Errorf("%s\ngot %d %s", sql, code, got)
		}
		var subjects []string
		for _, s := range r.Schemas() {
			subjects = append(subjects, s.Subject)
		}
		if !slices.Contains(subjects, topic+"-key") || !slices.Contains(subjects, topic+"-value") {
			t.Errorf("%s: subjects %q", format, subjects)
		}
	}
}

// TestChangesGoThroughTopics: what an updating query writes is what a query of the table reads.
func TestChangesGoThroughTopics(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		const (
			counts   = "; INSERT INTO @ SELECT name, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS v (name) GROUP BY name; SELECT * FROM @" + bounded
			few      = "; INSERT INTO @ SELECT * FROM (SELECT name, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS v (name) GROUP BY name) WHERE n < 2; SELECT * FROM @" + bounded
			total    = "; INSERT INTO @ SELECT name, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS v (name) GROUP BY name; SELECT SUM(n) AS s FROM @" + bounded
			keyed    = "CREATE TABLE @ (name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED) DISTRIBUTED INTO 1 BUCKETS"
			plain    = "CREATE TABLE @ (name STRING, n BIGINT) DISTRIBUTED INTO 1 BUCKETS"
			upsert   = "CREATE TABLE @ (name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH ('connector' = 'upsert-kafka', 'topic' = '@', 'properties.bootstrap.servers' = '$', 'key.format' = 'json', 'value.format' = 'json')"
			append   = "CREATE TABLE @ (name STRING, n BIGINT) WITH ('connector' = 'kafka', 'topic' = '@', 'properties.bootstrap.servers' = '$', 'format' = 'json')"
			debezium = "CREATE TABLE @ (name STRING, n BIGINT) WITH ('connector' = 'kafka', 'topic' = '@', 'properties.bootstrap.servers' = '$', 'scan.startup.mode' = 'earliest-offset', 'value.format' = 'debezium-json')"
			all      = "op,name,n\n+I,a,1\n+I,b,1\n-U,a,1\n+U,a,2\n"
			sums     = "op,s\n+I,1\n-U,1\n+U,2\n-U,2\n+U,1\n-U,1\n+U,3\n"
		)
		for _, c := range []struct{ sql, want string }{
			{keyed + counts, all},
			{plain + " WITH ('changelog.mode' = 'retract')" + counts, all},
			{keyed + " WITH ('changelog.mode' = 'retract')" + counts, all},
			{upsert + counts, all},
			{keyed + total, sums},
			{upsert + total, sums},
			{upsert + few, "op,name,n\n+I,a,1\n+I,b,1\n-D,a,1\n"},
			{keyed + few, "op,name,n\n+I,a,1\n+I,b,1\n-D,a,1\n"},
			{debezium + counts, "op,name,n\n+I,a,1\n+I,b,1\n-D,a,1\n+I,a,2\n"},
			{debezium + total, "op,s\n+I,1\n-U,1\n+U,2\n-U,2\n+U,1\n-U,1\n+U,3\n"},
			{plain + counts, "refused: declare a PRIMARY KEY"},
			{plain + " WITH ('changelog.mode' = 'append')" + counts, "refused: declare a PRIMARY KEY"},
			{append + counts, "refused: write to a table that takes updates"},
		} {
			topic := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
			if strings.Contains(c.sql, "$") {
				topic = b.Topic(t, 1)
			}
			sql := strings.NewReplacer("'@'", "'"+topic+"'", "@", "`"+topic+"`", "$", b.Addr).Replace(c.sql) + "; DROP TABLE `" + topic + "`"
			got, code := runSQL(t, sql, "--brokers", b.Addr)
			if hint, refused := strings.CutPrefix(c.want, "refused: "); refused {
				if code != exitUsage || !strings.Contains(got, "takes only rows that are added") || !strings.Contains(got, hint) {
					t.Errorf("%s\ngot %d %s", sql, code, got)
				}
				continue
			}
			if got != c.want || code != exitOK {
				t.Errorf("%s\ngot %d %s", sql, code, got)
			}
		}
	})
}
