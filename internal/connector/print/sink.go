package print

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/valuefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// bufferBytes is how much text may wait for Flush.
const bufferBytes = 64 << 10

type sink struct {
	w      io.Writer
	schema types.Schema
	prefix string
	buf    []byte // rows not yet written, whole lines
}

func (s *sink) Write(b *vector.Batch) error {
	rows := b.Rows()
	for k := range rows.Count() {
		from := len(s.buf)
		s.buf = s.appendRow(s.buf, b, rows.At(k))
		s.buf = append(s.buf[:from], valuefmt.Readable(s.buf[from:])...)
		if len(s.buf) >= bufferBytes {
			if err := s.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sink) appendRow(dst []byte, b *vector.Batch, row int) []byte {
	op := vector.Insert
	if b.Ops != nil {
		op = b.Ops[row]
	}
	dst = append(dst, s.prefix...)
	dst = append(dst, op.String()...)
	dst = append(dst, '[')
	for i, f := range s.schema {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendValue(dst, f.Type, b.Cols[i], row)
	}
	return append(dst, "]\n"...)
}

func (s *sink) Flush() error {
	if len(s.buf) == 0 {
		return nil
	}
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	if err != nil {
		return fault.Errorf(fault.OfIO(err), "print: %w", err)
	}
	return nil
}

func (s *sink) Close() error { return s.Flush() }
