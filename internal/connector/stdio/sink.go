package stdio

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// bufferBytes is how much text may wait for Flush.
const bufferBytes = 64 << 10

type sink struct {
	w       io.Writer
	encoder format.Encoder
	buf     []byte // records not yet written
	weight  atomic.Int64
}

func newSink(t connector.Table, o connector.Options) (connector.Sink, error) {
	c, _, err := format.Choose(o, "")
	if err != nil {
		return nil, err
	}
	if err := c.Written(); err != nil {
		return nil, err
	}
	e, err := c.NewEncoder(t.Schema)
	if err != nil {
		return nil, err
	}
	return &sink{w: t.Stdout, encoder: e}, nil
}

func (s *sink) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		i := rows.At(k)
		var err error
		if s.buf, err = s.encoder.Append(s.buf, b, i); err != nil {
			return err
		}
		s.buf = append(s.buf, '\n')
		if len(s.buf) >= bufferBytes {
			if err := s.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sink) Flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	_, err := s.w.Write(s.buf)
	s.weight.Add(int64(len(s.buf)))
	s.buf = s.buf[:0]
	switch {
	case errors.Is(err, syscall.EPIPE):
		return fault.Errorf(fault.External, "write standard output: %w; the program that reads it has ended", err)
	case err != nil:
		return fault.Errorf(fault.OfIO(err), "write standard output: %w", err)
	}
	return nil
}

// Weight implements connector.Weighed.
func (s *sink) Weight() int64 { return s.weight.Load() }

func (s *sink) Close() error { return s.Flush() }
