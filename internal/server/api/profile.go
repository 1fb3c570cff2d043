package api

// Profile is a statement and all that its job tells of itself at one moment: what the page shows. Moments are milliseconds since the epoch. A Mark is nil while there is none. Counts are since
// the last restart; Recent is what changed over the last Window.
type Profile struct {
	APIVersion string `json:"api_version"`
	Kind       string `json:"kind"`
	At         int64  `json:"at"`
	// Running says that there is a job to look at; without one the rest is empty.
	Running bool `json:"running"`
	// Began is when the job began, and Window how many milliseconds shares and rates are over; 0 if there was no earlier look.
	Began  int64 `json:"began,omitempty"`
	Window int64 `json:"window_ms,omitempty"`
	// Input is over all sources, Output over all sinks.
	Input  *Mark `json:"input,omitempty"`
	Output *Mark `json:"output,omitempty"`
	// Late rows are those behind the watermark of their source; Dropped ones were left out by an operator.
	Late     int64           `json:"late"`
	Dropped  int64           `json:"dropped"`
	Restarts int64           `json:"restarts"`
	Sources  []ProfileSource `json:"sources"`
	Sinks    []ProfileSink   `json:"sinks"`
	Tasks    []ProfileTask   `json:"tasks"`
	// Streams are those of a pipeline, and Groups the alignment groups of its sources.
	Streams     []ProfileStream `json:"streams,omitempty"`
	Groups      []ProfileGroup  `json:"groups,omitempty"`
	Checkpoints *Checkpoints    `json:"checkpoints,omitempty"`
}

// KindProfile is the kind of a Profile.
const KindProfile = "StatementProfile"

// Mark is a watermark. Confluent Cloud: a delay below a minute is up to date.
type Mark struct {
	// Watermark is text as the table has its times. At is the same in milliseconds since the epoch, of times without zone as if they were UTC.
	Watermark string `json:"watermark"`
	At        int64  `json:"at"`
	// Delay is how far it is behind the clock in milliseconds, which can be negative, and Text how the page says it.
	Delay int64  `json:"delay_ms"`
	Text  string `json:"text"`
	// Final says that there will be no more rows.
	Final bool `json:"final,omitempty"`
}

// Counted is a number that only grows, and by how much it has grown per second over the window; nil without a window.
type Counted struct {
	Total     int64    `json:"total"`
	PerSecond *float64 `json:"per_second,omitempty"`
}

// ProfileSource is a source table.
type ProfileSource struct {
	// Name tells readings of one table apart; Task is the task that reads it.
	Name  string  `json:"name"`
	Table string  `json:"table"`
	Task  string  `json:"task"`
	Mark  *Mark   `json:"mark,omitempty"`
	Rows  Counted `json:"rows"`
	Bytes Counted `json:"bytes"`
	// Behind is how many records are there to be read, nil if nobody knows.
	Behind  *int64 `json:"behind,omitempty"`
	Late    int64  `json:"late"`
	Skipped int64  `json:"skipped"`
	// NullTimes rows had no event time and were left out for it.
	NullTimes int64 `json:"null_times"`
	// State is what the watermark does, as in Why.
	State    string         `json:"state,omitempty"`
	Strategy []StrategyLine `json:"strategy"`
}

// StrategyLine is a line of the strategy in force: what it is, its value, and where that is said, in the words of EXPLAIN: "WATERMARK clause", "default", "WITH 'scan.watermark.idle-timeout'", "SET 'sql.tables.scan.idle-timeout'", "OPTIONS '…'", "profile confluent".
type StrategyLine struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from,omitempty"`
}

// ProfileSink is a table that is written to.
type ProfileSink struct {
	Name string  `json:"name"`
	Mark *Mark   `json:"mark,omitempty"`
	Rows Counted `json:"rows"`
	// Bytes is nil if the sink does not know what it made of the rows.
	Bytes *Counted `json:"bytes,omitempty"`
}

// ProfileStream is a stream between computations. Flow: its watermark state.
type ProfileStream struct {
	Name string `json:"name"`
	// Mark is how far it is in event time. System is how far it is with what was written: everything before it has been processed. Its delay is the time lag of the stream.
	Mark   *Mark   `json:"mark,omitempty"`
	System *Mark   `json:"system,omitempty"`
	Rows   Counted `json:"rows"`
}

