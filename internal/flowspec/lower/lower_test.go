package lower_test

import (
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/connector/builtin"
	"github.com/tidemark-sql/tidemark/internal/engine"
	"github.com/tidemark-sql/tidemark/internal/language"
	"github.com/tidemark-sql/tidemark/internal/process"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

var update = flag.Bool("update", false, "write the goldens anew")

const tables = `
CREATE TABLE clicks (who STRING, page STRING, ts BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE declared (who STRING, page STRING, ts BIGINT, happened TIMESTAMP(3), WATERMARK FOR happened AS happened - INTERVAL '7' SECOND) WITH ('connector' = 'datagen', 'watermark.dimension' = 'page');
CREATE TABLE topic (who STRING, page STRING, ts BIGINT, happened TIMESTAMP_LTZ(3), ` + "`time`" + ` TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL)
WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'localhost:1', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE handed (who STRING, page STRING, ts BIGINT, happened TIMESTAMP_LTZ(3), WATERMARK FOR happened AS SOURCE_WATERMARK())
WITH ('connector' = 'kafka', 'topic' = 'h', 'properties.bootstrap.servers' = 'localhost:1', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json', 'watermark.handover' = 'true');
CREATE TABLE keyed (who STRING, page STRING, ts BIGINT, PRIMARY KEY (who) NOT ENFORCED)
WITH ('connector' = 'upsert-kafka', 'topic' = 'k', 'properties.bootstrap.servers' = 'localhost:1', 'key.format' = 'json', 'value.format' = 'json');
CREATE TABLE results (who STRING, ts BIGINT) WITH ('connector' = 'print');
CREATE TABLE narrow (who STRING) WITH ('connector' = 'print');
CREATE TABLE timed (who STRING, ts BIGINT, event_time TIMESTAMP_LTZ(3), WATERMARK FOR event_time AS event_time) WITH ('connector' = 'print');
CREATE VIEW looked AS SELECT * FROM clicks;
`

// planned is the plan of a pipeline over these tables, or why there is none, with the notes.
func planned(t *testing.T, text source.Text) string {
	t.Helper()
	e := engine.New(engine.Options{Connectors: builtin.Connectors, Stdout: io.Discard, Stderr: io.Discard,
		Functions: process.Makers{"work": func(*process.Spec, []byte) (process.Function, error) { return nil, errors.New("nothing runs here") }}})
	run := func(text source.Text) (*engine.Result, error) {
		var last *engine.Result
		all, err := language.Parse(text, language.SQL)
		for _, s := range all {
			if last, err = e.Execute(t.Context(), text, s); err != nil {
				return nil, err
			}
		}
		return last, err
	}
	if _, err := run(source.Text{Name: "tables.sql", Body: tables}); err != nil {
		t.Fatal(err)
	}
	r, err := run(text)
	if placed, ok := errors.AsType[*source.Error](err); ok {
		return "[" + placed.Code + "] " + placed.Render()
	} else if err != nil {
		t.Fatalf("%v is no error with a place", err)
	}
	var b strings.Builder
	for _, n := range r.Notes {
		b.WriteString("note: " + n + "\n")
	}
	b.WriteString(r.Query.Explain())
	return b.String()
}

// TestPipelines changes a pipeline in one place each time, and looks at the plan or at the error.
func TestPipelines(t *testing.T) {
	base, err := os.ReadFile("testdata/base.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for file, all := range map[string][]struct{ name, old, new string }{"plans": plans, "errors": refused} {
		var b strings.Builder
		for _, c := range all {
			if strings.Count(string(base), c.old) != 1 {
				t.Fatalf("%q stands in base.yaml %d times", c.old, strings.Count(string(base), c.old))
			}
			got := planned(t, source.Text{Name: "pipeline.yaml", Body: strings.Replace(string(base), c.old, c.new, 1)})
			if strings.HasPrefix(got, "[") != (file == "errors") {
				t.Errorf("%s: %s", c.name, got)
			}
			b.WriteString("# " + c.name + "\n" + got + "\n")
		}
		file = "testdata/" + file + ".txt"
		if *update {
			if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != b.String() {
			t.Errorf("%s says otherwise: go test -update, and look at what changes", file)
		}
	}
}

const (
	assigner = "event_timestamp_assigner: {column: ts}"
	queue    = "{source_class_name: TQueueSource, parameters: {queue_path: clicks}}"
	hash     = `expression: "farm_hash(who)"`
	sink     = "{sink_class_name: TQueueSink, input_stream_ids: [out], parameters: {queue_path: results}}"
	reading  = queue + "\n    output_stream_ids: [clicks]\n" + strategy
	query    = `{query: "SELECT who, ts FROM worked WHERE ts > 5"}`
	clicks   = "clicks: {schema: [{name: who, type: string}, {name: page, type: string}, {name: ts, type: int64}]}"
	strategy = `    watermark_strategy:
      event_timestamp_assigner: {column: ts}
      watermark_generator: {out_of_orderness_bound: 5s}
`
)

var plans = []struct{ name, old, new string }{
	{"as it is", "reader:", "reader:"},
	{"the path of a queue", "queue_path: clicks", "queue_path: //home/project/clicks"},
	{"what the table declares", reading, "{source_class_name: TQueueSource, parameters: {queue_path: declared}}\n    output_stream_ids: [clicks]\n"},
	{"a strategy over what the table declares", "queue_path: clicks", "queue_path: declared"},
	{"the time of the record", reading, "{source_class_name: TQueueSource, parameters: {queue_path: topic}}\n    output_stream_ids: [clicks]\n    watermark_strategy: {watermark_percentile: {value: 90, delay: 10s}}\n"},
	{"no later than the record", reading, "{source_class_name: TQueueSource, parameters: {queue_path: topic, finite: true}}\n    output_stream_ids: [clicks]\n    watermark_strategy: {event_timestamp_assigner: {column: ts, format: milliseconds, limit_by_system_timestamp: true}}\n"},
	{"a watermark that is handed over", reading, "{source_class_name: TQueueSource, parameters: {queue_path: handed}}\n    output_stream_ids: [clicks]\n    watermark_strategy: {watermark_generator: {use_source_watermark: true}}\n"},
	{"an assigner behind code", "processing_function: work\n", "processing_function: work\n    watermark_strategy: {event_timestamp_assigner: {column: who, format: iso8601}}\n"},
	{"two key columns", hash, hash + "}, {name: page, type: string"},
	{"a key that is computed", hash, `expression: "CHAR_LENGTH(who) * 2"`},
	{"a hash that is multiplied", hash, `expression: "farm_hash(who, page) * 1009"`},
	{"a time of the table", "queue_path: results", "queue_path: timed"},
	{"timers that wait for timers", "close: {streams_with_delays: {clicks: 1s}}", "close: {streams_with_delays: {clicks: 1s, more: 2s}}, more: {}"},
	{"a query over windows", query, "{query: \"SELECT who, COUNT(*) AS ts FROM TUMBLE(TABLE worked, DESCRIPTOR(`$event_timestamp`), INTERVAL '1' MINUTE) GROUP BY who, window_start, window_end\"}"},
	{"a query with an event time of its own", query, "{query: \"SELECT who, ts, TO_TIMESTAMP_LTZ(ts, 0) AS `$event_timestamp` FROM worked\"}"},
	{"a query whose event time is no column of the stream", query, "{query: \"SELECT who, ts, `$event_timestamp` AS happened FROM worked\"}"},
	{"a query in YQL", query, `{query: "SELECT who, ts + 1 AS ts FROM worked WHERE ts > 5", language: yql}`},
	{"a query that joins a table", query, "{query: \"SELECT w.who, w.ts FROM worked AS w JOIN TABLE(TUMBLE(TABLE declared, DESCRIPTOR(happened), INTERVAL '1' MINUTE)) AS d ON w.who = d.who\"}"},
}

var refused = []struct{ name, old, new string }{
	{"a table that is not there", "queue_path: clicks", "queue_path: click"},
	{"a view", "queue_path: clicks", "queue_path: looked"},
	{"rows that replace others", "queue_path: clicks", "queue_path: keyed"},
	{"a column that the source has not", "queue_path: clicks", "queue_path: narrow"},
	{"a connector that is not there", queue, "{source_class_name: TQueueSource, parameters: {connector: kafk}}"},
	{"an option that is not there", queue, "{source_class_name: TQueueSource, parameters: {connector: datagen, rows: 5}}"},
	{"a sink that only reads", sink, "{sink_class_name: TQueueSink, input_stream_ids: [out], parameters: {connector: datagen}}"},
	{"a query that reads the time which it gives", reading, queue + "\n    output_stream_ids: [clicks]\n    processing_function_parameters: {query: \"SELECT who, page, ts FROM queue WHERE `$event_timestamp` IS NOT NULL\"}\n    processing_function: sql\n" + strategy},
	{"a finite source that has no end", queue, "{source_class_name: TQueueSource, parameters: {queue_path: clicks, finite: true}}"},
	{"no time of the record", assigner, "watermark_percentile: {value: 90}"},
	{"a limit by a time that is not known", assigner, "event_timestamp_assigner: {column: ts, limit_by_system_timestamp: true}"},
	{"a watermark that nobody hands over", "{out_of_orderness_bound: 5s}", "{use_source_watermark: true}"},
	{"code that is not there", "processing_function: work\n", "processing_function: wrok\n"},
	{"code that is far from any", "processing_function: work\n", "processing_function: sessions\n"},
	{"a timer in system time that waits for a timer", "close: {streams_with_delays: {clicks: 1s}}", "close: {time_type: system_time, streams: [more]}, more: {}"},
	{"a key that is no expression", hash, `expression: "farm_hash(who"`},
	{"a key of a column that is not there", hash, `expression: "farm_hash(whom)"`},
	{"a key of another type", hash, `expression: "UPPER(who)"`},
	{"a hash of an expression", hash, `expression: "farm_hash(UPPER(who))"`},
	{"a query that is no SQL", query, `{query: "SELEKT who FROM worked"}`},
	{"a query in lines", query, "\n        query: |\n          SELECT who,\n                 tss\n          FROM worked"},
	{"a query that is folded", query, "\n        query: >\n          SELECT who,\n          tss FROM worked"},
	{"a query over what it does not read", query, `{query: "SELECT who, 1 AS ts FROM other"}`},
	{"a query without a column", query, `{query: "SELECT who FROM worked"}`},
	{"a query with a column that the stream has not", query, `{query: "SELECT who, ts, ts + 1 AS later FROM worked"}`},
	{"a query in YQL with a column that the stream has not", query, `{query: "SELECT t.*, ts + 1 AS later FROM worked AS t", language: yql}`},
	{"a query with a column of another type", query, `{query: "SELECT who, page AS ts FROM clicks"}`},
	{"a query that takes rows back", query, `{query: "SELECT who, COUNT(*) AS ts FROM worked GROUP BY who"}`},
	{"a query without event time", query, `{query: "SELECT 'x' AS who, 1 AS ts"}`},
	{"a query in YQL without a column", query, `{query: "SELECT who FROM worked", language: yql}`},
	{"a query in YQL with a mistake", query, `{query: "SELECT who, tss FROM worked", language: yql}`},
	{"two queries in YQL", query, `{query: "SELECT 1; SELECT 2", language: yql}`},
	{"a query in YQL that is none", query, `{query: "$x = 1", language: yql}`},
	{"a sink without a column", "queue_path: results", "queue_path: narrow"},
	{"a sink that hands nothing over", "queue_path: results", "queue_path: results, write_flow_queue_meta: true"},
	{"a passthrough from another type", clicks, "clicks: {schema: [{name: who, type: string}, {name: page, type: boolean}, {name: ts, type: int64}]}"},
}
