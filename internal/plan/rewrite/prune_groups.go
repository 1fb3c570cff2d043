package rewrite

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowGroups drops aggregates that nobody reads, but not the last one: without any, the node would tell nothing of a key that is there already, and whoever counts
// its changes would notice.
func narrowGroups(n *plan.GroupAggregate, need []int) (plan.Node, columns) {
	read := slices.Clone(n.Keys)
	g := &plan.GroupAggregate{TTL: n.TTL}
	m := columns{}
	for i := range n.Keys {
		m[i] = len(g.Cols)
		g.Cols = append(g.Cols, n.Cols[i])
	}
	for k, call := range n.Aggregates {
		i := len(n.Keys) + k
		last := k == len(n.Aggregates)-1 && len(g.Aggregates) == 0
		if !slices.Contains(need, i) && !last {
			continue
		}
		m[i] = len(g.Cols)
		g.Cols = append(g.Cols, n.Cols[i])
		g.Aggregates = append(g.Aggregates, call)
		read = append(read, call.Reads()...)
	}
	in, inner := narrow(n.Input, union(read))
	g.Input, g.Keys = in, inner.list(n.Keys)
	for k, call := range g.Aggregates {
		g.Aggregates[k] = call.Moved(inner.at)
	}
	return g, m
}

// narrowKeyWindows drops the columns of the input that the aggregation does not read.
func narrowKeyWindows(n *plan.KeyWindows) (plan.Node, columns) {
	read := append(slices.Clone(n.Keys), n.Time)
	for _, call := range n.Aggregates {
		read = append(read, call.Reads()...)
	}
	w := *n
	in, inner := narrow(n.Input, union(read))
	w.Input, w.Keys, w.Time, w.Aggregates = in, inner.list(n.Keys), inner[n.Time], slices.Clone(n.Aggregates)
	for k, call := range w.Aggregates {
		w.Aggregates[k] = call.Moved(inner.at)
	}
	return &w, identity(len(n.Cols))
}
