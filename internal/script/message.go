package script

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// message is a record of a table whose rows are in records: text that a format reads.
type message struct {
	text    string
	written int64 // microseconds since the epoch
	offset  int64 // in its split
	// rows is how many rows it was, those that were left out among them, by the layout in which it was read.
	rows sync.Map
}

// count is rows for a layout.
func (m *message) count(layout string) int64 {
	n, _ := m.rows.Load(layout)
	count, _ := n.(int64)
	return count
}

// moreOfMessage begins a line that belongs to the message above it, and is its next line.
const moreOfMessage = "| "

// parseMessages reads a message from each line: its text and, behind " @ ", when it was written, which is else now.
func parseMessages(lines []string, now int64) ([]*message, error) {
	var all []*message
	for i := 0; i < len(lines); i++ {
		text := lines[i]
		for ; i+1 < len(lines); i++ {
			more, ok := strings.CutPrefix(lines[i+1]+" ", moreOfMessage)
			if !ok {
				break
			}
			text += "\n" + strings.TrimSuffix(more, " ")
		}
		m := &message{text: text, written: now}
		if at := strings.LastIndex(text, writtenAt); at >= 0 {
			micros, _, ok := parseTime(strings.TrimSpace(text[at+len(writtenAt):]))
			if !ok || micros%timefmt.Millisecond != 0 {
				return nil, fmt.Errorf("'%s' behind the message is not when it was written, such as 00:00:01.500Z", text[at+len(writtenAt):])
			}
			m.text, m.written = strings.TrimRight(text[:at], " "), micros
		}
		all = append(all, m)
	}
	return all, nil
}

// writtenAt stands between a message and when it was written.
const writtenAt = " @ "

// messages reads them in one format.
type messages struct {
	table string
	by    format.Decoder
	// physical and told are columns of a batch: those that the format reads, in its order, and those with metadata.
	physical []int
	told     map[int]string
	columns  int
	layout   string
}

// layoutOf tells ways to read one message apart.
func layoutOf(t connector.Table, o connector.Options) string {
	return fmt.Sprint(o["format"], t.Schema.Names())
}

// newMessages makes the decoder of a table whose options name a format.
func newMessages(t connector.Table, o connector.Options) (*messages, error) {
	choice, _, err := format.Choose(o, "")
	if err != nil {
		return nil, err
	}
	d := &messages{table: t.Name, told: map[int]string{}, columns: len(t.Needed), layout: layoutOf(t, o)}
	var schema types.Schema
	places := make([]int, len(t.Schema))
	var ofFormat []string // metadata of the format
	for i, f := range t.Schema {
		if t.Metadata == nil || t.Metadata[i] == "" {
			places[i] = len(schema)
			schema = append(schema, f)
		}
	}
	var needed, behind []int
	for at, column := range t.Needed {
		if t.Metadata == nil || t.Metadata[column] == "" {
			needed, d.physical = append(needed, places[column]), append(d.physical, at)
		} else if key, ok := format.MetadataKey(t.Metadata[column]); ok {
			ofFormat, behind = append(ofFormat, key), append(behind, at)
		} else {
			d.told[at] = t.Metadata[column]
		}
	}
	d.physical = append(d.physical, behind...)
	if err := choice.Check(schema); err != nil {
		return nil, err
	}
	d.by, err = choice.NewDecoder(schema, needed, ofFormat...)
	return d, err
}

