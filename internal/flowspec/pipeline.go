package flowspec

import (
	"github.com/tidemark-sql/tidemark/internal/sql/source"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// Pipeline is a spec that has been read and checked. Lengths are in microseconds throughout.
type Pipeline struct {
	Text source.Text
	// At is the whole text.
	At source.Span
	// Computations stand in the order in which they were written, and Order has them with those that write a stream before those that read it.
	Computations []*Computation
	Order        []*Computation
	Streams      []*Stream
	Dynamic      Dynamic
	// spec is the static spec as it was read, and strangers are the members in it that are not known.
	spec      *Node
	strangers []stranger
	// Warnings are what was passed over, and what may not be meant.
	Warnings []Warning
}

// Span implements language.Statement.
func (p *Pipeline) Span() source.Span { return p.At }

// Warning is a sentence about a place, without its end.
type Warning struct {
	At      source.Span
	Message string
}

// Computation is a node of the graph.
type Computation struct {
	ID Word
	// Class is what it is by its class, and ClassName what was written.
	Class     Class
	ClassName Word
	// Function names code of the program; its Text is empty if none is named. A class that is not Flow's own names it too.
	Function Word
	// Parameters are those of the function, and ClassParameters those of the class; nil if none are written.
	Parameters, ClassParameters *Node
	// Query is the SQL or YQL of a computation that is one; nil for others.
	Query *Query
	// GroupBy is the key, its first column the hash; empty for a source that has none.
	GroupBy         []KeyColumn
	Inputs, Outputs []Word
	Dependencies    []Dependency
	Sources         []*Source
	Sinks           []*Sink
	Timers          []*Timer
	Strategy        Strategy
	// SelfDependency allows a timer stream among its own parents.
	SelfDependency bool
	// AtLeastOnce is processing_mode: at_least_once_consistent.
	AtLeastOnce bool
	// Skip is skip_if_expression of the dynamic spec; nil if there is none.
	Skip *Node
	node *Node
}

// Query is a computation as a statement.
type Query struct {
	// Body is the text of one query over the input streams, which it names.
	Body *Node
	// Language is "sql" or "yql".
	Language string
}

// KeyColumn is a column of group_by_schema.
type KeyColumn struct {
	Name Word
	Type types.Type
	// Expression computes it; nil if the streams have a column of that name.
	Expression *Node
}

// Dependency is which streams an output or a timer stream of a computation comes from.
type Dependency struct {
	Of Word
	On []Word
}

// Source is a source stream of a computation.
type Source struct {
	Name Word
	External
	// Schema is what its rows have, if parameters say so.
	Schema []Column
	// HalfLife is unavailable_time_half_decay_period, which is dynamic.
	HalfLife int64
}

// Sink is where streams leave the pipeline.
type Sink struct {
	Name Word
	External
	Inputs []Word
}

// External is a thing outside of the pipeline.
type External struct {
	Class Word
	// Table names a table of the catalog; its Text is empty if Options say what is outside.
	Table Word
	// Options are those of a connector.
	Options []Option
	// Finite says that a source ends where its queue ends now.
	Finite bool
	// HandsOver says that the watermark goes with the rows: write_flow_queue_meta of a sink.
	HandsOver bool
}

// Option is an option of a connector.
type Option struct{ Key, Value Word }

// Stream is what a computation writes.
type Stream struct {
	ID     Word
	Schema []Column
	// MessageID are the columns of the id of a message, by which it is processed once even if it is written twice; none if each message is one of its own.
	MessageID []Word
}

// Column is a column of a stream.
type Column struct {
	Name Word
	Type types.Type
	// Wording is how the spec speaks of the type.
	Wording types.Wording
}

// TimeType is the scale on which the trigger of a timer stands.
type TimeType uint8

// The scales.
const (
	EventTime TimeType = iota
	SystemTime
	CurrentTime
)

// Timer is a timer stream.
type Timer struct {
	Name Word
	Time TimeType
	// Streams are those whose watermark counts, each less its delay; nil for the parents of the timer stream.
	Streams []Delay
	// Keep says that equal timers of a key are all kept: deduplicate_equal_timestamps is false.
	Keep bool
}

// Delay is a stream with a length.
type Delay struct {
	Stream Word
	Delay  int64
}

// Format is how a column holds event time.
type Format uint8

// The formats.
const (
	Seconds Format = iota
	Milliseconds
	ISO8601
)

// Strategy is a watermark_strategy.
type Strategy struct {
	// At is where it is written; it has no length if it is not.
	At         source.Span
	Assigner   Assigner
	Generator  *Generator // nil if none is written
	Alignment  *Alignment // nil if none is written
	Percentile Percentile
}

// Assigner says where event time comes from.
type Assigner struct {
	// Column is the column that has it; its Text is empty if messages keep the time that they inherit.
	Column Word
	Format Format
	// Limit says that no event is later than its record.
	Limit bool
}

// Generator is a watermark_generator.
type Generator struct {
	// At is where its name stands.
	At        source.Span
	UseSource bool
	Bound     int64
	Idle      *Idle // nil if off
	Groups    Groups
	Late      Percentile
}

// Idle is idle_partitions.
type Idle struct {
	Duration int64
	MaxRatio float64
}

// Groups is unavailable_partition_groups.
type Groups struct{ MaxUnavailable, MinAvailable int }

// Percentile is late_data_partitions or watermark_percentile; a Value of 100 is off.
type Percentile struct {
	Value int
	Delay int64
}

// Alignment is a watermark_alignment.
type Alignment struct {
	// At is where its name stands.
	At         source.Span
	Group      Word
	DriftBound int64
	ReadDelays []Delay
}

// Computation finds a computation, nil if there is none of that name.
func (p *Pipeline) Computation(id string) *Computation {
	for _, c := range p.Computations {
		if c.ID.Text == id {
			return c
		}
	}
	return nil
}

// Stream finds a stream, nil if there is none of that name.
func (p *Pipeline) Stream(id string) *Stream {
	for _, s := range p.Streams {
		if s.ID.Text == id {
			return s
		}
	}
	return nil
}

// Writer is the computation that writes a stream, nil if none does.
func (p *Pipeline) Writer(stream string) *Computation {
	for _, c := range p.Computations {
		if has(c.Outputs, stream) {
			return c
		}
	}
	return nil
}

// Timer finds a timer stream, nil if there is none of that name.
func (c *Computation) Timer(name string) *Timer {
	for _, t := range c.Timers {
		if t.Name.Text == name {
			return t
		}
	}
	return nil
}

// Source finds a source stream, nil if there is none of that name.
func (c *Computation) Source(name string) *Source {
	for _, s := range c.Sources {
		if s.Name.Text == name {
			return s
		}
	}
	return nil
}

// InputNames are the streams that the code of c reads: its inputs, or its source.
func (c *Computation) InputNames() []string {
	names := texts(c.Inputs)
	for _, s := range c.Sources {
		names = append(names, s.Name.Text)
	}
	return names
}

// Parents are the streams that an output or a timer stream of c comes from. Unless streams_dependency says it, Flow: a timer stream comes from all inputs and sources, an output from those and
// from all timer streams.
func (c *Computation) Parents(stream string) []string {
	for _, d := range c.Dependencies {
		if d.Of.Text == stream {
			return texts(d.On)
		}
	}
	parents := c.InputNames()
	if c.Timer(stream) != nil {
		return parents
	}
	for _, t := range c.Timers {
		parents = append(parents, t.Name.Text)
	}
	return parents
}

func texts(words []Word) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text)
	}
	return all
}

func has(words []Word, text string) bool {
	for _, w := range words {
		if w.Text == text {
			return true
		}
	}
	return false
}
