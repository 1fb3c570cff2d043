package metrics

// Kind is how the values of a series follow each other.
type Kind uint8

// The kinds.
const (
	// Gauge is how something is.
	Gauge Kind = iota
	// Counter only grows, and begins at 0 when the statement is started again.
	Counter
)

// Labels are those that a series can have.
const (
	Statement = "flink_statement_name"
	Pool      = "compute_pool_id"
	Table     = "table"
	Task      = "flink_task_id"
	Operator  = "flink_operator_id"
	Split     = "flink_split"
	Status    = "status"
	Stream    = "stream"
)

// Attributes are what Confluent Cloud calls the labels, in the order in which they are listed: those of the resource first, then those of the metric.
var Attributes = []Attribute{
	{Statement, "flink_statement.name", true, "name of the statement"},
	{Pool, "compute_pool.id", true, "what the client called the place where the statement runs"},
	{Table, "table", false, "table that is read or written"},
	{Task, "flink_task.id", false, "task, as in the task graph"},
	{Operator, "flink_operator.id", false, "operator, as in the task graph"},
	{Split, "flink_split", false, "split of a source: topic and partition, or file"},
	{Status, "status", false, "phase"},
	{Stream, "stream", false, "stream of a pipeline, or alignment group"},
}

// Attribute is a label as Confluent Cloud has it. Resource says that it is of what a series is about, and not of the series.
type Attribute struct {
	Label, Name string
	Resource    bool
	Doc         string
}

// Prefix is what the names of all series begin with.
const Prefix = "io.confluent.flink/"

// Series is one series, which has a value for every combination of its labels. All have Statement and Pool beside.
type Series struct {
	// Name is that behind the prefix.
	Name   string
	Kind   Kind
	Doc    string
	Labels []string
	// Ours says that Confluent Cloud has no such series.
	Ours bool
}

// The series. Each is filled in by collect.go.
var (
	recordsIn     = add("num_records_in", Counter, "rows read from all sources; a table that is read twice counts twice")
	recordsOut    = add("num_records_out", Counter, "rows written to all sinks")
	recordsTopics = add("num_records_in_from_topics", Counter, "rows read from topics")
	recordsFiles  = add("num_records_in_from_files", Counter, "rows read from anything else")
	bytesIn       = add("num_bytes_in", Counter, "bytes read from all sources")
	bytesOut      = add("num_bytes_out", Counter, "bytes written to all sinks, of sinks that know")
	pending       = add("pending_records", Gauge, "records that are there to be read: messages behind", Table)
	inputMark     = add("current_input_watermark_milliseconds", Gauge, "watermark of a source table, the least over its readings", Table)
	outputMark    = add("current_output_watermark_milliseconds", Gauge, "watermark that has come to a sink table", Table)
	lateRecords   = add("num_late_records_in", Counter, "rows behind the watermark of their source; late is not dropped", Table)
	maxLateness   = add("max_input_lateness_milliseconds", Gauge, "how late the latest row of the last minute was")
	status        = add("statement_status", Gauge, "1 for the phase in which the statement is", Status)

	taskIn      = add("task/num_records_in", Counter, "rows that came to a task", Task)
	taskOut     = add("task/num_records_out", Counter, "rows that left a task", Task)
	taskBytesIn = add("task/num_bytes_in", Counter, "bytes that came to a task", Task)
	taskBytes   = add("task/num_bytes_out", Counter, "bytes that left a task", Task)
	taskBusy    = add("task/busy_time_ms_per_second", Gauge, "how long a task worked in each second of the last while, the busiest of its instances", Task)
	taskIdle    = add("task/idle_time_ms_per_second", Gauge, "how long it waited for rows, the idlest of its instances", Task)
	taskBlocked = add("task/backpressure_time_ms_per_second", Gauge, "how long it waited for those behind it, the most hindered of its instances", Task)

	operatorIn     = add("operator/num_records_in", Counter, "rows that came to an operator", Operator)
	operatorOut    = add("operator/num_records_out", Counter, "rows that left it", Operator)
	operatorInput  = add("operator/current_input_watermark_ms", Gauge, "watermark that has come to it", Operator)
	operatorOutput = add("operator/current_output_watermark_ms", Gauge, "watermark that has left it", Operator)
	operatorState  = add("operator/state_size_bytes", Gauge, "about how much it holds", Operator)

	splitMark   = add("split/current_watermark_ms", Gauge, "watermark of a split", Split)
	splitActive = add("split/watermark_active_time_ms_per_second", Gauge, "how long it took part in the watermark in each second of the last while", Split)
	splitPaused = add("split/watermark_paused_time_ms_per_second", Gauge, "how long it could not deliver: it was ahead of others, or what is behind it slow", Split)
	splitIdle   = add("split/watermark_idle_time_ms_per_second", Gauge, "how long it was left out of the watermark", Split)

	readerLate       = ours("operator/num_late_records_in", Counter, "rows behind the watermark that an operator found which reads a source; it is called like its task, and tells readings of one table apart", Operator)
	readerLateness   = ours("operator/max_input_lateness_ms", Gauge, "how late the latest row was in the last minute that such an operator read", Operator)
	operatorLate     = ours("operator/num_late_records_dropped", Counter, "rows that an operator dropped, since everything that they could have counted in was complete", Operator)
	operatorLateness = ours("operator/max_dropped_lateness_ms", Gauge, "how late the latest of them was in the last minute", Operator)
	splitIn          = ours("split/num_records_in", Counter, "rows read from a split", Split)
	splitLate        = ours("split/num_late_records_in", Counter, "rows of a split behind the watermark of their source", Split)
	splitLateness    = ours("split/max_input_lateness_ms", Gauge, "how late the latest row of a split was in the last minute", Split)
	skipped          = ours("num_records_skipped", Counter, "records that could not be read and were left out", Table)
	checkpoints      = ours("checkpoint/num_completed", Counter, "checkpoints that are on the disk")
	checkpointFails  = ours("checkpoint/num_failed", Counter, "checkpoints that could not be written")
	checkpointTime   = ours("checkpoint/last_duration_ms", Gauge, "how long the last one took, from the wish to the disk")
	checkpointAge    = ours("checkpoint/last_age_ms", Gauge, "how long ago that was")
	checkpointBytes  = ours("checkpoint/last_size_bytes", Gauge, "how large its file is, without what older files have of it")
	streamRecords    = ours("stream/num_records", Counter, "rows that went by in a stream of a pipeline", Stream)
	streamEvent      = ours("stream/event_watermark_ms", Gauge, "watermark of a stream of a pipeline", Stream)
	streamSystem     = ours("stream/system_watermark_ms", Gauge, "system watermark of a stream: what was written before it has been processed", Stream)
	streamLag        = ours("stream/time_lag_ms", Gauge, "how far the system watermark of a stream is behind the clock", Stream)
	groupEvent       = ours("alignment_group/event_watermark_ms", Gauge, "watermark of an alignment group: the least of its sources", Stream)
	groupSystem      = ours("alignment_group/system_watermark_ms", Gauge, "system watermark of an alignment group", Stream)
	restarts         = ours("num_restarts", Counter, "attempts that failed and were followed by another")
)

// All are all series in the order of the reference.
var All []*Series

func add(name string, kind Kind, doc string, labels ...string) *Series {
	s := &Series{Name: name, Kind: kind, Doc: doc, Labels: labels}
	All = append(All, s)
	return s
}

func ours(name string, kind Kind, doc string, labels ...string) *Series {
	s := add(name, kind, doc, labels...)
	s.Ours = true
	return s
}
