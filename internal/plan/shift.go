package plan

import (
	"slices"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// shift is how far a time is moved, microseconds: by least, most or something in between, for months differ.
type shift struct{ least, most int64 }

// longestShift bounds how far a time is moved, so that sums of a few do not overflow: more than any INTERVAL that anybody writes.
const longestShift = 1 << 60

// shiftBy is n steps; ok is false if that is too far.
func shiftBy(n, micros, months int64) (s shift, ok bool) {
	shortest, longest := micros, micros
	if months != 0 {
		shortest, longest = 28*timefmt.Day*months, 31*timefmt.Day*months
	}
	if n < -longestShift/max(longest, 1) || n > longestShift/max(longest, 1) {
		return shift{}, false
	}
	s = shift{n * shortest, n * longest}
	if n < 0 {
		s.least, s.most = s.most, s.least
	}
	return s, true
}

func (s shift) plus(t shift) shift { return shift{s.least + t.least, s.most + t.most} }

func (s shift) less(t shift) shift { return shift{s.least - t.most, s.most - t.least} }

// shiftedColumn takes apart a column that is moved by constant intervals, or by TIMESTAMPADD with a constant. Flink 2.3 makes the one of the other.
func shiftedColumn(e expr.Expr) (column int, moved shift, ok bool) {
	if c, ok := e.(*expr.Column); ok {
		return c.Index, shift{}, true
	}
	call, ok := e.(*expr.Call)
	if !ok {
		return 0, shift{}, false
	}
	args := call.Children()
	var by shift
	back := false
	switch name := call.Function.Name; {
	case name == "TIMESTAMPADD" && len(args) == 3:
		by, ok = stepsOf(args[0], args[1])
		args = args[2:]
	case (name == "+" || name == "-") && len(args) == 2:
		if _, constant := args[1].(*expr.Literal); !constant && name == "+" {
			args = []expr.Expr{args[1], args[0]}
		}
		by, ok = lengthOf(args[1])
		back = name == "-"
	default:
		return 0, shift{}, false
	}
	if !ok {
		return 0, shift{}, false
	}
	if column, moved, ok = shiftedColumn(args[0]); back {
		moved = moved.less(by)
	} else {
		moved = moved.plus(by)
	}
	return column, moved, ok && -longestShift < moved.least && moved.most < longestShift
}

// lengthOf is a constant interval.
func lengthOf(e expr.Expr) (shift, bool) {
	by, constant := e.(*expr.Literal)
	switch {
	case !constant || by.IsNull():
		return shift{}, false
	case by.Type().Kind == types.IntervalDay:
		return shiftBy(by.Int(), 1, 0)
	case by.Type().Kind == types.IntervalMonth:
		return shiftBy(by.Int(), 0, 1)
	}
	return shift{}, false
}

// stepsOf is a constant number of a unit of TIMESTAMPADD.
func stepsOf(unit, count expr.Expr) (shift, bool) {
	u, known := unit.(*expr.Literal)
	n, constant := count.(*expr.Literal)
	if !known || !constant || u.IsNull() || n.IsNull() || !slices.Contains([]types.Kind{types.TinyInt, types.SmallInt, types.Int, types.BigInt}, n.Type().Kind) {
		return shift{}, false
	}
	micros, months, ok := function.Step(string(u.Value().Bytes(0)))
	if !ok {
		return shift{}, false
	}
	return shiftBy(n.Int(), micros, months)
}
