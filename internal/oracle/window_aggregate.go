package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/window"
	"github.com/tidemark-sql/tidemark/watermark"
)

// windows is the rows of a window aggregation that have not been answered yet. There are two sorts: windows that are given with a row,
// and sessions, which rows make among themselves.
type windows interface {
	// take lets a row in, or tells that every window it could be in is complete at frontier f.
	take(row Row, f watermark.Frontier) (dropped bool, err error)
	// complete removes the windows that are complete at f.
	complete(f watermark.Frontier) []pane
}

// pane is a window with its rows.
type pane struct {
	span     span  // local time
	deadline int64 // when it is complete
	time     int64 // its window_time
	rows     []Row
}

func (r *run) windowAggregate(n *plan.WindowAggregate, in stream) (stream, error) {
	columns := columnTypes(n.Input)
	var open windows
	if !n.Attached() && n.Windows.Spec.Kind == window.Session {
		open = &sessions{node: n, columns: columns}
	} else {
		open = &given{node: n, adjusts: n.Adjusts()}
	}
	return r.answered(open, in, func(p pane) []Row { return answer(n, p, columns) })
}

// answered answers every window when it is complete.
func (r *run) answered(open windows, in stream, answer func(p pane) []Row) (stream, error) {
	dropped := int64(0)
	frontier := watermark.Unset
	var out stream
	for _, e := range in {
		if e.row != nil {
			late, err := open.take(e.row, frontier)
			if err != nil {
				return nil, err
			}
			if late {
				dropped++
			}
			continue
		}
		frontier = e.frontier
		panes := open.complete(frontier)
		slices.SortStableFunc(panes, func(a, b pane) int { return cmp.Compare(a.deadline, b.deadline) })
		for i, p := range panes {
			for _, row := range answer(p) {
				out = append(out, event{seq: e.seq, row: row, frontier: watermark.Frontier(p.deadline)})
			}
			if i+1 == len(panes) || panes[i+1].deadline > p.deadline {
				out.rise(e.seq, watermark.Frontier(p.deadline))
			}
		}
		out.rise(e.seq, e.frontier)
	}
	r.result.Dropped = append(r.result.Dropped, dropped)
	return out, nil
}

// answer computes the result rows of a pane, one per key.
func answer(n *plan.WindowAggregate, p pane, columns []types.Type) []Row {
	var out []Row
	for _, rows := range groupBy(p.rows, n.Keys, columns) {
		row := pick(rows[0], n.Keys)
		for _, a := range n.Aggregates {
			row = append(row, aggregate(a, rows, columns))
		}
		out = append(out, append(row, Value{Int: p.span.start}, Value{Int: p.span.end}, Value{Int: p.time}))
	}
	return out
}

// groupBy puts together the rows that agree in the given columns, in the order in which they first come.
func groupBy(rows []Row, by []int, columns []types.Type) [][]Row {
	var groups [][]Row
	number := map[string]int{}
	for _, row := range rows {
		key := keyOf(row, by, columns)
		at, ok := number[key]
		if !ok {
			at = len(groups)
			number[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], row)
	}
	return groups
}

// keyOf is what rows that agree in the given columns have in common.
func keyOf(row Row, by []int, columns []types.Type) string {
	var key strings.Builder
	for _, c := range by {
		key.WriteString(row[c].key(columns[c]))
		key.WriteByte('|')
	}
	return key.String()
}

// given is windows that are known from a row alone: aligned ones, and those that a row carries in its columns.
type given struct {
	node    *plan.WindowAggregate
	adjusts bool // late rows
	panes   []pane
}

func (g *given) take(row Row, f watermark.Frontier) (dropped bool, err error) {
	list, err := g.windows(row)
	if err != nil {
		return false, err
	}
	if n := g.node; g.adjusts && !row[n.Time].Null && f.Late(row[n.Time].Int) {
		// The windows that hold the frontier are open; of them the earliest counts the row.
		at := slices.Clone(row)
		at[n.Time].Int = int64(f)
		if list, err = g.windows(at); err != nil {
			return false, err
		}
		list = list[:1]
	}
	open := slices.DeleteFunc(slices.Clone(list), func(p pane) bool { return f.Complete(p.deadline) })
	for _, p := range open {
		at := slices.IndexFunc(g.panes, func(q pane) bool { return q.span == p.span })
		if at < 0 {
			at = len(g.panes)
			g.panes = append(g.panes, p)
		}
		g.panes[at].rows = append(g.panes[at].rows, row)
	}
	// A row between two HOP windows belongs nowhere, but it is not late.
	return len(list) > 0 && len(open) == 0, nil
}

// windows lists all windows of a row, without rows.
func (g *given) windows(row Row) ([]pane, error) {
	n, c := g.node, clock{g.node.Windows.Zone}
	var list []span
	if n.Attached() {
		start, end := row[n.Start], row[n.End]
		if start.Null || end.Null {
			return nil, errNoTime
		}
		list = []span{{start.Int, end.Int}}
	} else {
		if row[n.Time].Null {
			return nil, errNoTime
		}
		list = spans(n.Windows.Spec, c.local(row[n.Time].Int))
	}
	panes := make([]pane, len(list))
	for i, x := range list {
		deadline := c.deadline(x.end)
		panes[i] = pane{span: x, deadline: deadline, time: deadline - n.Windows.Time.Tick()}
	}
	return panes, nil
}

func (g *given) complete(f watermark.Frontier) []pane {
	var done, rest []pane
	for _, p := range g.panes {
		if f.Complete(p.deadline) {
			done = append(done, p)
		} else {
			rest = append(rest, p)
		}
	}
	g.panes = rest
	return done
}
