package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestTopicsAreTables: what another program has written to a topic is read, and what it reads is written, with no CREATE TABLE anywhere.
func TestTopicsAreTables(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 2)
		at := func(seconds int) time.Time { return time.Date(2026, 1, 1, 0, 0, seconds, 0, time.UTC) }
		b.Send(t, true,
			&brokertest.Record{Topic: topic, Key: []byte("ana"), Value: []byte("/a"), Timestamp: at(1)},
			&brokertest.Record{Topic: topic, Key: []byte("ana"), Value: []byte("/b"), Timestamp: at(9)},
			&brokertest.Record{Topic: topic, Value: []byte{0xff, 0}, Timestamp: at(11)},
			&brokertest.Record{Topic: topic, Key: []byte("bo"), Timestamp: at(25), Partition: 1},
		)
		const windows = "SELECT window_end, CAST(key AS STRING) AS who, COUNT(*) AS n, MAX(CAST(val AS STRING)) AS last FROM TUMBLE(TABLE t" + bounded + ", DESCRIPTOR($rowtime), INTERVAL '10' SECOND) WHERE key IS NOT NULL GROUP BY window_start, window_end, key"
		for _, c := range []struct{ name, sql, want string }{
			{"rows", "SELECT CAST(key AS STRING) AS k, val FROM t" + bounded + " WHERE val IS NOT NULL", "op,k,val\n+I,ana,x'2f61'\n+I,ana,x'2f62'\n+I,,x'ff00'\n"},
			{"a tombstone", "SELECT CAST(key AS STRING) AS k, $rowtime FROM t" + bounded + " WHERE val IS NULL", "op,k,$rowtime\n+I,bo,2026-01-01 00:00:25.000Z\n"},
			{"windows", windows, "op,window_end,who,n,last\n+I,2026-01-01 00:00:10.000,ana,2,/b\n+I,2026-01-01 00:00:30.000,bo,1,\n"},
			{"listed", "SHOW TABLES LIKE 't'", "table name\nt\n"},
			{"described", "DESCRIBE EXTENDED t", "Column Name,Data Type,Nullable,Extras,Comment\nkey,BYTES,NULL,BUCKET KEY,\"\"\nval,BYTES,NULL,\"\",\"\"\n" +
				"$rowtime,TIMESTAMP_LTZ(3) *ROWTIME*,NOT NULL,\"METADATA FROM 'timestamp' VIRTUAL, WATERMARK AS SOURCE_WATERMARK()\",\"\"\n"},
			{"altered", "ALTER TABLE t MODIFY WATERMARK FOR $rowtime AS $rowtime - INTERVAL '5' SECOND; ALTER TABLE t ADD o BIGINT METADATA FROM 'offset' VIRTUAL; SELECT o FROM t" + bounded + " WHERE CAST(key AS STRING) = 'bo'", "op,o\n+I,0\n"},
			{"altered for a session only", "SELECT * FROM t" + bounded + " WHERE CAST(key AS STRING) = 'bo'", "op,key,val\n+I,x'626f',\n"},
			{"no row is late", "ALTER TABLE t SET ('late-handling.mode' = 'filter'); SELECT val FROM `t$late`" + bounded, "op,val\n"},
			{"written", "INSERT INTO t VALUES (CAST('cy' AS BYTES), CAST('/c' AS BYTES)), (x'00', NULL); SELECT CAST(key AS STRING) AS k, val FROM t" + bounded + " WHERE CAST(key AS STRING) = 'cy'", "op,k,val\n+I,cy,x'2f63'\n"},
			{"declared", "CREATE TABLE IF NOT EXISTS t (page STRING) WITH ('value.format' = 'raw', 'value.raw.charset' = 'ISO-8859-1'); SELECT page FROM t" + bounded + " WHERE page = '/a'", "op,page\n+I,/a\n"},
			{"dropped", "DROP TABLE t; SHOW TABLES LIKE 't'", "table name\n"},
		} {
			sql := strings.NewReplacer("FROM t ", "FROM `"+topic+"` ", "TABLE t ", "TABLE `"+topic+"` ", "TABLE t;", "TABLE `"+topic+"`;", "INTO t ", "INTO `"+topic+"` ", "EXISTS t ", "EXISTS `"+topic+"` ",
				"EXTENDED t", "EXTENDED `"+topic+"`", "`t$late`", "`"+topic+"$late`", "LIKE 't'", "LIKE '"+topic+"'").Replace(c.sql)
			if got, code := runSQL(t, sql, "--brokers", b.Addr); got != strings.ReplaceAll(c.want, "\nt\n", "\n"+topic+"\n") || code != exitOK {
				t.Errorf("%s: %s\ngot %d %s", c.name, sql, code, got)
			}
		}
		topics, err := b.Admin(t).ListTopics(context.Background())
		if err != nil || topics.Has(topic) {
			t.Errorf("the topic is there: %v", err)
		}
	})
}

