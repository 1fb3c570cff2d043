package function

import (
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

var addingUnits = append(append([]unit{microsecond}, clockUnits...), calendarUnits...)

// resolveShift moves a DATE or TIME by an interval, forward for sign 1 and back for -1. Flink 2.3: a DATE takes the whole days of an interval, a TIME goes
// round the clock and months do not move it.
func resolveShift(args []types.Type, sign int64) (Overload, bool) {
	t, interval, at, by := args[0].Nullable(), args[1].Nullable(), 0, 1
	if t.IsInterval() && sign > 0 {
		t, interval, at, by = interval, t, 1, 0
	}
	if t.Kind != types.Date && t.Kind != types.Time || !interval.IsInterval() {
		return Overload{}, false
	}
	move := shiftOf(t, interval.Kind == types.IntervalMonth)
	return Overload{Params: []types.Type{args[0].Nullable(), args[1].Nullable()}, Result: t, Nulls: StrictTotal, Kernel: func(c *Call) error {
		x, y := c.Args[at], c.Args[by]
		for i := range c.Out.Ints {
			c.Out.Ints[i] = move(x.Int(i), sign*y.Int(i))
		}
		return nil
	}}, true
}

// shiftOf is how a value of type t, a DATE or TIME, is moved by months, or else by microseconds.
func shiftOf(t types.Type, months bool) func(v, n int64) int64 {
	switch {
	case t.Kind == types.Date && months:
		return func(days, n int64) int64 { return timefmt.FloorDiv(addMonths(days*timefmt.Day, n), timefmt.Day) }
	case t.Kind == types.Date:
		return func(days, n int64) int64 { return days + n/timefmt.Day }
	case months:
		return func(clock, _ int64) int64 { return clock }
	}
	step := timefmt.Step(t.Precision)
	return func(clock, n int64) int64 {
		moved := clock + n%timefmt.Day
		return timefmt.Floor(moved-timefmt.Floor(moved, timefmt.Day), step)
	}
}

// resolveTimestampAdd keeps the type of the datetime, as far as it can show the unit. Flink 2.3: the calendar is that of UTC for TIMESTAMP_LTZ too.
func resolveTimestampAdd(args []types.Type, constants []*vector.Vector) (Overload, bool) {
	if len(args) != 3 || !args[2].IsTime() && args[2].Kind != types.Date && args[2].Kind != types.Time {
		return Overload{}, false
	}
	t := args[2].Nullable()
	o, ok := choose([]Overload{{Params: []types.Type{types.StringType, types.BigIntType, t}, Bind: bindTimestampAdd(t)}}, args)
	if ok {
		o.Result = shifted(t, constants[0])
	}
	return o, ok
}

// shifted is the type of a datetime of type t moved by a constant unit: a timestamp if it is a DATE moved by less than days, with the digits that the unit
// needs.
func shifted(t types.Type, name *vector.Vector) types.Type {
	u, err := constantUnit(name, "TIMESTAMPADD", addingUnits)
	switch {
	case err != nil: // which binding the call tells
	case t.Kind == types.Date && u.length() > 0 && u.length() < timefmt.Day:
		return types.Type{Kind: types.Timestamp, Precision: 6}
	case t.IsTime() && u == millisecond:
		t.Precision = max(t.Precision, 3)
	case t.IsTime() && u == microsecond:
		t.Precision = 6
	}
	return t
}

func bindTimestampAdd(t types.Type) func([]*vector.Vector) (Kernel, error) {
	return func(constants []*vector.Vector) (Kernel, error) {
		u, err := constantUnit(constants[0], "TIMESTAMPADD", addingUnits)
		if err != nil {
			return nil, err
		}
		unit, months := u.length(), u.months() > 0
		if months {
			unit = u.months()
		}
		move := addSaturating
		switch {
		case t.IsTime() && months:
			move = addMonths
		case t.Kind == types.Date && !months && unit < timefmt.Day:
			move = func(days, n int64) int64 { return addSaturating(days*timefmt.Day, n) }
		case !t.IsTime():
			move = shiftOf(t, months)
		}
		return func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				c.Out.Ints[i] = move(c.Args[2].Int(i), multiplySaturating(c.Args[1].Int(i), unit))
			}
			return nil
		}, nil
	}
}

// between takes two datetimes that have a clock in common: TIMESTAMP and DATE, or two of one kind. micros makes microseconds of a value of each.
func between(a, b types.Type) (micros [2]int64, ok bool) {
	for i, t := range []types.Type{a, b} {
		micros[i] = 1
		switch t.Kind {
		case types.Date:
			micros[i] = timefmt.Day
		case types.Time, types.Timestamp, types.TimestampLTZ:
		default:
			return micros, false
		}
	}
	calendar := func(t types.Type) bool { return t.Kind == types.Date || t.Kind == types.Timestamp }
	return micros, a.Kind == b.Kind || calendar(a) && calendar(b)
}

func resolveTimestampDiff(args []types.Type) (Overload, bool) {
	if len(args) != 3 || !args[0].IsText() {
		return Overload{}, false
	}
	for i := 1; i < 3; i++ {
		if args[i].Kind == types.Null {
			args[i] = args[3-i].Nullable()
		}
	}
	micros, ok := between(args[1], args[2])
	units := addingUnits
	if args[1].Kind == types.Time {
		units = append([]unit{microsecond, day, week}, clockUnits...)
	}
	return Overload{Params: []types.Type{types.StringType, args[1].Nullable(), args[2].Nullable()}, Result: types.IntType, Bind: func(constants []*vector.Vector) (Kernel, error) {
		u, err := constantUnit(constants[0], "TIMESTAMPDIFF", units)
		if err != nil {
			return nil, err
		}
		return func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				from, to := c.Args[1].Int(i)*micros[0], c.Args[2].Int(i)*micros[1]
				n := int64(0)
				if u.months() > 0 {
					n = monthsBetween(from, to) / u.months()
				} else {
					n = (to - from) / u.length()
				}
				c.Out.Ints[i] = int64(int32(n))
			}
			return nil
		}, nil
	}}, ok
}

// resolveDifference is (a - b) DAY TO SECOND or YEAR TO MONTH.
func resolveDifference(interval types.Type) func([]types.Type) (Overload, bool) {
	return func(args []types.Type) (Overload, bool) {
		if len(args) != 2 {
			return Overload{}, false
		}
		micros, ok := between(args[0], args[1])
		months := interval.Kind == types.IntervalMonth
		return Overload{Params: []types.Type{args[0].Nullable(), args[1].Nullable()}, Result: interval, Kernel: func(c *Call) error {
			for k := range c.Rows.Count() {
				i := c.Rows.At(k)
				to, from := c.Args[0].Int(i)*micros[0], c.Args[1].Int(i)*micros[1]
				if months {
					c.Out.Ints[i] = monthsBetween(from, to)
				} else {
					c.Out.Ints[i] = to - from
				}
			}
			return nil
		}}, ok && !(months && args[0].Kind == types.Time)
	}
}