// Decode implements connector.Decoder.
func (d *messages) Decode(c connector.Chunk, memory *vector.Pool, maxRows int, each func(*vector.Batch) error) (connector.Decoded, error) {
	var out connector.Decoded
	arrived := c.(chunk)
	for rest := arrived.rows; len(rest) > 0; {
		skipped := d.by.Skipped()
		b, taken, err := d.batch(rest[:min(len(rest), maxRows)], arrived.split, memory.Get(), maxRows, &out)
		out.Skipped += d.by.Skipped() - skipped
		rest = rest[taken:]
		if b.N == 0 {
			b.Release()
		} else if wrong := each(b); wrong != nil {
			return out, wrong
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// batch reads messages until it has maxRows rows, and tells how many it took. The rows of one message are all in it.
func (d *messages) batch(rows []fedRow, split int, a *vector.Arena, maxRows int, out *connector.Decoded) (b *vector.Batch, taken int, err error) {
	var text bytes.Buffer
	for _, r := range rows {
		text.WriteString(r.message.text)
	}
	buf := a.Bytes(text.Len())
	copy(buf, text.Bytes())
	d.by.Begin(a, buf, len(rows))
	var from []*message
	for at := 0; taken < len(rows) && len(from) < maxRows; taken++ {
		m := rows[taken].message
		skipped := d.by.Skipped()
		n, wrong := d.by.Read(at, at+len(m.text))
		at += len(m.text)
		if wrong != nil {
			err = fmt.Errorf("%s offset %d: %w", d.table, m.offset, wrong)
			break
		}
		left := format.Misread(d.by)
		for _, l := range left {
			l.Origin, l.Offset = d.table, m.offset
			out.Misread = append(out.Misread, l)
		}
		m.rows.Store(d.layout, int64(n)+d.by.Skipped()-skipped)
		for range n {
			from = append(from, m)
		}
	}
	values := d.by.End()
	b = &vector.Batch{Cols: a.Columns(d.columns), N: len(from), Arena: a, Ops: values.Ops}
	for i, at := range d.physical {
		b.Cols[at] = values.Cols[i]
	}
	for at, key := range d.told {
		v := a.Flat(vector.Int64, len(from))
		for k, m := range from {
			v.Ints[k] = m.metadata(key, split)
		}
		b.Cols[at] = v
	}
	return b, taken, err
}

// metadata is what metadata says of a message that came by a split.
func (m *message) metadata(key string, split int) int64 {
	switch key {
	case metadataSplit:
		return int64(split)
	case metadataOffset:
		return m.offset
	}
	return m.written
}

// messageSink prints rows as the messages that a format makes of them.
type messageSink struct {
	output  *output
	by      format.Encoder
	written int // the column that tells when, -1 without one
	columns []int
	line    []byte
}

func newMessageSink(t connector.Table, o connector.Options, to *output) (connector.Sink, error) {
	choice, _, err := format.Choose(o, "")
	if err != nil {
		return nil, err
	}
	s := &messageSink{output: to, written: -1}
	var schema types.Schema
	for i, f := range t.Schema {
		if t.Metadata != nil && t.Metadata[i] == metadataArrival {
			s.written = i
			continue
		}
		schema, s.columns = append(schema, f), append(s.columns, i)
	}
	s.by, err = choice.NewEncoder(schema)
	return s, err
}

// Write implements connector.Sink.
func (s *messageSink) Write(b *vector.Batch) error {
	s.output.mu.Lock()
	defer s.output.mu.Unlock()
	data := vector.Batch{N: b.N, Ops: b.Ops, Sel: b.Sel, Arena: b.Arena}
	for _, i := range s.columns {
		data.Cols = append(data.Cols, b.Cols[i])
	}
	rows := b.Rows()
	for k := range rows.Count() {
		row := rows.At(k)
		var err error
		if s.line, err = s.by.Append(s.line[:0], &data, row); err != nil {
			return err
		}
		s.line = bytes.ReplaceAll(s.line, []byte("\n"), []byte("\n"+moreOfMessage))
		if s.written >= 0 && !b.Cols[s.written].IsNull(row) {
			s.line = appendEventTime(append(s.line, writtenAt...), b.Cols[s.written].Int(row), true)
		}
		s.output.text.Write(append(s.line, '\n'))
		s.output.rows++
	}
	return nil
}

// Flush implements connector.Sink.
func (s *messageSink) Flush() error { return nil }

// Close implements connector.Sink.
func (s *messageSink) Close() error { return nil }
