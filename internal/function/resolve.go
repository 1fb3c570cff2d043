package function

import (
	"slices"
	"strings"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// SignatureError says that a function does not take the arguments it was given. It is the user's error and gets its place in the text from the
// caller.
type SignatureError struct {
	Function string
	Args     []types.Type
	// Signatures are the ways in which the function may be called.
	Signatures []string
	// Hint says what to do; it may be empty.
	Hint string
	// Remedy is the CAST of one argument that would make the call fit, nil if there is no such.
	Remedy *Remedy

	star bool // called as f(*)
}

// Remedy is a CAST of argument number Arg, from 0 on, to the type To.
type Remedy struct {
	Arg int
	To  types.Type
}

// Of writes the advice for an argument that is written in this way.
func (r *Remedy) Of(argument string) string {
	return "write CAST(" + argument + " AS " + r.To.String() + ")"
}

// Error says what does not fit and what would.
func (e *SignatureError) Error() string { return e.Refusal() + "; " + e.Forms() }

// Refusal says what does not fit.
func (e *SignatureError) Refusal() string {
	given := typeList(e.Args)
	if e.star {
		given = "(*)"
	}
	return "cannot apply " + e.Function + " to " + given
}

// Forms says what would fit.
func (e *SignatureError) Forms() string {
	return "it is called as " + strings.Join(e.Signatures, " or ")
}

// Fault is fault.User.
func (e *SignatureError) Fault() fault.Class { return fault.User }

func typeList(args []types.Type) string {
	var b strings.Builder
	b.WriteByte('(')
	for i, t := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.Nullable().String())
	}
	b.WriteByte(')')
	return b.String()
}

// Resolve finds the overload for arguments of these types, with Params as long as args. constants[k] is the value of argument k as a constant vector of its
// type, or nil if it varies; a nil slice says that all do. The error is a *SignatureError.
func (f *Scalar) Resolve(args []types.Type, constants []*vector.Vector) (Overload, error) {
	if constants == nil {
		constants = make([]*vector.Vector, len(args))
	}
	var o Overload
	var ok bool
	if f.Resolver != nil {
		o, ok = f.Resolver(args, constants)
	}
	if !ok {
		o, ok = choose(f.Overloads, args)
	}
	if !ok {
		return Overload{}, f.refuse(args)
	}
	o.Name = f.Name
	given := !o.MayBeNull && allNotNull(args)
	o.Result.NotNull = given || o.Nulls == NullAware && o.Result.NotNull
	return o, nil
}

func allNotNull(args []types.Type) bool {
	for _, t := range args {
		if !t.NotNull {
			return false
		}
	}
	return true
}

// choose takes the overload that needs the least conversion; of equals the first.
func choose(overloads []Overload, args []types.Type) (Overload, bool) {
	best, bestCost := -1, 0
	for i, o := range overloads {
		params, ok := spread(o, len(args))
		if !ok {
			continue
		}
		cost, ok := totalCost(args, params)
		if ok && (best < 0 || cost < bestCost) {
			best, bestCost = i, cost
		}
	}
	if best < 0 {
		return Overload{}, false
	}
	o := overloads[best]
	params, _ := spread(o, len(args))
	o.Params = make([]types.Type, len(args))
	for i, p := range params {
		o.Params[i] = keepPrecision(args[i], p)
	}
	return o, true
}

// spread repeats the last parameter of a variadic overload up to n parameters.
func spread(o Overload, n int) ([]types.Type, bool) {
	if !o.Variadic {
		return o.Params, n == len(o.Params)
	}
	if n < len(o.Params) {
		return nil, false
	}
	params := make([]types.Type, n)
	last := copy(params, o.Params) - 1
	for i := last + 1; i < n; i++ {
		params[i] = o.Params[last]
	}
	return params, true
}

func totalCost(args, params []types.Type) (int, bool) {
	total := 0
	for i, a := range args {
		cost, ok := conversionCost(a.Kind, params[i].Kind)
		if !ok {
			return 0, false
		}
		total += cost
	}
	return total, true
}

// conversionCost ranks the conversions that need no CAST: none, then NULL, other lengths of text and wider whole numbers, then FLOAT and DOUBLE.
func conversionCost(from, to types.Kind) (int, bool) {
	switch {
	case from == to:
		return 0, true
	case from == types.Null:
		return 1, true
	case from == types.Char && to == types.String, from == types.Binary && to == types.VarBinary:
		return 1, true
	case from == types.Date && to == types.Timestamp:
		return 1, true
	case from >= types.TinyInt && from < to && to <= types.Double:
		return int(to - from), true
	}
	return 0, false
}

