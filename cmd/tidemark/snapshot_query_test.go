package main

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// TestSnapshotQueries: a query over the rows of a topic that there are now ends, tells each row of its result once, in order, and can be inserted where nothing is taken back.
func TestSnapshotQueries(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		table := strings.ReplaceAll(b.Topic(t, 1), "-", "_")
		var flags []string
		if b.Embedded == nil {
			flags = []string{"--brokers", b.Addr}
		}
		sql := strings.ReplaceAll(`
CREATE TABLE t (k STRING, v INT) DISTRIBUTED INTO 3 BUCKETS;
INSERT INTO t VALUES ('a', 1), ('b', 2), ('a', 3), ('c', 9);
SET 'sql.snapshot.mode' = 'now';
SELECT k, SUM(v) AS s FROM t GROUP BY k ORDER BY s;
CREATE TABLE t_sums (k STRING, s INT);
INSERT INTO t_sums SELECT k, SUM(v) FROM t GROUP BY k;
SELECT COUNT(*) FROM t_sums;
DROP TABLE t; DROP TABLE t_sums`, " t", " "+table)
		sql = strings.ReplaceAll(sql, "INTO t", "INTO "+table)
		got, code := runSQL(t, sql, flags...)
		if want := "op,k,s\n+I,b,2\n+I,a,4\n+I,c,9\nop,EXPR$0\n+I,3\n"; got != want || code != exitOK {
			t.Errorf("exit %d, got\n%s", code, got)
		}
	})
}
