package operator

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/heap"
	"github.com/tidemark-sql/tidemark/internal/state"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// TemporalJoinSpec describes a TemporalJoin. Its output columns are those of the left side, then those of the right.
type TemporalJoinSpec struct {
	// Outer lets left rows without a version leave, padded with NULL.
	Outer bool
	// Sides says for each input of the fragment whether its rows are left (0) or right (1).
	Sides []int
	// Times, Keys and Kinds are, of either side, the column of event time, the columns that must be equal, in pairs, and the layouts of the columns.
	Times [2]int
	Keys  [2][]int
	Kinds [2][]vector.Kind
	// Rising filters right rows away whose time is before that of an earlier one of their key.
	Rising bool
	// Condition is what else must hold of a row and its version, over the columns of both sides; nil if nothing.
	Condition expr.Expr
	Env       *function.Env // the operator owns it
	// Updates says that left rows may take back earlier ones.
	Updates bool
	// Ordered gives every row a place in dataflow.Order, because there are several tasks.
	Ordered bool
	// Grain is the frontiers that somebody behind looks at.
	Grain  dataflow.Grain
	Memory *vector.Pool
}

// TemporalJoin meets each left row with the version of its key that holds at its time: the newest whose time is not after it. It holds left rows until the frontier of both sides has passed
// them, and lets them go by time, then key group, then as they came; where left rows are taken back, those that one frontier lets go by key group and as they came, which keeps changes in order. Flink 2.3: rows
// before updates are no versions, a deletion ends a version at its own time, and the newest version that the frontier has passed is kept for good, a deletion too. A late left row is dropped,
// as Flink does from 2.4 on. A late version is kept, and dropped only if a newer one holds already for all rows that are still to come.
type TemporalJoin struct {
	spec     TemporalJoinSpec
	keys     state.Keys
	versions [][]version // by key, ascending in time
	held     [2]heldRows // left rows that wait, rows of versions
	waiting  []temporalRow
	frontier watermark.Frontier
	told     watermark.Frontier // to whoever is behind
	trimmed  int                // versions that were left when all were last trimmed
	swept    int                // keys that were left when those of which nothing is known were last forgotten
	counts   dataflow.Counts

	ids     []uint32
	leaving []temporalRow
	chunks  chunks
	places  placer
}

// version is what a key stood for from a time on; row is -1 if for nothing.
type version struct {
	time int64
	row  int32
}

// temporalRow is a left row that waits, or leaves.
type temporalRow struct {
	time  int64
	group uint32
	row   int32
	id    uint32 // of its key
	op    vector.Op
	place int64 // once it leaves: its time, or where rows are taken back the frontier that let it go
	match int32 // once it leaves: row of its version, -1 for none
}

func (r temporalRow) before(s temporalRow) bool {
	switch {
	case r.time != s.time:
		return r.time < s.time
	case r.group != s.group:
		return r.group < s.group
	}
	return r.row < s.row
}

// NewTemporalJoin makes the operator.
func NewTemporalJoin(spec TemporalJoinSpec) *TemporalJoin {
	j := &TemporalJoin{spec: spec, frontier: watermark.Unset, told: watermark.Unset}
	j.keys = state.NewKeys(pick(spec.Kinds[0], spec.Keys[0]))
	for s := range j.held {
		j.held[s].reset(spec.Memory, spec.Kinds[s], 64)
	}
	return j
}

// Counts implements dataflow.Counted.
func (j *TemporalJoin) Counts() *dataflow.Counts { return &j.counts }

// SetNow implements dataflow.Clocked.
func (j *TemporalJoin) SetNow(now int64) { j.spec.Env.Now = now }

// Process implements dataflow.Operator.
func (j *TemporalJoin) Process(b *dataflow.Batch, out dataflow.Output) error {
	j.counts.In.Add(int64(b.Rows().Count()))
	oneZero(b.Cols)
	if err := takeHeld(j, b, out); err != nil {
		return err
	}
	return out.Advance(dataflow.Progress{Frontier: j.frontier, Active: true})
}

