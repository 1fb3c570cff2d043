package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sessions is rows whose sessions are not complete. A session is a greatest set of rows of one key in which nobody is further than the gap
// from the next; it ends a gap after its last row.
type sessions struct {
	node    *plan.WindowAggregate
	columns []types.Type
	rows    []Row
}

// take joins the row with the rows there are, and tests the session that comes of it.
func (s *sessions) take(row Row, f watermark.Frontier) (dropped bool, err error) {
	if row[s.node.Time].Null {
		return false, errNoTime
	}
	for _, p := range s.split(append(slices.Clone(s.rows), row)) {
		// Rows that are there were not complete, so a complete session is that of the new row alone.
		if f.Complete(p.deadline) {
			return true, nil
		}
	}
	s.rows = append(s.rows, row)
	return false, nil
}

func (s *sessions) complete(f watermark.Frontier) []pane {
	var done []pane
	kept := s.rows[:0:0]
	for _, p := range s.split(s.rows) {
		if f.Complete(p.deadline) {
			done = append(done, p)
		} else {
			kept = append(kept, p.rows...)
		}
	}
	s.rows = kept
	return done
}

// split cuts rows into sessions.
func (s *sessions) split(rows []Row) []pane {
	n, c := s.node, clock{s.node.Windows.Zone}
	gap := n.Windows.Spec.Gap
	var out []pane
	for _, rows := range groupBy(rows, n.Keys, s.columns) {
		slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a[n.Time].Int, b[n.Time].Int) })
		first := 0
		for i := range rows {
			last := rows[i][n.Time].Int
			if i+1 < len(rows) && rows[i+1][n.Time].Int <= last+gap {
				continue
			}
			end := last + gap
			start := rows[first][n.Time].Int
			out = append(out, pane{span: span{c.local(start), c.local(end)}, deadline: end, time: end - n.Windows.Time.Tick(), rows: rows[first : i+1]})
			first = i + 1
		}
	}
	return out
}
