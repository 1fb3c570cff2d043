package datagen

import (
	"io"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/fault"
)

// chunkRows is the most rows of a chunk.
const chunkRows = 4096

// beats is how often a second rows are handed out at most: a fast table makes chunks of many rows rather than many chunks.
const beats = 100

// split counts rows, which is also what its offset is.
type split struct {
	of     *generator
	pace   pace
	beat   int64 // rows that have to be due before any is handed out
	origin int64 // row with which the pace began
	next   int64
}

// chunk is so many rows from row number row on, made at now.
type chunk struct{ row, rows, now int64 }

// Size is 0: no bytes are read.
func (*chunk) Size() int64 { return 0 }

func (s *split) Name() string { return s.of.name }

func (s *split) Poll(now int64) (connector.Chunk, int64, error) {
	left := s.of.rows - s.next
	if left == 0 {
		return nil, connector.Never, io.EOF
	}
	want := min(s.beat, chunkRows, left)
	waiting := min(s.pace.due(now)-(s.next-s.origin), left)
	if waiting < want {
		return nil, s.pace.when(s.next - s.origin + want - 1), nil
	}
	c := &chunk{s.next, min(waiting, chunkRows), now}
	s.next += c.rows
	return c, 0, nil
}

func (s *split) Offset() int64 { return s.next }

// Resume goes to a row; the pace begins anew.
func (s *split) Resume(offset int64) error {
	if offset < 0 || offset > s.of.rows {
		return fault.Errorf(fault.User, "resume %s at row %d: the table has %d rows; its options changed since the position was saved",
			s.of.name, offset, s.of.rows)
	}
	s.origin, s.next, s.pace.started = offset, offset, false
	return nil
}

func (s *split) Close() error { return nil }
