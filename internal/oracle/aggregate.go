package oracle

import (
	"fmt"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// aggregate computes a from all rows of a group.
func aggregate(a plan.Aggregate, rows []Row, columns []types.Type) Value {
	if a.Filter >= 0 {
		rows = slices.DeleteFunc(slices.Clone(rows), func(row Row) bool { return row[a.Filter].Null || row[a.Filter].Int == 0 })
	}
	if len(a.Args) == 0 {
		return Value{Int: int64(len(rows))}
	}
	arg := a.Args[0]
	t := columns[arg]
	var some []Value
	seen := map[string]bool{}
	for _, row := range rows {
		v := row[arg]
		if v.Null || a.Distinct && seen[v.key(t)] {
			continue
		}
		seen[v.key(t)] = true
		some = append(some, v)
	}
	if a.Function.Name == "COUNT" {
		return Value{Int: int64(len(some))}
	}
	if len(some) == 0 {
		return Value{Null: true}
	}
	switch a.Function.Name {
	case "MIN", "MAX":
		best := some[0]
		for _, v := range some {
			if c := v.compare(best, t); c < 0 && a.Function.Name == "MIN" || c > 0 && a.Function.Name == "MAX" {
				best = v
			}
		}
		return best
	case "SUM", "AVG":
		return total(some, t, a.Function.Name == "AVG")
	}
	panic(fmt.Sprintf("tidemark bug: the oracle does not know the aggregate %s", a.Function.Name))
}

// total adds up values, and divides by their number for the mean. Flink 2.3: whole numbers wrap, and their mean is cut off towards zero.
func total(values []Value, t types.Type, mean bool) Value {
	var sum Value
	for _, v := range values {
		sum.Int += v.Int
		sum.Double += v.Double
	}
	if mean {
		sum.Int /= int64(len(values))
		sum.Double /= float64(len(values))
	}
	if t.Kind == types.Int {
		sum.Int = int64(int32(sum.Int))
	}
	return sum
}
