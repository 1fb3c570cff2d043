package filesystem

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Sink writes part files into a folder.
//
// A part is written under a hidden name, which no table reads, and gets its own when it is whole: at its size or age, and when the statement ends.
// It is on the disk before it has that name. A statement that fails or crashes leaves the part it was writing hidden; those before it stay.
// So without checkpoints what a reader sees is whole parts of a prefix of the output, and a statement that is run again writes it again.
type Sink struct {
	options sinkOptions
	encoder format.Encoder
	run     string // tells the parts of this run from those of others
	now     int64  // wall clock, microseconds
	parts   int
	part    *part
	buf     []byte
}

// bufferBytes is how much text may wait for Flush.
const bufferBytes = 64 << 10

// NewSink makes a *Sink.
func NewSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	r, err := readSinkOptions(o)
	if err != nil {
		return nil, err
	}
	for i, key := range t.Metadata {
		if key != "" {
			return nil, &connector.OptionError{Key: "connector", Message: fmt.Sprintf("column '%s' is about files that are read, and cannot be written", t.Schema[i].Name), Hint: "declare it METADATA VIRTUAL"}
		}
	}
	s := &Sink{options: r}
	if s.encoder, err = r.format.NewEncoder(t.Schema); err != nil {
		return nil, err
	}
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails
	s.run = hex.EncodeToString(id[:])
	return s, nil
}

// SetNow implements connector.Timed: a part that is old enough is published.
func (s *Sink) SetNow(now int64) error {
	s.now = now
	if s.part != nil && now-s.part.since >= s.options.interval {
		return s.publish()
	}
	return nil
}

// Write implements connector.Sink.
func (s *Sink) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		if b.Ops != nil && b.Ops[i] != vector.Insert {
			return fault.Errorf(fault.User, "the rows are changed later (%s), and files only take rows that stay; aggregate in windows", b.Ops[i])
		}
		var err error
		if s.buf, err = s.encoder.Append(s.buf, b, i); err != nil {
			return err
		}
		s.buf = append(s.buf, '\n')
		if len(s.buf) >= bufferBytes || s.part != nil && s.part.size+int64(len(s.buf)) >= s.options.size {
			if err := s.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Flush implements connector.Sink. What is written is in the file, though not yet on the disk, nor under a name that is read.
func (s *Sink) Flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	if s.part == nil {
		if err := s.begin(); err != nil {
			return err
		}
	}
	if err := s.part.write(s.buf); err != nil {
		return err
	}
	s.buf = s.buf[:0]
	if s.part.size >= s.options.size {
		return s.publish()
	}
	return nil
}

// begin opens the next part.
func (s *Sink) begin() error {
	folder := s.options.path
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is a file, and a table is written as a folder of files", folder), Hint: "name a folder; it is made if it is not there"})
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return writing(err)
	}
	name := fmt.Sprintf("part-%s-%d.%s", s.run, s.parts, s.options.format.Name)
	p, err := newPart(folder, name, codecNamed(s.options.compress), s.now)
	if err != nil {
		return err
	}
	s.part = p
	s.parts++
	return nil
}

func (s *Sink) publish() error {
	p := s.part
	s.part = nil
	return p.publish()
}

// Close implements connector.Sink: the last part is published.
func (s *Sink) Close() error {
	if err := s.Flush(); err != nil {
		return errors.Join(err, s.Abort())
	}
	if s.part == nil {
		return nil
	}
	return s.publish()
}

// Abort implements connector.Aborting: the part that was being written stays hidden.
func (s *Sink) Abort() error {
	if s.part == nil {
		return nil
	}
	p := s.part
	s.part = nil
	return p.abandon()
}
