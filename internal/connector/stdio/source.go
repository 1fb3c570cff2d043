package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

type source struct {
	input  *connector.Input
	format *format.Choice
	framer format.Framer
	schema types.Schema
	needed []int
}

func newSource(t connector.Table, o connector.Options) (connector.Source, error) {
	c, _, err := format.Choose(o, "")
	if err != nil {
		return nil, err
	}
	if err := c.Check(t.Schema); err != nil {
		return nil, err
	}
	s := &source{input: t.Stdin, format: c, schema: t.Schema, needed: t.Needed}
	s.framer, err = c.NewFramer()
	return s, err
}

// Open takes the input.
func (s *source) Open() ([]connector.Split, error) {
	refused := connector.OptionError{Key: "connector", Message: "standard input is read already", Hint: "it can be read once, by one statement; write the rows to a file to read them more often"}
	if s.input == nil {
		refused.Message, refused.Hint = "there is no standard input here", "set Options.Stdin, or read a file"
		return nil, fault.Wrap(fault.User, &refused)
	}
	r, ok := s.input.Take()
	if !ok {
		return nil, fault.Wrap(fault.User, &refused)
	}
	return []connector.Split{&split{reader: r, framer: s.framer, line: 1}}, nil
}

// Bounded is true: the input ends at some time, and until then it is read like a file.
func (s *source) Bounded() bool { return true }

func (s *source) NewDecoder() (connector.Decoder, error) {
	d, err := s.format.NewDecoder(s.schema, s.needed)
	if err != nil {
		return nil, err
	}
	return &decoder{records: d, framer: s.framer, marked: s.format.Marked, header: s.format.Header()}, nil
}

// split is the input. Its offset counts the bytes of whole records.
type split struct {
	reader io.Reader
	framer format.Framer
	feed   *feed
	rest   []byte // the beginning of a record
	at     int64
	line   int64
	done   bool
}

// block is whole records.
type block struct {
	text []byte
	at   int64
	line int64 // of its first record, from 1
}

// Size is the number of bytes.
func (b *block) Size() int64 { return int64(len(b.text)) }

// pollEvery is how often the input is looked at while nothing comes, in microseconds.
const pollEvery = 2000

// maxRecord is how long a record can get.
const maxRecord = 64 << 20

func (s *split) Name() string { return "standard input" }

func (s *split) Poll(now int64) (connector.Chunk, int64, error) {
	if s.done {
		return nil, connector.Never, io.EOF
	}
	if s.feed == nil {
		s.feed = newFeed(s.reader)
	}
	more, err := s.feed.take()
	if len(more) == 0 && err == nil {
		return nil, now + pollEvery, nil
	}
	text := more
	if len(s.rest) > 0 {
		text = append(s.rest, more...)
	}
	switch {
	case errors.Is(err, io.EOF):
		s.done, s.rest = true, nil
		if len(text) == 0 {
			return nil, connector.Never, io.EOF
		}
		return s.block(text), 0, nil
	case err != nil && len(more) == 0:
		return nil, 0, fault.Errorf(fault.External, "read standard input: %w", err)
	}
	end := format.WholeRecords(s.framer, text)
	s.rest = slices.Clone(text[end:])
	if end > 0 {
		return s.block(text[:end:end]), 0, nil
	}
	if len(text) > maxRecord {
		return nil, 0, fault.Errorf(fault.Data, "standard input line %d: the record is longer than %d bytes", s.line, maxRecord)
	}
	return nil, now + pollEvery, nil
}

func (s *split) block(text []byte) connector.Chunk {
	b := &block{text, s.at, s.line}
	s.at += int64(len(text))
	s.line += count(text)
	return b
}

func (s *split) Offset() int64 { return s.at }

// Resume refuses to go anywhere: what was read is gone.
func (s *split) Resume(offset int64) error {
	if offset == s.at {
		return nil
	}
	return fault.Errorf(fault.User, "standard input cannot be read again from byte %d; read a file or a topic in a statement that has to go on after a restart", offset)
}

func (s *split) Close() error {
	if s.feed != nil {
		s.feed.close()
	}
	return nil
}

type decoder struct {
	records format.Decoder
	framer  format.Framer
	marked  bool // the input may begin with a byte order mark
	header  bool
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	skipped := d.records.Skipped()
	err := d.decode(c.(*block), memory, maxRows, each)
	return connector.Decoded{Skipped: d.records.Skipped() - skipped}, err
}

// decode decodes records where they are: the memory is nobody else's, and the batches keep it.
func (d *decoder) decode(b *block, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) error {
	text := b.text
	lines := count(text)
	if d.marked && b.at == 0 {
		text = text[format.ByteOrderMark(text):]
	}
	if d.header && b.at == 0 && len(text) > 0 {
		_, next, _ := d.framer.Next(text, 0)
		text = text[next:]
	}
	for len(text) > 0 {
		line := b.line + lines - count(text)
		batch, taken, err := format.Decode(d.records, d.framer, memory.Get(), text, maxRows)
		if batch.N == 0 {
			batch.Release()
		} else if err := each(batch); err != nil {
			return err
		}
		if row, ok := errors.AsType[*format.RowError](err); ok {
			if d.framer == format.Lines {
				line += int64(row.Record)
			} else {
				line += count(text[:row.Offset])
			}
			return fmt.Errorf("standard input line %d: %w", line, err)
		}
		text = text[taken:]
	}
	return nil
}

// count counts line feeds, of text that was not decoded: that removes escapes in place.
func count(text []byte) int64 { return int64(bytes.Count(text, []byte{'\n'})) }
