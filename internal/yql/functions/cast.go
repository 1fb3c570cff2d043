package functions

import (
	"math"

	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/timefmt"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Cast is CAST(v AS t): Optional if v is, or if not every value has a counterpart; those that have none become NULL. Whether t is Optional does not matter. The error is
// the user's: there is no such conversion.
func Cast(v Value, t yqltype.Type) (Value, error) {
	if v.Static != nil {
		return Value{}, errorf(CodeType, "%s is no value that CAST converts", v.describe())
	}
	t = t.Required()
	conversion := yqltype.Cast(v.Type, t)
	if conversion == yqltype.NoCast {
		return Value{}, hintf(CodeType, castHint(v.Type, t), "%s cannot be cast to %s", v.Type, t)
	}
	if v.Type.Kind == yqltype.Null {
		return Null(t), nil
	}
	t.Optional = v.Type.Optional
	if yqltype.Equal(v.Type, t) {
		return v, nil
	}
	return castOne(v, t, conversion)
}

// castTo spells a CAST.
func castTo(t yqltype.Type) func(args []string, _ []types.Type) string {
	return func(args []string, _ []types.Type) string {
		return "CAST(" + args[0] + " AS " + t.Required().String() + ")"
	}
}

func castHint(from, to yqltype.Type) string {
	switch {
	case from.Kind == yqltype.Node:
		return "write Yson::ConvertTo(…, " + to.String() + ")"
	case from.Kind == yqltype.Moment:
		return "write DateTime::MakeTimestamp(…)"
	case from.IsContainer() && to.IsText():
		return "write Yson::SerializeText(Yson::From(…)), or String::JoinFromList for a List of strings"
	case from.IsApproximate() && to.IsInstant():
		return "CAST it to a whole number first"
	}
	return ""
}

// castOne converts between types that differ by more than being Optional.
func castOne(v Value, t yqltype.Type, conversion yqltype.Conversion) (Value, error) {
	from := v.Type
	s := spec{mayBeNull: conversion == yqltype.MayFail, spell: castTo(t)}
	switch {
	case from.IsContainer():
		return castContainer(v, t)
	case t.IsText():
		s.kernel = textOf(from, t)
	case from.IsText():
		return parsed(v, t)
	case from.IsInteger() && t.IsInteger():
		if conversion == yqltype.Sure {
			return engineCast(v, t)
		}
		least, greatest := t.Range()
		s.kernel = ints(func(c *function.Call, i int) (int64, error) {
			n := c.Args[0].Int(i)
			if n < least || n > greatest {
				return 0, errNull
			}
			return n, nil
		})
	case from.IsApproximate() && t.IsInteger():
		s.kernel = ints(floatToInt(t))
	case from.IsInstant() || from.Kind == yqltype.Interval || t.IsInstant() || t.Kind == yqltype.Interval:
		s.kernel = ints(scaled(from, t))
	default:
		return engineCast(v, t)
	}
	return call("CAST", s, t, v)
}

// engineCast leaves a conversion to the engine; what has no counterpart is NULL.
func engineCast(v Value, t yqltype.Type) (Value, error) {
	try := yqltype.Cast(v.Type, t) == yqltype.MayFail
	e, err := expr.NewCast(v.Expr, t.Physical(), try)
	if err != nil {
		return Value{}, errorf(CodeType, "%s cannot be cast to %s", v.Type, t)
	}
	t.Optional = t.Optional || try
	return Value{Expr: e, Type: t}, nil
}

// floatToInt cuts off towards zero; what is out of range is NULL.
func floatToInt(t yqltype.Type) func(c *function.Call, i int) (int64, error) {
	least, greatest := t.Range()
	return func(c *function.Call, i int) (int64, error) {
		f := math.Trunc(c.Args[0].Float(i))
		if !(f >= float64(least) && f <= float64(greatest)) || f >= math.MaxInt64 {
			return 0, errNull
		}
		return int64(f), nil
	}
}

// unit is how many microseconds a count of a type is as a number: a Date counts days, a Datetime seconds. The engine holds a Date as days, all others as microseconds.
func unit(t yqltype.Type) int64 {
	switch t.Kind {
	case yqltype.Date:
		return timefmt.Day
	case yqltype.Datetime:
		return timefmt.Second
	}
	return 1
}

// scaled converts between instants, intervals and numbers. Out of the calendar, or of the range of a number, is NULL.
func scaled(from, to yqltype.Type) func(c *function.Call, i int) (int64, error) {
	least, greatest := int64(math.MinInt64), int64(math.MaxInt64)
	switch {
	case to.IsInteger():
		least, greatest = to.Range()
	case to.IsInstant():
		least, greatest = timefmt.MinMicros, timefmt.MaxMicros
	}
	return func(c *function.Call, i int) (int64, error) {
		n := c.Args[0].Int(i)
		switch {
		case from.IsInteger() && (n > math.MaxInt64/unit(to) || n < math.MinInt64/unit(to)):
			return 0, errNull
		case from.IsInteger():
			n *= unit(to)
		case from.Kind == yqltype.Date:
			n *= timefmt.Day
		}
		if to.IsInteger() {
			n = timefmt.FloorDiv(n, unit(from))
		}
		if n < least || n > greatest {
			return 0, errNull
		}
		switch to.Kind {
		case yqltype.Date:
			return timefmt.FloorDiv(n, timefmt.Day), nil
		case yqltype.Datetime:
			return timefmt.Floor(n, timefmt.Second), nil
		}
		return n, nil
	}
}

// castContainer converts what lies inside. A part that has no counterpart is NULL there, or if there is no room for it the whole is.
func castContainer(v Value, t yqltype.Type) (Value, error) {
	from := v.Type.Required()
	switch from.Kind {
	case yqltype.EmptyList, yqltype.EmptyDict:
		return relabel(v, t)
	case yqltype.List:
		mapped, err := mapList(v, func(elem Value) (Value, error) { return castPart(elem, t.Elem()) })
		if err != nil || mapped.Type.Elem().Optional == t.Elem().Optional {
			return mapped, err
		}
		return call("SETTLED", spec{mayBeNull: true, kernel: settled(t)}, t, mapped)
	case yqltype.Struct:
		return nullWith(v, func(v Value) (Value, error) {
			members := make([]Named, 0, len(t.Members()))
			for _, m := range t.Members() {
				part := Null(m.Type)
				if i := from.Member(m.Name); i >= 0 {
					part = partOf(v, i)
				}
				part, err := castPart(part, m.Type)
				if err != nil {
					return Value{}, err
				}
				members = append(members, Named{m.Name, part})
			}
			return nullIfMissing(members, t, func(members []Named) (Value, error) { return Struct(members) })
		})
	case yqltype.Tuple:
		return nullWith(v, func(v Value) (Value, error) {
			parts := make([]Named, len(t.Elems()))
			for i, elem := range t.Elems() {
				part, err := castPart(partOf(v, i), elem)
				if err != nil {
					return Value{}, err
				}
				parts[i].Value = part
			}
			return nullIfMissing(parts, t, func(parts []Named) (Value, error) { return Tuple(valuesOf(parts)) })
		})
	}
	return engineCast(v, t)
}

// castPart converts a part of a container to t, or to t made Optional if that can fail.
func castPart(v Value, t yqltype.Type) (Value, error) {
	w, err := Cast(v, t)
	if err == nil && t.Optional {
		w.Type = t
	}
	return w, err
}

// nullIfMissing makes a container of type t of parts; it is NULL if a part is NULL for which there is no room.
func nullIfMissing(parts []Named, t yqltype.Type, make func([]Named) (Value, error)) (Value, error) {
	var missing Value
	for i, p := range parts {
		room := t.Elems()[i].Optional
		if room || !p.Value.Type.Optional {
			continue
		}
		null, err := IsNull(p.Value, false)
		if err != nil {
			return Value{}, err
		}
		if missing.Expr != nil {
			if null, err = Binary("OR", missing, null); err != nil {
				return Value{}, err
			}
		}
		missing = null
		parts[i].Value.Type.Optional = false
	}
	whole, err := make(parts)
	if err != nil || missing.Expr == nil {
		return whole, err
	}
	return If(missing, Null(whole.Type), whole)
}

// settled is a List without NULLs, or NULL.
func settled(t yqltype.Type) function.Kernel {
	k := vector.KindOf(t.Elem().Physical())
	return texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		list := c.Args[0].Bytes(i)
		a := nested.ReadArray(list, k)
		for e := range a.Len() {
			if a.IsNull(e) {
				return nil, errNull
			}
		}
		return append(dst, list...), nil
	})
}
