package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// IntervalJoinSpec describes an IntervalJoin. Its output columns are those of the left side, then those of the right.
type IntervalJoinSpec struct {
	Kind JoinKind // not SemiJoin, not AntiJoin
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	// Keys are the columns of either side that must be equal, in pairs; a NULL is equal to nothing.
	Keys  [2][]int
	Kinds [2][]vector.Kind
	// Times are the columns of event time of the sides; of a match Low <= left - right <= High, microseconds. If Low is more than High there is none.
	Times     [2]int
	Low, High int64
	// Hold is how far the frontier is held back.
	Hold int64
	// Condition is what else must hold of a pair, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Env       *function.Env // the operator owns it
	// Grain is the frontiers that somebody behind looks at.
	Grain  dataflow.Grain
	Memory *vector.Pool
}

// IntervalJoin joins rows whose times are near each other. A match leaves when the second of its rows comes; a row is kept until the frontier rules out that a match still comes, and if its
// side is an outer one and it had none, it leaves then with NULLs. As long as the frontier is not past that, a late row is kept too, and every late row meets the rows that are kept; so
// does Flink 2.3. In one thing it does better: its rows of NULLs leave as soon as the frontier allows, a millisecond earlier, and so are not late behind it.
type IntervalJoin struct {
	spec     IntervalJoinSpec
	keys     state.Keys
	sides    [2]intervalSide
	due      []intervalDue // a heap of all rows that are kept
	frontier watermark.Frontier
	told     watermark.Frontier // to whoever is behind
	counts   dataflow.Counts

	ids     []uint32
	pairs   pairs
	results pairs
	chunks  chunks
}

// intervalSide is the rows of one side. Rows are chained by key, in the order in which they came; numbers in chains are one more than that of the row, 0 is the end.
type intervalSide struct {
	held       heldRows
	time       []int64
	key        []uint32
	matched    []bool
	next, prev []int32
	// By key.
	first, last []int32
}

// intervalDue says when a row is not needed any more: when the frontier is past the time of the last row that could match it.
type intervalDue struct {
	until int64
	side  int8
	row   int32
}

func (d intervalDue) before(e intervalDue) bool {
	switch {
	case d.until != e.until:
		return d.until < e.until
	case d.side != e.side:
		return d.side < e.side
	}
	return d.row < e.row
}

// NewIntervalJoin makes the operator.
func NewIntervalJoin(spec IntervalJoinSpec) *IntervalJoin {
	j := &IntervalJoin{spec: spec, frontier: watermark.Unset, told: watermark.Unset}
	j.keys = state.NewKeys(pick(spec.Kinds[0], spec.Keys[0]))
	for s := range j.sides {
		j.sides[s].held.reset(spec.Memory, spec.Kinds[s], 64)
	}
	return j
}

// Counts implements dataflow.Counted.
func (j *IntervalJoin) Counts() *dataflow.Counts { return &j.counts }

// SetNow implements dataflow.Clocked.
func (j *IntervalJoin) SetNow(now int64) { j.spec.Env.Now = now }

// Process implements dataflow.Operator.
func (j *IntervalJoin) Process(b *dataflow.Batch, out dataflow.Output) error {
	j.counts.In.Add(int64(b.Rows().Count()))
	oneZero(b.Cols)
	side := j.spec.Sides[b.Input]
	err := b.Segments(
		func(lo, hi int) error { return j.absorb(b, side, lo, hi, out) },
		func(f watermark.Frontier) error { return j.rise(f, true, out) })
	b.Release()
	if first := j.emit(out); first != nil {
		return first
	}
	if err != nil {
		return err
	}
	j.compact()
	return j.tell(true, out)
}

// Advance implements dataflow.Operator.
func (j *IntervalJoin) Advance(p dataflow.Progress, out dataflow.Output) error {
	if err := j.rise(p.Frontier, p.Active, out); err != nil {
		return err
	}
	if err := j.emit(out); err != nil {
		return err
	}
	j.compact()
	return j.tell(p.Active, out)
}

// tell passes the frontier on, held back so that no row that leaves later is behind it.
func (j *IntervalJoin) tell(active bool, out dataflow.Output) error {
	j.told = j.frontier.Sub(j.spec.Hold)
	return out.Advance(dataflow.Progress{Frontier: j.told, Active: active})
}

// until is the time of the last row that a row of a side at t could match.
func (j *IntervalJoin) until(side int, t int64) int64 {
	if side == 0 {
		return int64(watermark.Frontier(t).Sub(j.spec.Low))
	}
	return int64(watermark.Frontier(t).Add(j.spec.High))
}

// near reports whether a row of a side at t is near enough to one of the other side at u.
func (j *IntervalJoin) near(side int, t, u int64) bool {
	apart := t - u
	if side == 1 {
		apart = u - t
	}
	return j.spec.Low <= apart && apart <= j.spec.High
}

