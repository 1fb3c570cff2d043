package plan

import (
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
)

// Interval says how far the times of two rows that a Join matches may be apart: Low <= time of the left row - time of the right row <= High, microseconds.
// If Low is more than High no two rows match.
type Interval struct {
	// LeftTime and RightTime are the time attributes of the sides.
	LeftTime, RightTime int
	Low, High           int64
}

// Empty reports whether no two rows match.
func (v *Interval) Empty() bool { return v.Low > v.High }

// Hold is how far behind the watermark a row that leaves may be, microseconds. Flink 2.3 holds its watermark back as far: by the larger of the bounds.
func (v *Interval) Hold() int64 {
	if v.Empty() {
		return 0
	}
	return max(-v.Low, v.High)
}

// describe is what the interval demands, with the names of its columns among those of the sides.
func (v *Interval) describe(left, right []Column) string {
	l, r := left[v.LeftTime].Name, right[v.RightTime].Name
	shifted := func(by int64) string {
		switch {
		case by < 0:
			return r + " - " + timefmt.Length(-by)
		case by > 0:
			return r + " + " + timefmt.Length(by)
		}
		return r
	}
	if v.Low == v.High {
		return l + " = " + shifted(v.Low)
	}
	return l + " from " + shifted(v.Low) + " to " + shifted(v.High)
}

// intervalOf finds among conditions over the columns of both sides those that bound the time attributes of the sides against each other. If they do so both ways, it returns the interval
// and the other conditions; of several bounds the narrowest counts. Flink 2.3 sees an interval in two bounds alone, and makes an ordinary join of three. It takes months for as long as those from January 1970 on;
// here they are as long as any can be, and the condition is tested beside.
func intervalOf(left, right Node, conditions []expr.Expr) (*Interval, []expr.Expr) {
	if Updates(left) || Updates(right) {
		return nil, conditions
	}
	var found *Interval
	var rest []expr.Expr
	for _, c := range conditions {
		v, exact := boundOf(left.Columns(), right.Columns(), c)
		switch {
		case v == nil || !left.Columns()[v.LeftTime].Rowtime || !right.Columns()[v.RightTime].Rowtime || found != nil && (v.LeftTime != found.LeftTime || v.RightTime != found.RightTime):
			rest = append(rest, c)
			continue
		case found == nil:
			found = v
		default:
			found.Low, found.High = max(found.Low, v.Low), min(found.High, v.High)
		}
		if v.Low == v.High || !exact {
			rest = append(rest, c) // a key too, or it says more
		}
	}
	if found == nil || found.Low == math.MinInt64 || found.High == math.MaxInt64 {
		return nil, conditions
	}
	return found, rest
}

// boundOf is what a comparison says of two timestamps, one of either side; nil if it is about something else. Where it sets no bound that is the least or the greatest of all numbers.
// It is exact if the comparison says no more.
func boundOf(left, right []Column, e expr.Expr) (v *Interval, exact bool) {
	call, ok := e.(*expr.Call)
	if !ok || !slices.Contains([]string{"=", "<", "<=", ">", ">="}, call.Function.Name) {
		return nil, false
	}
	a, shiftA, okA := shiftedColumn(call.Children()[0])
	b, shiftB, okB := shiftedColumn(call.Children()[1])
	if !okA || !okB {
		return nil, false
	}
	op := call.Function.Name
	if a >= len(left) {
		a, shiftA, b, shiftB = b, shiftB, a, shiftA
		op = map[string]string{"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
	}
	b -= len(left)
	if a >= len(left) || b < 0 || !left[a].Type.IsTime() || !right[b].Type.IsTime() {
		return nil, false
	}
	v = &Interval{LeftTime: a, RightTime: b, Low: math.MinInt64, High: math.MaxInt64}
	tick := min(left[a].Type.Tick(), right[b].Type.Tick())
	apart := shiftB.less(shiftA) // left - right is compared with it
	exact = apart.least == apart.most
	if op == "=" || op == ">=" || op == ">" {
		v.Low = -timefmt.Floor(-apart.least, tick)
		if op == ">" && exact && v.Low == apart.least {
			v.Low += tick
		}
	}
	if op == "=" || op == "<=" || op == "<" {
		v.High = timefmt.Floor(apart.most, tick)
		if op == "<" && exact && v.High == apart.most {
			v.High -= tick
		}
	}
	return v, exact
}
