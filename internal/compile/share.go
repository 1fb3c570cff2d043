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
// an order that hangs on how much is read at once. Those of a shared relation belong to every plan that reads it.
func (c *compiler) share(outputs []Output) {
	for _, out := range outputs {
		clear(c.taken)
		scans := plan.Scans(out.Root)
		for _, n := range scans {
			if s := c.scans[n]; s != nil {
				c.taken[s] = true
			}
		}
		for _, n := range scans {
			if c.scans[n] != nil {
				continue
			}
			s := c.sharing(n)
			if s == nil {
				all := *n
				all.Output = slices.Clone(n.Output)
				s = &sharedScan{all: &all, source: -1}
				c.shared = append(c.shared, s)
			} else {
				s.all.Output = slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.all.Output, n.Output))))
			}
			c.scans[n], c.taken[s] = s, true
		}
	}
}

// sharing finds the reading that n is part of, and that no other scan of its plan is part of; nil if there is none.
func (c *compiler) sharing(n *plan.Scan) *sharedScan {
	for _, s := range c.shared {
		if !c.taken[s] && plan.SameReading(s.all, n) {
			return s
		}
	}
	return nil
}

// reading compiles a scan, as a branch of the reading that it shares with others if it does.
func (c *compiler) reading(n *plan.Scan) ([]stream, error) {
	s := c.scans[n]
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
		at = c.newBranch(s.source, runtime.Branch{})
	}
	branch := c.branch(at)
	branch.Late = n.Late
	if !slices.Equal(n.Output, s.all.Output) {
		branch.Columns = make([]int, len(n.Output))
		for i, column := range n.Output {
			branch.Columns[i] = slices.Index(s.all.Output, column)
		}
	}
	return []stream{at}, nil
}

// newBranch adds a way for the rows of a source.
func (c *compiler) newBranch(source int, b runtime.Branch) stream {
	of := &c.graph.Sources[source]
	of.Branches = append(of.Branches, b)
	return stream{source: source, branch: len(of.Branches) - 1, origins: []int{source}}
}
