package flowspec_test

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/tidemark-sql/tidemark/internal/flowspec"
	"github.com/tidemark-sql/tidemark/internal/sql/source"
)

var update = flag.Bool("update", false, "write the goldens anew")

// golden compares what a test says with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s:%d: got %q; go test -update writes the file", file, i+1, a[i])
		}
	}
	t.Fatalf("%s: something is missing", file)
}

func base(t testing.TB) string {
	t.Helper()
	body, err := os.ReadFile("testdata/base.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// changed is the pipeline of testdata/base.yaml with something else in one place.
func changed(t *testing.T, old, new string) source.Text {
	t.Helper()
	body := base(t)
	if strings.Count(body, old) != 1 {
		t.Fatalf("%q stands in base.yaml %d times", old, strings.Count(body, old))
	}
	return source.Text{Name: "pipeline.yaml", Body: strings.Replace(body, old, new, 1)}
}

// TestRefused changes a pipeline in one place each time, and looks at the error.
func TestRefused(t *testing.T) {
	var b strings.Builder
	for _, c := range refused {
		text := changed(t, c.old, c.new)
		_, err := flowspec.Parse(text)
		placed, ok := errors.AsType[*source.Error](err)
		if !ok {
			t.Errorf("%s: %v is no error with a place", c.name, err)
			continue
		}
		if placed.Span.Start == placed.Span.End && placed.Span.Start == 0 {
			t.Errorf("%s: the error has no place: %s", c.name, err)
		}
		b.WriteString("# " + c.name + "\n[" + placed.Code + "] " + placed.Render() + "\n")
	}
	golden(t, "testdata/refused.txt", b.String())
}

// TestAccepted changes a pipeline in one place each time, and looks at the warnings.
func TestAccepted(t *testing.T) {
	var b strings.Builder
	for _, c := range accepted {
		p, err := flowspec.Parse(changed(t, c.old, c.new))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b.WriteString("# " + c.name + "\n")
		for _, w := range p.Warnings {
			b.WriteString((&source.Error{Span: w.At, Text: p.Text, Message: w.Message}).RenderAs("warning"))
		}
		b.WriteString("\n")
	}
	golden(t, "testdata/accepted.txt", b.String())
}

// change is a change of testdata/base.yaml.
type change struct{ name, old, new string }

const (
	showsAssigner = "event_timestamp_assigner: {column: ts, format: seconds, limit_by_system_timestamp: true}"
	joinerClass   = "computation_class_name: TTransformComputation"
	showsClass    = "computation_class_name: TSwiftPassthroughOrderedSourceComputation"
	counterQuery  = `{query: "SELECT id, COUNT(*) AS n FROM joined GROUP BY id"}`
	showsStream   = "shows: {schema: [{name: id, type: string, required: true}, {name: ts, type: uint64}]}"
	joinerInputs  = "input_stream_ids: [shows, clicks]"
	joinerOutputs = "output_stream_ids: [joined, lost]"
	closeTimer    = "close: {time_type: event_time, streams_with_delays: {shows: 1m}}"
	sweepTimer    = "sweep: {time_type: system_time, streams: [clicks], deduplicate_equal_timestamps: false}"
	waitingTimers = closeTimer + "\n        " + sweepTimer + "\n      streams_dependency:\n        lost: [clicks]\n        sweep: [shows, sweep]"
	counterSink   = "out: {sink_class_name: TSyncQueueSink, input_stream_ids: [counts], parameters: {connector: print}}"
	joinerDynamic = "joiner: {timer_store_count_limit: 250K, timer_store_byte_size_limit: 100Mi, max_rows_per_batch: 1000}"
	alignment     = `watermark_alignment: {group_name: pair, drift_bound: "30m", read_delays: {clicks: "10s"}}`
	keptSink      = "{sink_class_name: TQueueSink, input_stream_ids: [kept], parameters: {queue_path: kept}}"
	filterKeys    = "group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id)}]"
	joinedStream  = "joined: {schema: [{name: id, type: string}, {name: at, type: timestamp}]}"
	showsSource   = "{source_class_name: TQueueSource, parameters: {queue_path: shows}}"
	lateData      = `late_data_partitions: {value: 80, delay: "50s"}`
	idle          = `idle_partitions: {duration: "3m", max_ratio: 0.4}`
)

var refused = []change{
	{"a tab", "    shows_reader:", "\tshows_reader:"},
	{"a tab behind blanks", "\n      computation_class_name: TSqlComputation", "\n    \t  computation_class_name: TSqlComputation"},
	{"a tab that goes on", "\n    kept: {schema", "\n\tkept: {schema"},
	{"a tab that is not in front", "\n    kept: {schema", "\n    kept: @\t{schema"},
	{"a bracket that is left open", joinerInputs, "input_stream_ids: [shows, clicks"},
	{"a name twice", "    filter:\n", "    counter:\n"},
	{"a member twice", "allow_timer_self_dependency: true", "allow_timer_self_dependency: true\n      allow_timer_self_dependency: false"},
	{"an alias of nothing", joinerInputs, "input_stream_ids: *nothing"},
	{"an alias that holds itself", joinerInputs, "input_stream_ids: &loop [*loop]"},
	{"no class", joinerClass, "worker_group: all"},
	{"a class that is a list", joinerClass, "computation_class_name: [TTransformComputation]"},
	{"an empty class", joinerClass, `computation_class_name: ""`},
	{"a colon in the name of a computation", "    counter:\n", "    \"count:er\":\n"},
	{"the class of a source on what reads streams", joinerClass, "computation_class_name: TSwiftOrderedSourceComputation"},
	{"the class of a transform on what has a source", showsClass, "computation_class_name: TTransformComputation"},
	{"two sources", "shows_queue: " + showsSource, "shows_queue: " + showsSource + "\n        more: " + showsSource},
	{"a source that reads a stream", "output_stream_ids: [shows]", "output_stream_ids: [shows]\n      input_stream_ids: [clicks]"},
	{"a computation that reads nothing", joinerInputs, "input_stream_ids: []"},
	{"timers on a source", "output_stream_ids: [shows]", "output_stream_ids: [shows]\n      timer_streams: {close: {}}"},
	{"code for a passthrough", showsClass, showsClass + "\n      processing_function: parse"},
	{"no code", "processing_function: join", "distribution_ordering: strict"},
	{"timers on a query", "input_stream_ids: [joined]", "input_stream_ids: [joined]\n      timers: {t: {}}"},
	{"a query with two outputs", "output_stream_ids: [counts]", "output_stream_ids: [counts, kept]"},
	{"a query without output", "output_stream_ids: [counts]", "output_stream_ids: []"},
	{"no query", counterQuery, "{}"},
	{"an empty query", counterQuery, "{query: \"  \"}"},
	{"a query that is a list", counterQuery, "{query: [SELECT]}"},
	{"a query in another language", counterQuery, `{query: "SELECT 1", language: sqlite}`},
	{"a query without quotes", counterQuery, "{query: SELECT id, COUNT(*) AS n FROM joined}"},
	{"a slip in the name of the outputs", "output_stream_ids: [kept]", "output_stream_id: [kept]"},
	{"a slip in the name of the inputs", joinerInputs, "input_stream: [shows, clicks]"},
	{"a slip in the name of the streams", "\n  streams:\n", "\n  stream:\n"},
	{"a slip in the name of a schema", showsStream, "shows: {shema: [{name: id, type: string}]}"},
	{"a slip in the name of a type", showsStream, "shows: {schema: [{name: id, typ: string}]}"},
	{"a slip in the name of a name", showsStream, "shows: {schema: [{nam: id, type: string}]}"},
	{"a slip in the name of the class", joinerClass, "computation_class: TTransformComputation"},
	{"a slip in a class", "computation_class_name: TSqlComputation", "computation_class_name: TSqlComputatio"},
	{"a slip in the name of a query", counterQuery, "{qeury: SELECT 1}"},
	{"a slip in the name of the parameters", "processing_function_parameters: " + counterQuery, "processing_function_parameter: " + counterQuery},
	{"a slip in the name of the class of a source", showsSource, "{source_class_nam: TQueueSource, parameters: {queue_path: shows}}"},
	{"a slip in the name of the parameters of a source", showsSource, "{source_class_name: TQueueSource, parameter: {queue_path: shows}}"},
	{"a slip in the path of a source", showsSource, "{source_class_name: TQueueSource, parameters: {queue_pth: shows}}"},
	{"a slip in the name of a sink's streams", keptSink, "{sink_class_name: TQueueSink, input_streams: [kept], parameters: {queue_path: kept}}"},
	{"a slip in the name of the key", filterKeys, "group_by_shema: []"},
	{"a slip in the name of the column of times", showsAssigner, "event_timestamp_assigner: {colum: ts, format: seconds}"},
	{"a slip in the name of the computations", "  computations:\n    shows_reader:", "  computation:\n    shows_reader:"},
	{"a stream that nobody writes", joinerInputs, "input_stream_ids: [shows, click]"},
	{"an input twice", joinerInputs, "input_stream_ids: [shows, shows]"},
	{"inputs that are one word", joinerInputs, "input_stream_ids: shows"},
	{"an input that is a number", joinerInputs, "input_stream_ids: [1]"},
	{"a stream with two writers", "output_stream_ids: [kept]", "output_stream_ids: [kept, joined]"},
	{"a stream without schema", "output_stream_ids: [kept]", "output_stream_ids: [keep]"},
	{"an output that is an input", joinerOutputs, "output_stream_ids: [joined, lost, shows]"},
	{"a circle", "input_stream_ids: [lost]", "input_stream_ids: [lost, kept]"},
	{"a circle of two", joinerInputs, "input_stream_ids: [shows, clicks, kept]"},
	{"a stream with a slash", "    kept: {schema", "    a/kept: {schema"},
	{"a stream with no schema", showsStream, "shows: {class_name: TShow}"},
	{"a schema that is a map", showsStream, "shows: {schema: {id: string}}"},
	{"a schema without columns", showsStream, "shows: {schema: []}"},
	{"a column without a name", showsStream, "shows: {schema: [{type: string}]}"},
	{"a column without a type", showsStream, "shows: {schema: [{name: id}]}"},
	{"a column with two types", showsStream, "shows: {schema: [{name: id, type: string, type_v3: string}]}"},
	{"a column twice", showsStream, "shows: {schema: [{name: id, type: string}, {name: id, type: int64}]}"},
	{"a column named as a timestamp", showsStream, "shows: {schema: [{name: $event_timestamp, type: uint64}]}"},
	{"a type that is not there", showsStream, "shows: {schema: [{name: id, type: strin}]}"},
	{"a type that is far from any", showsStream, "shows: {schema: [{name: id, type: geography}]}"},
	{"a type with parts that is not there", showsStream, "shows: {schema: [{name: id, type_v3: {type_name: set, item: string}}]}"},
	{"a list of nothing", showsStream, "shows: {schema: [{name: id, type_v3: {type_name: list}}]}"},
	{"a struct without members", showsStream, "shows: {schema: [{name: id, type_v3: {type_name: struct}}]}"},
	{"required that is a text", showsStream, "shows: {schema: [{name: id, type: string, required: maybe}]}"},
	{"no key", filterKeys, "heavy_hitters: {window: 5m}"},
	{"a key that is a map", filterKeys, "group_by_schema: {name: hash}"},
	{"a key that does not begin with a hash", filterKeys, "group_by_schema: [{name: id, type: string}]"},
	{"a key column that no stream has", filterKeys, "group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id)}, {name: idd, type: string}]"},
	{"a key column twice", filterKeys, "group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id)}, {name: hash, type: string}]"},
	{"an expression that is a list", filterKeys, "group_by_schema: [{name: hash, type: uint64, expression: [id]}]"},
	{"a passthrough without a column that is required", showsSource, "{source_class_name: TQueueSource, parameters: {connector: print, schema: [{name: ts, type: uint64}]}}"},
	{"a passthrough with a column of another type", showsSource, "{source_class_name: TQueueSource, parameters: {connector: print, schema: [{name: id, type: string}, {name: ts, type: string}]}}"},
	{"a timer with another scale", closeTimer, "close: {time_type: event}"},
	{"a timer of a stream that is not read", closeTimer, "close: {streams: [joined]}"},
	{"a timer that waits for itself", closeTimer, "close: {streams: [close]}"},
	{"a timer with a length that is none", closeTimer, "close: {streams_with_delays: {shows: soon}}"},
	{"a timer with delays in a list", closeTimer, "close: {streams_with_delays: [shows]}"},
	{"a timer that is no name", closeTimer, "\"cl ose\": {}"},
	{"a timer named as a stream", sweepTimer, "shows: {}"},
	{"a timer that comes from itself", "allow_timer_self_dependency: true", "allow_timer_self_dependency: false"},
	{"timers and timer_streams", "      streams_dependency:\n        lost", "      timers: {more: {}}\n      streams_dependency:\n        lost"},
	{"timers that come from each other", "sweep: [shows, sweep]", "sweep: [close]\n        close: [sweep]"},
	{"timers that wait for each other", closeTimer, "close: {streams: [shows, more]}\n        more: {streams: [close]}"},
	{"timers that wait for what they set", waitingTimers, strings.NewReplacer("streams_with_delays: {shows: 1m}", "streams: [sweep]", "sweep: [shows, sweep]", "sweep: [shows, close]").Replace(waitingTimers)},
	{"timers that come from themselves alone", "sweep: [shows, sweep]", "sweep: [sweep]"},
	{"timers that come from nothing", "sweep: [shows, sweep]", "sweep: []"},
	{"timers of a swift computation on which an output depends", filterKeys, filterKeys + "\n      timer_streams: {ttl: {}}"},
	{"a dependency of a stream that is not written", "lost: [clicks]", "los: [clicks]"},
	{"a dependency on an output", "lost: [clicks]", "lost: [joined]"},
	{"a dependency on a stream that is not there", "lost: [clicks]", "lost: [clics]"},
	{"a dependency that is one word", "lost: [clicks]", "lost: clicks"},
	{"a generator on a transform", joinerClass, joinerClass + "\n      watermark_strategy: {watermark_generator: {out_of_orderness_bound: 1m}}"},
	{"an alignment on a transform", joinerClass, joinerClass + "\n      watermark_strategy: {watermark_alignment: {}}"},
	{"a strategy that is a list", showsAssigner, "event_timestamp_assigner: [ts]"},
	{"a format without a column", showsAssigner, "event_timestamp_assigner: {format: seconds}"},
	{"a format that is not there", showsAssigner, "event_timestamp_assigner: {column: ts, format: second}"},
	{"a column that the output has not", showsAssigner, "event_timestamp_assigner: {column: tss}"},
	{"a column of text that counts seconds", showsAssigner, "event_timestamp_assigner: {column: id}"},
	{"a column of numbers in ISO 8601", showsAssigner, "event_timestamp_assigner: {column: ts, format: iso8601}"},
	{"a bound that is none", `out_of_orderness_bound: "2m"`, `out_of_orderness_bound: "120000"`},
	{"a bound with a unit that is not there", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: 2 months"},
	{"a negative bound", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: -5"},
	{"a bound that is too long", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: 99999999d"},
	{"a ratio beyond 1", idle, "idle_partitions: {max_ratio: 1.5}"},
	{"a ratio that is a text", idle, "idle_partitions: {max_ratio: most}"},
	{"idle partitions that are a length", idle, "idle_partitions: 5s"},
	{"idle partitions that are a number", idle, "idle_partitions: 120000"},
	{"an assigner that is a column", showsAssigner, "event_timestamp_assigner: ts"},
	{"an idle duration of 0", idle, "idle_partitions: {duration: 0}"},
	{"a percentage beyond 100", lateData, "late_data_partitions: {value: 101}"},
	{"a percentage that is not whole", lateData, "late_data_partitions: {value: 99.5}"},
	{"groups below 0", "max_unavailable_groups: 1", "max_unavailable_groups: -1"},
	{"a read delay of its own stream", alignment, "watermark_alignment: {read_delays: {shows: 1s}}"},
	{"a read delay of a stream that is not there", alignment, "watermark_alignment: {read_delays: {click: 1s}}"},
	{"a read delay that is no length", alignment, "watermark_alignment: {read_delays: {clicks: soon}}"},
	{"a source without a class", showsSource, "{parameters: {queue_path: shows}}"},
	{"a source of a class that is not there", showsSource, "{source_class_name: TQueSource, parameters: {queue_path: shows}}"},
	{"a source that is nothing", showsSource, "{source_class_name: TQueueSource}"},
	{"a source that is two things", showsSource, "{source_class_name: TQueueSource, parameters: {queue_path: shows, connector: kafka}}"},
	{"an option that is a list", showsSource, "{source_class_name: TQueueSource, parameters: {connector: kafka, topic: [a]}}"},
	{"a source that is filtered", showsSource, "{source_class_name: TQueueSource, parameters: {queue_path: shows, partition_filter: [1]}}"},
	{"a finite that is a number", showsSource, "{source_class_name: TQueueSource, parameters: {queue_path: shows, finite: 1}}"},
	{"a sink without streams", keptSink, "{sink_class_name: TQueueSink, parameters: {queue_path: kept}}"},
	{"a sink of a stream of another computation", counterSink, "out: {sink_class_name: TQueueSink, input_stream_ids: [kept], parameters: {connector: print}}"},
	{"a sink of a class that is not there", keptSink, "{sink_class_name: TQueueSnk, input_stream_ids: [kept], parameters: {queue_path: kept}}"},
	{"a sink that loses rows", keptSink, "{sink_class_name: TQueueSink, input_stream_ids: [kept], parameters: {queue_path: kept, at_most_once_strategy: {enabled: true}}}"},
	{"a key visitor", filterKeys, filterKeys + "\n      key_visitor_streams: {ttl: {}}"},
	{"a joiner of state", filterKeys, filterKeys + "\n      external_state_joiners: {users: {}}"},
	{"an id of messages that is no column", "{name: n, type: int64}]}", "{name: n, type: int64}], message_id: [id, m]}"},
	{"a mode of processing that is not there", "processing_mode: at_least_once_consistent", "processing_mode: at_most_once"},
	{"no state of that name", "target_state: working", "target_state: runing"},
	{"a state that no spec asks for", "target_state: working", "target_state: completed"},
	{"a dynamic computation that is not there", joinerDynamic, "joinr: {}"},
	{"a limit that is none", joinerDynamic, "joiner: {timer_store_count_limit: many}"},
	{"a limit of 0", joinerDynamic, "joiner: {timer_store_count_limit: 0}"},
	{"a skip that is a number", "skip_if_expression: id = 'nobody'", "skip_if_expression: 1"},
	{"a dynamic source that is not there", joinerDynamic, "shows_reader: {source_streams: {queue: {}}}"},
	{"computations that are a list", "  computations:\n    shows_reader:", "  computations: []\n  more:\n    shows_reader:"},
}

var accepted = []change{
	{"as it is", "\nspec:\n", "\nspec:\n"},
	{"a bound in milliseconds", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: 120000"},
	{"a bound of several parts", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: 1m 30s"},
	{"a bound with a fraction", `out_of_orderness_bound: "2m"`, "out_of_orderness_bound: 1.5s"},
	{"no bound", `out_of_orderness_bound: "2m"`, "use_source_watermark: false"},
	{"the watermark of the source", `out_of_orderness_bound: "2m"`, "use_source_watermark: true"},
	{"the older name of the groups", "max_unavailable_groups: 1", "max_groups: 1"},
	{"a ratio of 1", idle, "idle_partitions: {max_ratio: 1.0}"},
	{"no idle partitions", idle, "idle_partitions: null"},
	{"a field that nobody knows", "drift_bound", "drift_bond"},
	{"a field of a computation that nobody knows", joinerClass, joinerClass + "\n      input_stream_id: x"},
	{"a field that says nothing here", joinerClass, joinerClass + "\n      input_ordering: {time_type: event_time}"},
	{"sources, as in examples", "source_streams:\n        shows_queue", "sources:\n        shows_queue"},
	{"timers, as in examples", "timer_streams:", "timers:"},
	{"the name of a class in full", joinerClass, "computation_class_name: NYT::NFlow::TTransformComputation"},
	{"the class that runs code", joinerClass, "computation_class_name: TProcessFunctionComputation"},
	{"a class of the program's own", joinerClass, "computation_class_name: NExample::TJoiner"},
	{"a swift source with code", showsClass, "computation_class_name: TProcessFunctionSourceComputation\n      processing_function: parse_show"},
	{"a source that is materialised", showsClass, "computation_class_name: TTransformOrderedSourceComputation\n      processing_function: parse_show"},
	{"a source that is a query", showsClass, "computation_class_name: TSqlComputation\n      processing_function_parameters: {query: SELECT * FROM shows_queue}"},
	{"a query by function", "computation_class_name: TSqlComputation", "computation_class_name: TSwiftMapComputation\n      processing_function: sql"},
	{"a query in YQL", counterQuery, `{query: "SELECT id FROM joined", language: yql}`},
	{"a passthrough of streams", "computation_class_name: TSwiftMapComputation\n      processing_function: keep", "computation_class_name: TSwiftPassthroughComputation"},
	{"a materialised passthrough", "computation_class_name: TSwiftMapComputation\n      processing_function: keep", "computation_class_name: TPassthroughComputation"},
	{"timers of a swift computation", filterKeys, filterKeys + "\n      timer_streams: {ttl: {}}\n      streams_dependency: {kept: [lost]}"},
	{"a hash that is multiplied", filterKeys, "group_by_schema: [{name: hash, type: uint64, expression: farm_hash(id) * 1009}]"},
	{"a timer in real time", closeTimer, "close: {time_type: real_time}"},
	{"a timer in current time", closeTimer, "close: {time_type: current_time}"},
	{"a timer of several streams", closeTimer, "close: {streams: [shows, clicks]}"},
	{"a timer that follows another", closeTimer, "close: {streams: [sweep]}"},
	{"a timer that says nothing", closeTimer, "close:"},
	{"an assigner on a transform", joinerClass, joinerClass + "\n      watermark_strategy: {event_timestamp_assigner: {column: id, format: iso8601}, watermark_percentile: {value: 99}}"},
	{"event time in a column of type timestamp", showsStream, "shows: {schema: [{name: id, type: string}, {name: ts, type: timestamp}]}"},
	{"a time in ISO 8601", showsAssigner, "event_timestamp_assigner: {column: id, format: iso8601}"},
	{"a list and an optional", showsStream, "shows: {schema: [{name: id, type_v3: {type_name: list, item: {type_name: optional, item: int64}}}, {name: ts, type_v3: uint64}]}"},
	{"a struct and a dict", showsStream, "shows: {schema: [{name: id, type_v3: {type_name: struct, members: [{name: a, type: string}]}}, {name: m, type_v3: {type_name: dict, key: string, value: {type_name: optional, item: bool}}}, {name: ts, type: int64}]}"},
	{"a stream that nobody writes", "    kept: {schema", "    more: {schema: [{name: id, type: string}]}\n    kept: {schema"},
	{"a connector with options in parts", showsSource, "{source_class_name: TQueueSource, parameters: {connector: kafka, topic: t, scan: {startup: {mode: earliest-offset}}}}"},
	{"a source that ends", showsSource, "{source_class_name: TQueueSource, parameters: {queue_path: shows, finite: true}}"},
	{"the half-life of failures", joinerDynamic, "shows_reader: {source_streams: {shows_queue: {parameters: {unavailable_time_half_decay_period: 5m}}}}"},
	{"a read delay of a source", alignment, "watermark_alignment: {read_delays: {clicks_reader/clicks_queue: 1s}}"},
	{"the alignment's defaults", alignment, "watermark_alignment: {}"},
	{"a pipeline that is stopped", "target_state: working", "target_state: stopped"},
	{"no dynamic limits", joinerDynamic, "joiner: {output_store_count_limit: 5}"},
	{"throttlers", "  target_state: working", "  target_state: working\n  throttlers: {a: {}}"},
	{"versions of a binary", "\nspec:\n", "\nspec:\n  binary_version: 5\n"},
	{"an anchor", joinerInputs, "input_stream_ids: &both [shows, clicks]"},
}