// ProfileGroup is an alignment group: the least of its sources.
type ProfileGroup struct {
	Name   string `json:"name"`
	Mark   *Mark  `json:"mark,omitempty"`
	System *Mark  `json:"system,omitempty"`
}

// Shares are parts of 100 of the time of the worst instance; those of different instances need not add up to 100.
type Shares struct {
	Busy          float64 `json:"busy"`
	Backpressured float64 `json:"backpressured"`
	Idle          float64 `json:"idle"`
}

// ProfileTask is a box of the profiler.
type ProfileTask struct {
	ID     string      `json:"task_id"`
	Name   string      `json:"task_name"`
	Inputs []TaskInput `json:"input_tasks"`
	// Reads is the source that it reads, Writes the sinks that it writes.
	Reads     string   `json:"reads,omitempty"`
	Writes    []string `json:"writes,omitempty"`
	Instances int      `json:"instances"`
	// Mark is that of its output; of a task that writes, that of its input.
	Mark     *Mark   `json:"mark,omitempty"`
	In       Counted `json:"in"`
	Out      Counted `json:"out"`
	BytesIn  Counted `json:"bytes_in"`
	BytesOut Counted `json:"bytes_out"`
	Late     int64   `json:"late"`
	Dropped  int64   `json:"dropped"`
	State    int64   `json:"state_bytes"`
	Shares   *Shares `json:"shares,omitempty"`
	// RecentLate and WorstLateness are of the last minute; only of tasks that read.
	RecentLate    *int64            `json:"recent_late,omitempty"`
	WorstLateness *int64            `json:"worst_lateness_ms,omitempty"`
	Operators     []ProfileOperator `json:"operators"`
	Partitions    []Partition       `json:"partitions"`
}

// ProfileOperator is an operator of a task, in the order of the rows.
type ProfileOperator struct {
	ID      string  `json:"operator_id"`
	Name    string  `json:"operator_name"`
	Input   *Mark   `json:"input,omitempty"`
	Output  *Mark   `json:"output,omitempty"`
	In      Counted `json:"in"`
	Out     Counted `json:"out"`
	State   int64   `json:"state_bytes"`
	Keys    int64   `json:"keys"`
	Dropped int64   `json:"dropped"`
	// LeftOut rows were left out for a reason other than being late, and Why is that reason; only where nobody wrote a condition for it.
	LeftOut int64  `json:"left_out,omitempty"`
	Why     string `json:"why,omitempty"`
	// Next is what it waits for, if it holds something back until the watermark comes by.
	Next *Due `json:"next,omitempty"`
}

// Due is the next thing that an operator does when the watermark comes by.
type Due struct {
	// At is the event time the watermark must reach, in milliseconds, and Text the same as the table has its times.
	At   int64  `json:"at"`
	Text string `json:"text"`
	// Start is where the window starts that ends at At; nil of anything else.
	Start *int64 `json:"start,omitempty"`
	// What is a word for it: "window", "session", "rows" that are held, "match" for what has begun to match and is given up.
	What string `json:"what"`
	// Needed is how many milliseconds of event time are left, nil while there is no watermark.
	Needed *int64 `json:"needed_ms,omitempty"`
}

// Partition is a split of a source. Active, Blocked and Idle are parts of 100 over the window and add up to 100; nil without a window.
type Partition struct {
	Split string `json:"split"`
	Mark  *Mark  `json:"mark,omitempty"`
	// State is "active", "blocked", "idle" or "ended".
	State   string   `json:"state"`
	Since   int64    `json:"since"`
	Holds   bool     `json:"holds"`
	Rows    int64    `json:"rows"`
	Late    int64    `json:"late"`
	LastRow *int64   `json:"last_row,omitempty"`
	Behind  *int64   `json:"behind,omitempty"`
	Active  *float64 `json:"active,omitempty"`
	Blocked *float64 `json:"blocked,omitempty"`
	Idle    *float64 `json:"idle,omitempty"`
}

// Checkpoints are those of a statement since the last restart.
type Checkpoints struct {
	Completed int64 `json:"completed"`
	Failed    int64 `json:"failed"`
	// LastAt is when the last one was begun, 0 if there is none; the others are of it.
	LastAt   int64  `json:"last_at,omitempty"`
	LastTook int64  `json:"last_took_ms,omitempty"`
	LastSize int64  `json:"last_size_bytes,omitempty"`
	Failure  string `json:"failure,omitempty"`
}
