package runtime

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// Graph is a statement ready to run. Everything that keeps something while it runs is described by a function that makes it, once per worker
// or task.
type Graph struct {
	Sources []Source
	// Fragments are in the order in which rows pass them; the last one has the sink.
	Fragments []Fragment
	// Sinks are the tables behind the sink of the last fragment; nil stands for one result.
	Sinks []SinkSpec
	// Tick is how often operators want to know the time while nothing else happens, in microseconds of the wall clock; 0 if none does. A replay has no ticks.
	Tick int64
	// Memory is where batches come from.
	Memory *vector.Pool
}

// Source is a table that the statement reads.
type Source struct {
	Name     string
	Reader   connector.Source
	Strategy watermark.Strategy
	// Watermarked says that rows have an event time, Instant that it is an instant, which people are shown with a Z.
	Watermarked, Instant bool
	// DefaultWatermark says that no WATERMARK clause declares the watermark.
	DefaultWatermark bool
	// Settings are how the watermark comes about, for people.
	Settings []Setting
	// NewIntake makes what a worker needs to find the times of rows; a Dividing one if the strategy has a dimension.
	NewIntake func() (Intake, error)
	// Delays are the tables that the source waits for.
	Delays []watermark.ReadDelay
	// After are sources, all of them bounded, that are read to their end before the first row of this one is. None of them waits for this one in any way.
	After []int
	// Branches are the ways that rows go, at least one.
	Branches []Branch
}

// Setting is something that was said of a source, or was not, and where that was.
type Setting struct{ Name, Value, Origin string }

// sends reports whether a way treats late rows like that.
func (s *Source) sends(late watermark.LateRows) bool {
	return slices.ContainsFunc(s.Branches, func(b Branch) bool { return b.Late == late })
}

// Branch is a way from a source to a fragment.
type Branch struct {
	// Columns are those of the intake that go this way, in this order; nil for all.
	Columns []int
	// Late is what becomes of rows that are late at the source.
	Late watermark.LateRows
	// Tells puts what is known of late rows behind their columns, see lateness. Late is OnlyLate then.
	Tells bool
	// Misread makes rows of the records that a read left out, at least one, in memory of a; now is the wall clock in microseconds. A way that has it takes no other
	// rows; it is nil for the others.
	Misread func(left []connector.Misread, now int64, a *vector.Arena) vector.Batch
	Chain   []OperatorSpec // stateless
	To      Target
	// Grain is the frontiers that Chain looks at, beside those that To needs.
	Grain dataflow.Grain
}

// Intake prepares rows as they come from a decoder.
type Intake interface {
	dataflow.Clocked
	// Prepare adds computed columns to b, which it owns, and gives its rows to each, in one batch or several, with the event time and the watermark candidate of each of
	// the N rows in microseconds, with watermark.NoTime for NULL; both are nil if the table has no watermark. The slices live as long as the batch. If a row has
	// an error, those in front of it are given before it is returned.
	Prepare(b *vector.Batch, each func(b *vector.Batch, times, candidates []int64)) error
}

// Dividing is the Intake of a source whose strategy has a dimension.
type Dividing interface {
	Intake
	// Values is the value of each row of the batch prepared last, by a number of this intake's own. It lives as long as the batch.
	Values() []int32
	// ValueName is the name of a value; different ones have different names.
	ValueName(number int32) string
}

// Fragment is operators that run behind an exchange: a stateful head and what is chained to it.
type Fragment struct {
	// Tasks is the parallelism.
	Tasks int
	// Inputs is how many streams are merged into the first operator.
	Inputs int
	Chain  []OperatorSpec
	// Outlets is how many outputs the last operator has if it is dataflow.Forking, 0 for others.
	Outlets int
	// To is where results go, to each target all rows of its outlet; the last fragment has a Sink instead.
	To   []Target
	Sink connector.Sink
	// Kin are, by input, the other inputs by which rows of the same tickets come, as both read what is shared; nil if nothing that is shared comes together here.
	Kin [][]int
}

// OperatorSpec makes operators.
type OperatorSpec struct {
	// ID names the operator by its place in the statement, Print by what gives its state meaning, Label for people.
	ID, Print, Label string
	// Instant says that the event time of its input is an instant; see Source.
	Instant bool
	// Orders says that rows it drops have no place left in an order of time; otherwise all their windows were complete.
	Orders bool
	// Ends says that the statement has come to its end once this operator is dataflow.Sated, and all others of which that is said.
	Ends bool
	// Keeps is what the operator passes on to be kept, nil for others.
	Keeps *Keeping
	// Stream is what passes, if people know it by a name; nil for most.
	Stream *Stream
	// Tells is what people are told of the rows that it filters, behind their number; "" if nothing.
	Tells string
	New   func() dataflow.Operator
}

// KeepPrefix begins the names of operators that stand on the way of rows to be kept.
const KeepPrefix = "keep-"

// Keeping is rows that a statement leaves out and keeps in a table.
type Keeping struct {
	// Source is what they are of, a place in Graph.Sources. Late says that they are late rows; the others are records that cannot be read.
	Source int
	Late   bool
	// Table is where they are kept.
	Table string
}

// Target is an input of a fragment, and how rows are spread over its tasks.
type Target struct {
	Fragment, Input int
	// Outlet is which of the outputs of a dataflow.Forking these rows are, the last operator of the fragment that sends; 0 for all others.
	Outlet int
	// Phased says that the tasks that send are of a dataflow.Phased operator.
	Phased bool
	// Straight says that every task sends to the task of its own number. Both fragments have as many.
	Straight bool
	Keys     []int // columns; none sends everything to task 0
	// Grain is that of the fragment and of everything behind it.
	Grain dataflow.Grain
	// Ordered says that results leave the tasks of the fragment as their rows come in, so that the order of rows must be known behind them.
	Ordered bool
	// Passes says that somebody behind the fragment looks at frontiers too, so that two of them without rows in between are not the same
	// as the second alone.
	Passes bool
}