// keepPrecision makes an instant that is passed as it is keep its fractional digits.
func keepPrecision(arg, param types.Type) types.Type {
	if arg.Kind == param.Kind {
		return arg.Nullable()
	}
	return param
}

// refuse explains why no overload takes the arguments, and advises about the mixtures that people try most.
func (f *Scalar) refuse(args []types.Type) error {
	e := &SignatureError{Function: f.Name, Args: args, Signatures: f.Signatures}
	if f.ofText() {
		if e.Remedy = f.toString(args); e.Remedy != nil {
			e.Hint = e.Remedy.Of("…")
		}
		return e
	}
	if f.Family == FamilyCollection {
		e.Hint = collectionHint(args)
		return e
	}
	if f.Family == FamilyTime && (f.afterUnit() || strings.Contains(f.Signatures[0], "datetime")) {
		e.Args, e.Hint = f.times(args)
		return e
	}
	var seen [types.Kinds]bool
	for _, t := range args {
		seen[t.Kind] = true
	}
	number := slices.ContainsFunc(args, types.Type.IsNumeric)
	instant := seen[types.Timestamp] || seen[types.TimestampLTZ]
	operator := f.Notation == Infix
	switch {
	case operator && seen[types.String] && instant:
		e.Hint = "CAST the string to a timestamp, or write TIMESTAMP '2026-01-01 00:00:00'"
	case operator && number && instant:
		e.Hint = "write a length of time as INTERVAL '5' SECOND, and make an instant of a number with TO_TIMESTAMP_LTZ(number, 3)"
	case f.Family == FamilyArithmetic && operator && seen[types.String]:
		e.Hint = "CAST the string to a number"
		if f.Name == "+" {
			e.Hint += "; strings are put together with ||"
		}
	case operator && seen[types.String] && number:
		e.Hint = "CAST the string to a number, or the number to STRING"
	case f.Name == "-" && (instant || seen[types.Date]):
		e.Hint = "the time between two times is TIMESTAMPDIFF(SECOND, from, to), or DAY or another unit for SECOND"
	}
	return e
}

// afterUnit reports whether a unit of time stands in front of the arguments.
func (f *Scalar) afterUnit() bool { return strings.HasPrefix(f.Signatures[0], f.Name+"(unit") }

// times are the arguments without a unit before them, and advice.
func (f *Scalar) times(args []types.Type) (times []types.Type, hint string) {
	if f.afterUnit() && len(args) > 0 {
		args = args[1:]
	}
	kind := func(kinds ...types.Kind) bool {
		return slices.ContainsFunc(args, func(t types.Type) bool { return slices.Contains(kinds, t.Kind) })
	}
	switch n := len(args); {
	case n > 0 && args[n-1].IsText(), n > 0 && args[0].IsText() && f.Name != "TIMESTAMPADD":
		hint = "CAST the string to a timestamp, or write TIMESTAMP '2026-01-01 00:00:00'"
	case kind(types.TimestampLTZ) && kind(types.Timestamp, types.Date):
		hint = "CAST one to the type of the other: a TIMESTAMP_LTZ is an instant, and the others are what a clock shows"
	}
	return args, hint
}

// ofText reports whether the function is about strings, so that others are best cast to STRING.
func (f *Scalar) ofText() bool {
	return f.Family == FamilyString || f.Family == FamilyPattern || f.Family == FamilyEncoding || f.Family == FamilyJSON
}

// toString finds the one argument that is not a STRING and should be.
func (f *Scalar) toString(args []types.Type) *Remedy {
	for _, o := range f.Overloads {
		params, ok := spread(o, len(args))
		if !ok {
			continue
		}
		for i, a := range args {
			if _, fits := conversionCost(a.Kind, params[i].Kind); !fits && params[i].Kind == types.String {
				return &Remedy{i, types.StringType}
			}
		}
	}
	return nil
}

// refuse explains why an aggregate does not take its arguments.
func (f *Aggregate) refuse(c AggregateCall) error {
	e := &SignatureError{Function: f.Name, Args: c.Args, Signatures: f.Signatures}
	switch {
	case len(c.Args) == 0:
		e.star = true
		e.Hint = "only COUNT takes *"
		if c.Distinct {
			e.Function += "(DISTINCT)"
			e.Hint = "name the value: COUNT(DISTINCT value)"
		}
	case c.Args[0].IsText() && f.Name != "LISTAGG":
		e.Hint = "CAST the string to a number"
	}
	return e
}

// refuseDistinct explains why an aggregate does not take DISTINCT.
func (f *Aggregate) refuseDistinct(c AggregateCall) error {
	return &SignatureError{Function: f.Name + "(DISTINCT)", Args: c.Args, Signatures: f.Signatures,
		Hint: "DISTINCT is not for bytes, maps, multisets and rows; CAST the value to STRING"}
}
