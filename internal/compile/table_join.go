package compile

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

var tableJoinKinds = map[plan.JoinKind]operator.JoinKind{plan.InnerJoin: operator.InnerJoin, plan.LeftJoin: operator.LeftJoin, plan.SemiJoin: operator.SemiJoin, plan.AntiJoin: operator.AntiJoin}

// tableJoin has one task: rows leave among the marks that they came with.
func (c *compiler) tableJoin(n *plan.TableJoin, as reader) ([]stream, error) {
	t, err := c.twoSides(n.Left, n.Right, as)
	if err != nil {
		return nil, err
	}
	join := joined{}
	for i, s := range t.streams {
		join[t.sides[i]] = append(join[t.sides[i]], s.origins...)
	}
	c.joined = append(c.joined, join)
	spec := operator.TableJoinSpec{Kind: tableJoinKinds[n.Kind], Sides: t.sides, Keys: [2][]int{n.LeftKeys, n.RightKeys}, Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)},
		First: n.First, Updates: plan.Updates(n.Left), Memory: c.graph.Memory}
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " join with a table", Print: plan.Fingerprint(n), New: func() dataflow.Operator { return operator.NewTableJoin(spec) }}
	return []stream{c.merge(t.streams, runtime.Target{Grain: as.grain, Passes: true}, runtime.Fragment{Tasks: 1, Chain: []runtime.OperatorSpec{op}})}, nil
}

// joined is the sources of a join with a table, by side.
type joined [2][]int

// readFirst has the sources of the left rows of joins stand behind those of their tables: the joins would only hold the rows. They do hold them where both come from one source, or where the table waits for the rows in some way.
func (c *compiler) readFirst() {
	for _, j := range c.joined {
		for _, left := range j[0] {
			for _, table := range j[1] {
				if s := &c.graph.Sources[left]; !slices.Contains(s.After, table) && !c.waitsFor(table, left, map[int]bool{}) {
					s.After = append(s.After, table)
				}
			}
		}
	}
}

// waitsFor reports whether source a waits for source b, or for one that does: it stands behind it, is held back by it, or is aligned with it. A source waits for itself.
func (c *compiler) waitsFor(a, b int, seen map[int]bool) bool {
	if a == b {
		return true
	}
	if seen[a] {
		return false
	}
	seen[a] = true
	s := &c.graph.Sources[a]
	for i := range c.graph.Sources {
		other := &c.graph.Sources[i]
		if (slices.Contains(s.After, i) || aligned(s, other) || slices.ContainsFunc(s.Delays, func(d watermark.ReadDelay) bool { return d.Table == other.Name })) && c.waitsFor(i, b, seen) {
			return true
		}
	}
	return false
}

// aligned reports whether one of two sources may be paused until the other has come as far.
func aligned(a, b *runtime.Source) bool {
	x, y := a.Strategy.Alignment, b.Strategy.Alignment
	return a.Watermarked && b.Watermarked && x.Drift > 0 && y.Drift > 0 && x.Group == y.Group
}