// absorb works off the rows lo..hi-1 of b's selection. Rows of one side do not meet each other.
func (j *IntervalJoin) absorb(b *dataflow.Batch, side, lo, hi int, out dataflow.Output) error {
	rows := stretch(b, lo, hi)
	j.ids = extended(j.ids[:0], rows.Count())
	in := keyInput(b, j.spec.Keys[side], rows)
	j.keys.Find(&in, j.ids)
	for s := range j.sides {
		j.sides[s].grow(j.keys.Len())
	}
	for k := 0; k < len(j.ids); {
		first := j.sides[side].held.n
		j.pairs.reset()
		from := k
		for ; k < len(j.ids) && len(j.pairs.left) < joinMatches; k++ {
			j.meet(b, side, rows.At(k), j.ids[k])
		}
		held := [2][]*vector.Vector{j.sides[0].held.columns(), j.sides[1].held.columns()}
		err := j.pairs.sift(j.spec.Condition, j.spec.Env, j.spec.Memory, held)
		j.settle(side, first, j.ids[from:k])
		if err != nil {
			return err
		}
		if len(j.results.left) >= emitRows {
			if err := j.emit(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// meet holds a row of b, and notes it with each row of the other side that is near it.
func (j *IntervalJoin) meet(b *dataflow.Batch, side, row int, key uint32) {
	mine, other := &j.sides[side], &j.sides[1-side]
	number := mine.held.add(b.Cols, row)
	t := watermark.NoTime
	if time := b.Cols[j.spec.Times[side]]; !time.IsNull(row) {
		t = time.Int(row)
	}
	keyless := nullAmong(b.Cols, j.spec.Keys[side], row)
	mine.note(t, key, keyless)
	if t == watermark.NoTime || keyless {
		return
	}
	for id := other.first[key]; id != 0; id = other.next[id-1] {
		if j.near(side, t, other.time[id-1]) {
			j.pairs.add(side, number, id-1)
		}
	}
}

// noKey is the key of a row that has NULL in one.
const noKey = ^uint32(0)

// nullAmong reports whether one of the columns is NULL in a row.
func nullAmong(cols []*vector.Vector, some []int, row int) bool {
	return slices.ContainsFunc(some, func(c int) bool { return cols[c].IsNull(row) })
}

// settle decides about the rows of a side from number first on, whose matches have been found: what leaves now, and what is kept.
func (j *IntervalJoin) settle(side, first int, ids []uint32) {
	mine, other := &j.sides[side], &j.sides[1-side]
	at := 0
	for k := range ids {
		row := int32(first + k)
		for ; at < len(j.pairs.left) && j.pairs.of(side)[at] == row; at++ {
			match := j.pairs.of(1 - side)[at]
			mine.matched[row], other.matched[match] = true, true
			j.results.add(side, row, match)
		}
		j.keep(side, row)
	}
}

// keep keeps a row as long as it can have a match, or sees it off.
func (j *IntervalJoin) keep(side int, row int32) {
	mine := &j.sides[side]
	t, outer := mine.time[row], j.spec.Kind.outer(side)
	keyless := mine.key[row] == noKey
	possible := t != watermark.NoTime && j.spec.Low <= j.spec.High && (outer || !keyless)
	if until := j.until(side, t); possible && !j.frontier.Late(until) {
		if !keyless {
			mine.chain(row)
		}
		j.due = heap.Push(j.due, intervalDue{until, int8(side), row}, intervalDue.before)
		j.counts.Absorbed.Add(1)
		return
	}
	mine.held.gone++
	switch {
	case outer && !mine.matched[row]:
		j.results.add(side, row, -1)
	case !mine.matched[row] && possible && j.frontier.Late(t):
		j.counts.Drop(dataflow.Dropped{Time: t, Deadline: int64(watermark.Frontier(j.until(side, t)).Add(timefmt.Millisecond)), Frontier: j.frontier})
		return
	}
	j.counts.Absorbed.Add(1)
}

// rise lets go of the rows that f has passed.
func (j *IntervalJoin) rise(f watermark.Frontier, active bool, out dataflow.Output) error {
	if f <= j.frontier {
		return nil
	}
	j.frontier = f
	for len(j.due) > 0 && f.Late(j.due[0].until) {
		var d intervalDue
		d, j.due = heap.Pop(j.due, intervalDue.before)
		side := &j.sides[d.side]
		if j.spec.Kind.outer(int(d.side)) && !side.matched[d.row] {
			j.results.add(int(d.side), d.row, -1)
		}
		side.forget(d.row)
		if len(j.results.left) >= emitRows {
			if err := j.emit(out); err != nil {
				return err
			}
		}
	}
	if !j.spec.Grain.Crosses(j.told, f.Sub(j.spec.Hold)) {
		return nil
	}
	if err := j.emit(out); err != nil {
		return err
	}
	return j.tell(active, out)
}

// emit sends the results that have been gathered.
func (j *IntervalJoin) emit(out dataflow.Output) error {
	n := len(j.results.left)
	if n == 0 {
		return nil
	}
	held := [2][]*vector.Vector{j.sides[0].held.columns(), j.sides[1].held.columns()}
	err := j.chunks.each(j.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		return &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a, Cols: j.results.columns(a, held, lo, hi)}, Released: watermark.Unset}
	}, out.Emit)
	j.results.reset()
	j.counts.Out.Add(int64(n))
	return err
}
