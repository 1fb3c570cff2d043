package connector

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Connector is one row of the registry, which is a slice where the program is put together.
type Connector struct {
	// Name is its value of 'connector'.
	Name string
	// Doc is a sentence for the reference.
	Doc string
	// Specs are the options it takes beside those that every table has, such as 'connector' and 'scan.watermark.*'. The constructors expect
	// options that have passed Check.
	Specs []Spec
	// Metadata are the metadata columns that all its tables can have, and FormatMetadata those that a table has beside them because of its format; nil
	// if there are none.
	Metadata       []MetadataColumn
	FormatMetadata func(o Options) []MetadataColumn
	// Yields says what the rows that its source reads stand for, and Takes what its sink understands; nil is Append.
	Yields, Takes func(t Table, o Options) Changelog
	// Guarantee says what the sink promises; nil is AtLeastOnce.
	Guarantee func(t Table, o Options) Guarantee
	// Topics says that its tables are topics of brokers.
	Topics bool
	// HandsOver says that splits and sinks of a table with OptionHandover are Promised and Promising.
	HandsOver bool
	// Once says that what a source has read cannot be read again, so that a statement cannot go on behind it in another process.
	Once bool
	// NewSource and NewSink refuse with an *OptionError what they cannot do: an option's value, or to be read or written at all. They touch
	// nothing outside; that begins with Open and Write.
	NewSource func(t Table, o Options) (Source, error)
	NewSink   func(t Table, o Options) (Sink, error)
	// Snapshot makes of a table's options those that read the rows which it has when it is opened, and no more; nil if there are none such, or if its rows end anyway.
	Snapshot func(o Options) Options
	// Recast makes of a table's options those by which the same records are read and written in another format, with the options own, which have no prefix;
	// nil if its rows are in no records. The table has no key then.
	Recast func(o Options, format string, own Options) Options
	// Create and Drop make and remove what holds the rows of a managed table, in CREATE TABLE and DROP TABLE; nil if the table only tells of
	// something that is there or comes to be by itself. Create may take what is there already; made says that it did not, so that whoever takes
	// back a statement knows whose rows they are.
	Create func(t Table, o Options) (made bool, err error)
	Drop   func(t Table, o Options) error
	// Alter refuses, with an *OptionError, a change of a managed table that what holds its rows does not follow; nil with Create if there is none.
	// What follows a change in where the rows are, it changes there.
	Alter func(from, to Table, was, is Options) error
	// Inferred are the tables that are there without CREATE TABLE; nil if there are none such, or nobody can be asked.
	Inferred Inferred
}

// Changelog is which changes rows stand for.
type Changelog uint8

// The changelogs.
const (
	Append  Changelog = iota // +I only
	Upsert                   // +I and +U, either of which replaces the row with the same primary key, and -D of a row of which only the key counts
	Retract                  // +I, -U with +U behind it, and -D, each with the whole row
)

// AllChanges is Takes of a sink that understands every change.
func AllChanges(Table, Options) Changelog { return Retract }

// MetadataOf are the metadata columns that a table with options o can have.
func (c *Connector) MetadataOf(o Options) []MetadataColumn {
	if c.FormatMetadata == nil {
		return c.Metadata
	}
	return slices.Concat(c.Metadata, c.FormatMetadata(o))
}

// MetadataColumn is something that a connector knows of a row beside its columns. Flink 2.3: a column of the table shows it with
// METADATA FROM 'key', and one that is not writable must be VIRTUAL to be in a table that is written.
type MetadataColumn struct {
	Key      string
	Type     types.Type
	Writable bool
	Doc      string
	// Timestamp says that it is when the record was written.
	Timestamp bool
	// Position says that it is where the record is in its split, and Split that it is the number of the split.
	Position, Split bool
	// Created says that it is when the program that wrote the record says that it was made, Producer who that program is, and Sequence the number of the record
	// among those of the producer.
	Created, Producer, Sequence bool
}

// NotReadable is the error of a connector that has no source; instead says what to do.
func NotReadable(name, instead string) error {
	return &OptionError{Key: "connector", Message: fmt.Sprintf("a table with connector '%s' cannot be read", name), Hint: instead}
}

// WriteElsewhere is the advice for tables of generated rows.
const WriteElsewhere = "generated rows are only read; write to a table with connector 'filesystem', 'stdout', 'print', 'kafka', or to one without, which is managed"

// NotWritable is the error of a connector that has no sink; instead says what to do.
func NotWritable(name, instead string) error {
	return &OptionError{Key: "connector", Message: fmt.Sprintf("a table with connector '%s' cannot be written", name), Hint: instead}
}
