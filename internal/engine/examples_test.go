package engine

import (
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

// watermarkExamples are the statements by which Flink's and Confluent's documents explain watermarks, with the tables that they read. Those of features that are not
// there yet say which word of the message tells so.
var watermarkExamples = []struct{ statement, refused string }{
	{"CREATE TABLE o (id INT, order_time TIMESTAMP(3), WATERMARK FOR order_time AS order_time - INTERVAL '30' SECOND) WITH ('connector' = 'datagen')", ""},
	{"CREATE TABLE my_table (id INT, WATERMARK FOR $rowtime AS $rowtime - INTERVAL '30' SECOND) WITH ('connector' = 'log')", ""},
	{"ALTER TABLE orders MODIFY WATERMARK FOR order_time AS order_time - INTERVAL '30' SECOND", ""},
	{"ALTER TABLE orders DROP WATERMARK", ""},
	{"SET 'sql.tables.scan.idle-timeout' = '30s'", ""},
	{"SET 'sql.tables.scan.idle-timeout' = '0'", ""},
	{"SET 'sql.tables.scan.watermark-alignment.max-allowed-drift' = '10m'", ""},
	{"SET 'sql.tables.scan.watermark-alignment.max-allowed-drift' = '0'", ""},
	{"SELECT * FROM orders /*+ OPTIONS('sql.tables.scan.idle-timeout'='15s') */ AS o JOIN customers /*+ OPTIONS('sql.tables.scan.idle-timeout'='2m') */ AS c ON o.customer_id = c.customer_id", ""},
	{"CREATE TABLE user_actions (user_name STRING, `data` STRING, current_time as CURRENT_TIMESTAMP, WATERMARK FOR current_time AS current_time) WITH ('connector' = 'datagen')", ""},
	{"CREATE TABLE user_actions (user_name STRING, `data` STRING, user_action_time TIMESTAMP(3), WATERMARK FOR user_action_time AS user_action_time - INTERVAL '5' SECOND) WITH ('connector' = 'datagen')", ""},
	{"SELECT id FROM source_table /*+ WATERMARK_PARAMS('emit-strategy'='ON_PERIODIC') */", ""},
	{"SELECT id FROM source_table /*+ WATERMARK_PARAMS('emit-strategy'='ON_EVENT', 'emit-gap-on-event'='1000') */", ""},
	{"SELECT id FROM source_table /*+ WATERMARK_PARAMS('idle-timeout'='1min') */", ""},
	{"SELECT id FROM source_table /*+ WATERMARK_PARAMS('align-group'='group1', 'align-max-drift'='5s', 'align-update-interval'='1s') */", ""},
}

const watermarkTables = `
CREATE TABLE orders (order_id INT, customer_id INT, order_time TIMESTAMP(3), WATERMARK FOR order_time AS order_time) WITH ('connector' = 'datagen');
CREATE TABLE customers (customer_id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
CREATE TABLE source_table (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
`

// TestWatermarkExamples wants them planned and ready to run, or refused by name with advice.
func TestWatermarkExamples(t *testing.T) {
	for _, c := range watermarkExamples {
		err := start(newEngine(t), source.Text{Name: "q.sql", Body: watermarkTables + c.statement})
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s\n%s", c.statement, render(err))
		case c.refused != "" && err == nil:
			t.Errorf("%s: is accepted", c.statement)
		case c.refused != "":
			if text := render(err); !strings.Contains(text, c.refused) || !strings.Contains(text, "\n   = ") {
				t.Errorf("%s\n%s", c.statement, text)
			}
		}
	}
}
