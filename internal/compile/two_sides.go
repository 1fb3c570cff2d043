package compile

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/dataflow"
	"github.com/tidemark-sql/tidemark/internal/operator"
	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/runtime"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// twoSides compiles the inputs of an operator with two sides: the streams of the left one and then the right one are the inputs of its fragment. keys are by side.
type twoSides struct {
	streams []stream
	sides   []int // by stream
}

func (c *compiler) twoSides(left, right plan.Node, as reader) (*twoSides, error) {
	t := &twoSides{}
	for side, n := range []plan.Node{left, right} {
		streams, err := c.node(n, reader{fmt.Sprintf("%s/%s", as.id, [...]string{"left", "right"}[side]), as.grain})
		if err != nil {
			return nil, err
		}
		t.streams = append(t.streams, streams...)
		for range streams {
			t.sides = append(t.sides, side)
		}
	}
	return t, nil
}

// mergeSides ends the streams in a fragment of so many tasks, spread by the keys of their side.
func (c *compiler) mergeSides(t *twoSides, keys [2][]int, as reader, tasks int, op runtime.OperatorSpec) stream {
	out := c.merge(t.streams, runtime.Target{Grain: as.grain, Passes: as.grain.Matters(), Ordered: tasks > 1},
		runtime.Fragment{Tasks: tasks, Chain: []runtime.OperatorSpec{op}})
	for i, s := range t.streams {
		c.target(s).Keys = keys[t.sides[i]]
	}
	return out
}

func (c *compiler) join(n *plan.Join, as reader) ([]stream, error) {
	t, err := c.twoSides(n.Left, n.Right, as)
	if err != nil {
		return nil, err
	}
	tasks, level := c.ordered(t.streams, c.tasks(n.LeftKeys, t.streams))
	keys := [2][]int{n.LeftKeys, n.RightKeys}
	updates := plan.Updates(n)
	op := runtime.OperatorSpec{ID: as.id, Label: n.Kind.String() + " join", Print: plan.Fingerprint(n), New: func() dataflow.Operator {
		return operator.NewJoin(operator.JoinSpec{Kind: joinKinds[n.Kind], Sides: t.sides, Keys: keys, Kinds: [2][]vector.Kind{kinds(n.Left), kinds(n.Right)},
			Condition: n.Condition, Env: c.env(), Updates: updates, TTL: [2]int64{n.TTL[0].Micros, n.TTL[1].Micros}, Level: level, Memory: c.graph.Memory})
	}}
	out := c.mergeSides(t, keys, as, tasks, op)
	if tasks > 1 {
		out.ordered, out.levels = true, level+1
	}
	return []stream{out}, nil
}

var joinKinds = [...]operator.JoinKind{plan.InnerJoin: operator.InnerJoin, plan.LeftJoin: operator.LeftJoin, plan.RightJoin: operator.RightJoin, plan.FullJoin: operator.FullJoin,
	plan.SemiJoin: operator.SemiJoin, plan.AntiJoin: operator.AntiJoin}

func kinds(n plan.Node) []vector.Kind {
	cols := n.Columns()
	all := make([]int, len(cols))
	for i := range all {
		all[i] = i
	}
	return keyKinds(n, all)
}

func (c *compiler) setOperation(n *plan.SetOperation, as reader) ([]stream, error) {
	t, err := c.twoSides(n.Left, n.Right, as)
	if err != nil {
		return nil, err
	}
	all := make([]int, len(n.Cols))
	for i := range all {
		all[i] = i
	}
	tasks, level := c.ordered(t.streams, c.tasks(all, t.streams))
	op := runtime.OperatorSpec{ID: as.id, Label: n.Op.String(), Print: plan.Fingerprint(n), New: func() dataflow.Operator {
		return operator.NewSetOperation(operator.SetOperationSpec{Times: n.Op.Times, Sides: t.sides, Kinds: kinds(n.Left), Updates: plan.Updates(n), TTL: n.TTL.Micros, Memory: c.graph.Memory})
	}}
	out := c.mergeSides(t, [2][]int{all, all}, as, tasks, op)
	if tasks > 1 {
		out.ordered, out.levels = true, level
	}
	return []stream{out}, nil
}
