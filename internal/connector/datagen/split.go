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

// chunk is so many rows from row number row on.
type chunk struct {
	row, rows int64
	clock     Clock
}

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
	// However many are waiting: where chunks end must not depend on the clock.
	c := &chunk{s.next, want, s.clock(now)}
	s.next += want
	return c, 0, nil
}

// clock is that of the rows handed out at now: the time that the table says, or when a row is due. A table without an end, which
// has no replay, tells the present, also when its rows are not made as fast as they should be.
func (s *split) clock(now int64) Clock {
	switch {
	case s.of.begins != nil:
		return Clock{start: *s.of.begins, rate: s.of.rate}
	case s.of.Bounded():
		return Clock{start: s.pace.start, from: s.origin, rate: s.of.rate}
	}
	return Still(now)
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
