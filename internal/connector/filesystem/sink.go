package filesystem

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// Sink writes part files into a folder.
//
// A part is written under a hidden name, which no table reads, and gets its own when it is whole: at its size or age, and when the statement ends.
// It is on the disk before it has that name. A statement that fails removes the part it was writing, and one that crashes leaves it hidden; those before it stay.
// So without checkpoints what a reader sees is whole parts of a prefix of the output, and a statement that is run again writes it again. With checkpoints
// parts end at them too, and get their names when the checkpoint is durable: every row is in one part that can be seen (epoch.go).
type Sink struct {
	options sinkOptions
	schema  types.Schema
	encoder format.Encoder // nil if the format is a container
	rows    PieceWriter    // of part, if it is
	run     string         // tells the parts of this run from those of others
	now     int64          // wall clock, microseconds
	parts   int
	part    *part
	buf     []byte
	weight  atomic.Int64

	checkpointed bool    // parts are published with checkpoints
	sealed       []*part // that wait for the next one
}

// bufferBytes is how much text may wait for Flush.
const bufferBytes = 64 << 10

// NewSink makes a *Sink of Connector.
func NewSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	return family{}.newSink(t, o)
}

func (f family) newSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	r, err := f.readSinkOptions(o)
	if err != nil {
		return nil, err
	}
	if _, err := f.readSourceOptions(o); err != nil {
		return nil, err
	}
	for i, key := range t.Metadata {
		if key != "" {
			return nil, &connector.OptionError{Key: "connector", Message: fmt.Sprintf("column '%s' tells of what is read, and cannot be written", t.Schema[i].Name), Hint: "declare it METADATA VIRTUAL"}
		}
	}
	s := &Sink{options: r, schema: t.Schema}
	if r.container != nil {
		err = r.container.check(t.Schema)
	} else {
		if err := r.format.Written(); err != nil {
			return nil, err
		}
		s.encoder, err = r.format.NewEncoder(t.Schema)
	}
	if err != nil {
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
	if s.part != nil && (now-s.part.since >= s.options.interval || now-s.part.written >= s.options.idle) {
		return s.publish()
	}
	return nil
}

// Write implements connector.Sink.
func (s *Sink) Write(b *vector.Batch) error {
	if s.options.container != nil {
		return s.writePiece(b)
	}
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
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

// writePiece hands rows to the container, which decides when they are in the file.
func (s *Sink) writePiece(b *vector.Batch) error {
	if s.part == nil {
		if err := s.begin(); err != nil {
			return err
		}
		c := s.options.container
		var err error
		if s.rows, err = c.NewWriter(partWriter{s}, s.schema, c.options); err != nil {
			return err
		}
	}
	s.part.written = s.now
	if err := s.rows.Write(b); err != nil {
		return err
	}
	if s.rows.Size() >= s.options.size {
		return s.publish()
	}
	return nil
}

// Weight implements connector.Weighed: text before it is compressed.
func (s *Sink) Weight() int64 { return s.weight.Load() }

// partWriter writes to the part of a sink.
type partWriter struct{ sink *Sink }

func (w partWriter) Write(b []byte) (int, error) {
	if err := w.sink.part.write(b, w.sink.now); err != nil {
		return 0, err
	}
	w.sink.weight.Add(int64(len(b)))
	return len(b), nil
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
	if err := s.part.write(s.buf, s.now); err != nil {
		return err
	}
	s.weight.Add(int64(len(s.buf)))
	s.buf = s.buf[:0]
	if s.part.size >= s.options.size {
		return s.publish()
	}
	return nil
}

// begin opens the next part.
func (s *Sink) begin() error {
	folder := s.options.path
	if err := s.options.fence.check(folder); err != nil {
		return err
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return fault.Wrap(fault.User, &connector.OptionError{Key: "path", Message: fmt.Sprintf("'%s' is a file, and a table is written as a folder of files", folder), Hint: "name a folder; it is made if it is not there"})
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return writing(err)
	}
	ending := ""
	if s.options.container != nil {
		ending = s.options.container.Name
	} else {
		ending = s.options.format.Name
	}
	name := fmt.Sprintf("part-%s-%d.%s", s.run, s.parts, ending)
	p, err := newPart(folder, name, codecNamed(s.options.compress), s.now)
	if err != nil {
		return err
	}
	s.part = p
	s.parts++
	return nil
}

func (s *Sink) publish() error {
	if s.rows != nil {
		rows := s.rows
		s.rows = nil
		if err := rows.Close(); err != nil {
			return errors.Join(err, s.Abort())
		}
	}
	p := s.part
	s.part = nil
	if s.checkpointed {
		s.sealed = append(s.sealed, p)
		return p.finish()
	}
	if err := p.publish(); err != nil {
		return errors.Join(err, p.abandon())
	}
	return nil
}

// Close implements connector.Sink: the last part is published. With checkpoints the last of them has seen to it.
func (s *Sink) Close() error {
	if s.checkpointed {
		return s.Abort()
	}
	if err := s.Flush(); err != nil {
		return errors.Join(err, s.Abort())
	}
	if s.part == nil {
		return nil
	}
	return s.publish()
}

// Abort implements connector.Aborting: parts that have no name yet, and of which no checkpoint knows, are removed.
func (s *Sink) Abort() error {
	var errs []error
	for _, p := range s.sealed {
		errs = append(errs, p.abandon())
	}
	if s.part != nil {
		errs = append(errs, s.part.abandon())
	}
	s.part, s.rows, s.sealed = nil, nil, nil
	return errors.Join(errs...)
}
