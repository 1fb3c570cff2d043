package filesystem

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/connector/format"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// followEvery is how often a file that is followed is looked at, in microseconds.
const followEvery = 100_000

// followed is a split that is read as it grows and has no end. Its offset is a byte of the file that has the name now.
//
// A record counts when what ends it is there. If another file has got the name, the old one is read to its end first, where the last record
// counts as it is. A file that is shorter than what was read of it was begun anew: what was not a whole record is forgotten, and reading begins at its start.
type followed struct {
	backlog
	file    file
	framer  format.Framer
	step    int64
	maxLine int64

	open *os.File
	at   int64  // of the first byte of rest
	rest []byte // read and not handed out
}

func (s *followed) Name() string { return s.file.path }

func (s *followed) Poll(now int64) (connector.Chunk, int64, error) {
	if s.open == nil {
		if err := s.begin(); err != nil {
			return nil, 0, err
		}
		if s.open == nil {
			return nil, now + followEvery, nil
		}
	}
	info, err := s.open.Stat()
	if err != nil {
		return nil, 0, fault.Errorf(fault.External, "read file: %w", err)
	}
	more := info.Size() - s.at - int64(len(s.rest))
	s.left.Store(max(info.Size()-s.at, 0))
	if more <= 0 {
		return s.turn(now, info, more < 0)
	}
	buf := append(make([]byte, 0, int64(len(s.rest))+min(more, s.step)), s.rest...)
	n, err := s.open.ReadAt(buf[len(buf):cap(buf)], s.at+int64(len(buf)))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, fault.Errorf(fault.External, "read file: %w", err)
	}
	buf = buf[:len(buf)+n]
	end := format.WholeRecords(s.framer, buf)
	s.rest = slices.Clone(buf[end:])
	if end == 0 {
		if int64(len(buf)) > s.maxLine {
			return nil, 0, tooLong(s.file, s.at, s.maxLine)
		}
		return nil, now + 1, nil
	}
	return s.block(buf[:end]), 0, nil
}

func (s *followed) block(text []byte) connector.Chunk {
	b := &block{s.file, text, s.at}
	s.at += int64(len(text))
	s.left.Add(-int64(len(text)))
	return b
}

// begin opens the file, if it is there.
func (s *followed) begin() error {
	f, err := s.file.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s.open = f
	if info, err := f.Stat(); err == nil && info.Size() < s.at {
		s.at = 0
	}
	return nil
}

// turn looks at whether the file whose end was reached is still the one to read.
func (s *followed) turn(now int64, mine fs.FileInfo, shorter bool) (connector.Chunk, int64, error) {
	if shorter {
		s.at, s.rest = 0, nil
		return nil, now + 1, nil
	}
	named, err := os.Stat(s.file.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, now + followEvery, nil
	}
	if err != nil {
		return nil, 0, fault.Errorf(fault.External, "read file: %w", err)
	}
	if os.SameFile(mine, named) {
		return nil, now + followEvery, nil
	}
	if later, err := s.open.Stat(); err == nil && later.Size() > mine.Size() {
		return nil, now + 1, nil // it grew before it lost its name
	}
	last := s.rest
	if err := s.Close(); err != nil {
		return nil, 0, err
	}
	if len(last) == 0 {
		s.at = 0
		return nil, now + 1, nil
	}
	chunk := s.block(last)
	s.at, s.rest = 0, nil
	return chunk, 0, nil
}

func (s *followed) Offset() int64 { return s.at }

// Resume goes to where a record begins. If the file has got shorter since, it was begun anew.
func (s *followed) Resume(offset int64) error {
	s.at, s.rest = offset, nil
	s.left.Store(max(s.file.size-offset, 0))
	return nil
}

func (s *followed) Close() error {
	if s.open == nil {
		return nil
	}
	err := s.open.Close()
	s.open = nil
	if err != nil {
		return fault.Errorf(fault.External, "close file: %w", err)
	}
	return nil
}
