package plan

import (
	"fmt"
	"math"

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
		switch v := boundOf(left, right, c); {
		case v == nil || found != nil && (v.LeftTime != found.LeftTime || v.RightTime != found.RightTime):
		case found == nil:
			found = v
		default:
			found.Low, found.High = max(found.Low, v.Low), min(found.High, v.High)
		}
	}
	if found == nil || found.Low == math.MinInt64 || found.High == math.MaxInt64 {
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
