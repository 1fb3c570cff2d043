package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/invariant"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// JoinKind says which rows of a join leave it.
type JoinKind uint8

// The kinds of joins. Semi passes left rows that have a match, Anti those that have none; both yield the columns of the left side alone.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	SemiJoin
	AntiJoin
)

// outer reports whether rows of a side that have no match leave padded with NULL.
func (k JoinKind) outer(side int) bool {
	return k == FullJoin || k == LeftJoin && side == 0 || k == RightJoin && side == 1
}

// JoinSpec describes a regular join. Its output columns are those of the left side, then those of the right.
type JoinSpec struct {
	Kind JoinKind
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	// Keys are the columns of either side that must be equal, in pairs; a NULL is equal to nothing.
	Keys [2][]int
	// Kinds are the layouts of the columns of either side.
	Kinds [2][]vector.Kind
	// Condition is what else must hold of a pair, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Env       *function.Env // the operator owns it
	// Updates says that results may take back earlier ones.
	Updates bool
	// TTL is how long a row of either side is kept that is not written any more, in microseconds; 0 is for ever.
	TTL [2]int64
	// Level is the place of the results in dataflow.Order; a single task has no use for it.
	Level  int
	Memory *vector.Pool
}

// Join keeps the rows of both sides and meets each new one with those of the other side. Flink 2.3: a row is written when it comes or goes, and a row that leaves padded with NULL if it has no match
// also when a match of it comes or goes; with a time to live, a row that is taken back and is not there any more takes its results back all the same. An outer row without a match leaves at once, padded with NULL,
// and is taken back when its first match comes; what a row makes leaves in one piece, match by match in the order in which they came.
type Join struct {
	spec   JoinSpec
	keys   state.Keys
	sides  [2]joinSide
	counts dataflow.Counts

	batch   *dataflow.Batch
	side    int
	keyIDs  []uint32
	rowIDs  []uint32
	matches []uint32 // rows of the other side, for each row of the stretch one behind the other
	ends    []int32  // where those of each row end
	listed  []uint32 // rows in a snapshot
	results joinResults
	out     dataflow.Output
}

// NewJoin makes the operator.
func NewJoin(spec JoinSpec) *Join {
	j := &Join{spec: spec}
	j.keys = state.NewKeys(pick(spec.Kinds[0], spec.Keys[0]))
	for s := range j.sides {
		j.sides[s] = newJoinSide(spec.Kinds[s], lifetimes{ttl: spec.TTL[s]})
	}
	return j
}

// Counts implements dataflow.Counted.
func (j *Join) Counts() *dataflow.Counts { return &j.counts }

// SetNow implements dataflow.Clocked.
func (j *Join) SetNow(now int64) {
	j.spec.Env.Now = now
	for s := range j.sides {
		j.sides[s].life.now = now
	}
}

// Advance implements dataflow.Operator.
func (j *Join) Advance(p dataflow.Progress, out dataflow.Output) error { return out.Advance(p) }

// Process implements dataflow.Operator.
func (j *Join) Process(b *dataflow.Batch, out dataflow.Output) error {
	n := int64(b.Rows().Count())
	j.counts.In.Add(n)
	j.counts.Absorbed.Add(n)
	j.batch, j.side, j.out = b, j.spec.Sides[b.Input], out
	oneZero(b.Cols)
	err := b.Segments(
		func(lo, hi int) error {
			for ; lo < hi; lo += joinRows {
				if err := j.absorb(lo, min(lo+joinRows, hi)); err != nil {
					return err
				}
			}
			return nil
		},
		onward(out))
	b.Release()
	j.batch = nil
	for s := range j.sides {
		side := &j.sides[s]
		side.life.sweep(int(n), len(side.count), func(id uint32) { side.expire(id) })
	}
	j.compact()
	return err
}

// joinRows is how many rows are met with the other side together.
const joinRows = 1024

// absorb works off the rows lo..hi-1 of the batch's selection. Rows of one side do not meet each other, so that all matches can be found first.
func (j *Join) absorb(lo, hi int) error {
	rows := stretch(j.batch, lo, hi)
	n := rows.Count()
	j.keyIDs, j.rowIDs = extended(j.keyIDs[:0], n), extended(j.rowIDs[:0], n)
	in := keyInput(j.batch, j.spec.Keys[j.side], rows)
	j.keys.Find(&in, j.keyIDs)
	for s := range j.sides {
		j.sides[s].growKeys(j.keys.Len())
	}
	mine := &j.sides[j.side]
	all := state.Input{Cols: j.batch.Cols, Rows: rows}
	mine.rows.Find(&all, j.rowIDs)
	mine.growRows(j.keyIDs, j.rowIDs)
	j.results.begin(j, rows)
	for k := 0; k < n; {
		met, err := j.meet(rows, k)
		if err != nil {
			return err
		}
		from := int32(0)
		for _, end := range j.ends {
			if j.spec.Kind >= SemiJoin {
				j.semi(k, j.matches[from:end])
			} else {
				j.pair(k, j.matches[from:end])
			}
			from = end
			k++
			if err := j.results.flushIfFull(); err != nil {
				return err
			}
		}
		invariant.Check(k == met, "%d rows were met and %d worked off", met, k)
	}
	return j.results.flush()
}

// meet finds the rows of the other side that match rows from the first-th on, up to one at which there are many matches, and returns how far it came.
func (j *Join) meet(rows vector.Rows, first int) (int, error) {
	other := &j.sides[1-j.side]
	j.matches, j.ends = j.matches[:0], j.ends[:0]
	var sources []int32
	k := first
	for ; k < rows.Count() && len(j.matches) < joinMatches; k++ {
		row := rows.At(k)
		if !j.nullKey(row) {
			for id := other.first[j.keyIDs[k]]; id != 0; id = other.next[id-1] {
				if other.life.ttl > 0 && other.expire(id-1) {
					continue // the next of one that is gone stays
				}
				j.matches = append(j.matches, id-1)
				sources = append(sources, int32(row))
			}
		}
		j.ends = append(j.ends, int32(len(j.matches)))
	}
	if j.spec.Condition == nil || len(j.matches) == 0 {
		return k, nil
	}
	return k, j.sift(sources)
}

