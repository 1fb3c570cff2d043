package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// versionsOf is a temporal join: all rows of the left side that wait, and all versions that there ever were.
type versionsOf struct {
	run      *run
	node     *plan.TemporalJoin
	types    [2][]types.Type // of the columns of either side
	versions []historic
	waiting  []event
}

// historic is what a key stood for from a time on.
type historic struct {
	key  string
	time int64
	row  Row // nil: for nothing
}

func (r *run) temporalJoin(n *plan.TemporalJoin, inputs []stream) (stream, error) {
	j := &versionsOf{run: r, node: n, types: [2][]types.Type{columnTypes(n.Left), columnTypes(n.Right)}}
	updates := plan.Updates(n.Left)
	f, dropped := watermark.Unset, int64(0)
	var out stream
	for _, e := range arrived(inputs) {
		switch {
		case e.row == nil:
			f = e.frontier
			for _, left := range j.passed(f) {
				row, err := j.meet(left.row)
				if err != nil {
					return nil, err
				}
				if row == nil {
					continue
				}
				// Rows of one time leave in any order; where rows are taken back, all that one frontier lets go.
				deadline := watermark.Frontier(left.row[n.LeftTime].Int).Add(1)
				if updates {
					deadline = f
				}
				out = append(out, event{seq: e.seq, row: row, op: left.op, frontier: deadline})
			}
			out.rise(e.seq, f)
		case e.side == 1 && n.Rising && j.old(e.row):
		case e.side == 0 && f.Late(e.row[n.LeftTime].Int), e.side == 1 && e.op != vector.UpdateBefore && !j.know(e.event, f):
			dropped++
		case e.side == 0:
			j.waiting = append(j.waiting, e.event)
		}
	}
	r.result.Dropped = append(r.result.Dropped, dropped)
	return out, nil
}

// know makes a row of the right side a version, unless a later one has made it useless: one that holds for all rows still to come.
func (j *versionsOf) know(e event, f watermark.Frontier) bool {
	v := historic{keyOf(e.row, j.node.RightKeys, j.types[1]), e.row[j.node.RightTime].Int, e.row}
	if e.op == vector.Delete {
		v.row = nil
	}
	if slices.ContainsFunc(j.versions, func(w historic) bool { return w.key == v.key && w.time > v.time && f.Late(w.time) }) {
		return false
	}
	j.versions = slices.DeleteFunc(j.versions, func(w historic) bool { return w.key == v.key && w.time == v.time })
	j.versions = append(j.versions, v)
	return true
}

// old reports whether there was a newer row of the same key.
func (j *versionsOf) old(right Row) bool {
	key, time := keyOf(right, j.node.RightKeys, j.types[1]), right[j.node.RightTime].Int
	return slices.ContainsFunc(j.versions, func(v historic) bool { return v.key == key && v.time > time })
}

// passed takes the rows that f has passed out of those that wait, by time.
func (j *versionsOf) passed(f watermark.Frontier) []event {
	time := func(e event) int64 { return e.row[j.node.LeftTime].Int }
	var leave []event
	j.waiting = slices.DeleteFunc(j.waiting, func(e event) bool {
		if f.Late(time(e)) {
			leave = append(leave, e)
		}
		return f.Late(time(e))
	})
	slices.SortStableFunc(leave, func(a, b event) int { return cmp.Compare(time(a), time(b)) })
	return leave
}

// meet is a row of the left side with the version of its time, nil if it leaves no trace.
func (j *versionsOf) meet(left Row) (Row, error) {
	var found *historic
	key := keyOf(left, j.node.LeftKeys, j.types[0])
	for i, v := range j.versions {
		if v.key == key && v.time <= left[j.node.LeftTime].Int && (found == nil || v.time > found.time) {
			found = &j.versions[i]
		}
	}
	keyless := slices.ContainsFunc(j.node.LeftKeys, func(k int) bool { return left[k].Null })
	if found != nil && found.row != nil && !keyless {
		row := slices.Concat(left, found.row)
		if j.node.Condition == nil {
			return row, nil
		}
		v, err := j.run.eval(j.node.Condition, row, slices.Concat(j.types[0], j.types[1]))
		if err != nil {
			return nil, err
		}
		if !v.Null && v.Int != 0 {
			return row, nil
		}
	}
	if j.node.Kind == plan.InnerJoin {
		return nil, nil
	}
	row := slices.Clone(left)
	for range j.types[1] {
		row = append(row, Value{Null: true})
	}
	return row, nil
}
