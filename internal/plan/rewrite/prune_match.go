package rewrite

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowMatch drops what nobody reads of a match, and keeps the keys.
func narrowMatch(n *plan.Match, need []int) (plan.Node, columns) {
	m := *n
	at := columns{}
	m.Cols = slices.Clone(n.Cols[:len(n.Keys)])
	for i := range n.Keys {
		at[i] = i
	}
	m.Reads = plan.Readings{}
	for _, i := range need {
		k := i - len(n.Keys)
		switch {
		case k < 0:
			continue
		case k < len(n.Reads.Values):
			m.Reads.Values = append(m.Reads.Values, n.Reads.Values[k])
		default:
			m.Reads.Aggregates = append(m.Reads.Aggregates, n.Reads.Aggregates[k-len(n.Reads.Values)])
		}
		at[i] = len(m.Cols)
		m.Cols = append(m.Cols, n.Cols[i])
	}
	read := union(m.Reads.Columns(), n.Keys, ordering(n.By), []int{n.Time})
	for _, d := range n.Define {
		read = union(read, d.Reads.Columns())
	}
	in, to := narrowKept(n.Input, read)
	m.Input, m.Keys, m.Time, m.By, m.Reads = in, to.list(n.Keys), to.at(n.Time), to.keys(n.By), m.Reads.Moved(to.at)
	m.Define = nil
	for _, d := range n.Define {
		m.Define = append(m.Define, plan.Definition{Condition: d.Condition, Reads: d.Reads.Moved(to.at)})
	}
	return &m, at
}
