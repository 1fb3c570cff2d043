package function

import (
	"fmt"

	"github.com/tidemark-sql/tidemark/internal/fault"
	"github.com/tidemark-sql/tidemark/internal/types"
)

// ResolveCast makes the conversion of CAST(… AS to), or of TRY_CAST if try: what cannot be converted is an error of its row, or NULL. The error is the
// user's: there is no such conversion.
func ResolveCast(from, to types.Type, try bool) (Overload, error) {
	o := Overload{Name: "CAST", Params: []types.Type{from.Nullable()}, Result: to}
	o.Result.NotNull = from.NotNull
	switch {
	case from.Kind == types.Null:
		// There is no value to convert.
		o.Kernel = func(*Call) error { return nil }
	case to.IsText():
		castToText(&o, from, to)
	case to.IsBytes():
		castToBytes(&o, from, to)
	case to.IsNested():
		castNested(&o, from, to, try)
	case from.IsText():
		castFromText(&o, to, try)
	case to.Kind == types.Decimal && (from.IsNumeric() || from.Kind == types.Boolean):
		castToDecimal(&o, from, to, try)
	case from.Kind == types.Decimal && (to.IsNumeric() || to.Kind == types.Boolean):
		castFromDecimal(&o, from, to)
	case from.IsNumeric() && to.IsNumeric():
		o.Kernel, o.Nulls = numberCast(from, to), StrictTotal
	case from.Kind == types.Boolean && to.IsNumeric():
		o.Kernel, o.Nulls = booleanToNumber, StrictTotal
	case from.IsNumeric() && to.Kind == types.Boolean:
		o.Kernel, o.Nulls = numberToBoolean, StrictTotal
	case to.IsTime() || to.Kind == types.Date || to.Kind == types.Time:
		castTime(&o, from, to)
	case types.Same(from, to):
		o.Kernel = keep
	}
	if o.Kernel == nil {
		return Overload{}, newCastError(from, to)
	}
	if try || o.MayBeNull {
		o.Result.NotNull = false
	}
	return o, nil
}

// CastError says that there is no conversion between two types. It is the user's error and gets its place in the text from the caller.
type CastError struct {
	From, To types.Type
	// Hint says what to do; it may be empty.
	Hint string
}

func newCastError(from, to types.Type) error {
	e := &CastError{From: from, To: to}
	switch {
	case from.IsNumeric() && to.IsTime():
		e.Hint = "use TO_TIMESTAMP_LTZ(number, 3)"
	case from.IsTime() && to.IsNumeric():
		e.Hint = "use EXTRACT(EPOCH FROM timestamp)"
	}
	return e
}

// Error says what does not convert, and what to do.
func (e *CastError) Error() string {
	if e.Hint == "" {
		return e.Refusal()
	}
	return e.Refusal() + "; " + e.Hint
}

// Refusal says what does not convert.
func (e *CastError) Refusal() string {
	return "cannot cast " + e.From.Nullable().String() + " to " + e.To.Nullable().String()
}

// Fault is fault.User.
func (e *CastError) Fault() fault.Class { return fault.User }

// castFailed is the error of a row whose value has no counterpart.
func castFailed(row int, value []byte, to types.Type) error {
	return &RowError{Row: row, Err: fmt.Errorf("cannot cast %s to %s", value, to.Nullable()), Hint: "TRY_CAST gives NULL instead"}
}

// keep serves types of one layout.
func keep(c *Call) error {
	v := c.Args[0]
	valid := c.Out.Valid
	*c.Out = *v
	c.Out.Valid = valid
	return nil
}