// Advance implements dataflow.Operator.
func (j *TemporalJoin) Advance(p dataflow.Progress, out dataflow.Output) error {
	if err := advanceHeld(j, p, out); err != nil {
		return err
	}
	return out.Advance(dataflow.Progress{Frontier: j.frontier, Active: p.Active})
}

// absorb takes in the rows lo..hi-1 of b's selection.
func (j *TemporalJoin) absorb(b *dataflow.Batch, lo, hi int, _ dataflow.Output) error {
	side := j.spec.Sides[b.Input]
	rows, time := stretch(b, lo, hi), b.Cols[j.spec.Times[side]]
	j.ids = extended(j.ids[:0], rows.Count())
	in := keyInput(b, j.spec.Keys[side], rows)
	j.keys.Find(&in, j.ids)
	j.versions = extended(j.versions, j.keys.Len())
	absorbed, filtered := int64(0), int64(0)
	for k, id := range j.ids {
		row, op, took := rows.At(k), vector.Insert, false
		if b.Ops != nil {
			op = b.Ops[row]
		}
		switch {
		case time.IsNull(row):
			return errNoTimeToJoin
		case side == 0:
			took = j.wait(b, row, id, op)
		case op == vector.UpdateBefore:
			filtered++
		case j.spec.Rising && j.before(id, time.Int(row)):
			filtered++
		default:
			took = j.keep(b, row, id, op)
		}
		if took {
			absorbed++
		}
	}
	j.counts.Absorbed.Add(absorbed)
	j.counts.Filtered.Add(filtered)
	return nil
}

// errNoTimeToJoin is what a row without a time gets where rows meet versions.
var errNoTimeToJoin = fault.Errorf(fault.Data, "a row has no event time (NULL), so FOR SYSTEM_TIME AS OF finds no version by it; filter it away with WHERE … IS NOT NULL, or drop such rows at the "+
	"source with SET 'table.exec.source.rowtime-null-handling' = 'DROP'")

// wait holds a left row, unless it is late.
func (j *TemporalJoin) wait(b *dataflow.Batch, row int, id uint32, op vector.Op) bool {
	t := b.Cols[j.spec.Times[0]].Int(row)
	if j.frontier.Late(t) {
		j.counts.Drop(dataflow.Dropped{Time: t, Deadline: int64(j.frontier.Sub(timefmt.Millisecond)), Frontier: j.frontier})
		return false
	}
	j.push(t, id, j.held[0].add(b.Cols, row), op)
	return true
}

func (j *TemporalJoin) push(t int64, id uint32, row int32, op vector.Op) {
	j.waiting = heap.Push(j.waiting, temporalRow{time: t, group: uint32(state.Group(j.keys.Hash(id))), row: row, id: id, op: op}, temporalRow.before)
}

// keep makes a right row a version of its key, unless a newer one holds already for all rows that are still to come.
func (j *TemporalJoin) keep(b *dataflow.Batch, row int, id uint32, op vector.Op) bool {
	t := b.Cols[j.spec.Times[1]].Int(row)
	j.trim(id)
	all := j.versions[id]
	if len(all) > 0 && t < all[0].time && j.frontier.Late(all[0].time) {
		j.counts.Drop(dataflow.Dropped{Time: t, Deadline: all[0].time, Frontier: j.frontier})
		return false
	}
	v := version{t, -1}
	if op != vector.Delete {
		v.row = j.held[1].add(b.Cols, row)
	}
	at, same := search(all, t)
	if same {
		j.gone(all[at])
		all[at] = v
	} else {
		j.versions[id] = slices.Insert(all, at, v)
	}
	return true
}

// before reports whether a key has a version that is newer than t.
func (j *TemporalJoin) before(id uint32, t int64) bool {
	all := j.versions[id]
	return len(all) > 0 && t < all[len(all)-1].time
}

// search finds the place of time t among versions.
func search(all []version, t int64) (at int, found bool) {
	if n := len(all); n == 0 || all[n-1].time < t {
		return n, false
	}
	return slices.BinarySearchFunc(all, t, func(v version, t int64) int {
		switch {
		case v.time < t:
			return -1
		case v.time > t:
			return 1
		}
		return 0
	})
}

