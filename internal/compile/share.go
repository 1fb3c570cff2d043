package compile

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// sharedScan is the scans of several plans that are one reading of a table.
type sharedScan struct {
	// all reads whatever any of them needs.
	all    *plan.Scan
	source int // in the graph, -1 before it is there
}

// share finds the scans of different plans that read one table in the same way. Two of one plan stay apart: an operator where they meet would see their rows in
// an order that hangs on where batches end.
func (c *compiler) share(outputs []Output) {
	for _, out := range outputs {
		clear(c.taken)
		for _, n := range plan.Scans(out.Root) {
			if s := c.sharing(n); s != nil {
				s.all.Output = slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.all.Output, n.Output))))
				continue
			}
			all := *n
			all.Output = slices.Clone(n.Output)
			s := &sharedScan{all: &all, source: -1}
			c.shared, c.taken[s] = append(c.shared, s), true
		}
	}
}

// sharing finds the reading that n is part of, and that no other scan of its plan is part of; nil if there is none.
func (c *compiler) sharing(n *plan.Scan) *sharedScan {
	for _, s := range c.shared {
		if !c.taken[s] && plan.SameReading(s.all, n) {
			c.taken[s] = true
			return s
		}
	}
	return nil
}

// reading compiles a scan, as a branch of the reading that it shares with others if it does.
func (c *compiler) reading(n *plan.Scan) ([]stream, error) {
	s := c.sharing(n)
	if s == nil {
		return c.scan(n)
	}
	var at stream
	if s.source < 0 {
		streams, err := c.scan(s.all)
		if err != nil {
			return nil, err
		}
		at = streams[0]
		s.source = at.source
	} else {
		source := &c.graph.Sources[s.source]
		at = stream{source: s.source, branch: len(source.Branches)}
		source.Branches = append(source.Branches, runtime.Branch{})
	}
	c.graph.Sources[s.source].Branches[at.branch].Late = n.Late
	if !slices.Equal(n.Output, s.all.Output) {
		columns := make([]int, len(n.Output))
		for i, column := range n.Output {
			columns[i] = slices.Index(s.all.Output, column)
		}
		c.graph.Sources[s.source].Branches[at.branch].Columns = columns
	}
	return []stream{at}, nil
}
