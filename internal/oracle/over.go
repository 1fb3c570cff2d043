package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// overs is the rows of an Over that wait, and those that have left.
type overs struct {
	node    *plan.Over
	columns []types.Type
	waiting []Row
	left    map[string][]Row // by key, in the order in which they left
	// expires is the frontier beyond which a key of a bounded RANGE is forgotten.
	expires map[string]int64
}

// over lets each row go when the frontier has passed it, with aggregates over the rows before it.
func (r *run) over(n *plan.Over, in stream) stream {
	o := &overs{node: n, columns: columnTypes(n.Input), left: map[string][]Row{}, expires: map[string]int64{}}
	frontier, dropped := watermark.Unset, int64(0)
	var out stream
	for _, e := range in {
		if e.row != nil {
			if o.late(e.row, frontier) {
				dropped++
			} else {
				o.waiting = append(o.waiting, e.row)
			}
			continue
		}
		frontier = e.frontier
		for _, row := range o.release(frontier) {
			out = append(out, event{seq: e.seq, row: row, frontier: frontier})
		}
		out.rise(e.seq, frontier)
	}
	r.result.Dropped = append(r.result.Dropped, dropped)
	return out
}

func (o *overs) time(row Row) int64 { return row[o.node.By[0].Column].Int }

func (o *overs) late(row Row, f watermark.Frontier) bool {
	if !o.node.Frame.Bounded {
		return f.Late(o.time(row))
	}
	key := keyOf(row, o.node.Keys, o.columns)
	if e, ok := o.expires[key]; ok && f.Late(e) {
		delete(o.left, key)
		delete(o.expires, key)
	}
	left := o.left[key]
	if len(left) > 0 && o.time(row) <= o.time(left[len(left)-1]) {
		return true
	}
	if !o.node.Frame.Rows {
		frame := o.node.Frame.Preceding
		if e, ok := o.expires[key]; !ok || e < o.time(row)+frame+1000 {
			o.expires[key] = o.time(row) + frame + 1000 + frame/2000*1000
		}
	}
	return false
}

// release lets the rows go that f has passed, in the order of their times, and computes what follows them.
func (o *overs) release(f watermark.Frontier) []Row {
	var leaving, waiting []Row
	for _, row := range o.waiting {
		if f.Late(o.time(row)) {
			leaving = append(leaving, row)
		} else {
			waiting = append(waiting, row)
		}
	}
	o.waiting = waiting
	slices.SortStableFunc(leaving, func(a, b Row) int { return cmp.Compare(o.time(a), o.time(b)) })
	frames := make([][]Row, len(leaving))
	for i, row := range leaving {
		key := keyOf(row, o.node.Keys, o.columns)
		o.left[key] = append(o.left[key], row)
		frames[i] = o.left[key]
		if o.node.Frame.Rows {
			continue
		}
		for _, peer := range leaving[i+1:] {
			if o.time(peer) == o.time(row) && keyOf(peer, o.node.Keys, o.columns) == key {
				frames[i] = append(slices.Clip(frames[i]), peer)
			}
		}
	}
	out := make([]Row, len(leaving))
	for i, row := range leaving {
		out[i] = slices.Clone(row)
		for _, a := range o.node.Calls {
			out[i] = append(out[i], aggregate(a, o.frame(row, frames[i]), o.columns))
		}
	}
	return out
}

// frame cuts off the rows that are too far before row.
func (o *overs) frame(row Row, rows []Row) []Row {
	frame := o.node.Frame
	switch {
	case !frame.Bounded:
		return rows
	case frame.Rows:
		return rows[max(0, len(rows)-1-int(frame.Preceding)):]
	}
	return slices.DeleteFunc(slices.Clone(rows), func(old Row) bool { return o.time(old) < o.time(row)-frame.Preceding })
}
