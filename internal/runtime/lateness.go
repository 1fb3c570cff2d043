package runtime

import (
	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// lateness is what is known of the late rows of a reading. A branch that tells has it in four columns: the watermark that the row came behind, as people see it, by how many
// milliseconds it did, the split, and how many rows of the split had come before.
type lateness struct {
	split     string
	first     int64                // rows of the split before the reading
	frontiers []watermark.Frontier // by late row
}

// columns is cols with those of l behind them, for n rows: those of r, or if rows is not nil the late ones that it lists. Rows that are not late have anything in them.
func (l *lateness) columns(cols []*vector.Vector, a *vector.Arena, r *reading, n int, rows []int32) []*vector.Vector {
	shown, by, place := a.Flat(vector.Int64, n), a.Flat(vector.Int64, n), a.Flat(vector.Int64, n)
	put := func(at int, k int, row int32) {
		f := l.frontiers[k]
		if invariant.Enabled {
			invariant.Check(f.Late(r.times[row]), "a row at %d is told to be late behind the frontier %d", r.times[row], f)
		}
		shown.Ints[at], by.Ints[at], place.Ints[at] = int64(f.Sub(1000)), f.Past(r.times[row])/1000, l.first+int64(row)
	}
	if rows == nil {
		for k, row := range r.late {
			put(int(row), k, row)
		}
	}
	k := 0
	for at, row := range rows {
		for r.late[k] < row {
			k++
		}
		put(at, k, row)
	}
	split := a.Constant(vector.Bytes)
	split.Buf = a.Bytes(len(l.split))
	copy(split.Buf, l.split)
	split.Views[0] = vector.View{Len: uint32(len(l.split))}
	out := a.Columns(len(cols) + 4)
	copy(out, cols)
	copy(out[len(cols):], []*vector.Vector{shown, by, split, place})
	return out
}

// emitMisread sends the records that a read left out down the branches that take them.
func (l *lane) emitMisread(left []connector.Misread, now int64, memory *vector.Pool) error {
	for k := range l.branches {
		x := &l.branches[k]
		if x.misread == nil {
			continue
		}
		b := &dataflow.Batch{Batch: x.misread(left, now, memory.Get()), Released: watermark.Unset}
		if err := x.chain.head().Emit(b); err != nil {
			return err
		}
	}
	return nil
}