// joinMatches is how many matches are found before they are worked off, or a few more.
const joinMatches = 16384

func (j *Join) nullKey(row int) bool {
	for _, k := range j.spec.Keys[j.side] {
		if j.batch.Cols[k].IsNull(row) {
			return true
		}
	}
	return false
}

// sift leaves those of the matches for which the condition holds; sources are the rows that they are matches of.
func (j *Join) sift(sources []int32) error {
	holds := make([]bool, len(j.matches))
	most := emitRows
	for lo, hi := 0, 0; lo < len(holds); lo = hi {
		hi = min(lo+most, len(holds))
		a := j.spec.Memory.Get()
		pairs := &vector.Batch{N: hi - lo, Arena: a}
		if hi-lo == 1 {
			pairs.Cols = j.pairs(a, sources[lo:hi], j.matches[lo:hi])
		} else if !a.Within(emitBytes, func() { pairs.Cols = j.pairs(a, sources[lo:hi], j.matches[lo:hi]) }) {
			a.Release()
			most, hi = (hi-lo)/2, lo
			continue
		}
		sel, err := expr.Filter(&expr.Context{Arena: a, Env: j.spec.Env}, pairs, vector.All(hi-lo), j.spec.Condition)
		if err != nil {
			err = explain(err, j.spec.Condition, pairs)
			a.Release()
			return err
		}
		for _, i := range sel {
			holds[lo+int(i)] = true
		}
		a.Release()
	}
	kept, from := j.matches[:0], int32(0)
	for k, end := range j.ends {
		for i := from; i < end; i++ {
			if holds[i] {
				kept = append(kept, j.matches[i])
			}
		}
		from, j.ends[k] = end, int32(len(kept))
	}
	j.matches = kept
	return nil
}

// pairs makes the columns of rows of the batch and of their matches.
func (j *Join) pairs(a *vector.Arena, sources []int32, matches []uint32) []*vector.Vector {
	var sides [2][]*vector.Vector
	for _, c := range j.batch.Cols {
		sides[j.side] = append(sides[j.side], c.Take(a, sources))
	}
	sides[1-j.side] = j.sides[1-j.side].rows.Columns(a, matches, nil)
	return slices.Concat(sides[0], sides[1])
}

// pair meets row k of the stretch with its matches, for the joins that yield pairs.
func (j *Join) pair(k int, matches []uint32) {
	mine, other := &j.sides[j.side], &j.sides[1-j.side]
	id, op := j.rowIDs[k], j.results.op(k)
	outer, otherOuter := j.spec.Kind.outer(j.side), j.spec.Kind.outer(1-j.side)
	if op == vector.Insert || op == vector.UpdateAfter {
		if !outer && j.nullKey(j.results.rows.At(k)) {
			return // it can never match
		}
		mine.add(j.keyIDs[k], id)
		mine.matched[id] = other.total(matches)
		if len(matches) == 0 && outer {
			j.results.alone(k, vector.Insert)
			return
		}
		if outer || otherOuter {
			op = vector.Insert
		}
		for _, m := range matches {
			for range other.count[m] {
				if otherOuter && other.matched[m] == 0 {
					j.results.padded(k, m, vector.Delete)
				}
				j.results.pair(k, m, op)
			}
			other.matched[m]++
			if otherOuter {
				other.life.write(m)
			}
		}
		return
	}
	if !mine.remove(j.keyIDs[k], id) && mine.life.ttl == 0 {
		return // with a time to live it may have been there
	}
	if len(matches) == 0 && outer {
		j.results.alone(k, vector.Delete)
		return
	}
	if outer {
		op = vector.Delete
	}
	for _, m := range matches {
		for range other.count[m] {
			j.results.pair(k, m, op)
			if otherOuter && other.matched[m] == 1 {
				j.results.padded(k, m, vector.Insert)
			}
		}
		other.matched[m]--
		if otherOuter {
			other.life.write(m)
		}
	}
}

// semi meets row k with its matches for SemiJoin and AntiJoin.
func (j *Join) semi(k int, matches []uint32) {
	mine, other := &j.sides[j.side], &j.sides[1-j.side]
	id, op := j.rowIDs[k], j.results.op(k)
	adds := op == vector.Insert || op == vector.UpdateAfter
	if alone := j.spec.Kind == AntiJoin && j.side == 0; adds && !alone && j.nullKey(j.results.rows.At(k)) {
		return // it can never match
	}
	if adds {
		mine.add(j.keyIDs[k], id)
	} else if !mine.remove(j.keyIDs[k], id) && mine.life.ttl == 0 {
		return
	}
	if j.side == 0 {
		if adds {
			mine.matched[id] = other.total(matches)
		}
		if (len(matches) > 0) == (j.spec.Kind == SemiJoin) {
			j.results.alone(k, op)
		}
		return
	}
	for _, m := range matches {
		other.life.write(m)
		turns := other.matched[m] == 0
		if adds {
			other.matched[m]++
		} else {
			other.matched[m]--
			turns = other.matched[m] == 0
		}
		if !turns {
			continue
		}
		told := op
		if j.spec.Kind == AntiJoin {
			told = vector.Delete
			if !adds {
				told = vector.Insert
			}
		}
		for range other.count[m] {
			j.results.padded(k, m, told)
		}
	}
}
