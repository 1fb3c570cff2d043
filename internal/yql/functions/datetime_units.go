package functions

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// makes is the row of a function that gives a moment as an instant.
func makes(name string, t yqltype.Type, result string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time)", Doc: "The time as a " + t.String() + ".",
		Example: "DateTime::" + name + "(" + sample + ")", Result: result,
		params: []param{paramTime},
		apply: func(c *invocation) (Value, error) {
			v, err := call("DateTime::MakeTimestamp", spec{kernel: keep}, typeTimestamp, c.args[0])
			if err != nil {
				return v, err
			}
			return Cast(v, t)
		},
	}
}

func fromUnits(name string, unit int64, example, result string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(number)", Doc: "The Timestamp so long behind 1970-01-01T00:00:00Z; NULL beyond the calendar.",
		Example: "DateTime::" + name + "(" + example + ")", Result: result,
		params: []param{{name: "number", accept: acceptWhole}},
		apply: gives(typeTimestamp, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			n := c.Args[0].Int(i)
			if n > greatestMoment/unit || n < leastMoment/unit {
				return 0, errNull
			}
			return n * unit, nil
		})}),
	}
}

// toUnits is the row of a function that measures an instant from 1970 on, or an interval.
func toUnits(name string, unit int64, t yqltype.Type, result string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(time)", Doc: "How long the instant is behind 1970-01-01T00:00:00Z, or the length of an Interval.",
		Example: "DateTime::" + name + `(Timestamp("1970-01-01T00:00:01.5Z"))`, Result: result,
		params: []param{{name: "time", accept: kinds("a Timestamp, Datetime, Date or Interval", yqltype.Timestamp, yqltype.Datetime, yqltype.Date, yqltype.Interval)}},
		apply: func(c *invocation) (Value, error) {
			from, to := c.args[0].Type, t
			if from.Kind == yqltype.Interval {
				to = typeInt64
			}
			return call(c.name, spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
				n := c.Args[0].Int(i)
				if from.Kind == yqltype.Interval {
					return n / unit, nil
				}
				if from.Kind == yqltype.Date {
					n *= timefmt.Day
				}
				return timefmt.FloorDiv(n, unit), nil
			})}, to, c.args[0])
		},
	}
}

func intervalFrom(name string, unit int64, result string) Function {
	return Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(number)", Doc: "An Interval of so many units; NULL if that is too long.",
		Example: "DateTime::" + name + "(3)", Result: result,
		params: []param{{name: "number", accept: acceptWhole}},
		apply: gives(typeInterval, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
			n := c.Args[0].Int(i)
			if n > math.MaxInt64/unit || n < math.MinInt64/unit {
				return 0, errNull
			}
			return n * unit, nil
		})}),
	}
}

func intervalTo(name, alias string, unit int64, result string) Function {
	f := Function{
		Module: "DateTime", Name: name, Signature: "DateTime::" + name + "(interval)", Doc: "How many whole units the Interval has.",
		Example: "DateTime::" + name + `(Interval("P1DT1H1M"))`, Result: result,
		params: []param{paramInterval},
		apply:  gives(typeInt64, spec{kernel: ints(func(c *function.Call, i int) (int64, error) { return c.Args[0].Int(i) / unit, nil })}),
	}
	if alias != "" {
		f.Aliases = []string{alias}
	}
	return f
}
