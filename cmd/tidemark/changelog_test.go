package main

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

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
			{plain + counts, "refused"},
			{plain + " WITH ('changelog.mode' = 'append')" + counts, "refused"},
			{append + counts, "refused"},
		} {
			topic := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
			if strings.Contains(c.sql, "$") {
				topic = b.Topic(t, 1)
			}
			sql := strings.NewReplacer("'@'", "'"+topic+"'", "@", "`"+topic+"`", "$", b.Addr).Replace(c.sql) + "; DROP TABLE `" + topic + "`"
			got, code := runSQL(t, sql, "--brokers", b.Addr)
			if c.want == "refused" {
				if code != exitUsage || !strings.Contains(got, "takes only rows that are added") {
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
