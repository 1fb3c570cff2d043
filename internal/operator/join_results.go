package operator

import (
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// joinResults collects what a stretch of rows makes: for each result a row of the input, one of the other side, or both.
type joinResults struct {
	join *Join
	rows vector.Rows
	mine []int32 // row of the batch, -1 for NULL
	them []int32 // number of a row of the other side, -1 for NULL
	from []int32 // row of the batch that made the result
	ops  []vector.Op
	last int32  // row that made the last result
	sub  uint32 // its results so far
}

func (r *joinResults) begin(j *Join, rows vector.Rows) {
	r.join, r.rows, r.last = j, rows, -1
	r.reset()
}

func (r *joinResults) reset() {
	r.mine, r.them, r.from, r.ops = r.mine[:0], r.them[:0], r.from[:0], r.ops[:0]
}

// op is the change that row k of the stretch stands for.
func (r *joinResults) op(k int) vector.Op {
	if ops := r.join.batch.Ops; ops != nil {
		return ops[r.rows.At(k)]
	}
	return vector.Insert
}

func (r *joinResults) put(k int, mine, them int32, op vector.Op) {
	r.mine, r.them = append(r.mine, mine), append(r.them, them)
	r.from = append(r.from, int32(r.rows.At(k)))
	r.ops = append(r.ops, op)
}

// alone is row k without a match.
func (r *joinResults) alone(k int, op vector.Op) { r.put(k, int32(r.rows.At(k)), -1, op) }

// padded is row them of the other side without a match; row k is why.
func (r *joinResults) padded(k int, them uint32, op vector.Op) { r.put(k, -1, int32(them), op) }

// pair is row k with row them of the other side.
func (r *joinResults) pair(k int, them uint32, op vector.Op) {
	r.put(k, int32(r.rows.At(k)), int32(them), op)
}

func (r *joinResults) flushIfFull() error {
	if len(r.from) < emitRows {
		return nil
	}
	return r.flush()
}

// flush emits what was collected.
func (r *joinResults) flush() error {
	j, n := r.join, len(r.from)
	if n == 0 {
		return nil
	}
	defer r.reset()
	for lo := 0; lo < n; lo += emitRows {
		if err := r.emit(lo, min(lo+emitRows, n)); err != nil {
			return err
		}
	}
	j.counts.Out.Add(int64(n))
	return nil
}

func (r *joinResults) emit(lo, hi int) error {
	j, n := r.join, hi-lo
	a := j.spec.Memory.Get()
	out := &dataflow.Batch{Batch: vector.Batch{N: n, Arena: a}, Released: j.batch.Released, Rank: j.batch.Rank}
	if n == 1 {
		out.Cols = r.columns(a, lo, hi)
	} else if !a.Within(emitBytes, func() { out.Cols = r.columns(a, lo, hi) }) {
		a.Release()
		if err := r.emit(lo, lo+n/2); err != nil {
			return err
		}
		return r.emit(lo+n/2, hi)
	}
	if j.spec.Updates {
		out.Ops = append([]vector.Op(nil), r.ops[lo:hi]...)
	}
	if j.batch.Order != nil {
		out.Order = make([]dataflow.Order, n)
		for i, row := range r.from[lo:hi] {
			if row != r.last {
				r.last, r.sub = row, 0
			}
			out.Order[i] = j.batch.Order[row]
			out.Order[i].Sub[j.spec.Level] = r.sub
			r.sub++
		}
	}
	return j.out.Emit(out)
}

func (r *joinResults) columns(a *vector.Arena, lo, hi int) []*vector.Vector {
	j := r.join
	if j.spec.Kind >= SemiJoin {
		if j.side == 0 {
			return takeOrNull(a, j.batch.Cols, r.mine[lo:hi])
		}
		return j.stored(a, r.them[lo:hi])
	}
	mine, them := takeOrNull(a, j.batch.Cols, r.mine[lo:hi]), j.stored(a, r.them[lo:hi])
	if j.side == 1 {
		mine, them = them, mine
	}
	return append(mine, them...)
}

// stored makes the columns of rows of the other side.
func (j *Join) stored(a *vector.Arena, ids []int32) []*vector.Vector {
	side := &j.sides[1-j.side]
	places, known := a.Sel(len(ids))[:0], make([]uint32, 0, len(ids))
	for i, id := range ids {
		if id >= 0 {
			places, known = append(places, int32(i)), append(known, uint32(id))
		}
	}
	cols := side.rows.Columns(a, known, nil)
	if len(known) == len(ids) {
		return cols
	}
	for c, col := range cols {
		cols[c] = spread(a, col, places, len(ids))
	}
	return cols
}

// takeOrNull takes rows of cols, NULL for -1.
func takeOrNull(a *vector.Arena, cols []*vector.Vector, rows []int32) []*vector.Vector {
	places, known := a.Sel(len(rows))[:0], a.Sel(len(rows))[:0]
	for i, row := range rows {
		if row >= 0 {
			places, known = append(places, int32(i)), append(known, row)
		}
	}
	out := make([]*vector.Vector, len(cols))
	for c, col := range cols {
		out[c] = col.Take(a, known)
		if len(known) < len(rows) {
			out[c] = spread(a, out[c], places, len(rows))
		}
	}
	return out
}

// spread puts the values of v at places among n, of which the others are NULL.
func spread(a *vector.Arena, v *vector.Vector, places []int32, n int) *vector.Vector {
	out := a.Flat(v.Kind, n)
	out.Valid = a.AllNull(n)
	for i := range n {
		out.Zero(i)
	}
	for _, i := range places {
		out.Valid.Set(int(i))
	}
	out.Put(a, places, v)
	return out
}
