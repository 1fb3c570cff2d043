package filesystem

import (
	"errors"
	"io"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// stream is a split whose text has to be read from the beginning on: because it is compressed, or because only reading it tells where a record
// begins. Its offset is a byte of the text, where a record begins.
type stream struct {
	backlog
	file    file
	framer  format.Framer
	step    int64
	maxLine int64

	text *contents
	at   int64  // of the first byte of rest
	rest []byte // read and not handed out: the beginning of a record
	done bool
}

// block is whole records that were read already.
type block struct {
	file file
	text []byte
	at   int64 // where in the text of the file
}

// Size is the number of bytes, decompressed.
func (b *block) Size() int64 { return int64(len(b.text)) }

func (s *stream) Name() string { return s.file.path }

func (s *stream) Poll(int64) (connector.Chunk, int64, error) {
	if s.done {
		return nil, connector.Never, io.EOF
	}
	if err := s.open(); err != nil {
		return nil, 0, err
	}
	buf := append(make([]byte, 0, int64(len(s.rest))+s.step), s.rest...)
	for {
		n, err := io.ReadFull(s.text, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) || err == io.ErrUnexpectedEOF && !s.text.compressed {
			return s.last(buf)
		}
		if err == io.ErrUnexpectedEOF { // of a compressed file, which may be cut off: only another read tells
			if _, err = s.text.Read(make([]byte, 1)); err == io.EOF {
				return s.last(buf)
			}
		}
		if err != nil {
			return nil, 0, fault.Errorf(fault.External, "decompress %s: %w; the file may be cut off", s.file.path, err)
		}
		end := format.WholeRecords(s.framer, buf)
		if end > 0 {
			s.rest = slices.Clone(buf[end:])
			return s.block(buf[:end]), 0, nil
		}
		if int64(len(buf)) > s.maxLine {
			return nil, 0, tooLong(s.file, s.at, s.maxLine)
		}
		buf = slices.Grow(buf, len(buf))
	}
}

func tooLong(f file, at, limit int64) error {
	return fault.Errorf(fault.Data, "%s: the record is longer than %d bytes; a quote may not be closed", placeName(f, at), limit)
}

// last hands out what is left; the file ends behind it.
func (s *stream) last(buf []byte) (connector.Chunk, int64, error) {
	s.done, s.rest = true, nil
	if !s.text.compressed && s.at+int64(len(buf)) < s.file.size {
		return nil, 0, fault.Errorf(fault.External, "read %s at byte %d: the file ends here but had %d bytes when the statement began",
			s.file.path, s.at+int64(len(buf)), s.file.size)
	}
	if err := s.Close(); err != nil {
		return nil, 0, err
	}
	if len(buf) == 0 {
		return nil, connector.Never, io.EOF
	}
	return s.block(buf), 0, nil
}

func (s *stream) block(text []byte) connector.Chunk {
	b := &block{s.file, text, s.at}
	s.at += int64(len(text))
	if s.left.Load() != unknown {
		s.left.Store(max(s.file.size-s.at, 0))
	}
	return b
}

// open opens the file where the split is.
func (s *stream) open() error {
	if s.text != nil {
		return nil
	}
	text, err := openText(s.file, s.file.size)
	if err != nil {
		return err
	}
	if err := text.skip(s.at); err != nil {
		_ = text.Close()
		return fault.Errorf(fault.External, "resume %s at byte %d: the text ends before; the file was replaced or cut since the position was saved", s.file.path, s.at)
	}
	s.text = text
	return nil
}

func (s *stream) Offset() int64 { return s.at }

// Resume goes to where a record begins.
func (s *stream) Resume(offset int64) error {
	s.at, s.rest, s.done = offset, nil, false
	if s.left.Load() != unknown {
		s.left.Store(max(s.file.size-offset, 0))
	}
	return s.open()
}

func (s *stream) Close() error {
	if s.text == nil {
		return nil
	}
	err := s.text.Close()
	s.text = nil
	if err != nil {
		return fault.Errorf(fault.External, "close file: %w", err)
	}
	return nil
}
