package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

const bounded = " /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */"

// runSQL runs statements and gives their output and their exit code.
func runSQL(t *testing.T, sql string, flags ...string) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := dispatch(context.Background(), append([]string{"run", "--quiet", "--output", "csv", "-e", sql}, flags...), &out, &errs)
	return out.String() + errs.String(), code
}

func TestManagedTables(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		table := strings.ReplaceAll(b.Topic(t, 1), "-", "_") // a name that is not taken, for a topic that is not there
		var flags []string
		if b.Embedded == nil {
			flags = []string{"--brokers", b.Addr}
		}
		for _, c := range []struct{ sql, want string }{
			{"CREATE TABLE t (id BIGINT, name STRING) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO t VALUES (1, 'a'), (2, 'b'); SELECT * FROM t" + bounded, "op,id,name\n+I,1,a\n+I,2,b\n"},
			{"CREATE TABLE t (id BIGINT, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', p INT METADATA FROM 'partition' VIRTUAL); INSERT INTO t VALUES (1, TO_TIMESTAMP_LTZ(5000, 3)); SELECT id, ts FROM t" + bounded, "op,id,ts\n+I,1,1970-01-01 00:00:05.000Z\n"},
			{"CREATE TABLE t (id BIGINT); INSERT INTO t VALUES (1); DROP TABLE t; CREATE TABLE t (name STRING); INSERT INTO t VALUES ('a'); SELECT * FROM t" + bounded, "op,name\n+I,a\n"},
			{"CREATE TABLE t (id BIGINT) WITH ('value.format' = 'csv', 'changelog.mode' = 'retract'); INSERT INTO t VALUES (7); SELECT * FROM t" + bounded, "op,id\n+I,7\n"},
		} {
			sql := strings.NewReplacer(" t ", " "+table+" ", " t;", " "+table+";", "FROM t", "FROM "+table).Replace(c.sql) + "; DROP TABLE " + table
			if got, code := runSQL(t, sql, flags...); got != c.want || code != exitOK {
				t.Errorf("%s\ngot %d %s", sql, code, got)
			}
		}
	})
}

func TestDataFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	const sql = "CREATE TABLE IF NOT EXISTS t (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO t VALUES (1); SELECT * FROM t" + bounded
	for i := range 3 {
		want := "op,id\n" + strings.Repeat("+I,1\n", i+1)
		if got, code := runSQL(t, sql, "--data-dir", dir); got != want || code != exitOK {
			t.Errorf("run %d: %d %s", i, code, got)
		}
	}
	got, code := runSQL(t, "CREATE TABLE t (id BIGINT) DISTRIBUTED INTO 2 BUCKETS", "--data-dir", dir)
	if code != exitUsage || !strings.Contains(got, "topic 't' is there already and has 1 partitions") {
		t.Errorf("other buckets: %d %s", code, got)
	}
}

func TestBrokerFlags(t *testing.T) {
	for _, flags := range [][]string{{"--brokers", "x:1", "--data-dir", "y"}, {"--brokers", "x:1", "--broker-listen", "127.0.0.1:0"}} {
		if got, code := runSQL(t, "SELECT 1", flags...); code != exitUsage || !strings.Contains(got, "--brokers names other brokers") {
			t.Errorf("%v: %d %s", flags, code, got)
		}
	}
	if got, code := runSQL(t, "SELECT 1", "--broker-listen", "0.0.0.0:0"); code != exitUsage || !strings.Contains(got, "cannot listen on") {
		t.Errorf("%d %s", code, got)
	}
}

