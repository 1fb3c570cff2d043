package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

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
	told   []string // metadata of the format that is needed
	at     []int    // where the columns that the format gives are in a batch; nil: in this order
	// arrived is told when there is something to read.
	arrived chan<- struct{}
}

func newSource(t connector.Table, o connector.Options) (connector.Source, error) {
	c, _, err := format.Choose(o, "")
	if err != nil {
		return nil, err
	}
	s := &source{input: t.Stdin, format: c}
	if err := c.Check(s.schema, s.columns(t)...); err != nil {
		return nil, err
	}
	s.framer, err = c.NewFramer()
	return s, err
}

// columns tells those that are in a record from those that the format tells beside it, and lists the latter.
func (s *source) columns(t connector.Table) (all []string) {
	if t.Metadata == nil {
		s.schema, s.needed = t.Schema, t.Needed
		return nil
	}
	places := make([]int, len(t.Schema)) // in s.schema
	for i, f := range t.Schema {
		if key, ok := format.MetadataKey(t.Metadata[i]); ok {
			all = append(all, key)
		} else {
			places[i] = len(s.schema)
			s.schema = append(s.schema, f)
		}
	}
	var behind []int
	for k, i := range t.Needed {
		if key, ok := format.MetadataKey(t.Metadata[i]); ok {
			s.told, behind = append(s.told, key), append(behind, k)
		} else {
			s.needed, s.at = append(s.needed, places[i]), append(s.at, k)
		}
	}
	s.at = append(s.at, behind...)
	return all
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
	return []connector.Split{&split{reader: r, framer: s.framer, line: 1, arrived: s.arrived}}, nil
}

// Listen implements connector.Live.
func (s *source) Listen(arrived chan<- struct{}) { s.arrived = arrived }

// Close has nothing to do; that of the split has.
func (s *source) Close() error { return nil }

// Bounded is true: the input ends at some time, and until then it is read like a file.
func (s *source) Bounded() bool { return true }

func (s *source) NewDecoder() (connector.Decoder, error) {
	d, err := s.format.NewDecoder(s.schema, s.needed, s.told...)
	if err != nil {
		return nil, err
	}
	return &decoder{records: d, framer: s.framer, marked: s.format.Marked, header: s.format.Header(), at: s.at}, nil
}

// split is the input. Its offset counts the bytes of whole records.
type split struct {
	reader  io.Reader
	framer  format.Framer
	arrived chan<- struct{}
	feed    *feed
	rest    []byte // what is read and not handed out
	at      int64  // of rest
	turn    int64  // where the turn began
	line    int64
	ended   bool // nothing comes behind rest
}

// block is whole records.
type block struct {
	text []byte
	at   int64
	line int64 // of its first record, from 1
	last bool  // of its turn
}

// Size is the number of bytes.
func (b *block) Size() int64 { return int64(len(b.text)) }

// EndsTurn implements connector.Part.
func (b *block) EndsTurn() bool { return b.last }

const (
	// turnBytes is how long a turn is: all records that begin in so many bytes.
	turnBytes = 256 << 10
	// maxRecord is how long a record can get.
	maxRecord = 64 << 20
)

func (s *split) Name() string { return "standard input" }

// Poll hands out the whole records that there are, without going beyond the end of a turn.
func (s *split) Poll(int64) (connector.Chunk, int64, error) {
	if s.feed == nil {
		s.feed = newFeed(s.reader, s.arrived)
	}
	end := s.cut()
	if end == 0 && !s.ended {
		more, err := s.feed.take()
		// The records handed out keep the memory that they are in; behind rest it is nobody's.
		s.rest = append(s.rest, more...)
		s.ended = errors.Is(err, io.EOF)
		if err != nil && !s.ended && len(more) == 0 {
			return nil, 0, fault.Errorf(fault.OfIO(err), "read standard input: %w", err)
		}
		end = s.cut()
	}
	switch {
	case end > 0:
		return s.block(end), 0, nil
	case s.ended:
		return nil, connector.Never, io.EOF
	case len(s.rest) > maxRecord:
		return nil, 0, fault.Errorf(fault.Data, "standard input line %d: the record is longer than %d bytes", s.line, maxRecord)
	}
	return nil, connector.Never, nil
}

// cut is how much of rest can be handed out: the whole records that begin in this turn, the last of which may end behind it.
func (s *split) cut() int {
	room := int(s.turn + turnBytes - s.at)
	if room >= len(s.rest) {
		if s.ended {
			return len(s.rest)
		}
		return format.WholeRecords(s.framer, s.rest)
	}
	end := format.WholeRecords(s.framer, s.rest[:room])
	if end < room {
		if _, next, whole := s.framer.Next(s.rest, end); whole || s.ended {
			end = next
		}
	}
	return end
}

func (s *split) block(end int) *block {
	b := &block{text: s.rest[:end:end], at: s.at, line: s.line}
	s.rest = s.rest[end:]
	s.at += int64(end)
	s.line += count(b.text)
	if b.last = s.at >= s.turn+turnBytes; b.last {
		s.turn = s.at
	}
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
	at      []int // see source
	left    []connector.Misread
}

func (d *decoder) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	skipped := d.records.Skipped()
	d.left = nil
	err := d.decode(c.(*block), memory, maxRows, each)
	return connector.Decoded{Skipped: d.records.Skipped() - skipped, Misread: d.left}, err
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
		for _, m := range format.Misread(d.records) {
			m.Origin = "standard input"
			m.Offset += b.at + int64(len(b.text)-len(text))
			d.left = append(d.left, m)
		}
		if batch.N == 0 {
			batch.Release()
		} else if err := each(d.arrange(batch)); err != nil {
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

// arrange puts the columns of b where they belong.
func (d *decoder) arrange(b *vector.Batch) *vector.Batch {
	if d.at != nil {
		decoded := b.Cols
		b.Cols = b.Arena.Columns(len(decoded))
		for i, k := range d.at {
			b.Cols[k] = decoded[i]
		}
	}
	return b
}

// count counts line feeds, of text that was not decoded: that removes escapes in place.
func count(text []byte) int64 { return int64(bytes.Count(text, []byte{'\n'})) }
