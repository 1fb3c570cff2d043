package oracle

import (
	"fmt"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/plan"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// counts reports whether a row meets the condition of a call.
func counts(a plan.Aggregate, row Row) bool {
	return a.Filter < 0 || !row[a.Filter].Null && row[a.Filter].Int != 0
}

// aggregate computes a from all rows of a group.
func aggregate(a plan.Aggregate, rows []Row, columns []types.Type) Value {
	rows = slices.DeleteFunc(slices.Clone(rows), func(row Row) bool { return !counts(a, row) })
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
	case "FIRST_VALUE":
		return some[0]
	case "LAST_VALUE":
		return some[len(some)-1]
	case "LISTAGG":
		list := some[0].Text
		for _, v := range some[1:] {
			list += separator(a) + v.Text
		}
		return Value{Text: list}
	case "PERCENTILE":
		return percentile(some, t, ValueAt(a.Constants[0].Value(), 0).Double)
	}
	panic(fmt.Sprintf("tidemark bug: the oracle does not know the aggregate %s", a.Function.Name))
}

func separator(a plan.Aggregate) string {
	if len(a.Constants) == 0 {
		return ","
	}
	return ValueAt(a.Constants[0].Value(), 0).Text
}

// percentile is the value at part p of the sorted values, between the nearest two.
func percentile(values []Value, t types.Type, p float64) Value {
	var numbers []float64
	for _, v := range values {
		if t.IsInteger() {
			v.Double = float64(v.Int)
		}
		numbers = append(numbers, v.Double)
	}
	slices.Sort(numbers)
	at := float64(len(numbers)-1) * p
	low, high := numbers[int(math.Floor(at))], numbers[int(math.Ceil(at))]
	if low == high {
		return Value{Double: low + 0}
	}
	return Value{Double: (math.Ceil(at)-at)*low + (at-math.Floor(at))*high}
}

// total adds up values, and divides by their number for the mean. Flink 2.3: whole numbers wrap, and their mean is cut off towards zero.
func total(values []Value, t types.Type, mean bool) Value {
	var sum Value
	for _, v := range values {
		sum.Int += v.Int
		sum.Double += v.Double
	}
	if t.Kind == types.Int {
		sum.Int = int64(int32(sum.Int))
	}
	if mean {
		sum.Int /= int64(len(values))
		sum.Double /= float64(len(values))
	}
	return sum
}