// TestAlterTimestampTypeOfTopic: a topic that nobody declared is known to have the brokers' time, and can be given the writers'.
func TestAlterTimestampTypeOfTopic(t *testing.T) {
	b := brokertest.Start(t)
	topic := b.Topic(t, 1, "message.timestamp.type", "LogAppendTime")
	sql := strings.ReplaceAll("SHOW CREATE TABLE `t`; ALTER TABLE `t` SET ('kafka.message-timestamp-type' = 'CreateTime'); "+
		"ALTER TABLE `t` ADD ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'; INSERT INTO `t` VALUES (NULL, NULL, TO_TIMESTAMP_LTZ(5000, 3)); SELECT ts FROM `t`"+bounded, "`t`", "`"+topic+"`")
	got, code := runSQL(t, sql, "--brokers", b.Addr)
	if !strings.Contains(got, "'kafka.message-timestamp-type' = 'LogAppendTime'") || !strings.HasSuffix(got, "op,ts\n+I,1970-01-01 00:00:05.000Z\n") || code != exitOK {
		t.Errorf("%d %s", code, got)
	}
}

// TestTopicsOfTheFolder: topics in the folder of the broker of the process are tables in the next process, and names that are near are told.
func TestTopicsOfTheFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, c := range []struct {
		sql, want string
		code      int
	}{
		{"SHOW TABLES", "table name\n", exitOK},
		{"CREATE TABLE orders (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO orders VALUES (1)", "", exitOK},
		{"SHOW TABLES; SELECT CAST(val AS STRING) AS v FROM orders" + bounded, "table name\norders\nop,v\n+I,\"{\"\"id\"\":1}\"\n", exitOK},
		{"SELECT * FROM order1", "did you mean 'orders'?", exitUsage},
		{"SET 'sql.profile' = 'flink'; SELECT * FROM orders", "unknown table 'orders'", exitUsage},
		{"CREATE TABLE copies LIKE orders; INSERT INTO copies SELECT * FROM orders" + bounded + "; DROP TABLE orders; SHOW TABLES; SELECT COUNT(*) AS n FROM copies" + bounded, "table name\ncopies\nop,n\n+I,1\n", exitOK},
	} {
		if got, code := runSQL(t, c.sql, "--data-dir", dir); !strings.Contains(got, c.want) || c.want == "" && got != "" || code != c.code {
			t.Errorf("%s\n%d %s", c.sql, code, got)
		}
	}
}

// TestNoBrokerForAMistake: a table that is not there is no reason to start a broker, and one that cannot be asked is what there is to say.
func TestNoBrokerForAMistake(t *testing.T) {
	where := &brokers{}
	if names, err := where.connectors()[len(where.connectors())-1].Inferred.Names(); err != nil || names != nil || where.embedded != nil {
		t.Errorf("%v %v, started: %t", names, err, where.embedded != nil)
	}
	for _, sql := range []string{"SELECT * FROM orders", "INSERT INTO orders VALUES (x'00', x'00')", "SHOW TABLES", "DESCRIBE orders", "SHOW CREATE TABLE orders", "ALTER TABLE IF EXISTS orders DROP WATERMARK", "DROP TABLE IF EXISTS orders"} {
		if got, code := runSQL(t, sql, "--brokers", "127.0.0.1:1"); code != exitExternal || !strings.Contains(got, "of the brokers at 127.0.0.1:1") {
			t.Errorf("%s: %d %s", sql, code, got)
		}
	}
}
