package connector

import (
	"io"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/types"
)

// Table is what a connector learns of the table and the statement that it serves.
type Table struct {
	// Name is the table's name for people; it also seeds what is generated.
	Name string
	// Schema is the physical columns and the metadata columns, all of them, in the order of the DDL. A sink is given no VIRTUAL ones.
	Schema types.Schema
	// Metadata tells for each column of Schema which metadata key of the connector it holds, "" for a physical column; nil if all are physical.
	Metadata []string
	// Keys are the columns of Schema that the primary key or else DISTRIBUTED BY names, in that order; Primary says that it is the primary key.
	Keys    []int
	Primary bool
	// Buckets is DISTRIBUTED … INTO n BUCKETS, 0 unless written.
	Buckets int
	// HandedOver is the physical column whose watermark pipelines hand over in the table, empty if they do not.
	HandedOver string
	// Needed are the columns of Schema that the statement reads, each once. The batches of a Decoder have exactly these, in this order. It
	// means nothing to a sink, which is given every column.
	Needed []int
	// Stdout and Stderr are where a sink that writes for people writes.
	Stdout, Stderr io.Writer
	// Stdin is where a source that is fed by a program reads; nil if there is nothing to read.
	Stdin *Input
}

// Input is a stream of bytes that can be read once.
type Input struct {
	reader io.Reader
	taken  atomic.Bool
}

// NewInput makes the input that r is; nil if r is.
func NewInput(r io.Reader) *Input {
	if r == nil {
		return nil
	}
	return &Input{reader: r}
}

// Take hands out the stream to the first who asks; ok is false for all others.
func (i *Input) Take() (r io.Reader, ok bool) {
	if i.taken.Swap(true) {
		return nil, false
	}
	return i.reader, true
}

// Fields are the columns that a Decoder of t yields.
func (t Table) Fields() types.Schema {
	fields := make(types.Schema, len(t.Needed))
	for i, c := range t.Needed {
		fields[i] = t.Schema[c]
	}
	return fields
}
