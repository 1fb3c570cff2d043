package compile

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/connector"
	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
)

// shared is a plan.Shared that has been compiled. Operators without state that stand between a source and its first exchange run once for each reader, in the workers: they come to the same, and a worker has
// nobody to wait for. All else runs once.
type shared struct {
	streams  []stream
	branches []runtime.Branch // by stream of a source: the branch as it was before anybody read it
	readers  []int            // by outlet
	grain    dataflow.Grain   // what the readers look at, as far as they are known
}

// readShared compiles one place where an output of n is read.
func (c *compiler) readShared(n *plan.Shared, outlet int, as reader) ([]stream, error) {
	s := c.known[n]
	if s == nil {
		streams, err := c.compileShared(n)
		if err != nil {
			return nil, err
		}
		s = &shared{streams: streams, branches: make([]runtime.Branch, len(streams)), readers: make([]int, 1)}
		for i, x := range streams {
			if x.source >= 0 {
				s.branches[i] = *c.branch(x)
				s.branches[i].Chain = slices.Clone(s.branches[i].Chain)
			}
		}
		if f, ok := n.Input.(plan.Forking); ok {
			outlets := len(f.Outlets())
			s.readers = make([]int, outlets)
			last := &c.graph.Fragments[streams[0].fragment]
			last.Outlets, last.To = outlets, nil
		}
		c.known[n] = s
	}
	s.grain = union(s.grain, as.grain)
	out := make([]stream, len(s.streams))
	for i := range s.streams {
		out[i] = c.fork(s, i, outlet)
	}
	s.readers[outlet]++
	return out, nil
}

// fork is stream i of s for one more reader.
func (c *compiler) fork(s *shared, i, outlet int) stream {
	x, number := s.streams[i], s.readers[outlet]
	if x.source >= 0 {
		if number == 0 {
			return x
		}
		b := s.branches[i]
		b.Chain = slices.Clone(b.Chain)
		for k := range b.Chain {
			b.Chain[k].ID = fmt.Sprintf("%s~%d", b.Chain[k].ID, number)
			b.Chain[k].Stream = nil // the first reader's has counted these rows
		}
		return c.newBranch(x.source, b)
	}
	f := &c.graph.Fragments[x.fragment]
	if number > 0 || f.Outlets > 0 {
		to := runtime.Target{Outlet: outlet}
		if f.Outlets == 0 {
			to.Outlet = f.To[x.way].Outlet
		}
		x.way = len(f.To)
		f.To = append(f.To, to)
	}
	x.shared = true
	return x
}

// compileShared compiles what n computes, under its own name.
func (c *compiler) compileShared(n *plan.Shared) ([]stream, error) {
	as := reader{"shared/" + n.Name, c.grains[n]}
	if c.named[n.Name]++; c.named[n.Name] > 1 {
		as.id += fmt.Sprintf("~%d", c.named[n.Name])
	}
	streams, err := c.node(n.Input, as)
	if err != nil {
		return nil, err
	}
	if repeatable(n.Input) {
		return streams, nil
	}
	for i, s := range streams {
		if s.source >= 0 {
			streams[i] = c.merge([]stream{s}, runtime.Target{Grain: as.grain, Passes: as.grain.Matters()}, runtime.Fragment{Tasks: 1})
		}
	}
	return streams, nil
}

// repeatable reports whether operators without state in front of the rows of n would come to the same if they ran again.
func repeatable(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return expr.Steady(n.Condition) && repeatable(n.Input)
	case *plan.Project:
		return !slices.ContainsFunc(n.Exprs, func(e expr.Expr) bool { return !expr.Steady(e) }) && repeatable(n.Input)
	case *plan.Unnest:
		return expr.Steady(n.Collection) && repeatable(n.Input)
	case *plan.Named, *plan.WindowAssign, *plan.Expand, *plan.CurrentWatermark, *plan.Union:
		return !slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return !repeatable(c) })
	}
	return true
}

// grainsOfShared finds what the readers of shared relations look at, which those know who are compiled behind them. So everything is compiled, without opening a table, until that changes no more: a
// relation that is read by another one is told what the readers of that look at in the next round.
func grainsOfShared(outputs []Output, o Options) (map[*plan.Shared]dataflow.Grain, error) {
	all := plan.Shareds(roots(outputs)...)
	grains := map[*plan.Shared]dataflow.Grain{}
	o.Open = func(*plan.Scan, []int) (connector.Source, error) { return nil, nil }
	for range all {
		c := newCompiler(o, grains)
		if err := c.outputs(outputs); err != nil {
			return nil, err
		}
		found := map[*plan.Shared]dataflow.Grain{}
		for n, s := range c.known {
			found[n] = s.grain
		}
		if reflect.DeepEqual(found, grains) {
			break
		}
		grains = found
	}
	return grains, nil
}

// union is the grain of those who need g and of those who need h, the same however they are put together.
func union(g, h dataflow.Grain) dataflow.Grain {
	all := g.And(h)
	slices.SortFunc(all.Grids, func(a, b dataflow.Grid) int {
		return cmp.Or(cmp.Compare(a.Width, b.Width), cmp.Compare(a.Offset, b.Offset))
	})
	all.Grids = slices.Compact(all.Grids)
	return all
}

// meet reports whether rows of one ticket may come by several of streams, not all of them straight from a source: a worker numbers the rows of all its branches.
func meet(streams []stream) bool {
	return kin(streams) != nil && slices.ContainsFunc(streams, func(s stream) bool { return s.source < 0 })
}

// kinFrom is kin of streams that are the inputs from first on.
func kinFrom(first int, streams []stream) [][]int {
	all := make([][]int, len(streams))
	for i, of := range kin(streams) {
		for _, k := range of {
			all[i] = append(all[i], first+k)
		}
	}
	return all
}

// kin are, by stream, those others by which rows of the same tickets come; nil if there are none.
func kin(streams []stream) [][]int {
	var all [][]int
	for i, s := range streams {
		for k, other := range streams {
			if i != k && slices.ContainsFunc(s.origins, func(o int) bool { return slices.Contains(other.origins, o) }) {
				if all == nil {
					all = make([][]int, len(streams))
				}
				all[i] = append(all[i], k)
			}
		}
	}
	return all
}
