package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-sql/tidemark/internal/broker/brokertest"
)

// documented is the example of YDB's page on watermarks, between topics of other names; START stands for where it begins.
const documented = "CREATE STREAMING QUERY example WITH (READ_FROM = START) AS DO BEGIN " +
	"$input = (SELECT t.*, __ydb_write_time AS ts FROM `INPUT` WITH (FORMAT = json_each_row, SCHEMA = (pass Int64, payload String), WATERMARK = __ydb_write_time - Interval(\"PT5S\")) AS t); " +
	"$output = (SELECT AGGREGATE_LIST(payload) AS result, CAST(HOP_END() AS String) AS ts FROM $input WHERE pass > 0 GROUP BY HoppingWindow(ts, \"PT5S\", \"PT10S\")); " +
	"INSERT INTO `OUTPUT` SELECT ToBytes(Unwrap(Yson2::SerializeJson(Yson::From(TableRow())))) FROM $output; END DO"

// TestStreamingQueryOverTopics: a query of YQL reads a topic that nobody declared, by the times at which its messages were written, from where it is told to, and writes
// messages to another one.
func TestStreamingQueryOverTopics(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		input := b.Topic(t, 1)
		var messages []*brokertest.Record
		for _, m := range []struct {
			at   int64
			text string
		}{{40, `{"pass": 1, "payload": "a"}`}, {42, `{"pass": 1, "payload": "b"}`}, {50, `{"pass": 0, "payload": "c"}`}, {40, `{"pass": 1, "payload": "d"}`}, {58, "{\"pass\": 1, \"payload\": \"e\"}\n{\"pass\": 1, \"payload\": \"f\"}"}, {70, "{}"}} {
			messages = append(messages, &brokertest.Record{Topic: input, Value: []byte(m.text), Timestamp: time.Unix(m.at, 0)})
		}
		b.Send(t, true, messages...)
		for start, want := range map[string][]string{
			"EARLIEST":                          {`{"result":["a","b"],"ts":"1970-01-01T00:00:45.000000Z"}`, `{"result":["a","b"],"ts":"1970-01-01T00:00:50.000000Z"}`, `{"result":["e","f"],"ts":"1970-01-01T00:01:00.000000Z"}`},
			`Timestamp("1970-01-01T00:00:42Z")`: {`{"result":["b"],"ts":"1970-01-01T00:00:45.000000Z"}`, `{"result":["b"],"ts":"1970-01-01T00:00:50.000000Z"}`, `{"result":["e","f"],"ts":"1970-01-01T00:01:00.000000Z"}`},
		} {
			output := b.Topic(t, 1)
			text := strings.NewReplacer("START", start, "INPUT", input, "OUTPUT", output).Replace(documented)
			ctx, stop := context.WithCancel(context.Background())
			var out, errs bytes.Buffer
			ended := make(chan int, 1)
			go func() {
				ended <- dispatch(ctx, []string{"run", "--quiet", "--brokers", b.Addr, "-e", text}, &out, &errs)
			}()
			var got []string
			watching, done := context.WithTimeout(context.Background(), time.Minute)
			b.Follow(watching, t, output, func(r *brokertest.Record) bool {
				if r.Key != nil {
					t.Errorf("the message has key %q", r.Key)
				}
				got = append(got, string(r.Value))
				return len(got) < len(want)
			})
			done()
			stop()
			<-ended
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s:\n got %q\nwant %q\n%s%s", start, got, want, out.String(), errs.String())
			}
		}
	})
}

// TestTopicOfYQL: CREATE TOPIC makes a topic of one column, with the partitions that it asks for, which Flink SQL writes and YQL reads.
func TestTopicOfYQL(t *testing.T) {
	brokertest.Both(t, func(t *testing.T, b brokertest.Target) {
		topic := b.Topic(t, 1) + "-made"
		sql := strings.ReplaceAll("CREATE TOPIC `t` WITH (min_active_partitions = 3); INSERT INTO `t` VALUES ('{\"n\":1}'), ('{\"n\":2}'); SELECT Data FROM `t` WHERE Data LIKE '%2%' LIMIT 1", "`t`", "`"+topic+"`")
		got, code := runSQL(t, sql, "--brokers", b.Addr)
		if want := "op,Data\n+I,\"{\"\"n\"\":2}\"\n"; got != want || code != exitOK {
			t.Errorf("%d %s", code, got)
		}
		topics, err := b.Admin(t).ListTopics(context.Background(), topic)
		if err != nil || len(topics[topic].Partitions) != 3 {
			t.Errorf("%v %v", topics[topic].Partitions, err)
		}
		sql = strings.ReplaceAll("PRAGMA pq.Consumer = \"c\"; SELECT n + 1 AS more, __ydb_seq_no IS NULL AS unknown, __ydb_create_time = __ydb_write_time AS same FROM `t` WITH (FORMAT = json_each_row, SCHEMA = (n Int64 NOT NULL)) WHERE n > 1 LIMIT 1; DROP TOPIC `t`", "`t`", "`"+topic+"`")
		if got, code = runSQL(t, sql, "--brokers", b.Addr); got != "op,more,unknown,same\n+I,3,false,true\n" || code != exitOK {
			t.Errorf("%d %s", code, got)
		}
		if topics, err = b.Admin(t).ListTopics(context.Background(), topic); err != nil || topics.Has(topic) {
			t.Errorf("the topic is still there: %v", err)
		}
	})
}
