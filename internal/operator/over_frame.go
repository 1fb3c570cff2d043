package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// overWaves divides rows that leave, as GroupAggregate does: of each key the first row is in the first wave, the second in the second; or the rows of its first time, of its second.
type overWaves struct {
	seen   []uint32 // by key: waves so far; zero between stretches
	time   []int64  // by key: of its last row
	waveOf []uint32
	starts []int32 // where each wave begins in order
	order  []int32 // positions in the stretch, by wave

	out, in lane     // rows that leave frames and enter them, in one wave
	ids     []uint32 // of the rows of a wave
}

// divide sorts rows into waves, keeping their order within each, and tells how many waves there are.
func (w *overWaves) divide(rows []overRow, keys int, single bool) int {
	w.seen, w.time = extended(w.seen, keys), extended(w.time, keys)
	w.waveOf = slices.Grow(w.waveOf[:0], len(rows))[:len(rows)]
	w.starts = append(w.starts[:0], 0)
	for k, r := range rows {
		if single || w.seen[r.id] == 0 || w.time[r.id] != r.time {
			w.seen[r.id]++
			w.time[r.id] = r.time
		}
		at := w.seen[r.id] - 1
		w.waveOf[k] = at
		if int(at)+1 == len(w.starts) {
			w.starts = append(w.starts, 0)
		}
		w.starts[at+1]++
	}
	waves := len(w.starts) - 1
	for i := range waves {
		w.starts[i+1] += w.starts[i]
	}
	w.order = slices.Grow(w.order[:0], len(rows))[:len(rows)]
	next := slices.Clone(w.starts[:waves])
	for k, at := range w.waveOf {
		w.order[next[at]] = int32(k)
		next[at]++
	}
	for _, r := range rows {
		w.seen[r.id] = 0
	}
	return waves
}

// results computes the aggregates for the rows that leave, in memory of a.
func (o *Over) results(held *dataflow.Batch, a *vector.Arena) []*vector.Vector {
	n := len(o.leaving)
	results := make([]*vector.Vector, len(o.accs))
	for i := range o.accs {
		results[i] = a.Flat(o.spec.Aggregates[i].Kind, n)
	}
	w := &o.waves
	for i := range w.divide(o.leaving, o.keys.Len(), o.spec.Rows) {
		members := w.order[w.starts[i]:w.starts[i+1]]
		o.wave(held, members)
		for k, acc := range o.accs {
			results[k].Put(a, members, acc.Result(a, w.ids))
		}
	}
	return results
}

// wave brings the frames to the rows at the positions in members. Flink 2.3: rows leave a frame before others enter it.
func (o *Over) wave(held *dataflow.Batch, members []int32) {
	w := &o.waves
	w.ids, w.in.ids, w.in.rows, w.out.ids, w.out.rows = w.ids[:0], w.in.ids[:0], w.in.rows[:0], w.out.ids[:0], w.out.rows[:0]
	for _, k := range members {
		r := &o.leaving[k]
		w.ids = append(w.ids, r.id)
		w.in.ids, w.in.rows = append(w.in.ids, r.id), append(w.in.rows, r.row)
		if o.spec.Bounded {
			o.cut(r, held.Cols[o.spec.Time])
		}
	}
	for i, acc := range o.accs {
		if len(w.out.ids) > 0 {
			o.spec.Aggregates[i].retract(acc, held, w.out.ids, vector.Rows{Sel: w.out.rows, N: held.N}, &o.filtered)
		}
		o.spec.Aggregates[i].add(acc, held, w.in.ids, vector.Rows{Sel: w.in.rows, N: held.N}, &o.filtered)
	}
}

// cut takes from the frame of r's key the rows that are not in that of r, and puts r into it.
func (o *Over) cut(r *overRow, time *vector.Vector) {
	p := &o.parts[r.id]
	n := 0
	if o.spec.Rows {
		n = max(len(p.frame)-int(o.spec.Preceding), 0)
	} else {
		for n < len(p.frame) && time.Int(int(p.frame[n])) < r.time && uint64(r.time-time.Int(int(p.frame[n]))) > uint64(o.spec.Preceding) {
			n++
		}
	}
	w := &o.waves
	for _, row := range p.frame[:n] {
		w.out.ids, w.out.rows = append(w.out.ids, r.id), append(w.out.rows, row)
	}
	o.held.gone += n
	p.frame = append(p.frame[n:], r.row)
}
