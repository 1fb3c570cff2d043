package rewrite

import (
	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowSort drops the columns that neither the order nor anybody above reads.
func narrowSort(n *plan.Sort, need []int) (plan.Node, columns) {
	in, m := narrowKept(n.Input, union(need, ordering(n.By)))
	return &plan.Sort{Input: in, By: m.keys(n.By)}, m
}

// narrowLimit does so too, but for the columns by which rows replace each other. A row that is taken back need not be told from one that differs in what nobody reads.
func narrowLimit(n *plan.Limit, need []int) (plan.Node, columns) {
	keys, _ := n.Replaces()
	in, m := narrowKept(n.Input, union(need, ordering(n.By), keys))
	return &plan.Limit{Input: in, By: m.keys(n.By), Offset: n.Offset, Count: n.Count, TTL: n.TTL}, m
}

func ordering(by []plan.SortKey) []int {
	list := make([]int, len(by))
	for i, k := range by {
		list[i] = k.Column
	}
	return list
}

func (m columns) keys(by []plan.SortKey) []plan.SortKey {
	out := make([]plan.SortKey, len(by))
	for i, k := range by {
		k.Column = m[k.Column]
		out[i] = k
	}
	return out
}
