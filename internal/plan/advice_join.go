package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
)

// untimedJoin finds a join whose condition bounds the times of its sides against each other, and that keeps its rows for ever all the same, because one of the two is no time attribute.
func (a *adviser) untimedJoin(j *Join) {
	if a.replay || j.Timed() || j.Kind.Halves() || j.Condition == nil || Updates(j.Left) || Updates(j.Right) {
		return
	}
	left, right := j.Left.Columns(), j.Right.Columns()
	var found *Interval
	for _, c := range expr.Conjuncts(j.Condition) {
		switch v, _ := boundOf(left, right, c); {
		case v == nil || found != nil && (v.LeftTime != found.LeftTime || v.RightTime != found.RightTime):
		case found == nil:
			found = v
		default:
			found.Low, found.High = max(found.Low, v.Low), min(found.High, v.High)
		}
	}
	if found == nil || found.Low == math.MinInt64 || found.High == math.MaxInt64 {
		a.unboundedJoin(j)
		return
	}
	side, time, other := j.Left, left[found.LeftTime], right[found.RightTime]
	if time.Rowtime {
		side, time, other = j.Right, other, time
	}
	scans := Scans(side)
	if len(scans) == 0 {
		return
	}
	remedy := fmt.Sprintf("declare WATERMARK FOR %s AS %s - INTERVAL '5' SECOND in its table", time.Name, time.Name)
	if w := scans[0].Table.Watermark; w != nil {
		remedy = "compare the column of the watermark, " + w.Text + ", and do so before an ordinary join or an aggregation without windows ends it"
	}
	a.say(AdviceUntimedJoin, scans[0], remedy, "the condition bounds %s and %s of a join against each other, and %s is no time attribute here, so the rows of both sides are kept for ever", time.Name, other.Name, time.Name)
}

// unboundedJoin finds a join that compares the time attributes of its sides, and keeps its rows for ever all the same, because a bound is missing or is no constant.
func (a *adviser) unboundedJoin(j *Join) {
	left, right := j.Left.Columns(), j.Right.Columns()
	scans := Scans(j.Left)
	if len(scans) == 0 {
		return
	}
	var halved, odd expr.Expr
	for _, c := range expr.Conjuncts(j.Condition) {
		call, ok := c.(*expr.Call)
		if !ok || !slices.Contains([]string{"<", "<=", ">", ">="}, call.Function.Name) {
			continue
		}
		var times [2]bool // whether the time attribute of either side is compared
		for _, i := range expr.Columns(c) {
			times[0] = times[0] || i < len(left) && left[i].Rowtime
			times[1] = times[1] || i >= len(left) && right[i-len(left)].Rowtime
		}
		switch v, _ := boundOf(left, right, c); {
		case times != [2]bool{true, true}:
		case v != nil:
			halved = cmp.Or(halved, c)
		default:
			odd = cmp.Or(odd, c)
		}
	}
	const remedy = "add bounds by constant intervals, as wide as need be: a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts + INTERVAL '1' HOUR"
	switch {
	case odd != nil:
		a.say(AdviceUntimedJoin, scans[0], remedy, "a join compares times in %s, which is no bound by a constant interval, so the rows of both sides are kept for ever", odd)
	case halved != nil:
		a.say(AdviceUntimedJoin, scans[0], remedy, "a join bounds times one way only, by %s, so the rows of both sides are kept for ever", halved)
	}
}
