package oracle

import (
	"cmp"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/watermark"
)

// sided is an event of one of two streams. Its frontier is the least of both, as far as it is an event of a frontier.
type sided struct {
	event
	side int
}

// arrived is the events of two streams in the order of their arrival, with the frontiers that leave both behind.
func arrived(inputs []stream) []sided {
	var all, out []sided
	for side, s := range inputs {
		for _, e := range s {
			all = append(all, sided{e, side})
		}
	}
	slices.SortStableFunc(all, func(a, b sided) int { return cmp.Compare(a.seq, b.seq) })
	frontiers := []watermark.Frontier{watermark.Unset, watermark.Unset}
	last := watermark.Unset
	for _, e := range all {
		if e.row == nil {
			frontiers[e.side] = e.frontier
			if e.frontier = slices.Min(frontiers); e.frontier <= last {
				continue
			}
			last = e.frontier
		}
		out = append(out, e)
	}
	return out
}

// twoSided calls f for the rows of two streams in the order of their arrival, and appends what it makes of them.
func twoSided(inputs []stream, f func(side int, e event) ([]event, error)) (stream, error) {
	var out stream
	for _, e := range arrived(inputs) {
		if e.row == nil {
			out.rise(e.seq, e.frontier)
			continue
		}
		made, err := f(e.side, e.event)
		if err != nil {
			return nil, err
		}
		out = append(out, made...)
	}
	return out, nil
}

// stored is a row of one side of a join, and how often it is there.
type stored struct {
	row   Row
	times int
}

// join keeps both sides as lists, and looks through all of the other one for every row.
type join struct {
	run   *run
	node  *plan.Join
	types [2][]types.Type
	sides [2][]stored
}

func (r *run) join(n *plan.Join, inputs []stream) (stream, error) {
	j := &join{run: r, node: n, types: [2][]types.Type{columnTypes(n.Left), columnTypes(n.Right)}}
	switch {
	case n.Interval != nil:
		return j.nearby(inputs)
	case n.Windows != nil:
		return j.together(inputs)
	}
	return twoSided(inputs, j.take)
}

// padded reports whether rows of a side without a match leave with NULL for the other.
func (j *join) padded(side int) bool {
	k := j.node.Kind
	return k == plan.FullJoin || side == 0 && k == plan.LeftJoin || side == 1 && k == plan.RightJoin
}

// matches are the places in the other side of what matches a row, counted by how often each is there.
func (j *join) matches(side int, row Row) (places []int, times int, err error) {
	for i, s := range j.sides[1-side] {
		ok, err := j.match(side, row, s.row)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			places = append(places, i)
			times += s.times
		}
	}
	return places, times, nil
}

func (j *join) match(side int, row, other Row) (bool, error) {
	if side == 1 {
		row, other = other, row
	}
	for i, l := range j.node.LeftKeys {
		v, w := row[l], other[j.node.RightKeys[i]]
		if v.Null || w.Null || v.key(j.types[0][l]) != w.key(j.types[1][j.node.RightKeys[i]]) {
			return false, nil
		}
	}
	if j.node.Condition == nil {
		return true, nil
	}
	v, err := j.run.eval(j.node.Condition, slices.Concat(row, other), slices.Concat(j.types[0], j.types[1]))
	return err == nil && !v.Null && v.Int != 0, err
}

// pair is a row of a side with one of the other, or with NULL if that is nil; of a semi or anti join it is the left one.
func (j *join) pair(side int, row, other Row) Row {
	if other == nil {
		for range j.types[1-side] {
			other = append(other, Value{Null: true})
		}
	}
	if side == 1 {
		row, other = other, row
	}
	if j.node.Kind.Halves() {
		return slices.Clone(row)
	}
	return slices.Concat(row, other)
}

func (j *join) take(side int, e event) ([]event, error) {
	if !j.change(side, e) {
		return nil, nil
	}
	places, times, err := j.matches(side, e.row)
	if err != nil {
		return nil, err
	}
	var out []event
	row := e.row
	tell := func(op vector.Op, r Row) {
		e.op, e.row = op, r
		out = append(out, e)
	}
	back, told := e.takesBack(), e.op
	plain := vector.Insert
	if back {
		plain = vector.Delete
	}
	if side == 0 && j.node.Kind.Halves() {
		if (times > 0) == (j.node.Kind == plan.SemiJoin) {
			tell(told, row)
		}
		return out, nil
	}
	if times == 0 && j.padded(side) {
		tell(plain, j.pair(side, row, nil))
		return out, nil
	}
	for _, p := range places {
		other := j.sides[1-side][p]
		_, mine, err := j.matches(1-side, other.row)
		if err != nil {
			return nil, err
		}
		// Whether the row is the other's first match, or was its last.
		turns := mine == 1 && !back || mine == 0 && back
		for range other.times {
			switch {
			case j.node.Kind.Halves() && !turns:
			case j.node.Kind == plan.SemiJoin:
				tell(told, slices.Clone(other.row))
			case j.node.Kind == plan.AntiJoin && back:
				tell(vector.Insert, slices.Clone(other.row))
			case j.node.Kind == plan.AntiJoin:
				tell(vector.Delete, slices.Clone(other.row))
			default:
				if turns && !back && j.padded(1-side) {
					tell(vector.Delete, j.pair(1-side, other.row, nil))
				}
				op := told
				if j.padded(side) || !back && j.padded(1-side) {
					op = plain
				}
				tell(op, j.pair(side, row, other.row))
				if turns && back && j.padded(1-side) {
					tell(vector.Insert, j.pair(1-side, other.row, nil))
				}
			}
		}
	}
	return out, nil
}

// change puts a row into its side, or takes one away; false if it is not there.
func (j *join) change(side int, e event) bool {
	all := make([]int, len(j.types[side]))
	for i := range all {
		all[i] = i
	}
	at := slices.IndexFunc(j.sides[side], func(s stored) bool { return keyOf(s.row, all, j.types[side]) == keyOf(e.row, all, j.types[side]) })
	switch {
	case !e.takesBack() && at < 0:
		j.sides[side] = append(j.sides[side], stored{e.row, 1})
	case !e.takesBack():
		j.sides[side][at].times++
	case at < 0:
		return false
	case j.sides[side][at].times > 1:
		j.sides[side][at].times--
	default:
		j.sides[side] = slices.Delete(j.sides[side], at, at+1)
	}
	return true
}

// setOperation counts rows on both sides and tells what that changes.
func setOperation(n *plan.SetOperation, inputs []stream) (stream, error) {
	columns := columnTypes(n)
	all := make([]int, len(columns))
	for i := range all {
		all[i] = i
	}
	counts := map[string]*[2]int64{}
	return twoSided(inputs, func(side int, e event) ([]event, error) {
		key := keyOf(e.row, all, columns)
		c := counts[key]
		if c == nil {
			c = &[2]int64{}
			counts[key] = c
		}
		before := n.Op.Times(c[0], c[1])
		if !e.takesBack() {
			c[side]++
		} else if c[side] > 0 {
			c[side]--
		}
		switch after := n.Op.Times(c[0], c[1]); {
		case after > before:
			e.op = vector.Insert
		case after < before:
			e.op = vector.Delete
		default:
			return nil, nil
		}
		return []event{e}, nil
	})
}
