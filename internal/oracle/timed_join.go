package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/watermark"
)

// kept is a row of an interval join that may still have a match.
type kept struct {
	row     Row
	side    int
	until   int64 // no row behind this time matches it
	matched bool
}

// nearby is an interval join: a list of rows, all of which are looked through for every row and every frontier.
func (j *join) nearby(inputs []stream) (stream, error) {
	v := j.node.Interval
	times := [2]int{v.LeftTime, v.RightTime}
	f, dropped := watermark.Unset, int64(0)
	var rows []*kept
	var out stream
	for _, e := range arrived(inputs) {
		if e.row == nil {
			f = e.frontier
			var over []*kept
			rows = slices.DeleteFunc(rows, func(k *kept) bool {
				if k.until < int64(f) {
					over = append(over, k)
				}
				return k.until < int64(f)
			})
			slices.SortStableFunc(over, func(a, b *kept) int { return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.side, b.side)) })
			for _, k := range over {
				if !k.matched && j.padded(k.side) {
					out = append(out, event{seq: e.seq, row: j.pair(k.side, k.row, nil), frontier: watermark.Unset})
				}
			}
			out.rise(e.seq, f.Sub(v.Hold()))
			continue
		}
		mine, time := &kept{row: e.row, side: e.side}, e.row[times[e.side]]
		for _, k := range rows {
			if time.Null || k.side == e.side {
				continue
			}
			apart := time.Int - k.row[times[k.side]].Int
			if e.side == 1 {
				apart = -apart
			}
			ok, err := j.match(e.side, e.row, k.row)
			if err != nil {
				return nil, err
			}
			if ok && v.Low <= apart && apart <= v.High {
				mine.matched, k.matched = true, true
				out = append(out, event{seq: e.seq, row: j.pair(e.side, e.row, k.row), op: e.op, frontier: e.frontier})
			}
		}
		mine.until = time.Int - v.Low
		if e.side == 1 {
			mine.until = time.Int + v.High
		}
		switch {
		case !time.Null && !v.Empty() && mine.until >= int64(f):
			rows = append(rows, mine)
		case mine.matched:
		case j.padded(e.side):
			out = append(out, event{seq: e.seq, row: j.pair(e.side, e.row, nil), frontier: e.frontier})
		case !time.Null && !v.Empty() && f.Late(time.Int) && !j.keyless(e.side, e.row):
			dropped++
		}
	}
	j.run.result.Dropped = append(j.run.result.Dropped, dropped)
	return out, nil
}

// keyless reports whether a row has a NULL where it must be equal to something.
func (j *join) keyless(side int, row Row) bool {
	return slices.ContainsFunc([2][]int{j.node.LeftKeys, j.node.RightKeys}[side], func(k int) bool { return row[k].Null })
}

// together is a window join: the rows of each window, joined when it is complete.
func (j *join) together(inputs []stream) (stream, error) {
	n := j.node
	var open [2]*given
	for s, side := range n.Children() {
		open[s] = &given{node: &plan.WindowAggregate{Input: side, Windows: n.Windows.Windows, Time: -1, Start: n.Windows.Start[s], End: n.Windows.End[s]}}
	}
	f, dropped := watermark.Unset, int64(0)
	var out stream
	for _, e := range arrived(inputs) {
		if e.row != nil {
			late, err := open[e.side].take(e.row, f)
			if err != nil {
				return nil, err
			}
			if late {
				dropped++
			}
			continue
		}
		f = e.frontier
		left, right := open[0].complete(f), open[1].complete(f)
		var panes []pane
		for _, p := range slices.Concat(left, right) {
			if !slices.ContainsFunc(panes, func(q pane) bool { return q.span == p.span }) {
				panes = append(panes, p)
			}
		}
		slices.SortStableFunc(panes, func(a, b pane) int { return cmp.Compare(a.deadline, b.deadline) })
		rowsOf := func(all []pane, p pane) []Row {
			for _, q := range all {
				if q.span == p.span {
					return q.rows
				}
			}
			return nil
		}
		for i, p := range panes {
			rows, err := j.window(rowsOf(left, p), rowsOf(right, p))
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				out = append(out, event{seq: e.seq, row: row, frontier: watermark.Frontier(p.deadline)})
			}
			if i+1 == len(panes) || panes[i+1].deadline > p.deadline {
				out.rise(e.seq, watermark.Frontier(p.deadline))
			}
		}
		out.rise(e.seq, f)
	}
	j.run.result.Dropped = append(j.run.result.Dropped, dropped)
	return out, nil
}

// window joins the rows of one window.
func (j *join) window(left, right []Row) ([]Row, error) {
	var out []Row
	met := make([]bool, len(right))
	for _, l := range left {
		found := false
		for i, r := range right {
			ok, err := j.match(0, l, r)
			if err != nil {
				return nil, err
			}
			if ok {
				found, met[i] = true, true
				if !j.node.Kind.Halves() {
					out = append(out, j.pair(0, l, r))
				}
			}
		}
		switch {
		case j.node.Kind.Halves() && found == (j.node.Kind == plan.SemiJoin), !found && j.padded(0):
			out = append(out, j.pair(0, l, nil))
		}
	}
	for i, r := range right {
		if !met[i] && j.padded(1) {
			out = append(out, j.pair(1, r, nil))
		}
	}
	return out, nil
}
