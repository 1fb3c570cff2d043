package functions

import (
	"github.com/tidemark-sql/tidemark/internal/function"
	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/vector"
	"github.com/tidemark-sql/tidemark/internal/yql/yqltype"
)

func listLength(list Value) (Value, error) {
	return call("ListLength", spec{kernel: ints(func(c *function.Call, i int) (int64, error) {
		return int64(nested.Count(c.Args[0].Bytes(i))), nil
	})}, count64, list)
}

// sameList applies a kernel that gives elements of the List that it takes.
func sameList(build func(b *vector.Builder, a *nested.Array, c *function.Call, i int) error) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		t := c.args[0].Type
		if t.Kind == yqltype.EmptyList {
			return c.args[0], nil
		}
		k := kindOf(t.Elem())
		return call(c.name, spec{kernel: reading(k, k, build)}, t, c.args...)
	}
}

// appendPart appends the elements from one position up to another.
func appendPart(b *vector.Builder, a *nested.Array, from, to int64) {
	for e := max(from, 0); e < min(to, int64(a.Len())); e++ {
		b.AppendFrom(a, int(e))
	}
}

// elementAt is an element by its position, from the end if that is negative.
func elementAt(list, index Value) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return Bare(), nil
	}
	at, ok := acceptWhole.take(index)
	if !ok {
		return Value{}, errorf(CodeType, "the position in a List is %s, and a whole number is wanted", index.describe())
	}
	elem := list.Type.Elem()
	k := kindOf(elem)
	return call("ListAt", spec{mayBeNull: true, kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return picking(k, func(b *vector.Builder, c *function.Call, i int) error {
			*a = nested.ReadArray(c.Args[0].Bytes(i), k)
			e := c.Args[1].Int(i)
			if e < 0 {
				e += int64(a.Len())
			}
			if e < 0 || e >= int64(a.Len()) {
				b.AppendNull()
			} else {
				b.AppendFrom(a, int(e))
			}
			return nil
		})(c)
	}}, elem, list, at)
}

func uniq(c *invocation) (Value, error) {
	t := c.args[0].Type
	if t.Kind == yqltype.EmptyList {
		return c.args[0], nil
	}
	k := kindOf(t.Elem())
	return call(c.name, spec{kernel: func(c *function.Call) error {
		seen := map[string]struct{}{}
		var key []byte
		return reading(k, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
			clear(seen)
			for e := range a.Len() {
				key = appendKey(key, k, a, e)
				if _, ok := seen[string(key)]; !ok {
					seen[string(key)] = struct{}{}
					b.AppendFrom(a, e)
				}
			}
			return nil
		})(c)
	}}, t, c.args...)
}

// concatLists is the elements of all.
func concatLists(lists []Value) (Value, error) {
	unified, t, ok := Unify(lists)
	if !ok {
		return Value{}, hintf(CodeType, "CAST some of them", "the Lists have no common type: %s", describe(lists))
	}
	if t.Kind == yqltype.EmptyList {
		return unified[0], nil
	}
	k := kindOf(t.Elem())
	return call("ListExtend", spec{kernel: func(c *function.Call) error {
		a := new(nested.Array)
		return buildList(k, func(b *vector.Builder, c *function.Call, i int) error {
			for _, v := range c.Args {
				*a = nested.ReadArray(v.Bytes(i), k)
				appendPart(b, a, 0, int64(a.Len()))
			}
			return nil
		})(c)
	}}, t, unified...)
}

// flatten takes one level of Lists away.
func flatten(list Value) (Value, error) {
	if list.Type.Kind == yqltype.EmptyList {
		return list, nil
	}
	inner := list.Type.Elem()
	if inner.Kind == yqltype.EmptyList {
		return List(nil)
	}
	if inner.Kind != yqltype.List {
		return Value{}, wants("ListFlatten", 0, "a List of Lists", list)
	}
	k := kindOf(inner.Elem())
	t := yqltype.ListOf(inner.Elem())
	return call("ListFlatten", spec{kernel: func(c *function.Call) error {
		part := new(nested.Array)
		return reading(vector.Bytes, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
			for e := range a.Len() {
				if a.IsNull(e) {
					continue
				}
				*part = nested.ReadArray(a.Bytes(e), k)
				appendPart(b, part, 0, int64(part.Len()))
			}
			return nil
		})(c)
	}}, t, list)
}

