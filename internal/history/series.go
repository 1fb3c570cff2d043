package history

import "github.com/tidemark-sql/tidemark/internal/metrics"

// Fold is how the values of several minutes become one.
type Fold uint8

// The folds.
const (
	Sum  Fold = iota // of a counter: what was added in the minute
	Last             // of a gauge
	Most
	Mean
)

// String names the fold.
func (f Fold) String() string { return [...]string{"sum", "last", "most", "mean"}[f] }

// Series is something that is kept of statements, once for each value of its label. Values are whole numbers.
type Series struct {
	// Name is that of package metrics, for what is there too, without its prefix.
	Name string
	// Label is what tells the lines of a series apart: one of the labels of package metrics; "" if there is one line.
	Label string
	Fold  Fold
	Doc   string

	code byte // stands for the series in files: never that of another one
}

// Wide reports whether the series has a line for each split, of which there can be many: such lines are the first to go when there is no room.
func (s *Series) Wide() bool { return s.Label == metrics.Split }

// The series. look.go fills them in.
var (
	leftOut    = add(1, "num_series_left_out", "", Last, "lines that were not kept, since a statement had too many")
	inputDelay = add(2, "input_delay_ms", "", Most, "how far the least watermark of the sources that took part was behind the clock")
	outDelay   = add(3, "output_delay_ms", "", Most, "how far the least watermark that had come to the sinks was behind the clock")
	recordsIn  = add(4, "num_records_in", "", Sum, "rows read from all sources")
	recordsOut = add(5, "num_records_out", "", Sum, "rows written to all sinks")
	pending    = add(6, "pending_records", metrics.Table, Last, "records that were there to be read: messages behind")
	late       = add(7, "num_late_records_in", metrics.Table, Sum, "rows behind the watermark of their source")
	lateness   = add(8, "max_input_lateness_ms", metrics.Table, Most, "how late the latest row of the minute was")

	checkpoints     = add(9, "checkpoint/num_completed", "", Sum, "checkpoints that came to the disk")
	checkpointFails = add(10, "checkpoint/num_failed", "", Sum, "checkpoints that could not be written")
	checkpointTime  = add(11, "checkpoint/last_duration_ms", "", Most, "how long the last one took, from the wish to the disk")
	checkpointBytes = add(12, "checkpoint/last_size_bytes", "", Last, "how large its file was")
	restarts        = add(13, "num_restarts", "", Sum, "attempts that failed and were followed by another")

	taskIn       = add(14, "task/num_records_in", metrics.Task, Sum, "rows that came to a task")
	taskOut      = add(15, "task/num_records_out", metrics.Task, Sum, "rows that left a task")
	taskBusy     = add(16, "task/busy_time_ms_per_second", metrics.Task, Mean, "how long a task worked in each second, the busiest of its instances")
	taskBlocked  = add(17, "task/backpressure_time_ms_per_second", metrics.Task, Mean, "how long it waited for those behind it, the most hindered of its instances")
	taskIdle     = add(18, "task/idle_time_ms_per_second", metrics.Task, Mean, "how long it waited for rows, the idlest of its instances")
	taskState    = add(19, "task/state_size_bytes", metrics.Task, Last, "about how much its operators held")
	taskLate     = add(20, "task/num_late_records_in", metrics.Task, Sum, "rows that a task read behind the watermark of their source")
	taskLateness = add(21, "task/max_input_lateness_ms", metrics.Task, Most, "how late the latest of them was")
	taskDropped  = add(22, "task/num_late_records_dropped", metrics.Task, Sum, "rows that its operators dropped, since everything that they could have counted in was complete")

	splitLate   = add(23, "split/num_late_records_in", metrics.Split, Sum, "rows of a split behind the watermark of their source")
	splitActive = add(24, "split/watermark_active_time_ms_per_second", metrics.Split, Mean, "how long it took part in the watermark in each second")
	splitPaused = add(25, "split/watermark_paused_time_ms_per_second", metrics.Split, Mean, "how long it could not deliver")
	splitIdle   = add(26, "split/watermark_idle_time_ms_per_second", metrics.Split, Mean, "how long it was left out of the watermark")
)

// All are all series, in the order in which they are told.
var All []*Series

// coded are the series by their codes.
var coded [256]*Series

func add(code byte, name, label string, fold Fold, doc string) *Series {
	s := &Series{Name: name, Label: label, Fold: fold, Doc: doc, code: code}
	if coded[code] != nil {
		panic("tidemark bug: two series have one code")
	}
	coded[code] = s
	All = append(All, s)
	return s
}