func (j *TemporalJoin) gone(v version) {
	if v.row >= 0 {
		j.held[1].gone++
	}
}

// trim forgets the versions of a key that no row still to come can meet: those before the newest that the frontier has passed.
func (j *TemporalJoin) trim(id uint32) {
	all, n := j.versions[id], 0
	for n+1 < len(all) && j.frontier.Late(all[n+1].time) {
		j.gone(all[n])
		n++
	}
	if n > 0 {
		j.versions[id] = slices.Delete(all, 0, n)
	}
}

// rise lets the left rows go that f has passed, and finds their versions.
func (j *TemporalJoin) rise(f watermark.Frontier, active bool, out dataflow.Output) error {
	if f <= j.frontier {
		return nil
	}
	from := len(j.leaving)
	for len(j.waiting) > 0 && f.Late(j.waiting[0].time) {
		var r temporalRow
		r, j.waiting = heap.Pop(j.waiting, temporalRow.before)
		r.place, r.match = r.time, j.valid(r)
		j.leaving = append(j.leaving, r)
		if len(j.leaving) >= emitRows && !j.spec.Updates {
			if err := j.emit(out); err != nil {
				return err
			}
		}
	}
	j.frontier = f
	if j.spec.Updates {
		for i := range j.leaving[from:] {
			j.leaving[from+i].place = int64(f)
		}
		slices.SortFunc(j.leaving[from:], func(a, b temporalRow) int {
			if a.group != b.group {
				return int(a.group) - int(b.group)
			}
			return int(a.row) - int(b.row)
		})
	}
	if !j.spec.Grain.Crosses(j.told, f) {
		return nil
	}
	if err := j.emit(out); err != nil {
		return err
	}
	j.told = f
	return out.Advance(dataflow.Progress{Frontier: f, Active: active})
}

// valid is the row of the version that holds for r, -1 if there is none.
func (j *TemporalJoin) valid(r temporalRow) int32 {
	cols := j.held[0].columns()
	for _, k := range j.spec.Keys[0] {
		if cols[k].IsNull(int(r.row)) {
			return -1
		}
	}
	all := j.versions[r.id]
	at, same := search(all, r.time)
	switch {
	case same:
		return all[at].row
	case at > 0:
		return all[at-1].row
	}
	return -1
}

// emit sends the rows that leave, with their versions.
func (j *TemporalJoin) emit(out dataflow.Output) error {
	if len(j.leaving) == 0 {
		return nil
	}
	err := j.sift()
	left := len(j.leaving)
	if !j.spec.Outer {
		j.leaving = slices.DeleteFunc(j.leaving, func(r temporalRow) bool { return r.match < 0 })
	}
	n := len(j.leaving)
	var places []dataflow.Order
	if j.spec.Ordered {
		for _, r := range j.leaving {
			places = append(places, j.places.next(r.place, r.group))
		}
	}
	rows, matches := make([]int32, n), make([]int32, n)
	for k, r := range j.leaving {
		rows[k], matches[k] = r.row, r.match
	}
	sides := [2][]*vector.Vector{j.held[0].columns(), j.held[1].columns()}
	sent := j.chunks.each(j.spec.Memory, n, func(a *vector.Arena, lo, hi int) *dataflow.Batch {
		b := &dataflow.Batch{Batch: vector.Batch{N: hi - lo, Arena: a}, Released: j.told.Add(1)}
		for _, c := range sides[0] {
			b.Cols = append(b.Cols, c.Take(a, rows[lo:hi]))
		}
		b.Cols = append(b.Cols, takeOrNull(a, sides[1], matches[lo:hi])...)
		if j.spec.Updates {
			for _, r := range j.leaving[lo:hi] {
				b.Ops = append(b.Ops, r.op)
			}
		}
		if places != nil {
			b.Order = places[lo:hi:hi]
		}
		return b
	}, out.Emit)
	j.counts.Out.Add(int64(n))
	j.held[0].gone += left
	j.leaving = j.leaving[:0]
	if sent != nil {
		return sent
	}
	return err
}
