package functions

import (
	"github.com/tidemark-sql/tidemark/internal/expr"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

// Fit makes v a value of type t where that needs no CAST: a value of t, or NULL, for t Optional; a smaller whole number, or a constant that t has room for; a whole number for Float and
// Double; Utf8 for String, and a constant String for Utf8; Date for Datetime and Timestamp; and what lies inside of containers likewise. The error is the user's.
func Fit(v Value, t yqltype.Type) (Value, error) {
	if v.Static != nil {
		return Value{}, errorf(CodeType, "%s is no value, and %s is wanted", v.describe(), t)
	}
	switch {
	case yqltype.Equal(v.Type, t):
		return v, nil
	case v.Type.Kind == yqltype.Null && (t.Optional || t.Kind == yqltype.Null):
		return Null(t), nil
	case v.Type.Kind == yqltype.Null:
		return Value{}, errorf(CodeType, "NULL is no %s, which is not Optional", t)
	case v.Type.Optional && !t.Optional:
		return Value{}, hintf(CodeType, "write Unwrap(…), or Coalesce(…, …) with a value for NULL", "%s may be NULL, and %s is wanted", v.Type, t)
	}
	if l := constant(v); l != nil && !l.IsNull() {
		if fitted, ok := fitConstant(l, v.Type, t); ok {
			return fitted, nil
		}
	}
	if !implicit(v.Type, t) {
		return Value{}, hintf(CodeType, "write CAST(… AS "+t.Required().String()+")", "%s is no %s", v.Type, t)
	}
	return relabel(v, t)
}

// fitConstant takes a constant for a type that does not take all values of its type.
func fitConstant(l *expr.Literal, from, to yqltype.Type) (Value, bool) {
	switch {
	case from.IsInteger() && to.IsInteger():
		least, greatest := to.Range()
		if n := l.Int(); n >= least && n <= greatest {
			return Value{Expr: expr.LiteralInt(to.Physical(), n), Type: to}, true
		}
	case from.Kind == yqltype.String && to.Kind == yqltype.Utf8:
		v, err := Utf8(string(l.Value().Bytes(0)))
		v.Type = to
		return v, err == nil
	}
	return Value{}, false
}

// implicit reports whether every value of from is taken for one of to.
func implicit(from, to yqltype.Type) bool {
	if from.Optional && !to.Optional {
		return false
	}
	from, to = from.Required(), to.Required()
	switch {
	case yqltype.Equal(from, to):
		return true
	case from.Kind == yqltype.Null:
		return true
	case from.Kind == yqltype.EmptyList && to.Kind == yqltype.List, from.Kind == yqltype.EmptyDict && to.Kind == yqltype.Dict:
		return true
	case from.IsInteger() && to.IsInteger():
		return yqltype.Cast(from, to) == yqltype.Sure
	case from.IsInteger() && to.IsApproximate(), from.Kind == yqltype.Float && to.Kind == yqltype.Double:
		return true
	case from.Kind == yqltype.Utf8 && to.Kind == yqltype.String:
		return true
	case from.IsInstant() && to.IsInstant():
		return from.Kind < to.Kind
	case from.Kind == yqltype.Decimal && to.Kind == yqltype.Decimal:
		return from.Scale <= to.Scale && from.Precision-from.Scale <= to.Precision-to.Scale
	case from.Kind != to.Kind || !from.IsContainer() || from.Kind == yqltype.EmptyList || from.Kind == yqltype.EmptyDict:
		return false
	}
	return implicitInside(from, to)
}

func implicitInside(from, to yqltype.Type) bool {
	if len(from.Elems()) != len(to.Elems()) {
		return false
	}
	for i, part := range from.Elems() {
		if !implicit(part, to.Elems()[i]) {
			return false
		}
	}
	if from.Kind == yqltype.Struct {
		for i, m := range from.Members() {
			if to.Members()[i].Name != m.Name {
				return false
			}
		}
	}
	return true
}

// relabel converts v to t, where a conversion cannot fail.
func relabel(v Value, t yqltype.Type) (Value, error) {
	switch {
	case v.Type.Kind == yqltype.Null:
		return Null(t), nil
	case yqltype.Equal(v.Type.Required(), t.Required()):
		return Value{Expr: v.Expr, Type: t}, nil
	case v.Type.Kind == yqltype.EmptyList && t.Kind == yqltype.List, v.Type.Kind == yqltype.EmptyDict && t.Kind == yqltype.Dict:
		return call("EMPTY", spec{kernel: keep}, t, v)
	case v.Type.IsInstant() && t.IsInstant():
		w, err := Cast(v, t)
		w.Type = t
		return w, err
	case sameLayout(v.Expr.Type(), t.Physical()):
		return Value{Expr: v.Expr, Type: t}, nil
	case t.IsContainer():
		return castContainer(v, t)
	}
	e, err := expr.NewCast(v.Expr, t.Physical(), false)
	return Value{Expr: e, Type: t}, err
}

// sameLayout reports whether two types are equal but for NOT NULL and the names of fields.
func sameLayout(a, b types.Type) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case types.Array:
		return sameLayout(a.Elem(), b.Elem())
	case types.Map:
		return sameLayout(a.Key(), b.Key()) && sameLayout(a.Elem(), b.Elem())
	case types.Row:
		if len(a.Fields()) != len(b.Fields()) {
			return false
		}
		for i, f := range a.Fields() {
			if !sameLayout(f.Type, b.Fields()[i].Type) {
				return false
			}
		}
		return true
	case types.Multiset:
		return false
	}
	return a.Precision == b.Precision && a.Scale == b.Scale
}

