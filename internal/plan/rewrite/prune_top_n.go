package rewrite

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
)

// narrowTopN drops the columns that neither partition nor order nor anybody above reads, and the numbers if nobody reads them: then the rows in front need not be told to have
// moved. A row that is taken back need not be told from one that differs in what nobody reads.
func narrowTopN(n *plan.TopN, need []int) (plan.Node, columns) {
	keys, _ := n.Replaces()
	passed, ranks := narrowRanks(n.Ranks, len(n.Input.Columns()), need)
	in, m := narrowKept(n.Input, union(passed, ordering(n.Ranks.By), n.Keys, keys))
	ranks.By = m.keys(ranks.By)
	t := plan.NewTopN(in, m.list(n.Keys), ranks)
	t.TTL = n.TTL
	return t, m.numbered(ranks, n.Cols, t.Cols)
}

// narrowWindowTopN does so too.
func narrowWindowTopN(n *plan.WindowTopN, need []int) (plan.Node, columns) {
	passed, ranks := narrowRanks(n.Ranks, len(n.Input.Columns()), need)
	in, m := narrowKept(n.Input, union(passed, ordering(n.Ranks.By), n.Keys, []int{n.Start, n.End}))
	ranks.By = m.keys(ranks.By)
	t := plan.NewWindowTopN(in, n.Windows, m[n.Start], m[n.End], m.list(n.Keys), ranks)
	return t, m.numbered(ranks, n.Cols, t.Cols)
}

// narrowRanks is what of the columns in need comes from the input, of so many, and r without numbers if they are not among them.
func narrowRanks(r plan.Ranks, width int, need []int) ([]int, plan.Ranks) {
	if r.Numbered && slices.Contains(need, width) {
		return need[:len(need)-1], r
	}
	r.Numbered = false
	return need, r
}

// numbered is m with the numbers of rows, the last of the columns before and now, if there are some.
func (m columns) numbered(r plan.Ranks, before, now []plan.Column) columns {
	if r.Numbered {
		m[len(before)-1] = len(now) - 1
		now[len(now)-1] = before[len(before)-1]
	}
	return m
}