// TestExplainMakesNothing: a statement that is only explained touches no broker.
func TestExplainMakesNothing(t *testing.T) {
	var out, errs bytes.Buffer
	code := dispatch(context.Background(), []string{"explain", "-e", "CREATE TABLE t (id BIGINT); SELECT * FROM t; DROP TABLE t"}, &out, &errs)
	if code != exitOK || !strings.Contains(out.String(), "t") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

// TestTakesBackOnlyWhatItMade: CREATE TABLE … AS that is only explained makes and deletes nothing, and one that cannot start takes back its own
// topic, never one that was there before.
func TestTakesBackOnlyWhatItMade(t *testing.T) {
	b := brokertest.Start(t)
	const file = "CREATE TABLE f (id BIGINT) WITH ('connector' = 'filesystem', 'path' = 'testdata/not-there.json', 'format' = 'json'); "
	for _, c := range []struct {
		name, sql string
		code      int
	}{
		{"explained", "EXPLAIN CREATE TABLE t AS SELECT CAST(1 AS BIGINT) AS id", exitOK},
		{"cannot start", file + "CREATE TABLE t AS SELECT id FROM f", exitUsage},
	} {
		for _, there := range []bool{false, true} {
			if there {
				if got, code := runSQL(t, "CREATE TABLE t (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO t VALUES (7)", "--brokers", b.Addr); code != exitOK {
					t.Fatal(got)
				}
			}
			if got, code := runSQL(t, c.sql, "--brokers", b.Addr); code != c.code {
				t.Errorf("%s: %d %s", c.name, code, got)
			}
			topics, err := b.Admin(t).ListTopics(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if topics.Has("t") != there {
				t.Errorf("%s: topics %v, and the topic was there before: %t", c.name, topics.Names(), there)
			}
		}
		if got, code := runSQL(t, "CREATE TABLE t (id BIGINT); SELECT * FROM t"+bounded+"; DROP TABLE t", "--brokers", b.Addr); got != "op,id\n+I,7\n" || code != exitOK {
			t.Errorf("%s: afterwards %d %s", c.name, code, got)
		}
	}
}

// TestAlterManagedTable: ALTER TABLE refuses by name what the topic would not follow, and takes what only says how it is read and written.
func TestAlterManagedTable(t *testing.T) {
	b := brokertest.Start(t)
	const other = "CREATE TABLE o (id BIGINT) WITH ('connector' = 'blackhole'); "
	for _, c := range []struct{ table, alter, message, hint string }{
		{"", "MODIFY DISTRIBUTION INTO 3 BUCKETS", "keeps its buckets", "CREATE another table"},
		{"", "DROP DISTRIBUTION", "keeps its buckets", "CREATE another table"},
		{"", "MODIFY DISTRIBUTION BY (id) INTO 2 BUCKETS", "keeps its primary key or distribution", "CREATE another table"},
		{"", "ADD PRIMARY KEY (id) NOT ENFORCED", "keeps its primary key or distribution", "CREATE another table"},
		{"", "SET ('kafka.retention.time' = '1 h')", "'kafka.retention.time' is a setting of the topic", "set 'retention.ms' = '3600000' of topic 't' at the brokers"},
		{"WITH ('kafka.compaction.time' = '1 h')", "RESET ('kafka.compaction.time')", "'kafka.compaction.time' is a setting", "set 'max.compaction.lag.ms' of topic 't'"},
		{"", "SET ('kafka.retention.size' = '1 mb')", "'kafka.retention.size' is a setting", "'retention.bytes' = '1048576'"},
		{"", "SET ('kafka.max-message-size' = '1 mb')", "'kafka.max-message-size' is a setting", "'max.message.bytes' = '1048576'"},
		{"", "SET ('kafka.cleanup-policy' = 'compact')", "'kafka.cleanup-policy' is a setting", "'cleanup.policy' = 'compact'"},
		{"", "SET ('kafka.message-timestamp-type' = 'Never')", "'kafka.message-timestamp-type'", "CreateTime"},
		{"", "SET ('connector' = 'blackhole')", "from or to a managed table is not supported", "CREATE another table"},
		{"", "SET ('changelog.mode' = 'retract')", "", ""},
		{"", "SET ('scan.startup.mode' = 'latest-offset', 'scan.watermark.idle-timeout' = '1 s', 'kafka.retention.time' = '0')", "", ""},
		{"", "SET ('kafka.consumer.isolation-level' = 'read-uncommitted', 'kafka.producer.compression.type' = 'lz4')", "", ""},
		{"", "ADD name STRING", "", ""},
	} {
		got, code := runSQL(t, "CREATE TABLE t (id BIGINT) DISTRIBUTED INTO 2 BUCKETS "+c.table+"; ALTER TABLE t "+c.alter, "--brokers", b.Addr)
		if !strings.Contains(got, c.message) || !strings.Contains(got, c.hint) || (code == exitOK) != (c.message == "") {
			t.Errorf("%s: %d %s", c.alter, code, got)
		}
		if _, code := runSQL(t, "CREATE TABLE t (id BIGINT); DROP TABLE t", "--brokers", b.Addr); code != exitOK {
			t.Fatal("the table cannot be dropped")
		}
	}
	const keyed = "CREATE TABLE t (id BIGINT, n BIGINT, PRIMARY KEY (id) NOT ENFORCED); ALTER TABLE t SET ('changelog.mode' = 'append')"
	if got, code := runSQL(t, keyed, "--brokers", b.Addr); code != exitUsage || !strings.Contains(got, "keeps the 'cleanup.policy' of its topic: it is 'compact', and the table would need 'delete'") {
		t.Errorf("another changelog: %d %s", code, got)
	}
	if got, code := runSQL(t, other+"ALTER TABLE o SET ('connector' = 'confluent')", "--brokers", b.Addr); code != exitUsage || !strings.Contains(got, "from or to a managed table") {
		t.Errorf("made managed: %d %s", code, got)
	}
}

// TestAlterTimestampType: who gives the timestamps is changed at the brokers; what is there keeps its own. EXPLAIN changes nothing.
func TestAlterTimestampType(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		table := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
		sql := strings.NewReplacer(" t ", " "+table+" ").Replace(`CREATE TABLE t (id INT, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', kind STRING METADATA FROM 'timestamp-type' VIRTUAL) DISTRIBUTED INTO 1 BUCKETS;
			INSERT INTO t VALUES (1, TO_TIMESTAMP_LTZ(5000, 3));
			ALTER TABLE t SET ('kafka.message-timestamp-type' = 'LogAppendTime');
			INSERT INTO t VALUES (2, TO_TIMESTAMP_LTZ(5000, 3));
			ALTER TABLE t RESET ('kafka.message-timestamp-type');
			INSERT INTO t VALUES (3, TO_TIMESTAMP_LTZ(5000, 3));
			SELECT id, ts = TO_TIMESTAMP_LTZ(5000, 3) AS written, kind FROM t ` + bounded)
		const want = "op,id,written,kind\n+I,1,true,CreateTime\n+I,2,false,LogAppendTime\n+I,3,true,CreateTime\n"
		if got, code := runSQL(t, sql, "--brokers", b.Addr); got != want || code != exitOK {
			t.Errorf("%d %s", code, got)
		}
	})
	var out, errs bytes.Buffer
	explain := []string{"explain", "-e", "CREATE TABLE t (id BIGINT); ALTER TABLE t SET ('kafka.message-timestamp-type' = 'LogAppendTime'); SELECT * FROM t"}
	if code := dispatch(context.Background(), explain, &out, &errs); code != exitOK {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

// TestFolderOutlivesRefusals: what no topic can be is refused before it is anywhere, and the folder opens again.
func TestFolderOutlivesRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, c := range []struct{ sql, message string }{
		{"CREATE TABLE t (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO t VALUES (1)", ""},
		{"CREATE TABLE `" + strings.Repeat("x", 300) + "` (id BIGINT)", "it has 300 characters, and 249 is the most"},
		{"CREATE TABLE `a b` AS SELECT 1 AS id", "it has ' ' in it"},
		{"CREATE TABLE many (id BIGINT) DISTRIBUTED INTO 100000000 BUCKETS", "10000 is the most"},
		{"CREATE TABLE a_b (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; CREATE TABLE `a.b` (id BIGINT)", "topic 'a.b' cannot be there beside 'a_b'"},
	} {
		got, code := runSQL(t, c.sql, "--data-dir", dir)
		if !strings.Contains(got, c.message) || (code == exitUsage) != (c.message != "") {
			t.Errorf("%.40s: %d %s", c.sql, code, got)
		}
		const there = "CREATE TABLE t (id BIGINT); SELECT * FROM t" + bounded
		if got, code := runSQL(t, there, "--data-dir", dir); got != "op,id\n+I,1\n" || code != exitOK {
			t.Fatalf("after %.40s: %d %s", c.sql, code, got)
		}
	}
}

// TestKilledBroker: what was cut off is told on standard error, also with --quiet, and what is damaged is an error.
func TestKilledBroker(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if got, code := runSQL(t, "CREATE TABLE t (id BIGINT) DISTRIBUTED INTO 1 BUCKETS; INSERT INTO t VALUES (1)", "--data-dir", dir); code != exitOK {
		t.Fatal(got)
	}
	file := filepath.Join(dir, "partitions", "t-0", "0.dat")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const again = "CREATE TABLE t (id BIGINT); SELECT * FROM t" + bounded
	if err := errors.Join(os.Remove(filepath.Join(dir, "seal")), os.WriteFile(file, append(raw, raw[:20]...), 0o644)); err != nil {
		t.Fatal(err)
	}
	if got, code := runSQL(t, again, "--data-dir", dir); !strings.HasPrefix(got, "op,id\n+I,1\nbroker: "+file) || !strings.Contains(got, "its 20 bytes are cut off") || code != exitOK {
		t.Errorf("%d %s", code, got)
	}
	raw[len(raw)-1] ^= 1
	if err := errors.Join(os.Remove(filepath.Join(dir, "seal")), os.WriteFile(file, raw, 0o644)); err != nil {
		t.Fatal(err)
	}
	if got, code := runSQL(t, again, "--data-dir", dir); !strings.Contains(got, "0.dat: at byte 0: the checksum of a batch is wrong") || code == exitOK {
		t.Errorf("%d %s", code, got)
	}
}
