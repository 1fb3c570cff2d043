package oracle

import (
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// keyed is the rows of one key of an aggregation without windows.
type keyed struct {
	rows int
	// fed are the rows that each aggregate sees.
	fed [][]Row
}

// groupAggregate tells after every row how the result of its key has changed, by computing it anew from all rows.
func groupAggregate(n *plan.GroupAggregate, in stream) stream {
	columns := columnTypes(n.Input)
	keys := map[string]*keyed{}
	var out stream
	for _, e := range in {
		if e.row == nil {
			out = append(out, e)
			continue
		}
		name := keyOf(e.row, n.Keys, columns)
		k := keys[name]
		if k == nil {
			k = &keyed{fed: make([][]Row, len(n.Aggregates))}
			keys[name] = k
		}
		before, was := k.results(n, columns), k.rows
		if !k.change(n, e, columns) {
			continue
		}
		after := k.results(n, columns)
		tell := func(op vector.Op, values []Value) {
			e.row, e.op = append(pick(e.row, n.Keys), values...), op
			out = append(out, e)
		}
		row := e.row
		switch {
		case was == 0:
			tell(vector.Insert, after)
		case k.rows == 0:
			tell(vector.Delete, before)
		case !slices.EqualFunc(before, after, sameValue):
			tell(vector.UpdateBefore, before)
			e.row = row
			tell(vector.UpdateAfter, after)
		}
	}
	return out
}

// change adds a row, or takes back the oldest that is equal to it; false if there is nothing to take back.
func (k *keyed) change(n *plan.GroupAggregate, e event, columns []types.Type) bool {
	if !e.takesBack() {
		k.rows++
	} else if k.rows > 0 {
		k.rows--
	} else {
		return false
	}
	for i, a := range n.Aggregates {
		if !counts(a, e.row) {
			continue
		}
		if !e.takesBack() {
			k.fed[i] = append(k.fed[i], e.row)
			continue
		}
		at := slices.IndexFunc(k.fed[i], func(row Row) bool { return keyOf(row, a.Args, columns) == keyOf(e.row, a.Args, columns) })
		if at >= 0 {
			k.fed[i] = slices.Delete(slices.Clone(k.fed[i]), at, at+1)
		}
	}
	if k.rows == 0 {
		k.fed = make([][]Row, len(n.Aggregates))
	}
	return true
}

func (k *keyed) results(n *plan.GroupAggregate, columns []types.Type) []Value {
	values := make([]Value, len(n.Aggregates))
	for i, a := range n.Aggregates {
		values[i] = aggregate(a, k.fed[i], columns)
	}
	return values
}

// sameValue tells 0.0 from -0.0, but not one NaN from another.
func sameValue(v, w Value) bool {
	same := math.Float64bits(v.Double) == math.Float64bits(w.Double) || v.Double != v.Double && w.Double != w.Double
	v.Double, w.Double = 0, 0
	return same && v == w
}
