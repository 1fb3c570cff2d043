package function

import (
	"errors"

	"github.com/tidemark-sql/tidemark/internal/nested"
	"github.com/tidemark-sql/tidemark/internal/types"
	"github.com/tidemark-sql/tidemark/internal/vector"
)

// castNested converts an ARRAY, MAP, MULTISET or ROW element by element. Flink 2.3: the kinds and the number of fields must be the same; what cannot be converted
// fails the whole value.
func castNested(o *Overload, from, to types.Type, try bool) {
	if from.Kind != to.Kind {
		return
	}
	var convert Kernel
	switch from.Kind {
	case types.Array:
		if elem, ok := castInside(o, from.Elem(), to.Elem()); ok {
			convert = func(c *Call) error { return castArrays(c, elem) }
		}
	case types.Multiset:
		if elem, ok := castInside(o, from.Elem(), to.Elem()); ok {
			counts := Overload{Result: types.IntType, Kernel: keep}
			convert = func(c *Call) error { return castMaps(c, elem, counts, vector.KindOf(from.Elem()), vector.Int64) }
		}
	case types.Map:
		key, ok1 := castInside(o, from.Key(), to.Key())
		value, ok2 := castInside(o, from.Elem(), to.Elem())
		if ok1 && ok2 {
			convert = func(c *Call) error {
				return castMaps(c, key, value, vector.KindOf(from.Key()), vector.KindOf(from.Elem()))
			}
		}
	case types.Row:
		if len(from.Fields()) != len(to.Fields()) {
			return
		}
		fields := make([]Overload, len(from.Fields()))
		for f, field := range from.Fields() {
			var ok bool
			if fields[f], ok = castInside(o, field.Type, to.Fields()[f].Type); !ok {
				return
			}
		}
		convert = func(c *Call) error { return castRows(c, fields) }
	}
	if convert != nil && try {
		convert = orNull(convert)
	}
	o.Kernel = convert
}

// castInside is the conversion of what is in a value, which o is the conversion of.
func castInside(o *Overload, from, to types.Type) (Overload, bool) {
	inside := Overload{Params: []types.Type{from}, Result: to, Kernel: keep}
	if !types.Same(from, to) {
		var err error
		if inside, err = ResolveCast(from, to, false); err != nil {
			return inside, false
		}
		inside.Result = to
	}
	o.Stability = max(o.Stability, inside.Stability)
	return inside, true
}

var errNullInside = errors.New("a NULL cannot become part of a value where NOT NULL is asked for")

// evaluate converts n values that are all asked for. The error is that of the value, whose number is its row.
func (o *Overload) evaluate(c *Call, v *vector.Vector, n int) (*vector.Vector, error) {
	args := c.Arena.Columns(1)
	args[0] = v
	out, err := o.Eval(c.Arena, c.Env, args, vector.All(n), n)
	if err != nil || !o.Result.NotNull || out.Valid == nil {
		return out, err
	}
	for i := range n {
		if out.IsNull(i) {
			return nil, &RowError{Row: i, Err: errNullInside}
		}
	}
	return out, nil
}

func castArrays(c *Call, elem Overload) error {
	elems, ends := nested.Expand(c.Arena, c.Args[0], vector.KindOf(elem.Params[0]), c.Rows)
	converted, err := elem.evaluate(c, elems, elems.Len())
	if err != nil {
		return ofRow(err, c.Rows, ends)
	}
	if elems.Len() == 0 {
		converted = c.Arena.Flat(vector.KindOf(elem.Result), 0)
	}
	nested.Pack(c.Arena, converted, ends, c.Rows, c.Out)
	return nil
}

func castMaps(c *Call, key, value Overload, keyKind, valueKind vector.Kind) error {
	keys, values, ends := nested.ExpandMap(c.Arena, c.Args[0], keyKind, valueKind, c.Rows)
	n := keys.Len()
	newKeys, err := key.evaluate(c, keys, n)
	if err != nil {
		return ofRow(err, c.Rows, ends)
	}
	newValues, err := value.evaluate(c, values, n)
	if err != nil {
		return ofRow(err, c.Rows, ends)
	}
	if n == 0 {
		newKeys, newValues = c.Arena.Flat(vector.KindOf(key.Result), 0), c.Arena.Flat(vector.KindOf(value.Result), 0)
	}
	nested.PackMap(c.Arena, newKeys, newValues, ends, c.Rows, c.Out)
	return nil
}

func castRows(c *Call, fields []Overload) error {
	n := c.Out.Len()
	cols := c.Arena.Columns(len(fields))
	for f, field := range fields {
		old := nested.Field(c.Arena, c.Args[0], f, len(fields), vector.KindOf(field.Params[0]), c.Rows, n)
		args := c.Arena.Columns(1)
		args[0] = old
		converted, err := field.Eval(c.Arena, c.Env, args, c.Rows, n)
		if err != nil {
			return err
		}
		if field.Result.NotNull && converted.Valid != nil {
			for k := range c.Rows.Count() {
				if i := c.Rows.At(k); converted.IsNull(i) {
					return &RowError{Row: i, Err: errNullInside}
				}
			}
		}
		cols[f] = converted
	}
	nested.PackRows(c.Arena, cols, c.Rows, c.Out)
	return nil
}

// ofRow makes an error of an element one of the row that it is in.
func ofRow(err error, rows vector.Rows, ends []int32) error {
	var e *RowError
	if !errors.As(err, &e) {
		return err
	}
	for k, end := range ends {
		if e.Row < int(end) {
			return &RowError{Row: rows.At(k), Err: e.Err, Hint: e.Hint}
		}
	}
	return err
}

// orNull makes NULL of the rows whose conversion fails. Once one does, the rows are converted one by one.
func orNull(convert Kernel) Kernel {
	return func(c *Call) error {
		var row *RowError
		if err := convert(c); !errors.As(err, &row) {
			return err
		}
		views := c.Arena.Flat(vector.Bytes, c.Out.Len()).Views
		var buf []byte
		for k := range c.Rows.Count() {
			i := c.Rows.At(k)
			one := *c
			one.Rows = vector.Rows{Sel: []int32{int32(i)}, N: c.Rows.N}
			err := convert(&one)
			if err != nil && !errors.As(err, &row) {
				return err
			}
			if err != nil {
				c.SetNull(i)
				continue
			}
			from := len(buf)
			buf = append(buf, c.Out.Bytes(i)...)
			c.Arena.Charge(len(buf) - from)
			views[i] = vector.View{Off: uint32(from), Len: uint32(len(buf) - from)}
		}
		c.Out.Views, c.Out.Buf = views, buf
		return nil
	}
}
