package format

import (
	"bytes"
	"errors"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Format is one row of the registry.
type Format struct {
	// Name is its value of 'format'.
	Name string
	// Doc is a phrase for the reference.
	Doc string
	// Specs are its options, without the name and the dot that stand before them in a table.
	Specs []connector.Spec
	// Messages says that records only come in messages, as nothing in a file would tell where they end.
	Messages bool
	// Whole says that a file is one record. Such files are read and not written, since a record that is written is one row.
	Whole bool
	// Subject says that its option SubjectKey, where it is not given, is the topic with -value or -key behind it.
	Subject bool
	// Changelog is what its rows stand for. Unless it is Append, the batches of its decoder have Ops and its encoder writes all changes.
	Changelog connector.Changelog
	// Nulls says that a message without a value is a row, whose one column is NULL, and that such a row is written without a value.
	Nulls bool
	// Marked says that a UTF-8 byte order mark at the beginning of a file is no part of its first record.
	Marked bool
	// NewDecoder makes a decoder of the columns needed, each an index into schema, in that order. The schema is all columns that are in a
	// record. The options are its own, without prefix. It refuses with an *OptionError, whose key has no prefix either and is empty for the format itself.
	NewDecoder func(schema types.Schema, needed []int, o connector.Options) (Decoder, error)
	// Metadata is what a record tells beside its columns; none of it is written.
	Metadata []connector.MetadataColumn
	// NewDecoderWith makes a decoder whose batches have behind those columns the metadata that keys name, each once; nil if there is none.
	NewDecoderWith func(schema types.Schema, needed []int, keys []string, o connector.Options) (Decoder, error)
	// NewEncoder makes an encoder of rows of schema.
	NewEncoder func(schema types.Schema, o connector.Options) (Encoder, error)
	// NewFramer says how records lie in a file; nil means Lines.
	NewFramer func(o connector.Options) (Framer, error)
	// Header tells whether the first record of a file is no row; nil means that it is one.
	Header func(o connector.Options) bool
}

// Formats are all there are, in the order of the reference.
var Formats = []Format{jsonFormat, csvFormat, rawFormat, avroFormat, debeziumFormat, canalFormat, maxwellFormat,
	avroConfluentFormat, avroRegistryFormat, jsonRegistryFormat, jsonEachRowFormat, jsonListFormat, jsonAsStringFormat, csvNamedFormat, tsvNamedFormat}

// Decoder reads records, such as a line of a file or a message of a topic, into columns. It belongs to one goroutine.
//
// A batch is begun, records are read into it, and it is ended:
//
//	d.Begin(arena, buf, len(records))
//	for … { rows, err := d.Read(start, end) }
//	batch := d.End()
type Decoder interface {
	// Begin starts a batch of arena a. The records to come lie in buf, of less than 4 GB, and are expected to be about records many.
	// Strings are views into buf, and Read may write to it where a record is; so buf lives as long as a does and no record can be read twice.
	Begin(a *vector.Arena, buf []byte, records int)
	// Read reads the record buf[start:end] and tells how many rows it was: mostly 1, 0 if it is blank or was left out because the options
	// say so. An error that is a *RowError is about the record: nothing of it is in the batch, and the next one can be read. After any other, such as of a
	// schema registry that does not answer, reading is over.
	Read(start, end int) (rows int, err error)
	// End returns the rows since Begin, possibly none.
	End() *vector.Batch
	// Skipped tells how many malformed records were left out since the decoder was made.
	Skipped() int64
}

// Encoder writes rows as records. It belongs to one goroutine.
type Encoder interface {
	// Append appends row number row of b to dst, without what separates records in a file. An error is about the row; dst is then as it was.
	Append(dst []byte, b *vector.Batch, row int) ([]byte, error)
}

// Framer finds the records in the text of a file. It is immutable.
type Framer interface {
	// Next finds the record that begins at text[at]: where it ends and where the next one begins. If text ends before the record is known to,
	// whole is false, and end and next are the end of text: right if nothing follows.
	Next(text []byte, at int) (end, next int, whole bool)
}

// Lines is the framing of records that are lines. Where one begins can be told from any place in a file.
var Lines Framer = lines{}

// All is the framing of a file that is one record.
var All Framer = all{}

type all struct{}

func (all) Next(text []byte, _ int) (end, next int, whole bool) { return len(text), len(text), false }

type lines struct{}

func (lines) Next(text []byte, at int) (end, next int, whole bool) {
	if k := bytes.IndexByte(text[at:], '\n'); k >= 0 {
		return at + k, at + k + 1, true
	}
	return len(text), len(text), false
}

// ByteOrderMark is the length of the UTF-8 byte order mark that text begins with, or 0.
func ByteOrderMark(text []byte) int {
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		return len("\ufeff")
	}
	return 0
}

// WholeRecords is the length of the records of text, which begins with one, that end in it.
func WholeRecords(f Framer, text []byte) int {
	if f == Lines {
		return bytes.LastIndexByte(text, '\n') + 1
	}
	for at := 0; ; {
		_, next, whole := f.Next(text, at)
		if !whole {
			return at
		}
		at = next
	}
}

// Decode reads up to maxRows records, at least 1, from buf, framed by f. It returns them as a batch of arena a, possibly of no rows, and how many bytes of buf
// they took. After an error, which is a *RowError, the batch holds the rows before the bad record and consumed stands behind it.
func Decode(d Decoder, f Framer, a *vector.Arena, buf []byte, maxRows int) (b *vector.Batch, consumed int, err error) {
	d.Begin(a, buf, min(maxRows, len(buf)/shortestRecord+1))
	if l, ok := d.(lineDecoder); ok && f == Lines {
		at, err := l.readLines(0, maxRows)
		return d.End(), at, err
	}
	at, n := 0, 0
	for record := 0; at < len(buf) && n < maxRows; record++ {
		end, next, _ := f.Next(buf, at)
		rows, err := d.Read(at, end)
		at = next
		if err != nil {
			return d.End(), at, numbered(err, record)
		}
		n += rows
	}
	return d.End(), at, nil
}

func numbered(err error, record int) error {
	if row, ok := errors.AsType[*RowError](err); ok {
		row.Record = record
	}
	return err
}

// lineDecoder is a decoder that goes from line to line itself, because the calls in between show in its rate.
type lineDecoder interface {
	// readLines reads the lines of the buffer from the byte from on, where one begins, until the batch has maxRows rows or the buffer is read or a line is
	// bad, and tells where the next line begins.
	readLines(from, maxRows int) (to int, err error)
}

// shortestRecord is how long the shortest record may be expected to be, with what ends it.
const shortestRecord = 3