// notNull leaves the NULLs of a List out.
func notNull(list Value) (Value, error) {
	t := list.Type
	if t.Kind == yqltype.EmptyList || !t.Elem().Optional {
		return list, nil
	}
	k := kindOf(t.Elem())
	return call("ListNotNull", spec{kernel: reading(k, k, func(b *vector.Builder, a *nested.Array, _ *function.Call, _ int) error {
		for e := range a.Len() {
			if !a.IsNull(e) {
				b.AppendFrom(a, e)
			}
		}
		return nil
	})}, yqltype.ListOf(t.Elem().Required()), list)
}

func indexOf(c *invocation) (Value, error) {
	if c.args[0].Type.Kind == yqltype.EmptyList {
		return Null(count64), nil
	}
	elem, value := c.args[0].Type.Elem(), c.args[1]
	if ok, _ := yqltype.Comparable(elem, value.Type); !ok {
		return Value{}, refused("ListIndexOf", c.args[0], value)
	}
	value, err := Fit(value, elem.OrNull())
	if err != nil {
		return Value{}, about(1, err)
	}
	k := kindOf(elem)
	return call(c.name, spec{mayBeNull: true, kernel: ints(func(c *function.Call, i int) (int64, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), k)
		for e := range a.Len() {
			if function.SameValue(k, &a, e, c.Args[1], i) {
				return int64(e), nil
			}
		}
		return 0, errNull
	})}, count64, c.args[0], value)
}

func toTuple(c *invocation) (Value, error) {
	l := constant(c.args[1])
	if l == nil || l.IsNull() || l.Int() < 0 || l.Int() > 1000 || c.args[0].Type.Kind == yqltype.EmptyList {
		return Value{}, about(1, errorf(CodeValue, "how many elements the Tuple has is a constant of at most 1000"))
	}
	parts := make([]Value, l.Int())
	for i := range parts {
		part, err := elementAt(c.args[0], Int(yqltype.Of(yqltype.Int64), int64(i)))
		if err != nil {
			return Value{}, err
		}
		part.Type.Optional = c.args[0].Type.Elem().Optional
		parts[i] = part
	}
	whole, err := Tuple(parts)
	if err != nil {
		return Value{}, err
	}
	length, err := listLength(c.args[0])
	if err != nil {
		return Value{}, err
	}
	enough, err := Binary(">=", length, c.args[1])
	if err != nil {
		return Value{}, err
	}
	return If(enough, whole, Null(whole.Type))
}

// join is the strings of a List in one.
func join(name string, list, separator Value) (Value, error) {
	t := yqltype.Of(yqltype.String)
	if list.Type.Kind == yqltype.List {
		elem := list.Type.Elem()
		if !elem.IsText() {
			return Value{}, wants(name, 0, "a List of strings", list)
		}
		if elem.Kind == yqltype.Utf8 && separator.Type.Kind == yqltype.Utf8 {
			t = elem.Required()
		}
	}
	return call(name, spec{kernel: texts(func(dst []byte, c *function.Call, i int) ([]byte, error) {
		a := nested.ReadArray(c.Args[0].Bytes(i), vector.Bytes)
		first := true
		for e := range a.Len() {
			if a.IsNull(e) {
				continue
			}
			if !first {
				dst = append(dst, c.Args[1].Bytes(i)...)
			}
			first = false
			if dst = append(dst, a.Bytes(e)...); len(dst) > vector.MaxValue*2 {
				return nil, errorf(CodeValue, "the string would have more than %d bytes", vector.MaxValue*2)
			}
		}
		return dst, nil
	})}, t, list, separator)
}