// Unify brings values to their common type, as IF, CASE, IN, AsList and UNION ALL do. A whole number that is constant takes the type of the others if it fits. ok is false
// if there is no common type.
func Unify(list []Value) (unified []Value, t yqltype.Type, ok bool) {
	var firm []yqltype.Type
	var free []Value
	for _, v := range list {
		switch {
		case v.Static != nil:
			return nil, t, false
		case flexible(v):
			free = append(free, v)
		default:
			firm = append(firm, v.Type)
		}
	}
	if t, ok = commonOf(firm); !ok {
		return nil, t, false
	}
	if t.Kind == yqltype.Null {
		t = widest(free)
		if len(free) > 0 {
			firm = append(firm, t)
		}
	}
	for _, v := range free {
		if !adapts(v, t) {
			firm = append(firm, v.Type)
		}
	}
	if t, ok = commonOf(firm); !ok {
		return nil, t, false
	}
	unified = make([]Value, len(list))
	for i, v := range list {
		to := t
		to.Optional = t.Optional || v.Type.Optional || v.Type.Kind == yqltype.Null
		var err error
		if unified[i], err = Fit(v, to); err != nil {
			if unified[i], err = relabel(v, to); err != nil {
				return nil, t, false
			}
		}
	}
	return unified, t, true
}

// commonOf is the common type of a list, that of NULL if it is empty.
func commonOf(list []yqltype.Type) (t yqltype.Type, ok bool) {
	for i, other := range list {
		if i == 0 {
			t = other
		} else if t, ok = yqltype.Common(t, other); !ok {
			return t, false
		}
	}
	return t, true
}

// widest is the type of that constant which has most room.
func widest(free []Value) (t yqltype.Type) {
	for i, v := range free {
		if i == 0 || v.Type.Bits() > t.Bits() {
			t = v.Type
		}
	}
	return t
}

// adapts reports whether a constant can be of type t.
func adapts(v Value, t yqltype.Type) bool {
	_, ok := fitConstant(constant(v), v.Type, t)
	return ok || yqltype.Equal(v.Type, t)
}

// flexible reports whether v is a constant that may take the type of others.
func flexible(v Value) bool {
	l := constant(v)
	return l != nil && !l.IsNull() && (v.Type.IsInteger() || v.Type.Kind == yqltype.String)
}
