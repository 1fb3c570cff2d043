package filesystem

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// split hands out the ranges of one file. Its offset is a byte of the file.
type split struct {
	backlog
	file file
	step int64
	at   int64
}

// chunk is the lines of file that begin in [from, to).
type chunk struct {
	file     file
	from, to int64
}

// Size is the length of the range.
func (c *chunk) Size() int64 { return c.to - c.from }

func (s *split) Name() string { return s.file.path }

func (s *split) Poll(int64) (connector.Chunk, int64, error) {
	if s.at >= s.file.size {
		return nil, connector.Never, io.EOF
	}
	c := &chunk{s.file, s.at, min(s.at+s.step, s.file.size)}
	s.at = c.to
	s.left.Store(s.file.size - s.at)
	return c, 0, nil
}

func (s *split) Offset() int64 { return s.at }

// Resume takes any byte: the next row is the first that begins there or behind it.
func (s *split) Resume(offset int64) error {
	if offset < 0 || offset > s.file.size {
		return fault.Errorf(fault.External, "resume %s at byte %d: the file has only %d bytes; it was replaced or cut since the position was saved",
			s.file.path, offset, s.file.size)
	}
	s.at = offset
	s.left.Store(s.file.size - s.at)
	return nil
}

func (s *split) Close() error { return nil }
